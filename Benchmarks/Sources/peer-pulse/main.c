/* peer-pulse nodes, default, jack or volume: libpulse, through pipewire-pulse. Its events have
 * only an index (`bare`), so a program queries the object, and knows it with the answer
 * (`full`). */
#include <peer.h>

#if __has_include(<pulse/pulseaudio.h>)
#include <pulse/pulseaudio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SINK_COUNT 4096

static struct {
    const char *kind;
    pa_mainloop *loop;
    pa_context *context;
    bool is_ready;
    int availability;
    char output[128];
    char volume[16];
    /* By index modulo SINK_COUNT: a removal is reported with the index alone. */
    struct {
        uint32_t index;
        char name[64];
    } sinks[SINK_COUNT];
} peer;

static bool kind_is(const char *kind) { return strcmp(peer.kind, kind) == 0; }

static void done(pa_operation *operation) {
    if (operation)
        pa_operation_unref(operation);
}

static void learn_sink(pa_context *context, const pa_sink_info *info, int end, void *data) {
    uint64_t time = peer_now();
    (void)context, (void)data;
    if (end || !info || !peer_is_ours(info->name))
        return;
    if (kind_is("volume")) {
        char text[16];
        snprintf(text, sizeof(text), "%.2f", pa_sw_volume_to_linear(info->volume.values[0]));
        if (peer.is_ready && strcmp(text, peer.volume) != 0)
            peer_saw(time, "full", "volume", text);
        strcpy(peer.volume, text);
        return;
    }
    uint32_t slot = info->index % SINK_COUNT;
    bool is_new = strcmp(peer.sinks[slot].name, info->name) != 0;
    peer.sinks[slot].index = info->index;
    snprintf(peer.sinks[slot].name, sizeof(peer.sinks[slot].name), "%s", info->name);
    if (peer.is_ready && is_new)
        peer_saw(time, "full", "appears", info->name);
}

static void learn_card(pa_context *context, const pa_card_info *info, int end, void *data) {
    uint64_t time = peer_now();
    (void)context, (void)data;
    for (uint32_t i = 0; !end && info && i < info->n_ports; i++) {
        int available = info->ports[i]->available == PA_PORT_AVAILABLE_YES;
        if (strcmp(info->ports[i]->name, PEER_JACK) != 0 || available == peer.availability)
            continue;
        peer.availability = available;
        if (peer.is_ready)
            peer_saw(time, "full", "jack", available ? "yes" : "no");
    }
}

static void learn_server(pa_context *context, const pa_server_info *info, void *data) {
    uint64_t time = peer_now();
    (void)context, (void)data;
    if (!info || !info->default_sink_name || strcmp(info->default_sink_name, peer.output) == 0)
        return;
    snprintf(peer.output, sizeof(peer.output), "%s", info->default_sink_name);
    if (peer.is_ready)
        peer_saw(time, "full", "default", peer.output);
}

static void changed(pa_context *context, pa_subscription_event_type_t type, uint32_t index, void *data) {
    uint64_t time = peer_now();
    pa_subscription_event_type_t what = type & PA_SUBSCRIPTION_EVENT_TYPE_MASK;
    (void)data;
    if (kind_is("nodes") && what == PA_SUBSCRIPTION_EVENT_NEW) {
        peer_saw(time, "bare", "appears", "?");
        done(pa_context_get_sink_info_by_index(context, index, learn_sink, NULL));
    } else if (kind_is("nodes") && what == PA_SUBSCRIPTION_EVENT_REMOVE) {
        uint32_t slot = index % SINK_COUNT;
        if (peer.sinks[slot].index != index || !peer.sinks[slot].name[0])
            return;
        peer_saw(time, "bare", "goes", peer.sinks[slot].name);
        peer_saw(time, "full", "goes", peer.sinks[slot].name);
        peer.sinks[slot].name[0] = 0;
    } else if (what != PA_SUBSCRIPTION_EVENT_CHANGE) {
        return;
    } else if (kind_is("volume")) {
        peer_saw(time, "bare", "volume", "?");
        done(pa_context_get_sink_info_by_index(context, index, learn_sink, NULL));
    } else if (kind_is("jack")) {
        peer_saw(time, "bare", "jack", "?");
        done(pa_context_get_card_info_by_index(context, index, learn_card, NULL));
    } else if (kind_is("default")) {
        peer_saw(time, "bare", "default", "?");
        done(pa_context_get_server_info(context, learn_server, NULL));
    }
}

static void synchronized(pa_context *context, const pa_server_info *info, void *data) {
    learn_server(context, info, data);
    peer.is_ready = true;
    peer_ready();
}

static void state(pa_context *context, void *data) {
    (void)data;
    switch (pa_context_get_state(context)) {
    case PA_CONTEXT_READY: break;
    case PA_CONTEXT_FAILED:
        peer_print("unavailable no pipewire-pulse\n");
        pa_mainloop_quit(peer.loop, 69);
        return;
    case PA_CONTEXT_TERMINATED: pa_mainloop_quit(peer.loop, 0); return;
    default: return;
    }
    pa_context_set_subscribe_callback(context, changed, NULL);
    pa_subscription_mask_t mask = kind_is("jack") ? PA_SUBSCRIPTION_MASK_CARD
        : kind_is("default")                      ? PA_SUBSCRIPTION_MASK_SERVER
                                                  : PA_SUBSCRIPTION_MASK_SINK;
    done(pa_context_subscribe(context, mask, NULL, NULL));
    done(pa_context_get_sink_info_list(context, learn_sink, NULL));
    done(pa_context_get_card_info_list(context, learn_card, NULL));
    done(pa_context_get_server_info(context, synchronized, NULL));
}

int main(int count, char **arguments) {
    if (count < 2)
        return 64;
    peer.kind = arguments[1];
    peer_follow_driver();
    peer.availability = -1;
    peer.loop = pa_mainloop_new();
    peer.context = pa_context_new(pa_mainloop_get_api(peer.loop), "peer-pulse");
    pa_context_set_state_callback(peer.context, state, NULL);
    int result = 0;
    if (pa_context_connect(peer.context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0) {
        peer_print("unavailable no pipewire-pulse\n");
        return 69;
    }
    pa_mainloop_run(peer.loop, &result);
    return result;
}
#else
int main(void) { return peer_unavailable("libpulse-dev"); }
#endif
