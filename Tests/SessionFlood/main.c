/* session-flood REMOTE FILE churn COUNT UUID
 * session-flood REMOTE FILE huge COUNT UUID
 * session-flood REMOTE FILE hold|refused|restored COUNT UUID
 * session-flood REMOTE FILE cards|defaults|silent COUNT UUID
 * session-flood REMOTE FILE late 0 UUID
 * session-flood REMOTE FILE destroy COUNT UUID
 * session-flood REMOTE FILE read 0 UUID
 *
 * A hostile program, and one that does no harm, in these modes:
 * - `churn` creates and destroys COUNT forged tokens as fast as PipeWire accepts them.
 * - `huge` does the same with some tokens of 100 kB.
 * - `hold` creates COUNT tokens and keeps them until it is ended.
 * - `refused` does the same with tokens of which 32 are refused and nevertheless stay. Its file
 *   follows after more than a second.
 * - `restored` does the same with tokens that claim a place of an earlier run of the daemon.
 * - `cards` invents sound cards with more routes and longer texts than any real one.
 * - `defaults` creates metadata objects with the session manager's name.
 * - `silent` creates one of these, and stops itself.
 * - `late` has a token of priority emergency numbered, stops itself, shows it when it is
 *   continued, and stops again.
 * - `destroy` destroys the tokens of a session COUNT times, whatever program owns them.
 * - `read` receives every event and keeps nothing, to show the cost of any client.
 *
 * It creates the file once it has begun (`churn`, `huge`, `destroy`) or has created all objects,
 * and prints their number. Every second token is a Session, if PipeWire has these, and the
 * others are Devices. */
#include "session.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pipewire/pipewire.h>
/* It uses the types above. */
#include <pipewire/extensions/metadata.h>
#include <pipewire/impl.h>
#include <signal.h>
#include <spa/monitor/device.h>
#include <spa/monitor/utils.h>
#include <spa/param/param.h>
#include <spa/param/route.h>
#include <spa/pod/builder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { batch = 64, huge = 100000 };

struct flood {
    struct pw_loop *loop;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_registry *registry;
    const char *victim;
    int done;
    uint64_t made;
    uint64_t left; /* to be destroyed */
};

/* A device without parameters. The daemon keeps its properties. */
static struct spa_hook_list listeners;

static int add_listener(void *object, struct spa_hook *listener, const struct spa_device_events *events, void *data) {
    (void)object;
    struct spa_device_info info = SPA_DEVICE_INFO_INIT();
    struct spa_hook_list others;
    spa_hook_list_isolate(&listeners, &others, listener, events, data);
    spa_device_emit_info(&listeners, &info);
    spa_hook_list_join(&listeners, &others);
    return 0;
}

static int synchronize(void *object, int sequence) {
    (void)object;
    spa_device_emit_result(&listeners, sequence, 0, 0, NULL);
    return 0;
}

static int no_params(void *object, int sequence, uint32_t id, uint32_t start, uint32_t max,
                     const struct spa_pod *filter) {
    (void)object, (void)sequence, (void)id, (void)start, (void)max, (void)filter;
    return -ENOENT;
}

static int no_param(void *object, uint32_t id, uint32_t flags, const struct spa_pod *pod) {
    (void)object, (void)id, (void)flags, (void)pod;
    return -ENOENT;
}

static const struct spa_device_methods methods = {
    SPA_VERSION_DEVICE_METHODS,
    .add_listener = add_listener,
    .sync = synchronize,
    .enum_params = no_params,
    .set_param = no_param,
};

static struct spa_device device;

static const char *long_text(void) {
    static char text[huge + 1];
    memset(text, 'x', huge);
    return text;
}

/* Payloads of a program that wants to be believed, or to do harm. */
static const char *payload(uint64_t number, bool is_huge) {
    switch (number % 9) {
    case 0: return "1;state=standing;priority=emergency";
    case 1: return "1;state=standing;priority=god";
    case 2: return is_huge ? long_text() : "1;state=standing;priority=alarm;group=%2";
    case 3: return "1;state=standing;priority=\xff\xfe\xc3";
    case 4: return "7;state=elsewhere;priority=7";
    case 5: return "1;state=released-notify;priority=media";
    case 6: return "1;state=standing;priority=media;place=1:0:1";
    case 7: return "";
    default: return "1;state=standing;priority=communication;captures;notifies";
    }
}

