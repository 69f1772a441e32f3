#include "internal.h"

#include <CProcess.h>
#include <poll.h>
#include <stdio.h>

/* The text limit exceeds the 50,000 names that a program may own on a bus, so that no program hides
 * the names of others. */
enum { MAXIMUM_TEXTS = 256 * 1024, MAXIMUM_STEPS = 64, CALL_LIMIT = 2 * 1000 * 1000 };

struct call {
    cdb_bus *bus;
    uint64_t number;
};

cdb_bus *cdb_bus_open(const char *address, const cdb_bus_events *events, void *user, int *error) {
    cdb_bus *bus = calloc(1, sizeof(*bus));
    if (bus == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    bus->events = *events;
    bus->user = user;
    bus->socket_slot = -1;
    if ((*error = sd_bus_new(&bus->bus)) >= 0 && (*error = sd_bus_set_address(bus->bus, address)) >= 0 &&
        (*error = sd_bus_set_bus_client(bus->bus, 1)) >= 0 && (*error = sd_bus_start(bus->bus)) >= 0) {
        bus->socket_slot = cpr_close_in_children(sd_bus_get_fd(bus->bus));
        return bus;
    }
    cdb_bus_close(bus);
    return NULL;
}

void cdb_bus_close(cdb_bus *bus) {
    cdb_bus_unwatch_players(bus);
    sd_bus_slot_unref(bus->sleep);
    // Not flushed, because that would wait for the bus.
    sd_bus_close_unref(bus->bus);
    cpr_forget_socket(bus->socket_slot);
    free(bus);
}

int cdb_bus_file(cdb_bus *bus) { return sd_bus_get_fd(bus->bus); }

int cdb_bus_process(cdb_bus *bus) {
    for (int step = 0; step < MAXIMUM_STEPS; step++) {
        int result = sd_bus_process(bus->bus, NULL);
        if (result <= 0)
            return result;
    }
    return 1;
}

bool cdb_bus_wants_to_write(cdb_bus *bus) {
    int events = sd_bus_get_events(bus->bus);
    return events >= 0 && (events & POLLOUT) != 0;
}

uint64_t cdb_bus_deadline(cdb_bus *bus) {
    uint64_t deadline = UINT64_MAX;
    return sd_bus_get_timeout(bus->bus, &deadline) < 0 ? UINT64_MAX : deadline;
}

const char *cdb_bus_name(const cdb_bus *bus) { return bus->name; }

/* Called after an answer, because sd_bus_get_unique_name blocks until the bus has assigned a
 * name. */
static void learn_name(cdb_bus *bus) {
    const char *name = NULL;
    if (bus->name[0] == '\0' && sd_bus_is_ready(bus->bus) > 0 && sd_bus_get_unique_name(bus->bus, &name) >= 0)
        snprintf(bus->name, sizeof(bus->name), "%s", name);
}

static int read_texts(sd_bus_message *message, const char ***texts, uint32_t *count) {
    uint32_t room = 0;
    int result = sd_bus_message_enter_container(message, 'a', "s");
    while (result >= 0 && *count < MAXIMUM_TEXTS) {
        if (*count == room) {
            room = room == 0 ? 64 : 2 * room;
            const char **more = realloc(*texts, room * sizeof(*more));
            if (more == NULL)
                return -ENOMEM;
            *texts = more;
        }
        result = sd_bus_message_read_basic(message, 's', &(*texts)[*count]);
        if (result <= 0)
            break;
        (*count)++;
    }
    return result;
}

/* The caller frees `texts` after the reply was delivered. */
static int read_reply(sd_bus_message *message, cdb_reply *reply, const char ***texts) {
    char type;
    const char *contents;
    int result = sd_bus_message_peek_type(message, &type, &contents);
    if (result <= 0)
        return result;
    switch (type) {
    case 's': return sd_bus_message_read_basic(message, 's', &reply->text);
    case 'u':
    case 'b': return sd_bus_message_read_basic(message, type, &reply->number);
    case 'h': return sd_bus_message_read_basic(message, type, &reply->file);
    case 'a': return strcmp(contents, "s") == 0 ? read_texts(message, texts, &reply->count) : -EBADMSG;
    case 'v': return strcmp(contents, "s") == 0 ? sd_bus_message_read(message, "v", "s", &reply->text) : -EBADMSG;
    default: return 0;
    }
}

static int receive_reply(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    struct call *call = data;
    cdb_bus *bus = call->bus;
    learn_name(bus);
    cdb_reply reply = {.file = -1};
    const char **texts = NULL;
    if (sd_bus_message_is_method_error(message, NULL)) {
        const sd_bus_error *failure = sd_bus_message_get_error(message);
        reply.error = sd_bus_message_get_errno(message);
        reply.text = failure != NULL ? failure->name : NULL;
    } else {
        int result = read_reply(message, &reply, &texts);
        reply.texts = texts;
        reply.error = result < 0 ? -result : 0;
    }
    bus->events.replied(bus->user, call->number, &reply);
    free(texts);
    return 1;
}

static int append(sd_bus_message *message, const char *signature, const char *first, const char *second,
                  uint32_t number) {
    if (strcmp(signature, "s") == 0)
        return sd_bus_message_append(message, "s", first);
    if (strcmp(signature, "ss") == 0)
        return sd_bus_message_append(message, "ss", first, second);
    if (strcmp(signature, "su") == 0)
        return sd_bus_message_append(message, "su", first, number);
    return signature[0] == '\0' ? 0 : -EINVAL;
}

static int send_call(cdb_bus *bus, uint64_t number, sd_bus_message *message) {
    struct call *call = malloc(sizeof(*call));
    if (call == NULL)
        return -ENOMEM;
    *call = (struct call){bus, number};
    sd_bus_slot *slot = NULL;
    int result = sd_bus_call_async(bus->bus, &slot, message, receive_reply, call, CALL_LIMIT);
    if (result < 0) {
        free(call);
        return result;
    }
    // The slot belongs to the bus from now on, and the call to the slot.
    sd_bus_slot_set_destroy_callback(slot, free);
    sd_bus_slot_set_floating(slot, 1);
    sd_bus_slot_unref(slot);
    return 0;
}

int cdb_bus_call(cdb_bus *bus, uint64_t call, const char *destination, const char *path, const char *interface,
                 const char *member, const char *signature, const char *first, const char *second, uint32_t number) {
    sd_bus_message *message = NULL;
    int result = sd_bus_message_new_method_call(bus->bus, &message, destination, path, interface, member);
    // Does not start the destination.
    if (result >= 0)
        result = sd_bus_message_set_auto_start(message, 0);
    if (result >= 0)
        result = append(message, signature, first, second, number);
    if (result >= 0)
        result = send_call(bus, call, message);
    sd_bus_message_unref(message);
    return result;
}

/* Whether a signal went to this client alone. The bus delivers it whatever the match rules say, and
 * sd-bus takes every unique name for a sender with a well-known name. logind and the bus broadcast
 * their signals, so another client forged this one. */
static bool is_forged(sd_bus_message *message) { return sd_bus_message_get_destination(message) != NULL; }

/* ---- Sleep ----------------------------------------------------------------------------------- */

static int ignore(sd_bus_message *message, void *data, sd_bus_error *error);

static int preparing_for_sleep(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    cdb_bus *bus = data;
    int begins;
    if (is_forged(message))
        return 0;
    if (sd_bus_message_read(message, "b", &begins) >= 0)
        bus->events.sleep_changed(bus->user, begins != 0);
    return 0;
}

int cdb_bus_watch_sleep(cdb_bus *bus) {
    if (bus->sleep != NULL)
        return 0;
    return sd_bus_add_match_async(bus->bus, &bus->sleep,
                                  "type='signal',sender='" LOGIND_NAME "',path='" LOGIND_PATH "',interface='" LOGIND_MANAGER
                                  "',member='PrepareForSleep'",
                                  preparing_for_sleep, ignore, bus);
}

int cdb_bus_inhibit_sleep(cdb_bus *bus, uint64_t call, const char *who, const char *why) {
    sd_bus_message *message = NULL;
    int result = sd_bus_message_new_method_call(bus->bus, &message, LOGIND_NAME, LOGIND_PATH, LOGIND_MANAGER, "Inhibit");
    if (result >= 0)
        result = sd_bus_message_set_auto_start(message, 0);
    if (result >= 0)
        result = sd_bus_message_append(message, "ssss", "sleep", who, why, "delay");
    if (result >= 0)
        result = send_call(bus, call, message);
    sd_bus_message_unref(message);
    return result;
}

/* ---- Players of other programs --------------------------------------------------------------- */

static int owner_changed(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    cdb_bus *bus = data;
    const char *name, *from, *to;
    if (is_forged(message))
        return 0;
    if (sd_bus_message_read(message, "sss", &name, &from, &to) >= 0)
        bus->events.owner_changed(bus->user, name, from[0] != '\0' ? from : NULL, to[0] != '\0' ? to : NULL);
    return 0;
}

/* 1 and the status if it changed, 0 if not. */
static int read_changes(sd_bus_message *message, const char **status) {
    int found = 0;
    int result = sd_bus_message_enter_container(message, 'a', "{sv}");
    while (result >= 0 && (result = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
        const char *name;
        if ((result = sd_bus_message_read_basic(message, 's', &name)) < 0)
            break;
        if (strcmp(name, "PlaybackStatus") == 0) {
            result = sd_bus_message_read(message, "v", "s", status);
            found = 1;
        } else {
            result = sd_bus_message_skip(message, "v");
        }
        if (result >= 0)
            result = sd_bus_message_exit_container(message);
    }
    if (result >= 0)
        result = sd_bus_message_exit_container(message);
    return result < 0 ? result : found;
}

static int read_invalidated(sd_bus_message *message) {
    int result = sd_bus_message_enter_container(message, 'a', "s");
    const char *name;
    while (result >= 0 && (result = sd_bus_message_read_basic(message, 's', &name)) > 0)
        if (strcmp(name, "PlaybackStatus") == 0)
            return 1;
    return result;
}

static int properties_changed(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    cdb_bus *bus = data;
    const char *sender = sd_bus_message_get_sender(message), *interface, *status = NULL;
    if (sender == NULL || sd_bus_message_read(message, "s", &interface) < 0)
        return 0;
    int found = read_changes(message, &status);
    if (found == 0)
        found = read_invalidated(message);
    if (found > 0)
        bus->events.status_changed(bus->user, sender, status);
    return 0;
}

/* The answer to a match. Without this handler sd-bus would close the connection if the bus
 * refuses. */
static int ignore(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)message;
    (void)data;
    (void)error;
    return 0;
}

int cdb_bus_watch_players(cdb_bus *bus) {
    if (bus->owners != NULL)
        return 0;
    int result = sd_bus_add_match_async(
        bus->bus, &bus->owners,
        "type='signal',sender='" BUS_NAME "',path='" BUS_PATH "',interface='" BUS_NAME
        "',member='NameOwnerChanged',arg0namespace='" MPRIS_ROOT "'",
        owner_changed, ignore, bus);
    if (result >= 0)
        result = sd_bus_add_match_async(
            bus->bus, &bus->statuses,
            "type='signal',path='" MPRIS_PATH "',interface='org.freedesktop.DBus.Properties'"
            ",member='PropertiesChanged',arg0='" MPRIS_PLAYER "'",
            properties_changed, ignore, bus);
    if (result < 0)
        cdb_bus_unwatch_players(bus);
    return result;
}

void cdb_bus_unwatch_players(cdb_bus *bus) {
    bus->owners = sd_bus_slot_unref(bus->owners);
    bus->statuses = sd_bus_slot_unref(bus->statuses);
}
