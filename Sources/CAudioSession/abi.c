/* The binary interface of version 1. A line here that does not hold any more is a change that breaks programs: members
 * are added at the end of structs only. */
#include <audiosession.h>

#define HAS(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member " has moved")
#define IS(constant, number) _Static_assert((constant) == (number), #constant " has another number")

_Static_assert(sizeof(as_status) == 4 && sizeof(as_port_type) == 4 && sizeof(as_event_type) == 4, "enums have 4 bytes");

_Static_assert(sizeof(as_error) == 512, "as_error");
HAS(as_error, status, 4);
HAS(as_error, os_status, 8);
HAS(as_error, message, 16);

/* 32 in its first version, which ended with waits_for_pipewire and its padding; 40 in its second, which ended with
 * keeps_thread_priority and its padding. */
_Static_assert(sizeof(as_manager_options) == 48, "as_manager_options");
HAS(as_manager_options, timeout, 4);
HAS(as_manager_options, remote, 8);
HAS(as_manager_options, application_name, 16);
HAS(as_manager_options, waits_for_pipewire, 24);
HAS(as_manager_options, keeps_thread_priority, 32);
HAS(as_manager_options, calls_handlers_in_dispatch, 40);

_Static_assert(sizeof(as_configuration) == 32, "as_configuration");
HAS(as_configuration, category, 4);
HAS(as_configuration, mode, 8);
HAS(as_configuration, options, 12);
HAS(as_configuration, policy, 16);
HAS(as_configuration, priority, 20);
HAS(as_configuration, group, 24);

/* 32 in its first version, which ended with uid. */
_Static_assert(sizeof(as_port) == 80, "as_port");
HAS(as_port, type, 4);
HAS(as_port, direction, 8);
HAS(as_port, is_uncertain, 12);
HAS(as_port, name, 16);
HAS(as_port, uid, 24);
HAS(as_port, hint, 32);
HAS(as_port, is_through_filter, 36);
HAS(as_port, needs_profile_change, 37);
HAS(as_port, type_reason, 40);
HAS(as_port, channels, 48);
HAS(as_port, node_name, 56);
HAS(as_port, device_name, 64);
HAS(as_port, route_name, 72);

_Static_assert(sizeof(as_data_source) == 40, "as_data_source");
HAS(as_data_source, orientation, 4);
HAS(as_data_source, is_selected, 8);
HAS(as_data_source, id, 16);
HAS(as_data_source, name, 24);
HAS(as_data_source, port_uid, 32);

/* 80 in its first version, which ended with current_route. */
_Static_assert(sizeof(as_event) == 96, "as_event");
HAS(as_event, type, 4);
HAS(as_event, time, 8);
HAS(as_event, dropped, 16);
HAS(as_event, state, 20);
HAS(as_event, reason, 24);
HAS(as_event, cause_pid, 28);
HAS(as_event, gain, 32);
HAS(as_event, volume, 36);
HAS(as_event, should_resume, 40);
HAS(as_event, should_be_silent, 41);
HAS(as_event, is_muted, 42);
HAS(as_event, cause_name, 48);
HAS(as_event, port, 56);
HAS(as_event, previous_route, 64);
HAS(as_event, current_route, 72);
HAS(as_event, cause_session, 80);
HAS(as_event, is_silent_mode, 88);

/* 72 in its first version, which ended with input_latency; 96 in its second, which ended with is_output_overridden. */
_Static_assert(sizeof(as_session_info) == 104, "as_session_info");
HAS(as_session_info, state, 4);
HAS(as_session_info, gain, 8);
HAS(as_session_info, output_volume, 12);
HAS(as_session_info, input_gain, 16);
HAS(as_session_info, is_output_muted, 20);
HAS(as_session_info, is_input_gain_settable, 21);
HAS(as_session_info, is_other_audio_playing, 22);
HAS(as_session_info, should_secondary_audio_be_silent, 23);
HAS(as_session_info, sample_rate, 24);
HAS(as_session_info, output_channels, 28);
HAS(as_session_info, input_channels, 32);
HAS(as_session_info, preferred_sample_rate, 36);
HAS(as_session_info, preferred_io_buffer_duration, 40);
HAS(as_session_info, io_buffer_duration, 48);
HAS(as_session_info, output_latency, 56);
HAS(as_session_info, input_latency, 64);
HAS(as_session_info, maximum_output_channels, 72);
HAS(as_session_info, maximum_input_channels, 76);
HAS(as_session_info, preferred_output_channels, 80);
HAS(as_session_info, preferred_input_channels, 84);
HAS(as_session_info, replug_limit, 88);
HAS(as_session_info, resumes_on_replug, 92);
HAS(as_session_info, is_output_overridden, 93);
HAS(as_session_info, unmanaged_policy, 96);
HAS(as_session_info, pauses_on_route_loss, 100);
HAS(as_session_info, resumes_after_interruption, 101);

