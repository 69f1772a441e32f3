#include "Watchdog/restore_cards.h"
#include "Watchdog/restore_streams.h"

#include <CProcess.h>

#include <pipewire/impl.h>

/* All functions but the last three run in the watchdog. try_locks runs before it, in a copy of the
 * program. */

enum { STEP = 10 /* ms */, CHECK_DELAY = 1000 /* ms */, WAIT_LIMIT = 2 /* s */ };

/* Round trips until a bound device has sent its info, its list of parameters, and their values. */
enum { ROUNDS_OF_A_DEVICE = 3 };

/* Longer than all waits of `restore` together: for the program's end, for a device, before the check,
 * and for the last answers. A shorter one would end it before it has switched a slow card back. */
enum { LIMIT = (1 + ROUNDS_OF_A_DEVICE + 1) * WAIT_LIMIT + CHECK_DELAY / 1000 + 4 /* s */ };

static id_bits recorders; /* streams that record */

#define SESSION_NAME "session.name"
#define SECURITY_SOCKET "pipewire.sec.socket" /* PW_KEY_SEC_SOCKET since PipeWire 0.3.82 */
#define CONTEXT_SOCKET "pipewire-fd-"         /* the beginning of a security context's */

struct work {
    cpw_loop loop; /* without a thread of its own */
    cpw_connection *connection;
    const char *own; /* name of the program's marks */
    struct client_objects own_marks; /* those of this name; any client can publish one */
    struct streams streams;
    struct cards cards;
    int32_t done;
    bool failed;
};

static const char *value(const cpw_property *properties, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++)
        if (properties[i].key != NULL && strcmp(properties[i].key, key) == 0)
            return properties[i].value;
    return NULL;
}

static uint32_t id_in(const cpw_property *properties, size_t count, const char *key) {
    const char *id = value(properties, count, key);
    return id != NULL ? (uint32_t)strtoul(id, NULL, 10) : SPA_ID_INVALID;
}

static uint32_t owner_of(const cpw_property *properties, size_t count) {
    return id_in(properties, count, PW_KEY_CLIENT_ID);
}

/* The core decides by the same rule, Client.isSandboxed, which has the reasons. */
static bool is_of_sandbox(const char *access, const char *socket) {
    static const char *const trusted[] = {"unrestricted", "allowed", "default"};
    if (socket != NULL && strncmp(socket, CONTEXT_SOCKET, strlen(CONTEXT_SOCKET)) == 0)
        return true;
    for (size_t i = 0; access != NULL && i < SPA_N_ELEMENTS(trusted); i++)
        if (strcmp(access, trusted[i]) == 0)
            return false;
    return access != NULL;
}

static void note_mark(struct work *work, uint32_t id, const cpw_property *properties, size_t count) {
    const char *payload = value(properties, count, CPW_MARK_KEY), *api = value(properties, count, PW_KEY_DEVICE_API);
    const char *name = value(properties, count, payload != NULL ? SESSION_NAME : PW_KEY_DEVICE_NAME);
    uint32_t owner = owner_of(properties, count);
    bool is_device = payload == NULL && api != NULL && strcmp(api, CPW_MARK_API) == 0;
    if (is_device)
        payload = value(properties, count, PW_KEY_DEVICE_DESCRIPTION);
    if (name == NULL || (payload == NULL && !is_device))
        return;
    if (strcmp(name, work->own) == 0) {
        // Whether its client is sandboxed may be known only later.
        client_objects_add(&work->own_marks, id, owner, "");
    } else if (payload == NULL || is_sandboxed(owner)) {
        return;
    } else if (strncmp(payload, CPW_MARK_CARD, strlen(CPW_MARK_CARD)) == 0) {
        cards_note_mark(&work->cards, id, owner, payload + strlen(CPW_MARK_CARD));
    } else {
        streams_note_mark(&work->streams, id, owner, payload);
    }
}

