#include "server.h"

#include "internal.h"

#include <pipewire/extensions/metadata.h>
#include <spa/param/param.h>
#include <spa/param/props.h>
#include <spa/pod/iter.h>

/* A client's binding of an object. It is stored in the client's resource. */
struct binding {
    struct spa_list link;
    cpt_object *object;
    struct pw_resource *resource;
    struct spa_hook resource_listener, methods_listener;
};

/* A query whose answer is held back. */
struct question {
    struct spa_list link;
    struct binding *binding;
    int sequence;
    uint32_t id;
    struct spa_pod **pods;
    size_t count;
    bool answered;
};

struct metadata_entry {
    struct spa_list link;
    uint32_t subject;
    char *key, *type, *value;
};

static const uint32_t param_ids[CPW_PARAM_COUNT] = {
    [CPW_PARAM_ENUM_PROFILE] = SPA_PARAM_EnumProfile,
    [CPW_PARAM_PROFILE] = SPA_PARAM_Profile,
    [CPW_PARAM_ENUM_ROUTE] = SPA_PARAM_EnumRoute,
    [CPW_PARAM_ROUTE] = SPA_PARAM_Route,
};

/* ---- Events to clients */

static void emit_node(cpt_object *object, struct pw_resource *resource, uint64_t mask) {
    struct spa_dict dict = SPA_DICT_INIT(object->properties.items, object->properties.count);
    struct pw_node_info info = {
        .id = pw_global_get_id(object->global),
        .change_mask = mask,
        .state = object->state,
        .props = &dict,
    };
    pw_resource_call(resource, struct pw_node_events, info, 0, &info);
}

static void emit_device(cpt_object *object, struct pw_resource *resource, uint64_t mask) {
    struct spa_dict dict = SPA_DICT_INIT(object->properties.items, object->properties.count);
    struct spa_param_info params[CPW_PARAM_COUNT];
    for (int i = 0; i < CPW_PARAM_COUNT; i++)
        params[i] = SPA_PARAM_INFO(param_ids[i], object->params[i].flags);
    struct pw_device_info info = {
        .id = pw_global_get_id(object->global),
        .change_mask = mask,
        .props = &dict,
        .params = params,
        .n_params = CPW_PARAM_COUNT,
    };
    pw_resource_call(resource, struct pw_device_events, info, 0, &info);
}

static void emit_metadata(struct pw_resource *resource, const struct metadata_entry *entry) {
    pw_resource_call(resource, struct pw_metadata_events, property, 0, entry->subject, entry->key, entry->type,
                     entry->value);
}

static void emit_all(cpt_object *object, uint64_t node_mask, uint64_t device_mask) {
    struct binding *binding;
    spa_list_for_each(binding, &object->bindings, link) {
        if (object->type == CPW_OBJECT_NODE)
            emit_node(object, binding->resource, node_mask);
        else if (object->type == CPW_OBJECT_DEVICE)
            emit_device(object, binding->resource, device_mask);
    }
}

/* ---- Queries of parameters */

static void answer(struct pw_resource *resource, int sequence, uint32_t id, struct spa_pod *const *pods,
                   size_t count) {
    for (size_t i = 0; i < count; i++)
        pw_resource_call(resource, struct pw_device_events, param, 0, sequence, id, (uint32_t)i, (uint32_t)i + 1,
                         pods[i]);
}

static void question_free(struct question *question) {
    spa_list_remove(&question->link);
    cpt_pods_free(question->pods, question->count);
    free(question);
}

static int enum_params(void *data, int sequence, uint32_t id, uint32_t start, uint32_t max,
                       const struct spa_pod *filter) {
    (void)start, (void)max, (void)filter;
    struct binding *binding = data;
    cpt_object *object = binding->object;
    for (int i = 0; i < CPW_PARAM_COUNT; i++) {
        if (param_ids[i] != id)
            continue;
        struct cpt_param *param = &object->params[i];
        param->asked++;
        if (!object->holds) {
            answer(binding->resource, sequence, id, param->pods, param->count);
            return 0;
        }
        struct question *question = calloc(1, sizeof(*question));
        question->binding = binding;
        question->sequence = sequence;
        question->id = id;
        question->pods = cpt_pods_copy(param->pods, param->count);
        question->count = param->count;
        spa_list_append(&object->questions, &question->link);
        pw_impl_client_set_busy(pw_resource_get_client(binding->resource), true);
        return 0;
    }
    return -ENOENT;
}

/* A card reports its new route before the request for it is done. */
static int set_param(void *data, uint32_t id, uint32_t flags, const struct spa_pod *param) {
    (void)flags, (void)param;
    struct binding *binding = data;
    if (id == SPA_PARAM_Route)
        cpt_device_emit_changed(binding->object, 1u << CPW_PARAM_ROUTE);
    if (id == SPA_PARAM_Profile)
        cpt_device_emit_changed(binding->object, 1u << CPW_PARAM_PROFILE);
    return 0;
}

