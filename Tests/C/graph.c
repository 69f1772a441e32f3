#include "graph.h"

void set_param(cpt_object *device, cpw_device_param param, struct pod pod) {
    cpt_device_set(device, param, &(cpt_bytes){pod.bytes, pod.size}, 1);
}

cpt_object *add_card(cpt_server *server) {
    cpt_object *card = ADD(server, DEVICE, "device.name", "card", "media.class", "Audio/Device");
    set_param(card, CPW_PARAM_ENUM_ROUTE, pod_route(1, "speaker", -1));
    set_param(card, CPW_PARAM_ROUTE, pod_route(1, "speaker", 0));
    set_param(card, CPW_PARAM_ENUM_PROFILE, pod_profile(1, "HiFi"));
    set_param(card, CPW_PARAM_PROFILE, pod_profile(1, "HiFi"));
    return card;
}

void bind_object(struct client *client, cpt_object *object, int type) {
    uint32_t id = cpt_object_id(object);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_bind(client->connection, id, (cpw_object_type)type), 0);
    });
}

void bind_card(struct client *client, cpt_object *card) {
    bind_object(client, card, DEVICE);
    for (int param = 0; param < CPW_PARAM_COUNT; param++)
        AWAIT("%s end %u %d", client->name, cpt_object_id(card), param);
}

const cpw_interest everything[EVERYTHING] = {
    {NODE, "media.class", "Audio/Sink", true},
    {DEVICE, "media.class", "Audio/Device", true},
    {METADATA, "metadata.name", "default", true},
};
