#include "internal.h"

#include <spa/param/param.h>

/* A session manager's devices live in its process. The daemon answers a subscription to their
 * parameters once. Later changes appear as flipped flags in the device's info, after which the
 * parameter has to be queried. */

static const uint32_t param_ids[CPW_PARAM_COUNT] = {
    [CPW_PARAM_ENUM_PROFILE] = SPA_PARAM_EnumProfile,
    [CPW_PARAM_PROFILE] = SPA_PARAM_Profile,
    [CPW_PARAM_ENUM_ROUTE] = SPA_PARAM_EnumRoute,
    [CPW_PARAM_ROUTE] = SPA_PARAM_Route,
};

static int param_of(uint32_t id) {
    for (int i = 0; i < CPW_PARAM_COUNT; i++)
        if (param_ids[i] == id)
            return i;
    return -1;
}

static cpw_device_param param_of_enumeration(const struct cpw_enumeration *state) {
    return (cpw_device_param)(state - state->object->params);
}

static void end_enumeration(struct cpw_enumeration *state) {
    if (state->sequence != 0)
        spa_list_remove(&state->link);
    state->sequence = 0;
    state->has_begun = false;
    state->is_stale = false;
    state->has_skipped = false;
}

/* Called at the first entry, not when the query is sent, because handling it would delay the
 * query. */
static void emit_begin(struct cpw_enumeration *state) {
    cpw_connection *connection = state->object->connection;
    if (state->has_begun)
        return;
    state->has_begun = true;
    connection->events.params_begin(connection->user, state->object->id, param_of_enumeration(state));
}

/* Whether the active routes were queried before the last query of the jacks. A card leaves a route
 * because its jack is empty; reported before the jack, the change would count as a user's choice.
 * The first answer replaces no route, so it never precedes. */
static bool precedes_jacks(const struct cpw_enumeration *state) {
    const struct cpw_enumeration *jacks = &state->object->params[CPW_PARAM_ENUM_ROUTE];
    return param_of_enumeration(state) == CPW_PARAM_ROUTE && state->was_reported && jacks->sequence > state->sequence;
}

/* The answer ends with the sync that follows the query, because the daemon reads nothing from a
 * client until the device has answered its query. Outstanding answers to an earlier query are
 * ignored. */
static void enumerate(struct cpw_enumeration *state) {
    cpw_connection *connection = state->object->connection;
    cpw_device_param param = param_of_enumeration(state);
    end_enumeration(state);
    state->request = pw_device_enum_params((struct pw_device *)state->object->proxy, 0, param_ids[param], 0, UINT32_MAX,
                                         NULL);
    state->sequence = pw_core_sync(connection->core, PW_ID_CORE, 0);
    spa_list_append(&connection->enumerations, &state->link);
}

/* A stale parameter is queried before the callback, so that a sync sent from within the callback is
 * done after the new answer. */
static void emit_end(struct cpw_enumeration *state) {
    cpw_connection *connection = state->object->connection;
    bool is_stale = state->is_stale;
    emit_begin(state);
    end_enumeration(state);
    if (is_stale)
        enumerate(state);
    connection->events.params_end(connection->user, state->object->id, param_of_enumeration(state));
}

static void compare_flags(struct cpw_object *object, cpw_device_param param, uint32_t flags) {
    struct cpw_enumeration *state = &object->params[param];
    if (state->has_flags && state->flags == flags)
        return;
    state->flags = flags;
    if (flags & SPA_PARAM_INFO_READ) {
        if (state->sequence != 0)
            state->is_stale = true;
        else
            enumerate(state);
    } else if (state->has_flags) {
        end_enumeration(state);
        emit_end(state);
    }
    state->has_flags = true;
}

/* The daemon reads a query after the device's owner has answered the one before. A change of a jack
 * often flips EnumProfile and Profile too, so the routes, which have the jack, are queried first.
 * The active profile precedes the active routes, because these belong to it. */
static const cpw_device_param query_order[] = {CPW_PARAM_ENUM_ROUTE, CPW_PARAM_PROFILE, CPW_PARAM_ROUTE, CPW_PARAM_ENUM_PROFILE};

static void compare_all_flags(struct cpw_object *object, const struct pw_device_info *info) {
    for (size_t next = 0; next < SPA_N_ELEMENTS(query_order); next++)
        for (uint32_t i = 0; i < info->n_params; i++)
            if (info->params[i].id == param_ids[query_order[next]])
                compare_flags(object, query_order[next], info->params[i].flags);
}

static void on_info(void *data, const struct pw_device_info *info) {
    struct cpw_object *object = data;
    cpw_connection *connection = object->connection;
    if (connection->failed)
        return;
    connection->loop->event_time = cpw_now();
    if (info->change_mask & PW_DEVICE_CHANGE_MASK_PARAMS)
        compare_all_flags(object, info);
    /* After the queries, so that a sync sent from within `properties` is done after their
     * answers. */
    if (info->change_mask & PW_DEVICE_CHANGE_MASK_PROPS)
        connection->events.properties(connection->user, object->id, CPW_OBJECT_DEVICE,
                                      info->props ? (const cpw_property *)info->props->items : NULL,
                                      info->props ? info->props->n_items : 0);
}

