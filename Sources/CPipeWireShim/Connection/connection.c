#include "internal.h"

#include <CProcess.h>

#include <limits.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void on_info(void *data, const struct pw_core_info *info) {
    cpw_connection *connection = data;
    connection->cookie = info->cookie;
}

static void on_done(void *data, uint32_t id, int sequence) {
    cpw_connection *connection = data;
    if (id == PW_ID_CORE && connection->end.ended != NULL && sequence == connection->end.sequence)
        cpw_timer_arm(connection->end.timer, 0);
    if (id != PW_ID_CORE || connection->failed)
        return;
    connection->loop->event_time = cpw_now();
    cpw_streams_done(connection, sequence);
    cpw_devices_done(connection, sequence);
    connection->events.done(connection->user, sequence);
}

/* Only the end of the connection is handled here; errors of single objects reach their proxies.
 * libpipewire reports the end with this text and the first error: mostly EPIPE, but ECONNRESET if
 * the daemon died with unread data, and EPROTO after a malformed message. */
static bool is_end(int result, const char *message) {
    return result == -EPIPE || (message != NULL && strcmp(message, "connection error") == 0);
}

static void on_error(void *data, uint32_t id, int sequence, int result, const char *message) {
    (void)sequence;
    cpw_connection *connection = data;
    if (id == PW_ID_CORE && connection->end.ended != NULL && is_end(result, message))
        cpw_timer_arm(connection->end.timer, 0);
    if (id != PW_ID_CORE || !is_end(result, message) || connection->failed)
        return;
    connection->failed = true;
    connection->loop->event_time = cpw_now();
    connection->events.failed(connection->user, result, message ? message : "connection error");
}

static const struct pw_core_events core_events = {
    PW_VERSION_CORE_EVENTS,
    .info = on_info,
    .done = on_done,
    .error = on_error,
};

static struct pw_properties *connect_properties(const cpw_connection_options *options) {
    struct pw_properties *properties = pw_properties_new(NULL, NULL);
    if (properties == NULL)
        return NULL;
    if (options->application_name != NULL)
        pw_properties_set(properties, PW_KEY_APP_NAME, options->application_name);
    return properties;
}

static int connect_to_path(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof(address.sun_path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, length);
    if (path[0] == '@')
        address.sun_path[0] = '\0'; /* an abstract name, whose length counts */
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] == '@' ? 0 : 1));
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0 || connect(file, (struct sockaddr *)&address, size) == 0)
        return file;
    /* The queue of connections is full. Missing threads are EAGAIN, too. */
    int error = errno == ENOENT ? EHOSTDOWN : errno == EAGAIN ? EBUSY : errno;
    close(file);
    errno = error;
    return -1;
}

