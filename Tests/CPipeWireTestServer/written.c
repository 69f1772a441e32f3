#include "server.h"

#include <spa/param/param.h>
#include <spa/param/props.h>
#include <spa/pod/iter.h>

/* The values that clients write to nodes, for tests. */

static int set_param(void *data, uint32_t id, uint32_t flags, const struct spa_pod *param) {
    (void)flags;
    cpt_object *object = data;
    const struct spa_pod_prop *property;
    if (id != SPA_PARAM_Props || param == NULL || !spa_pod_is_object(param))
        return -EINVAL;
    SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)param, property) {
        if (property->key == SPA_PROP_softVolumes)
            object->soft_volume_count =
                spa_pod_copy_array(&property->value, SPA_TYPE_Float, object->soft_volumes, CPW_MAX_VOLUMES);
        if (property->key == SPA_PROP_softMute)
            spa_pod_get_bool(&property->value, &object->soft_mute);
    }
    return 0;
}

const struct pw_node_methods cpt_node_methods = {
    PW_VERSION_NODE_METHODS,
    .set_param = set_param,
};

size_t cpt_node_soft_volumes(cpt_object *object, float *volumes, size_t capacity, bool *is_muted) {
    cpt_server_lock(object->server);
    size_t count = SPA_MIN(object->soft_volume_count, capacity);
    memcpy(volumes, object->soft_volumes, count * sizeof(*volumes));
    *is_muted = object->soft_mute;
    cpt_server_unlock(object->server);
    return count;
}