_Static_assert(sizeof(as_silence_reason) == 32, "as_silence_reason");
HAS(as_silence_reason, kind, 4);
HAS(as_silence_reason, gain, 8);
HAS(as_silence_reason, cause_pid, 12);
HAS(as_silence_reason, cause_name, 16);
HAS(as_silence_reason, cause_session, 24);

_Static_assert(sizeof(as_choice_info) == 32, "as_choice_info");
HAS(as_choice_info, reason, 4);
HAS(as_choice_info, port, 8);
HAS(as_choice_info, wanted, 16);
HAS(as_choice_info, description, 24);

_Static_assert(sizeof(as_manager_info) == 12, "as_manager_info");
HAS(as_manager_info, output_volume, 4);
HAS(as_manager_info, is_output_muted, 8);
HAS(as_manager_info, is_silent_mode, 9);
HAS(as_manager_info, is_input_muted, 10);

_Static_assert(sizeof(as_item) == 72, "as_item");
HAS(as_item, sample_rate, 4);
HAS(as_item, channels, 8);
HAS(as_item, frames, 16);
HAS(as_item, duration, 24);
HAS(as_item, path, 32);
HAS(as_item, name, 40);
HAS(as_item, title, 48);
HAS(as_item, artist, 56);
HAS(as_item, encoding, 64);

_Static_assert(sizeof(as_stream_event) == 112, "as_stream_event");
HAS(as_stream_event, type, 4);
HAS(as_stream_event, time, 8);
HAS(as_stream_event, frames, 16);
HAS(as_stream_event, position, 24);
HAS(as_stream_event, dropped, 32);
HAS(as_stream_event, state, 36);
HAS(as_stream_event, pause_reason, 40);
HAS(as_stream_event, finish_reason, 44);
HAS(as_stream_event, muter, 48);
HAS(as_stream_event, reason, 52);
HAS(as_stream_event, status, 56);
HAS(as_stream_event, port, 64);
HAS(as_stream_event, previous_route, 72);
HAS(as_stream_event, current_route, 80);
HAS(as_stream_event, item, 88);
HAS(as_stream_event, path, 96);
HAS(as_stream_event, message, 104);

_Static_assert(sizeof(as_stream_statistics) == 64, "as_stream_statistics");
HAS(as_stream_statistics, quantum, 4);
HAS(as_stream_statistics, graph_rate, 8);
HAS(as_stream_statistics, is_echo_cancelled, 12);
HAS(as_stream_statistics, cycles, 16);
HAS(as_stream_statistics, dropped_frames, 24);
HAS(as_stream_statistics, latency, 32);
HAS(as_stream_statistics, gate_delay, 40);
HAS(as_stream_statistics, gate_time, 48);
HAS(as_stream_statistics, last_sound_time, 56);

_Static_assert(sizeof(as_output_options) == 48, "as_output_options");
HAS(as_output_options, sample_rate, 4);
HAS(as_output_options, channels, 8);
HAS(as_output_options, buffer_duration, 12);
HAS(as_output_options, role, 16);
HAS(as_output_options, reports_late_callbacks, 20);
HAS(as_output_options, title, 24);
HAS(as_output_options, application_name, 32);
HAS(as_output_options, node_name, 40);

_Static_assert(sizeof(as_output_info) == 40, "as_output_info");
HAS(as_output_info, state, 4);
HAS(as_output_info, pause_reason, 8);
HAS(as_output_info, volume, 12);
HAS(as_output_info, sample_rate, 16);
HAS(as_output_info, channels, 20);
HAS(as_output_info, position, 24);
HAS(as_output_info, missing_frames, 32);

_Static_assert(sizeof(as_input_options) == 48, "as_input_options");
HAS(as_input_options, sample_rate, 4);
HAS(as_input_options, channels, 8);
HAS(as_input_options, buffer_duration, 12);
HAS(as_input_options, stops_when_lost, 16);
HAS(as_input_options, prefers_echo_cancelled_input, 17);
HAS(as_input_options, title, 24);
HAS(as_input_options, application_name, 32);
HAS(as_input_options, node_name, 40);