static void note_node(struct work *work, uint32_t id, const cpw_property *properties, size_t count) {
    const char *class = value(properties, count, PW_KEY_MEDIA_CLASS);
    id_bits_put(recorders, id, class != NULL && strcmp(class, "Stream/Input/Audio") == 0);
    if (class != NULL && strcmp(class, "Audio/Source") == 0)
        cards_note_source(&work->cards, id, owner_of(properties, count), id_in(properties, count, PW_KEY_DEVICE_ID));
    streams_note(&work->streams, id, value(properties, count, PW_KEY_OBJECT_SERIAL));
}

static void on_global(void *user, uint32_t id, cpw_object_type type, const cpw_property *properties, size_t count) {
    struct work *work = user;
    if (type == CPW_OBJECT_DEVICE || type == CPW_OBJECT_SESSION)
        note_mark(work, id, properties, count);
    if (type == CPW_OBJECT_DEVICE)
        cards_note_device(&work->cards, id, owner_of(properties, count), value(properties, count, PW_KEY_DEVICE_NAME));
    if (type == CPW_OBJECT_CLIENT)
        note_sandboxed(
            id, is_of_sandbox(value(properties, count, PW_KEY_ACCESS), value(properties, count, SECURITY_SOCKET)));
    if (type == CPW_OBJECT_NODE)
        note_node(work, id, properties, count);
    if (type == CPW_OBJECT_LINK && id_bits_has(recorders, id_in(properties, count, PW_KEY_LINK_INPUT_NODE)))
        cards_note_link(&work->cards, id, owner_of(properties, count),
                        id_in(properties, count, PW_KEY_LINK_OUTPUT_NODE));
}

static void on_removed(void *user, uint32_t id) {
    struct work *work = user;
    cards_note_removed(&work->cards, id);
    streams_note_removed(&work->streams, id);
    client_objects_remove(&work->own_marks, id);
}

static void on_properties(void *user, uint32_t id, cpw_object_type type, const cpw_property *properties, size_t count) {
    (void)user, (void)id, (void)type, (void)properties, (void)count;
}

static void on_state(void *user, uint32_t id, int32_t state) { (void)user, (void)id, (void)state; }

static void on_params(void *user, uint32_t id, cpw_device_param param) { (void)user, (void)id, (void)param; }

static void on_profile(void *user, uint32_t id, cpw_device_param param, const cpw_profile *profile) {
    if (param == CPW_PARAM_PROFILE)
        cards_note_profile(&((struct work *)user)->cards, id, profile);
}

static void on_route(void *user, uint32_t id, cpw_device_param param, const cpw_route *route) {
    if (param == CPW_PARAM_ROUTE)
        cards_note_route(&((struct work *)user)->cards, id, route);
}

static void on_done(void *user, int32_t sequence) { ((struct work *)user)->done = sequence; }

static void on_failed(void *user, int32_t error, const char *message) {
    (void)error, (void)message;
    ((struct work *)user)->failed = true;
}

static const cpw_connection_events events = {
    .global = on_global,
    .global_removed = on_removed,
    .properties = on_properties,
    .node_state = on_state,
    .params_begin = on_params,
    .params_end = on_params,
    .profile = on_profile,
    .route = on_route,
    .done = on_done,
    .failed = on_failed,
};

/* Waits until all requests are answered and the condition holds; false after WAIT_LIMIT.
 * Measures by the clock, because events of other clients end a step early. */
static bool sync_until(struct work *work, bool (*is_over)(const struct work *work)) {
    int32_t asked = cpw_connection_sync(work->connection);
    uint64_t deadline = cpw_now() + WAIT_LIMIT * SPA_NSEC_PER_SEC;
    while (!work->failed && cpw_now() < deadline) {
        // Queries to a device have syncs of their own, so `done` may be later than `asked`.
        if (work->done - asked >= 0 && is_over(work))
            return true;
        pw_loop_iterate(work->loop.loop, STEP);
    }
    return false;
}

static bool is_always_true(const struct work *work) {
    (void)work;
    return true;
}

static bool has_all_answers(const struct work *work) { return !cpw_connection_is_enumerating(work->connection); }

/* The daemon may not have noticed the program's end yet. */
static bool program_is_gone(const struct work *work) {
    for (size_t i = 0; i < work->own_marks.count; i++)
        if (!is_sandboxed(work->own_marks.objects[i].client))
            return false;
    return true;
}

