#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "server.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pipewire/extensions/metadata.h>
#include <pipewire/extensions/session-manager.h>
#include <stdio.h>

static const struct {
    const char *name;
    uint32_t version;
} interfaces[] = {
    [CPW_OBJECT_OTHER] = {PW_TYPE_INTERFACE_Module, PW_VERSION_MODULE},
    [CPW_OBJECT_NODE] = {PW_TYPE_INTERFACE_Node, PW_VERSION_NODE},
    [CPW_OBJECT_DEVICE] = {PW_TYPE_INTERFACE_Device, PW_VERSION_DEVICE},
    [CPW_OBJECT_LINK] = {PW_TYPE_INTERFACE_Link, PW_VERSION_LINK},
    [CPW_OBJECT_CLIENT] = {PW_TYPE_INTERFACE_Client, PW_VERSION_CLIENT},
    [CPW_OBJECT_METADATA] = {PW_TYPE_INTERFACE_Metadata, PW_VERSION_METADATA},
    [CPW_OBJECT_SESSION] = {PW_TYPE_INTERFACE_Session, PW_VERSION_SESSION},
};

const char *cpt_interface(cpw_object_type type, uint32_t *version) {
    *version = interfaces[type].version;
    return interfaces[type].name;
}

static void woken(void *data, uint64_t count) { (void)data, (void)count; }

/* The daemon sends its messages in its loop, so the loop runs once more. */
void cpt_wake(cpt_server *server) {
    pw_loop_signal_event(pw_thread_loop_get_loop(server->thread), server->wake);
}

static int find_session_manager(struct dl_phdr_info *library, size_t size, void *path) {
    (void)size;
    if (strstr(library->dlpi_name, "module-session-manager") == NULL)
        return 0;
    snprintf(path, PATH_MAX, "%s", library->dlpi_name);
    return 1;
}

/* A module that leaks stays loaded, because a leak finder could not name it otherwise.
 * (Libraries are not opened while they are iterated: ThreadSanitizer uses one lock for both.) */
static void keep_session_manager(void) {
    char path[PATH_MAX];
    if (dl_iterate_phdr(find_session_manager, path) == 1)
        dlopen(path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

static int load_modules(struct pw_context *context) {
    static const char *const modules[] = {
        "libpipewire-module-protocol-native", "libpipewire-module-metadata",
        "libpipewire-module-spa-node-factory", "libpipewire-module-client-node",
        "libpipewire-module-client-device", "libpipewire-module-access",
        "libpipewire-module-adapter", "libpipewire-module-link-factory",
        "libpipewire-module-session-manager",
    };
    pw_context_add_spa_lib(context, "support.*", "support/libspa-support");
    pw_context_add_spa_lib(context, "audio.convert.*", "audioconvert/libspa-audioconvert");
    for (size_t i = 0; i < SPA_N_ELEMENTS(modules); i++)
        if (pw_context_load_module(context, modules[i], NULL, NULL) == NULL)
            return -errno;
    keep_session_manager();
    return 0;
}

static int start(cpt_server *server, const char *path) {
    server->thread = pw_thread_loop_new("test-daemon", NULL);
    if (server->thread == NULL)
        return -errno;
    struct pw_loop *loop = pw_thread_loop_get_loop(server->thread);
    server->wake = pw_loop_add_event(loop, woken, NULL);
    /* Without a configuration file, so that the computer's installation does not matter. */
    struct pw_properties *properties = pw_properties_new(PW_KEY_CONFIG_NAME, "null", PW_KEY_CORE_DAEMON, "true",
                                                         PW_KEY_CORE_NAME, path, NULL);
    server->context = pw_context_new(loop, properties, 0);
    if (server->context == NULL)
        return -errno;
    int result = load_modules(server->context);
    return result < 0 ? result : pw_thread_loop_start(server->thread);
}

cpt_server *cpt_server_start(const char *path, int *error) {
    pw_init(NULL, NULL);
    setvbuf(stderr, NULL, _IONBF, 0); /* see loop.c of the shim */
    cpt_server *server = calloc(1, sizeof(*server));
    if (server == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    spa_list_init(&server->objects);
    *error = start(server, path);
    if (*error < 0) {
        cpt_server_stop(server);
        return NULL;
    }
    return server;
}

void cpt_server_stop(cpt_server *server) {
    if (server->thread != NULL)
        pw_thread_loop_stop(server->thread);
    cpt_object *object;
    spa_list_consume(object, &server->objects, link)
        cpt_object_free(object);
    if (server->context != NULL)
        pw_context_destroy(server->context);
    if (server->thread != NULL)
        pw_thread_loop_destroy(server->thread);
    free(server);
}

void cpt_server_lock(cpt_server *server) { pw_thread_loop_lock(server->thread); }

void cpt_server_unlock(cpt_server *server) {
    cpt_wake(server);
    pw_thread_loop_unlock(server->thread);
}

int cpt_server_create_node(cpt_server *server, const cpw_property *properties, size_t count) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    cpt_server_lock(server);
    struct pw_impl_factory *factory = pw_context_find_factory(server->context, "adapter");
    void *node = factory ? pw_impl_factory_create_object(factory, NULL, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE,
                                                         pw_properties_new_dict(&dict), 0)
                         : NULL;
    int result = node ? 0 : (errno ? -errno : -ENOENT);
    cpt_server_unlock(server);
    return result;
}

void cpt_server_end_client(cpt_server *server, uint32_t id) {
    cpt_server_lock(server);
    struct pw_global *global = pw_context_find_global(server->context, id);
    if (global != NULL)
        pw_global_destroy(global);
    cpt_server_unlock(server);
}

struct announcement {
    uint32_t id;
    const char *interface;
    uint32_t version;
    struct spa_dict dict;
};

static int announce_to(struct pw_impl_client *client, const struct announcement *what) {
    /* A client's ids begin at 0, and its registry is one of its first objects. */
    for (uint32_t id = 0; id < 64; id++) {
        struct pw_resource *resource = pw_impl_client_find_resource(client, id);
        uint32_t version;
        if (resource != NULL && strcmp(pw_resource_get_type(resource, &version), PW_TYPE_INTERFACE_Registry) == 0)
            pw_resource_call(resource, struct pw_registry_events, global, 0, what->id, PW_PERM_ALL, what->interface,
                             what->version, &what->dict);
    }
    return 0;
}

static int visit(void *data, struct pw_global *global) {
    if (!pw_global_is_type(global, PW_TYPE_INTERFACE_Client) || pw_global_get_object(global) == NULL)
        return 0;
    return announce_to(pw_global_get_object(global), data);
}

void cpt_server_announce(cpt_server *server, uint32_t id, cpw_object_type type, const cpw_property *properties,
                         size_t count) {
    struct announcement what = {
        .id = id,
        .dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count),
    };
    what.interface = cpt_interface(type, &what.version);
    cpt_server_lock(server);
    pw_context_for_each_global(server->context, visit, &what);
    cpt_server_unlock(server);
}