_Static_assert(sizeof(as_input_info) == 40, "as_input_info");
HAS(as_input_info, state, 4);
HAS(as_input_info, pause_reason, 8);
HAS(as_input_info, sample_rate, 12);
HAS(as_input_info, channels, 16);
HAS(as_input_info, waiting_frames, 24);
HAS(as_input_info, dropped_frames, 32);

_Static_assert(sizeof(as_level) == 12, "as_level");
HAS(as_level, average_power, 4);
HAS(as_level, peak_power, 8);

_Static_assert(sizeof(as_unmanaged_options) == 32, "as_unmanaged_options");
HAS(as_unmanaged_options, process_count, 4);
HAS(as_unmanaged_options, processes, 8);
HAS(as_unmanaged_options, names, 16);
HAS(as_unmanaged_options, name_count, 24);

_Static_assert(sizeof(as_program) == 24, "as_program");
HAS(as_program, effect, 4);
HAS(as_program, pid, 8);
HAS(as_program, name, 16);

_Static_assert(sizeof(as_unmanaged_event) == 48, "as_unmanaged_event");
HAS(as_unmanaged_event, type, 4);
HAS(as_unmanaged_event, time, 8);
HAS(as_unmanaged_event, dropped, 16);
HAS(as_unmanaged_event, pid, 20);
HAS(as_unmanaged_event, gain, 24);
HAS(as_unmanaged_event, name, 32);
HAS(as_unmanaged_event, reason, 40);

_Static_assert(sizeof(as_player_options) == 24, "as_player_options");
HAS(as_player_options, role, 4);
HAS(as_player_options, application_name, 8);
HAS(as_player_options, node_name, 16);

_Static_assert(sizeof(as_player_info) == 48, "as_player_info");
HAS(as_player_info, state, 4);
HAS(as_player_info, pause_reason, 8);
HAS(as_player_info, volume, 12);
HAS(as_player_info, current_index, 16);
HAS(as_player_info, queue_length, 20);
HAS(as_player_info, position, 24);
HAS(as_player_info, duration, 32);
HAS(as_player_info, underruns, 40);

_Static_assert(sizeof(as_recorder_options) == 48, "as_recorder_options");
HAS(as_recorder_options, sample_rate, 4);
HAS(as_recorder_options, channels, 8);
HAS(as_recorder_options, bits_per_sample, 12);
HAS(as_recorder_options, buffer_duration, 16);
HAS(as_recorder_options, file_permissions, 20);
HAS(as_recorder_options, continues_after_interruption, 24);
HAS(as_recorder_options, follows_symbolic_links, 25);
HAS(as_recorder_options, prefers_echo_cancelled_input, 26);
HAS(as_recorder_options, application_name, 32);
HAS(as_recorder_options, node_name, 40);

_Static_assert(sizeof(as_recording) == 32, "as_recording");
HAS(as_recording, sample_rate, 4);
HAS(as_recording, channels, 8);
HAS(as_recording, bits_per_sample, 12);
HAS(as_recording, frames, 16);
HAS(as_recording, duration, 24);

_Static_assert(sizeof(as_now_playing_options) == 24, "as_now_playing_options");
HAS(as_now_playing_options, can_raise, 4);
HAS(as_now_playing_options, can_quit, 5);
HAS(as_now_playing_options, name, 8);
HAS(as_now_playing_options, desktop_entry, 16);

_Static_assert(sizeof(as_command) == 24, "as_command");
HAS(as_command, type, 4);
HAS(as_command, time, 8);
HAS(as_command, dropped, 16);