static bool connect_to(struct work *work, const char *remote) {
    int error = 0;
    const cpw_connection_options options = {remote[0] != '\0' ? remote : NULL, "audio-watchdog"};
    work->connection = cpw_connection_create(&work->loop, &options, &events, work, &error);
    return work->connection != NULL && cpw_connection_watch_registry(work->connection, NULL, 0) >= 0;
}

/* The program's log file is closed, and its number may become that of the connection's socket. */
static void end_log(void) {
    pw_log_set_level(SPA_LOG_LEVEL_NONE);
    pw_log_set(NULL);
}

/* A context with the protocol module only. Other modules, such as that for real-time priority, have
 * locks that another thread may have held at the fork. Null if memory is exhausted. */
static struct pw_context *minimal_context(struct pw_loop *loop) {
    end_log();
    struct pw_context *context = pw_context_new(loop, pw_properties_new(PW_KEY_CONFIG_NAME, "null", NULL), 0);
    if (context != NULL &&
        pw_context_load_module(context, "libpipewire-module-protocol-native", NULL, NULL) == NULL) {
        pw_context_destroy(context);
        context = NULL;
    }
    return context;
}

static void restore_cards(struct work *work) {
    cards_bind(&work->cards, work->connection);
    for (int round = 0; work->cards.control_count > 0 && round < ROUNDS_OF_A_DEVICE; round++)
        sync_until(work, is_always_true); /* a card that changes all the time delays nothing */
    if (!cards_restore(&work->cards, work->connection))
        return;
    // The session manager writes the volume of each route that becomes active, which selects the
    // route. If the program was killed right after its choice, that selects the chosen route again.
    uint64_t end = cpw_now() + CHECK_DELAY * SPA_NSEC_PER_MSEC;
    for (int quiet = 0; quiet < CHECK_DELAY / STEP && !work->failed && cpw_now() < end;)
        quiet += pw_loop_iterate(work->loop.loop, STEP) == 0;
    cards_restore(&work->cards, work->connection);
}

static void read_cards(struct work *work) {
    for (const char *line = work->streams.order; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line == '@')
            cards_read(&work->cards, line);
    }
}

/* The work of the watchdog. Frees nothing, because its process ends afterwards. */
static void restore(const char *remote, char *order) {
    static struct work work; /* too large for the stack of some threads */
    char *streams = strchr(order, '\n');
    if (streams == NULL || streams[1] == '\0')
        return;
    *streams = '\0';
    cpr_watchdog_end_after(LIMIT); /* the daemon may hang */
    work.own = order;
    work.streams.order = streams + 1;
    work.done = -1;
    work.loop.loop = pw_loop_new(NULL);
    if (work.loop.loop == NULL)
        return;
    pw_loop_enter(work.loop.loop);
    work.loop.context = minimal_context(work.loop.loop);
    read_cards(&work);
    if (work.loop.context == NULL || !connect_to(&work, remote) || !sync_until(&work, program_is_gone))
        return;
    streams_restore(&work.streams, work.connection);
    restore_cards(&work);
    // A card reports its new route before the sync is done. If the process ended before the answer
    // to the query that follows, the daemon would keep the old route (see "Rechecks"
    // in device.c).
    sync_until(&work, has_all_answers);
}

/* Does first what could meet a lock that another thread held at the fork, or data that it was
 * changing: PipeWire's plugins, the libraries of glibc's loader, and the user name that a context
 * looks up. */
static void try_locks(void) {
    struct pw_loop *loop = pw_loop_new(NULL);
    struct pw_context *context = loop != NULL ? minimal_context(loop) : NULL;
    if (context != NULL)
        pw_context_destroy(context);
    if (loop != NULL)
        pw_loop_destroy(loop);
}

cpw_watchdog *cpw_watchdog_create(const char *remote, int *error) {
    return cpr_watchdog_create(restore, try_locks, remote, error);
}

int cpw_watchdog_set_order(cpw_watchdog *watchdog, const char *order, size_t length) { return cpr_watchdog_set_order(watchdog, order, length); }

void cpw_watchdog_destroy(cpw_watchdog *watchdog) { cpr_watchdog_destroy(watchdog); }