static const struct pw_device_methods device_methods = {
    PW_VERSION_DEVICE_METHODS,
    .enum_params = enum_params,
    .set_param = set_param,
};

static void answer_question(struct question *question) {
    if (!question->answered)
        answer(question->binding->resource, question->sequence, question->id, question->pods, question->count);
    question->answered = true;
}

void cpt_device_answer(cpt_object *object) {
    struct question *question;
    cpt_server_lock(object->server);
    spa_list_for_each(question, &object->questions, link)
        answer_question(question);
    cpt_server_unlock(object->server);
}

void cpt_device_hold(cpt_object *object, bool hold) {
    cpt_server_lock(object->server);
    object->holds = hold;
    struct question *question;
    if (!hold)
        spa_list_consume(question, &object->questions, link) {
            struct pw_resource *resource = question->binding->resource;
            answer_question(question);
            question_free(question);
            pw_impl_client_set_busy(pw_resource_get_client(resource), false);
        }
    cpt_server_unlock(object->server);
}

/* ---- Bindings */

static void binding_gone(void *data) {
    struct binding *binding = data;
    struct question *question, *next;
    spa_list_for_each_safe(question, next, &binding->object->questions, link)
        if (question->binding == binding) {
            question_free(question);
            pw_impl_client_set_busy(pw_resource_get_client(binding->resource), false);
        }
    spa_list_remove(&binding->link);
    spa_hook_remove(&binding->resource_listener);
}

static const struct pw_resource_events resource_events = {
    PW_VERSION_RESOURCE_EVENTS,
    .destroy = binding_gone,
};

int cpt_object_bind(void *data, struct pw_impl_client *client, uint32_t permissions, uint32_t version, uint32_t id) {
    cpt_object *object = data;
    struct pw_resource *resource = pw_resource_new(client, id, permissions, pw_global_get_type(object->global),
                                                   version, sizeof(struct binding));
    if (resource == NULL)
        return -errno;
    struct binding *binding = pw_resource_get_user_data(resource);
    binding->object = object;
    binding->resource = resource;
    spa_list_append(&object->bindings, &binding->link);
    pw_resource_add_listener(resource, &binding->resource_listener, &resource_events, binding);
    pw_global_add_resource(object->global, resource);
    struct metadata_entry *entry;
    switch (object->type) {
    case CPW_OBJECT_NODE:
        pw_resource_add_object_listener(resource, &binding->methods_listener, &cpt_node_methods, object);
        emit_node(object, resource, PW_NODE_CHANGE_MASK_ALL);
        break;
    case CPW_OBJECT_DEVICE:
        pw_resource_add_object_listener(resource, &binding->methods_listener, &device_methods, binding);
        emit_device(object, resource, PW_DEVICE_CHANGE_MASK_ALL);
        break;
    case CPW_OBJECT_METADATA:
        spa_list_for_each(entry, &object->metadata, link)
            emit_metadata(resource, entry);
        break;
    default:
        break;
    }
    return 0;
}

/* ---- Objects */

/* PipeWire 0.3.77 added the permissions in the middle of the parameters. The loaded library may
 * be newer than the headers, and the other way round. */
static struct pw_global *new_global(struct pw_context *context, const char *interface, uint32_t version,
                                    struct pw_properties *properties, cpt_object *object) {
    typedef struct pw_global *old_function(struct pw_context *, const char *, uint32_t, struct pw_properties *,
                                           pw_global_bind_func_t, void *);
    typedef struct pw_global *new_function(struct pw_context *, const char *, uint32_t, uint32_t, struct pw_properties *,
                                           pw_global_bind_func_t, void *);
    void (*create)(void) = (void (*)(void))pw_global_new;
    if (cpw_library_is_older_than(0, 3, 77))
        return ((old_function *)create)(context, interface, version, properties, cpt_object_bind, object);
    return ((new_function *)create)(context, interface, version, PW_PERM_ALL, properties, cpt_object_bind, object);
}

