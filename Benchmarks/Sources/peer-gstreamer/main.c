/* peer-gstreamer nodes: GStreamer's device monitor, whose devices include their formats. */
#include <peer.h>

#if __has_include(<gst/gst.h>)
#include <gst/gst.h>

static gboolean message(GstBus *bus, GstMessage *message, gpointer data) {
    guint64 time = peer_now();
    GstDevice *device = NULL;
    bool is_added = GST_MESSAGE_TYPE(message) == GST_MESSAGE_DEVICE_ADDED;
    (void)bus, (void)data;
    if (is_added)
        gst_message_parse_device_added(message, &device);
    else if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_DEVICE_REMOVED)
        gst_message_parse_device_removed(message, &device);
    if (!device)
        return G_SOURCE_CONTINUE;
    g_autofree gchar *name = gst_device_get_display_name(device);
    if (peer_is_ours(name))
        peer_saw(time, "full", is_added ? "appears" : "goes", name);
    gst_object_unref(device);
    return G_SOURCE_CONTINUE;
}

int main(int count, char **arguments) {
    gst_init(&count, &arguments);
    peer_follow_driver();
    GstDeviceProviderFactory *provider = gst_device_provider_factory_find("pipewiredeviceprovider");
    if (!provider) {
        peer_print("unavailable no pipewiredeviceprovider (gstreamer1.0-pipewire)\n");
        return 69;
    }
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    GstDeviceMonitor *monitor = gst_device_monitor_new();
    gst_device_monitor_add_filter(monitor, "Audio/Sink", NULL);
    GstBus *bus = gst_device_monitor_get_bus(monitor);
    gst_bus_add_watch(bus, message, NULL);
    if (!gst_device_monitor_start(monitor)) {
        peer_print("unavailable its device monitor does not start\n");
        return 69;
    }
    peer_ready();
    g_main_loop_run(loop);
    return 0;
}
#else
int main(void) { return peer_unavailable("libgstreamer1.0-dev"); }
#endif
