#include "internal.h"

#include <spa/param/audio/format-utils.h>

/* The channel positions by number of channels, in the order of WAV, FLAC and libsndfile. */
static const uint32_t positions[CPW_MAX_CHANNELS][CPW_MAX_CHANNELS] = {
    {SPA_AUDIO_CHANNEL_MONO},
    {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR},
    {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC},
    {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR},
    {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_RL,
     SPA_AUDIO_CHANNEL_RR},
    {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
     SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR},
    {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
     SPA_AUDIO_CHANNEL_RC, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR},
    {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
     SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR},
};

const struct spa_pod *cpw_format_build(struct cpw_format_storage *storage, uint32_t rate, uint32_t channels) {
    return cpw_format_build_positions(storage, rate, channels, positions[channels - 1]);
}

const struct spa_pod *cpw_format_build_positions(struct cpw_format_storage *storage, uint32_t rate, uint32_t channels,
                                                 const uint32_t *channel_positions) {
    struct spa_audio_info_raw info = {.format = SPA_AUDIO_FORMAT_F32, .rate = rate, .channels = channels};
    memcpy(info.position, channel_positions, channels * sizeof(uint32_t));
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(storage->bytes, sizeof(storage->bytes));
    return spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
}

/* Not by spa_format_audio_raw_parse, which copies the positions as in cpw_pod_array. */
bool cpw_format_is(const struct spa_pod *format, uint32_t rate, uint32_t channels) {
    uint32_t sample = SPA_AUDIO_FORMAT_UNKNOWN;
    int32_t own_rate = 0, own_channels = 0;
    return cpw_pod_is_valid_object(format, SPA_TYPE_OBJECT_Format) &&
           spa_pod_parse_object(format, SPA_TYPE_OBJECT_Format, NULL,
                                SPA_FORMAT_AUDIO_format, SPA_POD_OPT_Id(&sample),
                                SPA_FORMAT_AUDIO_rate, SPA_POD_OPT_Int(&own_rate),
                                SPA_FORMAT_AUDIO_channels, SPA_POD_OPT_Int(&own_channels)) >= 0 &&
           sample == SPA_AUDIO_FORMAT_F32 && (uint32_t)own_rate == rate && (uint32_t)own_channels == channels;
}
