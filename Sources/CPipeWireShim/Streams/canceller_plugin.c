#include "Streams/canceller.h"

#include <link.h>
#include <spa/interfaces/audio/aec.h>
#include <spa/utils/names.h>

#define PLUGIN "aec/libspa-aec-webrtc"

/* PipeWire's WebRTC canceller. */
struct plugin {
    struct spa_handle *handle;
    struct spa_audio_aec *canceller;
};

/* ---- Real-time thread */

static int cancel(void *context, const float *recorded, const float *played, float *output, uint32_t frames) {
    struct plugin *plugin = context;
    const float *in[] = {recorded}, *reference[] = {played};
    float *out[] = {output};
    return spa_audio_aec_run(plugin->canceller, in, reference, out, frames);
}

/* ---- Any thread */

static void unload(void *context) {
    struct plugin *plugin = context;
    if (plugin->canceller != NULL)
        spa_audio_aec_deactivate(plugin->canceller);
    pw_unload_spa_handle(plugin->handle);
    free(plugin);
}

static struct plugin *load(int *error) {
    cpw_library_initialize();
    struct plugin *plugin = calloc(1, sizeof(*plugin));
    *error = -ENOMEM;
    if (plugin == NULL)
        return NULL;
    struct spa_support support[16];
    uint32_t count = pw_get_support(support, SPA_N_ELEMENTS(support));
    plugin->handle = pw_load_spa_handle(PLUGIN, SPA_NAME_AEC, NULL, count, support);
    void *interface = NULL;
    *error = -ENOENT;
    if (plugin->handle != NULL &&
        (*error = spa_handle_get_interface(plugin->handle, SPA_TYPE_INTERFACE_AUDIO_AEC, &interface)) >= 0) {
        plugin->canceller = interface;
        return plugin;
    }
    if (plugin->handle != NULL)
        pw_unload_spa_handle(plugin->handle);
    free(plugin);
    return NULL;
}

/* Returns 1 if the object is the canceller of webrtc-audio-processing 0.3, which has an underscore. */
static int is_old_canceller(struct dl_phdr_info *object, size_t size, void *user) {
    (void)size, (void)user;
    return object->dlpi_name != NULL && strstr(object->dlpi_name, "libwebrtc_audio_processing.so") != NULL;
}

static int start(struct plugin *plugin, uint32_t rate) {
    /* Transient suppression adds 11 ms with webrtc-audio-processing 1.3, for the sound of keys. Gain
     * control would lift speech by 9 dB. */
    const struct spa_dict_item items[] = {
        {"webrtc.transient_suppression", "false"},
        {"webrtc.gain_control", "false"},
    };
    const struct spa_audio_info_raw info = {
        .format = SPA_AUDIO_FORMAT_F32P,
        .rate = rate,
        .channels = 1,
        .position = {SPA_AUDIO_CHANNEL_MONO},
    };
    int result = spa_audio_aec_init(plugin->canceller, &SPA_DICT_INIT_ARRAY(items), &info);
    if (result < 0)
        return result;
    spa_audio_aec_activate(plugin->canceller);
    return 0;
}

bool cpw_canceller_is_available(void) {
    int error = 0;
    struct plugin *plugin = load(&error);
    if (plugin == NULL)
        return false;
    plugin->canceller = NULL; /* it was not started */
    unload(plugin);
    return true;
}

bool cpw_canceller_load(void) {
    static _Atomic(struct plugin *) kept;
    if (atomic_load_explicit(&kept, memory_order_acquire) != NULL)
        return true;
    int error = 0;
    struct plugin *plugin = load(&error), *none = NULL;
    if (plugin == NULL)
        return false;
    plugin->canceller = NULL; /* it was not started */
    if (!atomic_compare_exchange_strong(&kept, &none, plugin))
        unload(plugin); /* another thread was faster */
    return true;
}

cpw_canceller *cpw_canceller_create(uint32_t rate, int *error) {
    *error = -EINVAL;
    if (!cpw_canceller_has_rate(rate))
        return NULL;
    struct plugin *plugin = load(error);
    if (plugin == NULL)
        return NULL;
    *error = start(plugin, rate);
    if (*error < 0) {
        plugin->canceller = NULL;
        unload(plugin);
        return NULL;
    }
    /* The old canceller finds an echo up to 50 ms after it was played, the new one up to 450 ms. */
    const struct cpw_cancelling cancelling = {
        cancel, plugin, unload, .needs_delay = dl_iterate_phdr(is_old_canceller, NULL) != 0};
    return cpw_canceller_new(rate, &cancelling, error);
}