static struct pw_proxy *forge(struct flood *flood, const char *text, bool is_wild) {
    char name[80];
    uint64_t number = flood->made++;
    if (number == 1 || (is_wild && number % 4 == 1))
        snprintf(name, sizeof(name), "audio-session.%s.%" PRIu32, flood->victim, (uint32_t)number);
    else if (is_wild && number % 32 == 2)
        snprintf(name, sizeof(name), "audio-session.nobody.%" PRIu64, number);
    else
        snprintf(name, sizeof(name), "audio-session.%08x-%04x-4000-8000-%012" PRIx64 ".1", (unsigned)getpid(), 7u,
                 number);
    if (number % 2 == 0) {
        struct spa_dict_item items[] = {
            SPA_DICT_ITEM_INIT("session.name", name),
            SPA_DICT_ITEM_INIT("audio-session.token", text),
        };
        struct pw_proxy *session = export_session(flood->core, &SPA_DICT_INIT_ARRAY(items));
        if (session != NULL)
            return session;
    }
    struct spa_dict_item items[] = {
        SPA_DICT_ITEM_INIT(PW_KEY_DEVICE_NAME, name),
        SPA_DICT_ITEM_INIT(PW_KEY_DEVICE_API, "audio-session"),
        SPA_DICT_ITEM_INIT(PW_KEY_DEVICE_DESCRIPTION, text),
    };
    struct spa_dict dict = SPA_DICT_INIT_ARRAY(items);
    return pw_core_export(flood->core, SPA_TYPE_INTERFACE_Device, &dict, &device, 0);
}

static void on_done(void *data, uint32_t id, int sequence) {
    struct flood *flood = data;
    if (id == PW_ID_CORE)
        flood->done = sequence;
}

static void on_error(void *data, uint32_t id, int sequence, int result, const char *message) {
    (void)data, (void)sequence;
    if (id != PW_ID_CORE || result != -EPIPE)
        return;
    fprintf(stderr, "session-flood: %s\n", message);
    exit(1);
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .done = on_done, .error = on_error};

static void catch_up(struct flood *flood) {
    int wanted = pw_core_sync(flood->core, PW_ID_CORE, 0);
    while (flood->done != wanted)
        pw_loop_iterate(flood->loop, -1);
}

static void announce(const char *file) {
    int made = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (made >= 0)
        close(made);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void churn(struct flood *flood, uint64_t count, const char *file, bool is_huge) {
    struct pw_proxy *proxies[batch];
    double start = now();
    while (flood->made < count) {
        for (int i = 0; i < batch; i++)
            proxies[i] = forge(flood, payload(flood->made, is_huge), true);
        pw_loop_iterate(flood->loop, 0);
        for (int i = 0; i < batch; i++)
            if (proxies[i] != NULL)
                pw_proxy_destroy(proxies[i]);
        catch_up(flood);
        if (flood->made == batch)
            announce(file);
    }
    printf("%" PRIu64 " tokens, %.0f a second\n", flood->made, (double)flood->made / (now() - start));
}

static void stay(struct flood *flood, const char *file) {
    catch_up(flood);
    announce(file);
    for (;;)
        pw_loop_iterate(flood->loop, -1);
}

static void hold(struct flood *flood, uint64_t count, const char *text, const char *file) {
    while (flood->made < count) {
        forge(flood, text, false);
        if (flood->made % batch == 0)
            catch_up(flood);
    }
    if (file != NULL)
        stay(flood, file);
}

/* A token that is refused without an opponent, because its program declares the background. */
static void hold_refused(struct flood *flood, uint64_t count, const char *file) {
    uint64_t refused = 32;
    hold(flood, count - refused, "1;state=standing;priority=media;mixes", NULL);
    hold(flood, count, "1;state=standing;priority=media;background=yes", NULL);
    catch_up(flood);
    nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 500000000}, NULL);
    stay(flood, file);
}

static void arrive_late(struct flood *flood, const char *file) {
    struct spa_dict_item items[] = {
        SPA_DICT_ITEM_INIT("session.name", "audio-session.00000000-0000-4000-8000-00000000fade.1"),
        SPA_DICT_ITEM_INIT("audio-session.token", "1;state=standing;priority=emergency"),
    };
    hold_session_back(flood->core, &SPA_DICT_INIT_ARRAY(items));
    catch_up(flood);
    announce(file);
    raise(SIGSTOP);
    show_session();
    catch_up(flood);
    raise(SIGSTOP);
}

/* A card with many routes. */
struct card {
    struct spa_device device;
    struct spa_hook_list listeners;
};

enum { routes = 300, text_length = 400 };

static int add_card_listener(void *object, struct spa_hook *listener, const struct spa_device_events *events,
                             void *data) {
    static struct spa_param_info params[] = {SPA_PARAM_INFO(SPA_PARAM_EnumRoute, SPA_PARAM_INFO_READ)};
    struct card *card = object;
    struct spa_device_info info = SPA_DEVICE_INFO_INIT();
    struct spa_hook_list others;
    spa_hook_list_isolate(&card->listeners, &others, listener, events, data);
    info.change_mask = SPA_DEVICE_CHANGE_MASK_PARAMS;
    info.params = params;
    info.n_params = 1;
    spa_device_emit_info(&card->listeners, &info);
    spa_hook_list_join(&card->listeners, &others);
    return 0;
}