cpt_object *cpt_object_add(cpt_server *server, cpw_object_type type, const cpw_property *registry,
                           size_t registry_count, const cpw_property *properties, size_t property_count) {
    cpt_object *object = calloc(1, sizeof(*object));
    if (object == NULL)
        return NULL;
    object->server = server;
    object->type = type;
    object->state = PW_NODE_STATE_SUSPENDED;
    spa_list_init(&object->bindings);
    spa_list_init(&object->questions);
    spa_list_init(&object->metadata);
    for (int i = 0; i < CPW_PARAM_COUNT; i++)
        object->params[i].flags = SPA_PARAM_INFO_READ;
    cpt_set_entries(&object->properties, properties, property_count);

    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)registry, (uint32_t)registry_count);
    uint32_t version;
    const char *interface = cpt_interface(type, &version);
    cpt_server_lock(server);
    object->global = new_global(server->context, interface, version, pw_properties_new_dict(&dict), object);
    /* PipeWire 1.4 replaces the serial with its own. */
    const char *serial = spa_dict_lookup(&dict, PW_KEY_OBJECT_SERIAL);
    if (serial != NULL)
        pw_properties_set((struct pw_properties *)pw_global_get_properties(object->global), PW_KEY_OBJECT_SERIAL,
                          serial);
    spa_list_append(&server->objects, &object->link);
    pw_global_register(object->global);
    cpt_server_unlock(server);
    return object;
}

void cpt_object_free(cpt_object *object) {
    pw_global_destroy(object->global);
    spa_list_remove(&object->link);
    cpt_set_entries(&object->properties, NULL, 0);
    free(object->properties.items);
    for (int i = 0; i < CPW_PARAM_COUNT; i++)
        cpt_pods_free(object->params[i].pods, object->params[i].count);
    struct metadata_entry *entry;
    spa_list_consume(entry, &object->metadata, link) {
        spa_list_remove(&entry->link);
        free(entry->key);
        free(entry->type);
        free(entry->value);
        free(entry);
    }
    free(object);
}

void cpt_object_remove(cpt_object *object) {
    cpt_server *server = object->server;
    cpt_server_lock(server);
    cpt_object_free(object);
    cpt_server_unlock(server);
}

uint32_t cpt_object_id(const cpt_object *object) { return pw_global_get_id(object->global); }

size_t cpt_object_bound_count(cpt_object *object) {
    size_t count = 0;
    struct binding *binding;
    cpt_server_lock(object->server);
    spa_list_for_each(binding, &object->bindings, link)
        count++;
    cpt_server_unlock(object->server);
    return count;
}

void cpt_object_emit_properties(cpt_object *object, const cpw_property *properties, size_t count) {
    cpt_server_lock(object->server);
    cpt_set_entries(&object->properties, properties, count);
    emit_all(object, PW_NODE_CHANGE_MASK_PROPS, PW_DEVICE_CHANGE_MASK_PROPS);
    cpt_server_unlock(object->server);
}

void cpt_node_emit_state(cpt_object *object, int32_t state) {
    cpt_server_lock(object->server);
    object->state = state;
    emit_all(object, PW_NODE_CHANGE_MASK_STATE, 0);
    cpt_server_unlock(object->server);
}

void cpt_device_set(cpt_object *object, cpw_device_param param, const cpt_bytes *pods, size_t count) {
    cpt_server_lock(object->server);
    struct cpt_param *state = &object->params[param];
    cpt_pods_free(state->pods, state->count);
    state->pods = calloc(count ? count : 1, sizeof(*state->pods));
    state->count = count;
    for (size_t i = 0; i < count; i++)
        state->pods[i] = cpt_pod_copy(pods[i].bytes, pods[i].size);
    cpt_server_unlock(object->server);
}

void cpt_device_emit_changed(cpt_object *object, uint32_t params) {
    cpt_server_lock(object->server);
    for (int i = 0; i < CPW_PARAM_COUNT; i++)
        if (params & (1u << i))
            object->params[i].flags ^= SPA_PARAM_INFO_SERIAL;
    emit_all(object, 0, PW_DEVICE_CHANGE_MASK_PARAMS);
    cpt_server_unlock(object->server);
}

void cpt_device_emit_readable(cpt_object *object, cpw_device_param param, bool readable) {
    cpt_server_lock(object->server);
    SPA_FLAG_UPDATE(object->params[param].flags, SPA_PARAM_INFO_READ, readable);
    emit_all(object, 0, PW_DEVICE_CHANGE_MASK_PARAMS);
    cpt_server_unlock(object->server);
}

size_t cpt_device_question_count(cpt_object *object, cpw_device_param param) {
    cpt_server_lock(object->server);
    size_t count = object->params[param].asked;
    cpt_server_unlock(object->server);
    return count;
}

void cpt_metadata_emit(cpt_object *object, uint32_t subject, const char *key, const char *type, const char *value) {
    struct metadata_entry *entry = calloc(1, sizeof(*entry));
    if (entry == NULL)
        return;
    entry->subject = subject;
    entry->key = cpt_copy(key);
    entry->type = cpt_copy(type);
    entry->value = cpt_copy(value);
    cpt_server_lock(object->server);
    spa_list_append(&object->metadata, &entry->link);
    struct binding *binding;
    spa_list_for_each(binding, &object->bindings, link)
        emit_metadata(binding->resource, entry);
    cpt_server_unlock(object->server);
}