void cpw_device_emit_route(const cpw_connection_events *events, void *user, uint32_t id, cpw_device_param param,
                           const struct spa_pod *pod) {
    cpw_route route;
    struct cpw_route_storage storage;
    if (cpw_pod_route(pod, &route, &storage))
        events->route(user, id, param, &route);
}

static void on_param(void *data, int sequence, uint32_t id, uint32_t index, uint32_t next,
                     const struct spa_pod *pod) {
    (void)index, (void)next;
    struct cpw_object *object = data;
    cpw_connection *connection = object->connection;
    int param = param_of(id);
    if (param < 0 || connection->failed)
        return;
    struct cpw_enumeration *state = &object->params[param];
    if (state->sequence == 0 || state->request != sequence)
        return;
    if (precedes_jacks(state)) {
        state->has_skipped = true;
        return;
    }
    connection->loop->event_time = cpw_now();
    emit_begin(state);
    if (param == CPW_PARAM_ENUM_PROFILE || param == CPW_PARAM_PROFILE) {
        cpw_profile profile;
        if (cpw_pod_profile(pod, &profile))
            connection->events.profile(connection->user, object->id, (cpw_device_param)param, &profile);
    } else {
        cpw_device_emit_route(&connection->events, connection->user, object->id, (cpw_device_param)param, pod);
    }
}

static const struct pw_device_events device_events = {
    PW_VERSION_DEVICE_EVENTS,
    .info = on_info,
    .param = on_param,
};

void cpw_device_add_listener(struct cpw_object *object) {
    for (int param = 0; param < CPW_PARAM_COUNT; param++)
        object->params[param].object = object;
    pw_device_add_listener((struct pw_device *)object->proxy, &object->listener, &device_events, object);
}

void cpw_device_cancel_enumerations(struct cpw_object *object) {
    for (int param = 0; param < CPW_PARAM_COUNT; param++)
        end_enumeration(&object->params[param]);
}

void cpw_devices_repeat_stale(cpw_connection *connection) {
    struct cpw_enumeration *state, *next;
    spa_list_for_each_safe(state, next, &connection->enumerations, link)
        if (state->is_stale || state->has_skipped || precedes_jacks(state))
            enumerate(state);
}

bool cpw_connection_is_enumerating(const cpw_connection *connection) { return !spa_list_is_empty(&connection->enumerations); }

/* ---- Rechecks
 *
 * If a client ends before a device has answered its query, the daemon stores the old value as the
 * answer. It sends that to other clients until the device answers another query, as often after
 * `wpctl set-volume`. An answer that arrives while a client ends is therefore queried again, when
 * the session manager must have received its own. */

static const uint64_t recheck_delays[] = {50 * SPA_NSEC_PER_MSEC, SPA_NSEC_PER_SEC};

void cpw_devices_plan_rechecks(cpw_connection *connection) {
    struct cpw_enumeration *state;
    spa_list_for_each(state, &connection->enumerations, link)
        state->rechecks = SPA_N_ELEMENTS(recheck_delays);
}

static void arm_recheck_timer(cpw_connection *connection, uint64_t time, uint64_t now) {
    if (connection->recheck_timer == NULL || (connection->recheck_time != 0 && connection->recheck_time <= time))
        return;
    connection->recheck_time = time;
    cpw_timer_arm(connection->recheck_timer, time - now);
}

static void plan_recheck(struct cpw_enumeration *state) {
    uint64_t now = cpw_now();
    state->recheck_time = now + recheck_delays[SPA_N_ELEMENTS(recheck_delays) - state->rechecks];
    arm_recheck_timer(state->object->connection, state->recheck_time, now);
}

static void recheck(struct cpw_enumeration *state, uint64_t now) {
    if (state->recheck_time == 0)
        return;
    if (state->recheck_time > now)
        return arm_recheck_timer(state->object->connection, state->recheck_time, now);
    state->recheck_time = 0;
    if (state->sequence != 0 || !(state->flags & SPA_PARAM_INFO_READ))
        return;
    state->rechecks--;
    enumerate(state);
}

void cpw_devices_recheck(void *data) {
    cpw_connection *connection = data;
    struct cpw_object *object;
    uint64_t now = cpw_now();
    connection->recheck_time = 0;
    if (connection->failed)
        return;
    spa_list_for_each(object, &connection->objects, link)
        for (int param = 0; param < CPW_PARAM_COUNT; param++)
            recheck(&object->params[param], now);
}

/* Syncs are done in the order in which they were sent, so only that of the first query can be
 * this. */
void cpw_devices_done(cpw_connection *connection, int32_t sequence) {
    if (spa_list_is_empty(&connection->enumerations))
        return;
    struct cpw_enumeration *state = spa_list_first(&connection->enumerations, struct cpw_enumeration, link);
    if (state->sequence != sequence)
        return;
    if (state->has_skipped || precedes_jacks(state))
        return enumerate(state);
    state->was_reported = true;
    emit_end(state);
    if (state->sequence == 0 && state->rechecks > 0)
        plan_recheck(state);
}