static int synchronize_card(void *object, int sequence) {
    struct card *card = object;
    spa_device_emit_result(&card->listeners, sequence, 0, 0, NULL);
    return 0;
}

static struct spa_pod *build_route(struct spa_pod_builder *builder, uint32_t index) {
    char text[text_length + 16];
    int length = snprintf(text, sizeof(text), "%u", index);
    memset(text + length, 'x', text_length);
    text[length + text_length] = 0;
    struct spa_pod_frame route, info;
    spa_pod_builder_push_object(builder, &route, SPA_TYPE_OBJECT_ParamRoute, SPA_PARAM_EnumRoute);
    spa_pod_builder_add(builder, SPA_PARAM_ROUTE_index, SPA_POD_Int((int32_t)index), SPA_PARAM_ROUTE_direction,
                        SPA_POD_Id(SPA_DIRECTION_OUTPUT), SPA_PARAM_ROUTE_name, SPA_POD_String(text),
                        SPA_PARAM_ROUTE_description, SPA_POD_String(text), SPA_PARAM_ROUTE_priority, SPA_POD_Int(1),
                        SPA_PARAM_ROUTE_available, SPA_POD_Id(SPA_PARAM_AVAILABILITY_yes), 0);
    spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_info, 0);
    spa_pod_builder_push_struct(builder, &info);
    static const char *const keys[] = {"port.type", "port.availability-group", "device.product.name"};
    spa_pod_builder_int(builder, SPA_N_ELEMENTS(keys));
    for (size_t i = 0; i < SPA_N_ELEMENTS(keys); i++) {
        spa_pod_builder_string(builder, keys[i]);
        spa_pod_builder_string(builder, text);
    }
    spa_pod_builder_pop(builder, &info);
    return spa_pod_builder_pop(builder, &route);
}

static int enumerate_routes(void *object, int sequence, uint32_t id, uint32_t start, uint32_t max,
                            const struct spa_pod *filter) {
    (void)filter;
    static uint8_t buffer[65536];
    struct card *card = object;
    if (id != SPA_PARAM_EnumRoute)
        return -ENOENT;
    for (uint32_t index = start; index < routes && index - start < max; index++) {
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
        struct spa_result_device_params result = {.id = id, .index = index, .next = index + 1};
        result.param = build_route(&builder, index);
        spa_device_emit_result(&card->listeners, sequence, 0, SPA_RESULT_TYPE_DEVICE_PARAMS, &result);
    }
    return 0;
}

static const struct spa_device_methods card_methods = {
    SPA_VERSION_DEVICE_METHODS,
    .add_listener = add_card_listener,
    .sync = synchronize_card,
    .enum_params = enumerate_routes,
    .set_param = no_param,
};

static void invent_cards(struct flood *flood, uint64_t count, const char *file) {
    for (uint64_t i = 0; i < count; i++) {
        struct card *card = calloc(1, sizeof(*card));
        if (card == NULL)
            break;
        spa_hook_list_init(&card->listeners);
        card->device.iface =
            SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Device, SPA_VERSION_DEVICE, &card_methods, card);
        char name[40];
        snprintf(name, sizeof(name), "alsa_card.invented-%" PRIu64, i);
        struct spa_dict_item items[] = {
            SPA_DICT_ITEM_INIT(PW_KEY_DEVICE_NAME, name),
            SPA_DICT_ITEM_INIT(PW_KEY_DEVICE_API, "alsa"),
            SPA_DICT_ITEM_INIT(PW_KEY_MEDIA_CLASS, "Audio/Device"),
        };
        struct spa_dict dict = SPA_DICT_INIT_ARRAY(items);
        pw_core_export(flood->core, SPA_TYPE_INTERFACE_Device, &dict, &card->device, 0);
        catch_up(flood);
    }
    stay(flood, file);
}

static void publish_defaults(struct flood *flood, uint64_t count, const char *file) {
    struct spa_dict_item item = SPA_DICT_ITEM_INIT(PW_KEY_METADATA_NAME, "default");
    struct spa_dict properties = SPA_DICT_INIT(&item, 1);
    for (uint64_t i = 0; i < count; i++)
        pw_core_create_object(flood->core, "metadata", PW_TYPE_INTERFACE_Metadata, PW_VERSION_METADATA, &properties,
                              0);
    stay(flood, file);
}

