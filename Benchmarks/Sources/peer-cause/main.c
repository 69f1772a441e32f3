/* peer-cause: causes the events for the other peers. Reads commands, one a line:
 *
 *   appear NAME, go NAME        a sink is created, and removed
 *   default NAME                the user chooses another output
 *   volume NAME LINEAR          the volume of a sink is set
 *   victim NAME, kill NAME      another process creates a sink, and is killed
 *   crowd COUNT                 so many more unrelated objects; prints `ready` when they exist
 *   time                        prints `caused NANOSECONDS`: when the last one began
 *
 * The time is requested later, so that no process wakes up for it while the event is under way. */
#include "../FloorClient/connection.h"

#include <fcntl.h>
#include <pipewire/extensions/metadata.h>
#include <signal.h>
#include <spa/monitor/device.h>
#include <spa/monitor/utils.h>
#include <spa/param/props.h>
#include <spa/pod/builder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct sink {
    struct spa_list link;
    char name[64];
    struct pw_proxy *proxy;
    pid_t process;
};

static struct {
    struct connection connection;
    struct pw_metadata *metadata;
    struct spa_list sinks;
    uint64_t caused;
    char line[256];
    size_t filled;
    const char *program;
} cause;

static struct sink *add(const char *name) {
    struct sink *sink = calloc(1, sizeof(*sink));
    snprintf(sink->name, sizeof(sink->name), "%s", name);
    spa_list_append(&cause.sinks, &sink->link);
    return sink;
}

static struct sink *find(const char *name) {
    struct sink *sink;
    spa_list_for_each(sink, &cause.sinks, link) if (strcmp(sink->name, name) == 0) return sink;
    return NULL;
}

static struct pw_proxy *make_sink(const char *name) {
    const struct spa_dict_item items[] = {
        {"factory.name", "support.null-audio-sink"}, {"node.name", name}, {"node.description", name},
        {"media.class", "Audio/Sink"}, {"audio.position", "FL,FR"},
    };
    return pw_core_create_object(cause.connection.core, "adapter", PW_TYPE_INTERFACE_Node, PW_VERSION_NODE,
                                 &SPA_DICT_INIT_ARRAY(items), 0);
}

static void appear(const char *name) {
    struct sink *sink = add(name);
    cause.caused = peer_now();
    sink->proxy = make_sink(name);
}

static void go(const char *name) {
    struct sink *sink = find(name);
    if (!sink)
        return;
    cause.caused = peer_now();
    pw_proxy_destroy(sink->proxy);
    spa_list_remove(&sink->link);
    free(sink);
}

static void choose(const char *name) {
    char value[128];
    snprintf(value, sizeof(value), "{ \"name\": \"%s\" }", name);
    cause.caused = peer_now();
    if (cause.metadata)
        pw_metadata_set_property(cause.metadata, 0, "default.configured.audio.sink", "Spa:String:JSON", value);
}

static void set_volume(const char *name, float volume) {
    struct sink *sink = find(name);
    float volumes[2] = {volume, volume};
    uint8_t buffer[256];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
    if (!sink)
        return;
    struct spa_pod *pod = spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_Props, SPA_PARAM_Props, SPA_PROP_channelVolumes,
        SPA_POD_Array(sizeof(float), SPA_TYPE_Float, 2, volumes));
    cause.caused = peer_now();
    pw_node_set_param((struct pw_node *)sink->proxy, SPA_PARAM_Props, 0, pod);
}

static void start_victim(const char *name) {
    struct sink *sink = add(name);
    cause.caused = peer_now();
    sink->process = fork();
    if (sink->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        execl(cause.program, "peer-cause", "be-victim", name, NULL);
        _exit(127);
    }
}

static void kill_victim(const char *name) {
    struct sink *sink = find(name);
    if (!sink || sink->process <= 0)
        return;
    cause.caused = peer_now();
    kill(sink->process, SIGKILL);
    waitpid(sink->process, NULL, 0);
    spa_list_remove(&sink->link);
    free(sink);
}

