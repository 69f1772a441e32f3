/* peer-wireplumber nodes, default, jack, volume or session: libwireplumber's object manager. One
 * requests only the registry's properties (`bare`), one requests objects with all properties or
 * parameters (`full`). */
#include <peer.h>

#if __has_include(<wp/wp.h>)
#include <string.h>
#include <wp/wp.h>

static struct {
    const char *kind;
    GMainLoop *loop;
    WpCore *core;
    WpObjectManager *managers[2];
    int installed;
    guint32 availability;
    char volume[16];
} peer;

static bool kind_is(const char *kind) { return strcmp(peer.kind, kind) == 0; }

static void saw(guint64 time, const char *level, const char *what, const char *detail) {
    if (peer.installed >= 2)
        peer_saw(time, level, what, detail);
}

static const char *global(WpGlobalProxy *proxy, const char *key, char *buffer, int size) {
    g_autoptr(WpProperties) properties = wp_global_proxy_get_global_properties(proxy);
    const char *value = properties ? wp_properties_get(properties, key) : NULL;
    g_strlcpy(buffer, value ? value : "", (gsize)size);
    return buffer;
}

static void read_volume(WpPipewireObject *object, guint64 time) {
    g_autoptr(WpIterator) params = wp_pipewire_object_enum_params_sync(object, "Props", NULL);
    g_auto(GValue) item = G_VALUE_INIT;
    for (; params && wp_iterator_next(params, &item); g_value_unset(&item)) {
        g_autoptr(WpSpaPod) volumes = NULL;
        if (!wp_spa_pod_get_object(g_value_get_boxed(&item), NULL, "channelVolumes", "P", &volumes, NULL))
            continue;
        g_autoptr(WpIterator) values = wp_spa_pod_new_iterator(volumes);
        g_auto(GValue) value = G_VALUE_INIT;
        if (!wp_iterator_next(values, &value))
            continue;
        char text[16];
        g_snprintf(text, sizeof(text), "%.2f", (double)*(float *)g_value_get_pointer(&value));
        if (strcmp(text, peer.volume) != 0) {
            strcpy(peer.volume, text);
            saw(time, "full", "volume", text);
        }
    }
}

static void read_jack(WpPipewireObject *object, guint64 time) {
    g_autoptr(WpIterator) params = wp_pipewire_object_enum_params_sync(object, "EnumRoute", NULL);
    g_auto(GValue) item = G_VALUE_INIT;
    for (; params && wp_iterator_next(params, &item); g_value_unset(&item)) {
        const char *name = NULL;
        guint32 availability = 0;
        if (!wp_spa_pod_get_object(g_value_get_boxed(&item), NULL, "name", "s", &name, "available", "?I", &availability, NULL)
            || strcmp(name, PEER_JACK) != 0 || availability == peer.availability)
            continue;
        peer.availability = availability;
        saw(time, "full", "jack", availability == 2 ? "yes" : "no");
    }
}

static void params_changed(WpPipewireObject *object, const char *id, gpointer data) {
    guint64 time = peer_now();
    (void)data;
    if (kind_is("volume") && strcmp(id, "Props") == 0)
        read_volume(object, time);
    else if (kind_is("jack") && strcmp(id, "EnumRoute") == 0)
        read_jack(object, time);
}

static void metadata_changed(WpMetadata *metadata, guint subject, const char *key, const char *type, const char *value,
                             gpointer data) {
    guint64 time = peer_now();
    char name[128];
    (void)metadata, (void)subject, (void)type, (void)data;
    if (!key || strcmp(key, "default.audio.sink") != 0 || !peer_name_in_json(value, name, sizeof(name)))
        return;
    saw(time, "bare", "default", name);
    saw(time, "full", "default", name);
}

static void object_added(WpObjectManager *manager, gpointer object, gpointer level) {
    guint64 time = peer_now();
    char name[128];
    bool is_full = strcmp(level, "full") == 0;
    (void)manager;
    if (kind_is("nodes")) {
        if (peer_is_ours(global(object, "node.name", name, sizeof(name))))
            saw(time, level, "appears", name);
    } else if (kind_is("default") && is_full) {
        g_signal_connect(object, "changed", G_CALLBACK(metadata_changed), NULL);
    } else if (is_full) {
        g_signal_connect(object, "params-changed", G_CALLBACK(params_changed), NULL);
        params_changed(object, kind_is("jack") ? "EnumRoute" : "Props", NULL);
    }
}

static void object_removed(WpObjectManager *manager, gpointer object, gpointer level) {
    guint64 time = peer_now();
    char name[128];
    (void)manager;
    if (kind_is("nodes") && peer_is_ours(global(object, "node.name", name, sizeof(name))))
        saw(time, level, "goes", name);
}

static void installed(WpObjectManager *manager, gpointer data) {
    (void)manager, (void)data;
    if (++peer.installed == 2)
        peer_ready();
}

static void watch(int index, const char *level, WpObjectFeatures features) {
    WpObjectManager *manager = peer.managers[index] = wp_object_manager_new();
    const char *key = "media.class", *value = "Audio/Sink";
    GType type = WP_TYPE_NODE;
    if (kind_is("default")) {
        type = WP_TYPE_METADATA, key = "metadata.name", value = "default";
    } else if (kind_is("jack")) {
        type = WP_TYPE_DEVICE, value = "Audio/Device";
    }
    wp_object_manager_add_interest(manager, type, WP_CONSTRAINT_TYPE_PW_GLOBAL_PROPERTY, key, "=s", value, NULL);
    wp_object_manager_request_object_features(manager, type, features);
    g_signal_connect(manager, "object-added", G_CALLBACK(object_added), (gpointer)level);
    g_signal_connect(manager, "object-removed", G_CALLBACK(object_removed), (gpointer)level);
    g_signal_connect(manager, "installed", G_CALLBACK(installed), NULL);
    wp_core_install_object_manager(peer.core, manager);
}

static WpObjectFeatures wanted_features(void) {
    if (kind_is("volume"))
        return WP_PIPEWIRE_OBJECT_FEATURES_MINIMAL | WP_PIPEWIRE_OBJECT_FEATURE_PARAM_PROPS;
    if (kind_is("jack"))
        return WP_PIPEWIRE_OBJECT_FEATURES_MINIMAL | WP_PIPEWIRE_OBJECT_FEATURE_PARAM_ROUTE;
    if (kind_is("default"))
        return WP_OBJECT_FEATURES_ALL;
    return WP_PIPEWIRE_OBJECT_FEATURES_MINIMAL;
}

int main(int count, char **arguments) {
    if (count < 2)
        return 64;
    peer.kind = arguments[1];
    peer_follow_driver();
    wp_init(WP_INIT_PIPEWIRE | WP_INIT_SPA_TYPES);
    peer.loop = g_main_loop_new(NULL, FALSE);
    peer.core = wp_core_new(NULL, NULL);
    if (!wp_core_connect(peer.core)) {
        peer_print("unavailable no PipeWire\n");
        return 69;
    }
    g_signal_connect_swapped(peer.core, "disconnected", G_CALLBACK(g_main_loop_quit), peer.loop);
    watch(0, "bare", 0);
    watch(1, "full", wanted_features());
    g_main_loop_run(peer.loop);
    return 0;
}
#else
int main(void) { return peer_unavailable("libwireplumber-0.4-dev"); }
#endif
