#include "internal.h"

#include <pipewire/extensions/session-manager.h>

/* A Session of module-session-manager that has only properties. The daemon stores them, so a client
 * that binds the object never waits for this process. */

struct cpw_session_object {
    struct cpw_own_object own;
    struct spa_interface session;
    struct spa_hook_list listeners;
};

/* Called within pw_core_export. The info is sent with the request, and the daemon registers the
 * object once it has it. */
static int add_listener(void *object, struct spa_hook *listener, const struct pw_session_events *events, void *data) {
    struct cpw_session_object *session = object;
    struct spa_dict properties = SPA_DICT_INIT(NULL, 0);
    struct pw_session_info info = {
        .version = PW_VERSION_SESSION_INFO,
        .change_mask = PW_SESSION_CHANGE_MASK_PROPS,
        .props = &properties,
    };
    struct spa_hook_list others;
    spa_hook_list_isolate(&session->listeners, &others, listener, events, data);
    spa_hook_list_call(&session->listeners, struct pw_session_events, info, 0, &info);
    spa_hook_list_join(&session->listeners, &others);
    return 0;
}

static const struct pw_session_methods methods = {
    PW_VERSION_SESSION_METHODS,
    .add_listener = add_listener,
};

bool cpw_connection_has_session_objects(const cpw_connection *connection) {
    return connection->session_factory != SPA_ID_INVALID &&
           pw_context_find_export_type(connection->context, PW_TYPE_INTERFACE_Session) != NULL;
}

cpw_session_object *cpw_session_object_create(cpw_connection *connection, const cpw_property *properties, size_t count,
                                const cpw_session_object_events *events, void *user, int *error) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    cpw_session_object *session = NULL;
    *error = cpw_connection_has_session_objects(connection) ? 0 : -ENOTSUP;
    if (*error == 0 && (session = calloc(1, sizeof(*session))) == NULL)
        *error = -ENOMEM;
    if (*error < 0)
        return NULL;
    session->session = SPA_INTERFACE_INIT(PW_TYPE_INTERFACE_Session, PW_VERSION_SESSION, &methods, session);
    spa_hook_list_init(&session->listeners);
    struct pw_proxy *proxy =
        pw_core_export(connection->core, PW_TYPE_INTERFACE_Session, &dict, &session->session, 0);
    if (proxy == NULL) {
        *error = errno != 0 ? -errno : -EIO;
        free(session);
        return NULL;
    }
    const cpw_own_object_events own_events = {.failed = events->failed};
    cpw_own_object_follow(&session->own, connection, proxy, &own_events, user);
    return session;
}

void cpw_session_object_destroy(cpw_session_object *session) {
    cpw_own_object_remove(&session->own);
    free(session);
}