/* A device without parameters: an object of the registry and nothing else. */
static int add_listener(void *object, struct spa_hook *listener, const struct spa_device_events *events, void *data) {
    struct spa_hook_list *listeners = object, others;
    struct spa_device_info info = SPA_DEVICE_INFO_INIT();
    spa_hook_list_isolate(listeners, &others, listener, events, data);
    spa_device_emit_info(listeners, &info);
    spa_hook_list_join(listeners, &others);
    return 0;
}

static const struct spa_device_methods crowd_methods = {SPA_VERSION_DEVICE_METHODS, .add_listener = add_listener};

static void crowd(int count) {
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof(name), "crowd-%d", i);
        struct spa_hook_list *listeners = calloc(1, sizeof(*listeners));
        struct spa_device *device = calloc(1, sizeof(*device));
        const struct spa_dict_item items[] = {{"device.name", name}, {"device.description", "one of a crowd"}};
        spa_hook_list_init(listeners);
        device->iface = SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Device, SPA_VERSION_DEVICE, &crowd_methods, listeners);
        pw_core_export(cause.connection.core, SPA_TYPE_INTERFACE_Device, &SPA_DICT_INIT_ARRAY(items), device, 0);
    }
    cause.connection.left = 3;
    cause.connection.wanted = pw_core_sync(cause.connection.core, PW_ID_CORE, 0);
}

static void obey(char *line) {
    char *words[3] = {"", "", ""};
    for (int i = 0; i < 3 && (words[i] = strtok(i ? NULL : line, " ")); i++) {}
    const char *name = words[1] ? words[1] : "", *word = words[0] ? words[0] : "";
    if (strcmp(word, "appear") == 0)
        appear(name);
    else if (strcmp(word, "go") == 0)
        go(name);
    else if (strcmp(word, "default") == 0)
        choose(name);
    else if (strcmp(word, "volume") == 0)
        set_volume(name, words[2] ? strtof(words[2], NULL) : 0);
    else if (strcmp(word, "victim") == 0)
        start_victim(name);
    else if (strcmp(word, "kill") == 0)
        kill_victim(name);
    else if (strcmp(word, "crowd") == 0)
        crowd(atoi(name));
    else if (strcmp(word, "time") == 0)
        peer_print("caused %llu\n", (unsigned long long)cause.caused);
}

static void input(void *data, int file, uint32_t mask) {
    (void)data, (void)mask;
    ssize_t count = read(file, cause.line + cause.filled, sizeof(cause.line) - 1 - cause.filled);
    if (count <= 0) {
        pw_main_loop_quit(cause.connection.main_loop);
        return;
    }
    cause.filled += (size_t)count;
    cause.line[cause.filled] = 0;
    char *end;
    while ((end = strchr(cause.line, '\n'))) {
        char line[sizeof(cause.line)];
        *end = 0;
        strcpy(line, cause.line);
        cause.filled -= (size_t)(end + 1 - cause.line);
        memmove(cause.line, end + 1, cause.filled + 1);
        obey(line);
    }
}

static void appeared(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                     const struct spa_dict *properties) {
    (void)data, (void)permissions, (void)version;
    const char *name = properties ? spa_dict_lookup(properties, "metadata.name") : NULL;
    if (!cause.metadata && name && strcmp(name, "default") == 0)
        cause.metadata = pw_registry_bind(cause.connection.registry, id, type, PW_VERSION_METADATA, 0);
}

static const struct pw_registry_events registry_events = {PW_VERSION_REGISTRY_EVENTS, .global = appeared};
static const struct pw_registry_events no_events = {PW_VERSION_REGISTRY_EVENTS};

int main(int count, char **arguments) {
    bool is_victim = count > 2 && strcmp(arguments[1], "be-victim") == 0;
    cause.program = "/proc/self/exe";
    spa_list_init(&cause.sinks);
    if (connection_open(&cause.connection, is_victim ? &no_events : &registry_events, NULL) < 0)
        return 69;
    if (is_victim)
        appear(arguments[2]);
    else
        pw_loop_add_io(pw_main_loop_get_loop(cause.connection.main_loop), STDIN_FILENO, SPA_IO_IN, false, input, NULL);
    pw_main_loop_run(cause.connection.main_loop);
    return 0;
}
