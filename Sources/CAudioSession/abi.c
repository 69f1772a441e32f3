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

/* 32 in its first version, which ended with waits_for_pipewire and its padding. */
_Static_assert(sizeof(as_manager_options) == 40, "as_manager_options");
HAS(as_manager_options, timeout, 4);
HAS(as_manager_options, remote, 8);
HAS(as_manager_options, application_name, 16);
HAS(as_manager_options, waits_for_pipewire, 24);
HAS(as_manager_options, keeps_thread_priority, 32);

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

/* 72 in its first version, which ended with input_latency. */
_Static_assert(sizeof(as_session_info) == 96, "as_session_info");
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

/* The first, the last and those that stand at a gap. */
IS(AS_ABI_VERSION, 1);
IS(AS_OK, 0);
IS(AS_ERROR_WRONG_THREAD, 16);
IS(AS_ERROR_FORKED, 17);
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

uint32_t as_abi_version(void) { return AS_ABI_VERSION; }

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
    }
    return "AS_ERROR_UNSPECIFIED";
#undef NAME
}