/* A metadata object of its own, which answers nothing. */
static void publish_and_stop(struct flood *flood, const char *file) {
    struct spa_dict_item item = SPA_DICT_ITEM_INIT(PW_KEY_METADATA_NAME, "default");
    struct spa_dict properties = SPA_DICT_INIT(&item, 1);
    struct pw_impl_metadata *metadata =
        pw_context_create_metadata(flood->context, "default", pw_properties_new_dict(&properties), 0);
    pw_core_export(flood->core, PW_TYPE_INTERFACE_Metadata, &properties,
                   pw_impl_metadata_get_implementation(metadata), 0);
    catch_up(flood);
    announce(file);
    raise(SIGSTOP);
    stay(flood, file);
}

static void on_global(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                      const struct spa_dict *properties) {
    (void)permissions, (void)type, (void)version;
    struct flood *flood = data;
    const char *name = properties ? spa_dict_lookup(properties, PW_KEY_DEVICE_NAME) : NULL;
    if (name == NULL && properties != NULL)
        name = spa_dict_lookup(properties, "session.name");
    if (flood->left == 0 || name == NULL || strstr(name, flood->victim) == NULL)
        return;
    pw_registry_destroy(flood->registry, id);
    flood->left--;
}

static const struct pw_registry_events registry_events = {PW_VERSION_REGISTRY_EVENTS, .global = on_global};

static void destroy(struct flood *flood, uint64_t count, const char *file) {
    struct spa_hook listener;
    flood->left = count;
    flood->registry = pw_core_get_registry(flood->core, PW_VERSION_REGISTRY, 0);
    pw_registry_add_listener(flood->registry, &listener, &registry_events, flood);
    announce(file);
    while (flood->left > 0)
        pw_loop_iterate(flood->loop, -1);
    catch_up(flood);
    printf("%" PRIu64 " tokens destroyed\n", count);
}

static void on_any_global(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                          const struct spa_dict *properties) {
    (void)data, (void)id, (void)permissions, (void)type, (void)version, (void)properties;
}

static const struct pw_registry_events reader_events = {PW_VERSION_REGISTRY_EVENTS, .global = on_any_global};

static void read_along(struct flood *flood, const char *file) {
    struct spa_hook listener;
    flood->registry = pw_core_get_registry(flood->core, PW_VERSION_REGISTRY, 0);
    pw_registry_add_listener(flood->registry, &listener, &reader_events, flood);
    catch_up(flood);
    announce(file);
    for (;;)
        pw_loop_iterate(flood->loop, -1);
}

int main(int count, char **words) {
    if (count != 6) {
        fprintf(stderr, "session-flood REMOTE FILE KIND NUMBER UUID\n");
        return 64;
    }
    pw_init(NULL, NULL);
    spa_hook_list_init(&listeners);
    device.iface = SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Device, SPA_VERSION_DEVICE, &methods, NULL);
    struct flood flood = {.victim = words[5]};
    struct pw_properties *properties =
        pw_properties_new(PW_KEY_REMOTE_NAME, words[1], PW_KEY_APP_NAME, "Flood", NULL);
    flood.loop = pw_loop_new(NULL);
    flood.context = pw_context_new(flood.loop, NULL, 0);
    pw_loop_enter(flood.loop);
    flood.core = pw_context_connect(flood.context, properties, 0);
    if (flood.core == NULL) {
        fprintf(stderr, "session-flood: no PipeWire at %s\n", words[1]);
        return 1;
    }
    struct spa_hook listener;
    pw_core_add_listener(flood.core, &listener, &core_events, &flood);
    catch_up(&flood);
    const char *kind = words[3], *file = words[2];
    uint64_t number = strtoull(words[4], NULL, 10);
    if (strcmp(kind, "churn") == 0)
        churn(&flood, number, file, false);
    else if (strcmp(kind, "huge") == 0)
        churn(&flood, number, file, true);
    else if (strcmp(kind, "hold") == 0)
        hold(&flood, number, "1;state=standing;priority=media;mixes", file);
    else if (strcmp(kind, "refused") == 0)
        hold_refused(&flood, number, file);
    else if (strcmp(kind, "restored") == 0)
        hold(&flood, number, "1;state=standing;priority=media;mixes;place=1:0:5", file);
    else if (strcmp(kind, "cards") == 0)
        invent_cards(&flood, number, file);
    else if (strcmp(kind, "defaults") == 0)
        publish_defaults(&flood, number, file);
    else if (strcmp(kind, "late") == 0)
        arrive_late(&flood, file);
    else if (strcmp(kind, "silent") == 0)
        publish_and_stop(&flood, file);
    else if (strcmp(kind, "read") == 0)
        read_along(&flood, file);
    else
        destroy(&flood, number, file);
    return 0;
}