/* The first, the last and those that stand at a gap. */
IS(AS_ABI_VERSION, 1);
IS(AS_OK, 0);
IS(AS_ERROR_WRONG_THREAD, 16);
IS(AS_ERROR_FORKED, 17);
IS(AS_ERROR_CANCELLED, 36);
IS(AS_ERROR_ECHO_CANCELLER_MISSING, 37);
IS(AS_CATEGORY_SOLO_AMBIENT, 0);
IS(AS_CATEGORY_MULTI_ROUTE, 5);
IS(AS_MODE_VOICE_PROMPT, 8);
IS(AS_OPTION_INTERRUPT_SPOKEN_AUDIO_AND_MIX_WITH_OTHERS, 0x11);
IS(AS_OPTION_ALLOW_AIR_PLAY, 0x40);
IS(AS_POLICY_LONG_FORM_VIDEO, 3);
IS(AS_PRIORITY_EMERGENCY, 4);
IS(AS_PORT_BUILT_IN_SPEAKER, 1);
IS(AS_PORT_HEADPHONES, 4);
IS(AS_PORT_NETWORK, 21);
IS(AS_DIRECTION_INPUT, 1);
IS(AS_STATE_INTERRUPTED, 2);
IS(AS_ROUTE_CHANGE_OVERRIDE, 4);
IS(AS_ROUTE_CHANGE_WAKE_FROM_SLEEP, 6);
IS(AS_ROUTE_CHANGE_ROUTE_CONFIGURATION_CHANGE, 8);
IS(AS_EVENT_STATE_CHANGED, 1);
IS(AS_EVENT_MEDIA_SERVICES_RESET, 13);
IS(AS_EVENT_SILENT_MODE_CHANGED, 15);
IS(AS_SILENCE_PAUSED, 9);
IS(AS_CHOICE_BLUETOOTH_NOT_ALLOWED, 8);
IS(AS_ORIENTATION_RIGHT, 6);
IS(AS_SESSION_ID_SIZE, 37);
IS(AS_UNMANAGED_DUCK, 4);
IS(AS_ROLE_TEST, 7);
IS(AS_STREAM_FINISHED, 3);
IS(AS_PAUSE_STREAM_FAILED, 6);
IS(AS_FINISH_FAILED, 6);
IS(AS_MUTED_BY_USER, 1);
IS(AS_STREAM_EVENT_STATE_CHANGED, 1);
IS(AS_STREAM_EVENT_POSITION_CHANGED, 15);
IS(AS_UNMANAGED_EFFECT_DUCKED, 1);
IS(AS_UNMANAGED_EVENT_UNAVAILABLE, 8);
IS(AS_FILE_FLAC, 2);
IS(AS_COMMAND_QUIT, 2);
IS(AS_FOREVER, UINT32_MAX);

uint32_t as_abi_version(void) { return AS_ABI_VERSION; }

#define TEXT(token) #token
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *as_version(void) { return VERSION(AS_VERSION_MAJOR, AS_VERSION_MINOR, AS_VERSION_PATCH); }

const char *as_status_name(as_status status) {
#define NAME(constant) \
    case constant: return #constant
    switch (status) {
        NAME(AS_OK);
        NAME(AS_ERROR_BAD_PARAM);
        NAME(AS_ERROR_MEDIA_SERVICES_FAILED);
        NAME(AS_ERROR_IS_BUSY);
        NAME(AS_ERROR_INCOMPATIBLE_CATEGORY);
        NAME(AS_ERROR_CANNOT_INTERRUPT_OTHERS);
        NAME(AS_ERROR_INSUFFICIENT_PRIORITY);
        NAME(AS_ERROR_RESOURCE_NOT_AVAILABLE);
        NAME(AS_ERROR_EXPIRED_SESSION);
        NAME(AS_ERROR_SESSION_NOT_ACTIVE);
        NAME(AS_ERROR_UNSPECIFIED);
        NAME(AS_ERROR_TIMED_OUT);
        NAME(AS_ERROR_CLOSED);
        NAME(AS_ERROR_RESOURCES_EXHAUSTED);
        NAME(AS_ERROR_NOT_PERMITTED);
        NAME(AS_ERROR_BAD_HANDLE);
        NAME(AS_ERROR_WRONG_THREAD);
        NAME(AS_ERROR_FORKED);
        NAME(AS_ERROR_FILE_NOT_FOUND);
        NAME(AS_ERROR_PERMISSION_DENIED);
        NAME(AS_ERROR_NOT_A_FILE);
        NAME(AS_ERROR_UNSUPPORTED_FORMAT);
        NAME(AS_ERROR_UNSUPPORTED_RECORDING_FORMAT);
        NAME(AS_ERROR_UNREADABLE);
        NAME(AS_ERROR_CANNOT_SEEK);
        NAME(AS_ERROR_CANNOT_WRITE);
        NAME(AS_ERROR_NOTHING_LOADED);
        NAME(AS_ERROR_NO_SUCH_ITEM);
        NAME(AS_ERROR_TOO_MANY_ITEMS);
        NAME(AS_ERROR_ALREADY_RECORDING);
        NAME(AS_ERROR_NOT_PAUSED);
        NAME(AS_ERROR_NO_OUTPUT);
        NAME(AS_ERROR_OUTPUT_FAILED);
        NAME(AS_ERROR_NO_MICROPHONE);
        NAME(AS_ERROR_INPUT_FAILED);
        NAME(AS_ERROR_STOPPED);
        NAME(AS_ERROR_CANCELLED);
        NAME(AS_ERROR_ECHO_CANCELLER_MISSING);
    }
    return "AS_ERROR_UNSPECIFIED";
#undef NAME
}