static const char *value_of(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

const char *cpw_socket_folder(void) {
    const char *folder = value_of("PIPEWIRE_RUNTIME_DIR");
    folder = folder != NULL ? folder : value_of("XDG_RUNTIME_DIR");
    return folder != NULL ? folder : value_of("USERPROFILE");
}

/* Opens a daemon's socket by libpipewire's rules: a path, or a name in the user's folder, and then
 * in that of the system. */
static int open_remote(const char *remote) {
    if (remote[0] == '/' || remote[0] == '@')
        return connect_to_path(remote);
    const char *folder = cpw_socket_folder();
    char path[PATH_MAX];
    int file = -1;
    errno = EHOSTDOWN;
    if (folder != NULL) {
        snprintf(path, sizeof(path), "%s/%s", folder, remote);
        file = connect_to_path(path);
    }
    if (file < 0) {
        int error = errno;
        snprintf(path, sizeof(path), "/run/pipewire/%s", remote);
        file = connect_to_path(path);
        errno = error; /* that of the user's folder says more */
    }
    return file;
}

/* libpipewire itself prefers $PIPEWIRE_REMOTE to the name that a program gives. */
static struct pw_core *connect_to_daemon(struct pw_context *context, const cpw_connection_options *options) {
    if (options->remote == NULL)
        return pw_context_connect(context, connect_properties(options), 0);
    int file = open_remote(options->remote);
    return file < 0 ? NULL : pw_context_connect_fd(context, file, connect_properties(options), 0);
}

/* Takes the context that the loop prepared, or makes one. */
static struct pw_context *take_context(cpw_loop *loop) {
    struct pw_context *ready = loop->context;
    loop->context = NULL;
    return ready != NULL ? ready : cpw_context_new(loop->loop);
}

/* `context` is that of another connection, or null. */
static cpw_connection *create(cpw_loop *loop, struct pw_context *context, const cpw_connection_options *options,
                              const cpw_connection_events *events, void *user, int *error) {
    cpw_connection *connection = calloc(1, sizeof(*connection));
    if (connection == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    connection->loop = loop;
    connection->events = *events;
    connection->user = user;
    spa_list_init(&connection->objects);
    spa_list_init(&connection->enumerations);
    spa_list_init(&connection->streams);
    spa_list_init(&connection->ending_streams);
    connection->socket_slot = -1;
    connection->session_factory = SPA_ID_INVALID;
    errno = 0;
    connection->borrows_context = context != NULL;
    connection->context = context != NULL ? context : take_context(loop);
    if (connection->context != NULL)
        connection->core = connect_to_daemon(connection->context, options);
    if (connection->core == NULL) {
        *error = errno ? -errno : -EIO;
        cpw_connection_destroy(connection);
        return NULL;
    }
    pw_core_add_listener(connection->core, &connection->core_listener, &core_events, connection);
    connection->socket_slot = cpw_close_in_children(loop->loop);
    *error = 0;
    return connection;
}

cpw_connection *cpw_connection_create(cpw_loop *loop, const cpw_connection_options *options,
                                      const cpw_connection_events *events, void *user, int *error) {
    return create(loop, NULL, options, events, user, error);
}

cpw_connection *cpw_connection_create_sibling(cpw_connection *other, const cpw_connection_options *options,
                                             const cpw_connection_events *events, void *user, int *error) {
    return create(other->loop, other->context, options, events, user, error);
}

void cpw_connection_destroy(cpw_connection *connection) {
    connection->failed = true; /* sends no events for the objects that are removed with it */
    cpw_registry_clear(connection);
    cpw_streams_clear(connection);
    if (connection->recheck_timer != NULL)
        cpw_timer_destroy(connection->recheck_timer);
    if (connection->core != NULL) {
        spa_hook_remove(&connection->core_listener);
        pw_core_disconnect(connection->core);
    }
    cpr_forget_socket(connection->socket_slot);
    if (connection->context != NULL && !connection->borrows_context)
        pw_context_destroy(connection->context);
    free(connection);
}

enum { END_LIMIT = SPA_NSEC_PER_SEC };

/* A connection must not be destroyed within its own callbacks, so its timer does that. */
static void destroy_ended(void *data) {
    cpw_connection *connection = data;
    void (*ended)(void *) = connection->end.ended;
    void *user = connection->end.user;
    cpw_timer_destroy(connection->end.timer);
    cpw_connection_destroy(connection);
    ended(user);
}

/* The daemon reads a sync after it has answered the queries before it. If a client ends before that,
 * the daemon keeps the old value of a device for all clients. */
void cpw_connection_end(cpw_connection *connection, void (*ended)(void *user), void *user) {
    if (!connection->failed)
        connection->end.timer = cpw_timer_create(connection->loop, false, destroy_ended, connection);
    if (connection->end.timer == NULL) {
        cpw_connection_destroy(connection);
        ended(user);
        return;
    }
    connection->end.ended = ended;
    connection->end.user = user;
    connection->end.sequence = pw_core_sync(connection->core, PW_ID_CORE, 0);
    connection->failed = true; /* sends no events, and no further queries */
    cpw_timer_arm(connection->end.timer, END_LIMIT);
}

int32_t cpw_connection_sync(cpw_connection *connection) {
    /* Otherwise `done` could follow an answer that is older than an event received before this
     * call. */
    cpw_devices_repeat_stale(connection);
    return pw_core_sync(connection->core, PW_ID_CORE, 0);
}

uint32_t cpw_connection_cookie(const cpw_connection *connection) { return connection->cookie; }

uint32_t cpw_connection_client(const cpw_connection *connection) {
    return pw_proxy_get_bound_id((struct pw_proxy *)pw_core_get_client(connection->core));
}
