#include "session.h"

#include <pipewire/extensions/session-manager.h>

static struct spa_hook_list listeners, held_back;

static void show(struct spa_hook_list *to) {
    struct spa_dict properties = SPA_DICT_INIT(NULL, 0);
    struct pw_session_info info = {
        .version = PW_VERSION_SESSION_INFO,
        .change_mask = PW_SESSION_CHANGE_MASK_PROPS,
        .props = &properties,
    };
    spa_hook_list_call(to, struct pw_session_events, info, 0, &info);
}

static int add_listener(void *object, struct spa_hook *listener, const struct pw_session_events *events, void *data) {
    struct spa_hook_list *list = object, others;
    if (list == &held_back) {
        spa_hook_list_append(list, listener, events, data);
        return 0;
    }
    spa_hook_list_isolate(list, &others, listener, events, data);
    show(list);
    spa_hook_list_join(list, &others);
    return 0;
}

static const struct pw_session_methods methods = {PW_VERSION_SESSION_METHODS, .add_listener = add_listener};

static struct pw_proxy *export(struct pw_core *core, const struct spa_dict *properties, struct spa_hook_list *list) {
    static struct spa_interface shown, hidden;
    struct spa_interface *session = list == &held_back ? &hidden : &shown;
    if (session->type == NULL) {
        spa_hook_list_init(list);
        *session = SPA_INTERFACE_INIT(PW_TYPE_INTERFACE_Session, PW_VERSION_SESSION, &methods, list);
    }
    return pw_core_export(core, PW_TYPE_INTERFACE_Session, properties, session, 0);
}

struct pw_proxy *export_session(struct pw_core *core, const struct spa_dict *properties) {
    return export(core, properties, &listeners);
}

struct pw_proxy *hold_session_back(struct pw_core *core, const struct spa_dict *properties) {
    return export(core, properties, &held_back);
}

void show_session(void) { show(&held_back); }
