/* Audio sessions on PipeWire, for C and all that can call C: whose turn it is to be heard, and where sound goes.
 *
 * Threads. Every function may be called on any thread, from several at a time. Those that say "waits" return when PipeWire
 * has answered, or with AS_ERROR_TIMED_OUT after the time that the manager was opened with, also while PipeWire is stopped.
 * The session is then what it was before. Handlers are called on one thread of the library's own,
 * one after the other. A handler may call everything but as_manager_close and as_session_destroy, which fail there with
 * AS_ERROR_WRONG_THREAD. While it runs no other handler does, so it should not wait for people.
 *
 * Handles are opaque. NULL, a handle that was given back, and one of another kind fail with AS_ERROR_BAD_HANDLE: nothing of
 * that crashes. Forgotten handles are memory in use until the process ends.
 *
 * Structs begin with their size, which the caller sets: = AS_ERROR_INIT and the like do so. A later version of the library
 * adds members at the end and looks at no more than `size` bytes, so that programs need not be compiled again; a size below
 * that of the first version fails with AS_ERROR_BAD_PARAM. Events and ports that the library passes to a handler have the
 * library's size: compare it before reading a member that an older library does not have. Numbers of enums never change, and new ones are added: pass over
 * what you do not know. Strings are UTF-8. Sessions are as Docs/Sessions.md describes them.
 *
 * A process that forks after its first manager has all this in the parent only: in the child every call fails at once with
 * AS_ERROR_FORKED until exec. The child holds no connection of the parent's, whose sessions end with the parent. A child of
 * a process that has had no manager may open one. */
#ifndef AUDIOSESSION_H
#define AUDIOSESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AS_API __attribute__((visibility("default")))

/* Of this header. It changes if a program that was compiled with an older header would not run any more. */
#define AS_ABI_VERSION 1

/* Of the library that is loaded. */
AS_API uint32_t as_abi_version(void);

/* The version of PipeWire's library that is loaded, such as "1.4.2". Lasts for ever. */
AS_API const char *as_pipewire_version(void);

/* MARK: Errors */

typedef enum as_status {
    AS_OK = 0,
    AS_ERROR_BAD_PARAM = 1,               /* a value or a combination of values is illegal */
    AS_ERROR_MEDIA_SERVICES_FAILED = 2,   /* PipeWire does not run, cannot be reached, or went away */
    AS_ERROR_IS_BUSY = 3,                 /* sound is still running */
    AS_ERROR_INCOMPATIBLE_CATEGORY = 4,   /* the category does not have the direction that was asked for */
    AS_ERROR_CANNOT_INTERRUPT_OTHERS = 5, /* activated in the background, without being mixable */
    AS_ERROR_INSUFFICIENT_PRIORITY = 6,   /* a session of higher priority, such as a call, has the sound */
    AS_ERROR_RESOURCE_NOT_AVAILABLE = 7,  /* there is no hardware for it */
    AS_ERROR_EXPIRED_SESSION = 8,         /* the session was closed */
    AS_ERROR_SESSION_NOT_ACTIVE = 9,      /* it needs an active session */
    AS_ERROR_UNSPECIFIED = 10,
    AS_ERROR_TIMED_OUT = 11,           /* PipeWire did not answer in time */
    AS_ERROR_CLOSED = 12,              /* the manager was closed */
    AS_ERROR_RESOURCES_EXHAUSTED = 13, /* the system has no thread, file or memory left */
    AS_ERROR_NOT_PERMITTED = 14,       /* PipeWire does not let this program do it, such as one in a sandbox */
    AS_ERROR_BAD_HANDLE = 15,          /* the handle is NULL, was given back, or is of another kind */
    AS_ERROR_WRONG_THREAD = 16,        /* not from within a handler */
    AS_ERROR_FORKED = 17               /* in a child that was forked, without exec, from a process that had a manager */
} as_status;

typedef struct as_error {
    uint32_t size;
    as_status status;
    int32_t os_status; /* the number that Apple's headers have for it; 0 if none */
    uint32_t reserved;
    char message[496]; /* what happened, why, and what to do; cut off where it is too long */
} as_error;
#define AS_ERROR_INIT { sizeof(as_error), AS_OK, 0, 0, { 0 } }

/* The name of the constant; "AS_ERROR_UNSPECIFIED" for numbers that mean nothing. Lasts for ever. */
AS_API const char *as_status_name(as_status status);

/* Wherever a function takes an `as_error *`, NULL is for those who do not want to know more than the status. */

/* MARK: Managers */

/* The connection to PipeWire. Finds PipeWire again when it is restarted. */
typedef struct as_manager as_manager;

typedef struct as_manager_options {
    uint32_t size;
    uint32_t timeout;             /* of each call that waits, in milliseconds; 0 for 5 seconds */
    const char *remote;           /* name or absolute path of PipeWire's socket; NULL takes the environment's */
    const char *application_name; /* how the program shows in other people's mixers; NULL leaves it to PipeWire */
    bool waits_for_pipewire;      /* whether as_manager_open waits until PipeWire runs, for `timeout` at most */
    uint8_t reserved[7];
    /* Since the second version of this struct. The library's thread asks for the priority of PipeWire's own processes, nice
     * -11, in programs that run at nice 0 and SCHED_OTHER. Set to keep the program's priority for it as well. */
    bool keeps_thread_priority;
} as_manager_options;
#define AS_MANAGER_OPTIONS_INIT { sizeof(as_manager_options), 0, NULL, NULL, false, { 0 }, false }

/* Connects, and waits. `options` may be NULL. Leaves NULL in `manager` if it fails. */
AS_API as_status as_manager_open(const as_manager_options *options, as_manager **manager, as_error *error);

/* Ends the connection and gives the handle back; waits. What its sessions are asked for fails from now on, but they have to
 * be destroyed all the same. NULL does nothing. */
AS_API as_status as_manager_close(as_manager *manager);

/* MARK: Configurations */

typedef enum as_category {
    AS_CATEGORY_SOLO_AMBIENT = 0, /* the default */
    AS_CATEGORY_AMBIENT = 1,
    AS_CATEGORY_PLAYBACK = 2,
    AS_CATEGORY_RECORD = 3,
    AS_CATEGORY_PLAY_AND_RECORD = 4,
    AS_CATEGORY_MULTI_ROUTE = 5
} as_category;

typedef enum as_mode {
    AS_MODE_DEFAULT = 0,
    AS_MODE_VOICE_CHAT = 1,
    AS_MODE_GAME_CHAT = 2,
    AS_MODE_VIDEO_RECORDING = 3,
    AS_MODE_MEASUREMENT = 4,
    AS_MODE_MOVIE_PLAYBACK = 5,
    AS_MODE_VIDEO_CHAT = 6,
    AS_MODE_SPOKEN_AUDIO = 7,
    AS_MODE_VOICE_PROMPT = 8
} as_mode;

/* Bits of as_configuration.options. */
typedef enum as_category_option {
    AS_OPTION_MIX_WITH_OTHERS = 0x1,
    AS_OPTION_DUCK_OTHERS = 0x2,
    AS_OPTION_ALLOW_BLUETOOTH_HFP = 0x4,
    AS_OPTION_DEFAULT_TO_SPEAKER = 0x8,
    AS_OPTION_INTERRUPT_SPOKEN_AUDIO_AND_MIX_WITH_OTHERS = 0x11,
    AS_OPTION_ALLOW_BLUETOOTH_A2DP = 0x20,
    AS_OPTION_ALLOW_AIR_PLAY = 0x40
} as_category_option;

typedef enum as_policy {
    AS_POLICY_DEFAULT = 0,
    AS_POLICY_LONG_FORM_AUDIO = 1,
    AS_POLICY_INDEPENDENT = 2,
    AS_POLICY_LONG_FORM_VIDEO = 3
} as_policy;

typedef enum as_priority {
    AS_PRIORITY_MEDIA = 0,
    AS_PRIORITY_ALARM = 1,
    AS_PRIORITY_RINGTONE = 2,
    AS_PRIORITY_COMMUNICATION = 3,
    AS_PRIORITY_EMERGENCY = 4
} as_priority;

/* What a session's sound is for. Docs/Configuration.md has what is legal. */
typedef struct as_configuration {
    uint32_t size;
    as_category category;
    as_mode mode;
    uint32_t options; /* of as_category_option */
    as_policy policy;
    as_priority priority;
    const char *group; /* sessions of one group never act on one another; NULL: as AUDIOSESSION_GROUP says, or the process */
} as_configuration;
#define AS_CONFIGURATION_INIT \
    { sizeof(as_configuration), AS_CATEGORY_SOLO_AMBIENT, AS_MODE_DEFAULT, 0, AS_POLICY_DEFAULT, AS_PRIORITY_MEDIA, NULL }

/* Whether a session would take the configuration: AS_OK, or AS_ERROR_BAD_PARAM with the rule that it breaks. */
AS_API as_status as_configuration_validate(const as_configuration *configuration, as_error *error);

/* MARK: Routes */

typedef enum as_direction { AS_DIRECTION_OUTPUT = 0, AS_DIRECTION_INPUT = 1 } as_direction;

typedef enum as_port_type {
    AS_PORT_UNKNOWN = 0,
    AS_PORT_BUILT_IN_SPEAKER = 1,
    AS_PORT_BUILT_IN_RECEIVER = 2,
    AS_PORT_BUILT_IN_MIC = 3,
    AS_PORT_HEADPHONES = 4,
    AS_PORT_HEADSET_MIC = 5,
    AS_PORT_LINE_OUT = 6,
    AS_PORT_LINE_IN = 7,
    AS_PORT_HDMI = 8,
    AS_PORT_AIR_PLAY = 9,
    AS_PORT_BLUETOOTH_A2DP = 10,
    AS_PORT_BLUETOOTH_LE = 11,
    AS_PORT_BLUETOOTH_HFP = 12,
    AS_PORT_USB_AUDIO = 13,
    AS_PORT_CAR_AUDIO = 14,
    AS_PORT_VIRTUAL = 15,
    AS_PORT_PCI = 16,
    AS_PORT_FIRE_WIRE = 17,
    AS_PORT_DISPLAY_PORT = 18,
    AS_PORT_THUNDERBOLT = 19,
    AS_PORT_AVB = 20,
    AS_PORT_NETWORK = 21
} as_port_type;

typedef struct as_port {
    uint32_t size;
    as_port_type type;
    as_direction direction;
    bool is_uncertain; /* the machine's data does not decide the type */
    const char *name;  /* for people */
    const char *uid;   /* names it across unplugging and reboots */
    /* Since the second version of this struct. */
    as_port_type hint;         /* what is plugged into a port whose type names its bus only; else AS_PORT_UNKNOWN */
    bool is_through_filter;    /* an equalizer, echo canceller or the like is between the program and the port */
    bool needs_profile_change; /* a session that prefers it switches its card's profile, for all programs */
    const char *type_reason;   /* why it has its type, for people */
    const char *channels;      /* PipeWire's names in their order, such as "FL,FR"; empty if they are not known */
    const char *node_name;     /* of PipeWire's node; these three are NULL where there is none */
    const char *device_name;   /* of PipeWire's device: the card */
    const char *route_name;    /* of the card's route */
} as_port;
#define AS_PORT_INIT \
    { sizeof(as_port), AS_PORT_UNKNOWN, AS_DIRECTION_OUTPUT, false, NULL, NULL, AS_PORT_UNKNOWN, false, false, NULL, NULL, \
      NULL, NULL, NULL }

/* Where sound went and came from at one moment; it never changes. */
typedef struct as_route as_route;

/* How many ports it has in that direction; 0 for a handle that is none. */
AS_API uint32_t as_route_count(const as_route *route, as_direction direction);

/* The strings last as long as the route. AS_ERROR_BAD_PARAM beyond as_route_count. */
AS_API as_status as_route_port(const as_route *route, as_direction direction, uint32_t index, as_port *port);

/* For what has to outlast an event's route. */
AS_API as_status as_route_copy(const as_route *route, as_route **copy);

/* Gives the handle back. NULL does nothing. */
AS_API as_status as_route_free(as_route *route);

/* The route of the default output and input: where the sound goes that asks for nothing else. as_route_free gives it back. */
AS_API as_status as_manager_get_route(const as_manager *manager, as_route **route);

/* All outputs and inputs that a session could prefer now, as one list for each direction. as_route_free gives it back. */
AS_API as_status as_manager_get_available_ports(const as_manager *manager, as_route **ports);

/* MARK: Data sources */

typedef enum as_orientation {
    AS_ORIENTATION_UNKNOWN = 0,
    AS_ORIENTATION_TOP = 1,
    AS_ORIENTATION_BOTTOM = 2,
    AS_ORIENTATION_FRONT = 3,
    AS_ORIENTATION_BACK = 4,
    AS_ORIENTATION_LEFT = 5,
    AS_ORIENTATION_RIGHT = 6
} as_orientation;

/* One of several microphones, or outputs, that a port can switch between. */
typedef struct as_data_source {
    uint32_t size;
    as_orientation orientation; /* of the computer, by the data source's name */
    bool is_selected;
    const char *id;       /* names it within its port */
    const char *name;     /* for people */
    const char *port_uid; /* as which it is among the available ports */
} as_data_source;
#define AS_DATA_SOURCE_INIT { sizeof(as_data_source), AS_ORIENTATION_UNKNOWN, false, NULL, NULL, NULL }

/* The data sources of a port at one moment; it never changes. */
typedef struct as_data_sources as_data_sources;

/* Those of an available port; none if there is nothing to switch. as_data_sources_free gives them back. Waits. */
AS_API as_status as_manager_get_data_sources(
    as_manager *manager, const char *port_uid, as_data_sources **sources, as_error *error);

/* 0 for a handle that is none. */
AS_API uint32_t as_data_sources_count(const as_data_sources *sources);

/* The strings last as long as the list. AS_ERROR_BAD_PARAM beyond as_data_sources_count. */
AS_API as_status as_data_sources_get(const as_data_sources *sources, uint32_t index, as_data_source *source);

/* Gives the handle back. NULL does nothing. */
AS_API as_status as_data_sources_free(as_data_sources *sources);

/* MARK: Sessions */

/* What a part of the program is heard for, and its turn among all others on the machine. */
typedef struct as_session as_session;

typedef enum as_state { AS_STATE_INACTIVE = 0, AS_STATE_ACTIVE = 1, AS_STATE_INTERRUPTED = 2 } as_state;

typedef enum as_route_change_reason {
    AS_ROUTE_CHANGE_UNKNOWN = 0,
    AS_ROUTE_CHANGE_NEW_DEVICE_AVAILABLE = 1,
    AS_ROUTE_CHANGE_OLD_DEVICE_UNAVAILABLE = 2,
    AS_ROUTE_CHANGE_CATEGORY_CHANGE = 3,
    AS_ROUTE_CHANGE_OVERRIDE = 4,
    AS_ROUTE_CHANGE_WAKE_FROM_SLEEP = 6,
    AS_ROUTE_CHANGE_NO_SUITABLE_ROUTE_FOR_CATEGORY = 7,
    AS_ROUTE_CHANGE_ROUTE_CONFIGURATION_CHANGE = 8
} as_route_change_reason;

typedef enum as_event_type {
    AS_EVENT_STATE_CHANGED = 1,         /* state */
    AS_EVENT_INTERRUPTION_BEGAN = 2,    /* cause_name, cause_pid: be silent */
    AS_EVENT_INTERRUPTION_ENDED = 3,    /* should_resume: then activate and go on */
    AS_EVENT_DUCKING = 4,               /* gain to multiply with, cause_name, cause_pid */
    AS_EVENT_BECAME_NOISY = 5,          /* port that is gone: pause. Comes before AS_EVENT_ROUTE_CHANGED */
    AS_EVENT_ROUTE_CHANGED = 6,         /* reason, previous_route, current_route */
    AS_EVENT_RESUME_ADVICE = 7,         /* what silenced it is over */
    AS_EVENT_SECONDARY_AUDIO_HINT = 8,  /* should_be_silent */
    AS_EVENT_OUTPUT_VOLUME_CHANGED = 9, /* volume, is_muted */
    AS_EVENT_INPUT_GAIN_CHANGED = 10,   /* gain */
    AS_EVENT_FORMAT_CHANGED = 11,       /* see as_session_get_info */
    AS_EVENT_MEDIA_SERVICES_LOST = 12,  /* PipeWire is gone; nothing has to be done */
    AS_EVENT_MEDIA_SERVICES_RESET = 13, /* PipeWire is back, and the session has its place again */
    AS_EVENT_SILENCE_REASONS_CHANGED = 16, /* see as_session_get_silence_reasons */
    /* Of managers only. */
    AS_EVENT_AVAILABLE_PORTS_CHANGED = 14, /* see as_manager_get_available_ports */
    AS_EVENT_SILENT_MODE_CHANGED = 15      /* is_silent_mode */
} as_event_type;

/* What happened to a session, or to a manager. Members that the type does not name are 0 or NULL. All pointers, and the routes, last until
 * the handler returns. */
typedef struct as_event {
    uint32_t size;
    as_event_type type;
    uint64_t time;    /* when the event reached this process, in ns of CLOCK_MONOTONIC */
    uint32_t dropped; /* how many events before this one were dropped, because the handler was slow */
    as_state state;
    as_route_change_reason reason;
    int32_t cause_pid; /* PipeWire vouches for it; 0 if it does not know */
    float gain;        /* 0 to 1 */
    float volume;      /* 0 to 1, as the desktop's sliders count it */
    bool should_resume;
    bool should_be_silent;
    bool is_muted;
    const char *cause_name; /* what the program in the way calls itself; NULL if it does not */
    const as_port *port;
    const as_route *previous_route;
    const as_route *current_route;
    /* Since the second version of this struct. */
    const char *cause_session; /* the uuid of the session in the way; NULL if there is none */
    bool is_silent_mode;
} as_event;

typedef void (*as_session_handler)(as_session *session, const as_event *event, void *user_data);

/* `configuration` may be NULL: that is AS_CONFIGURATION_INIT. Activates nothing. */
AS_API as_status as_session_create(
    as_manager *manager, const as_configuration *configuration, as_session **session, as_error *error);

/* Gives up the session's place and the handle; waits. Its handler is not called any more. NULL does nothing. */
AS_API as_status as_session_destroy(as_session *session);

/* Every event from now on. NULL for `handler` ends it. When this returns, the handler before is not called any more and no
 * call of it is under way (unless this is called from a handler), so `user_data` may be freed: hold no lock that the handler
 * takes. Up to 256 events wait for a slow handler; then the oldest go. */
AS_API as_status as_session_set_handler(as_session *session, as_session_handler handler, void *user_data);

/* Of an active session it is an activation with the new configuration. If it fails the old one stays. Waits. */
AS_API as_status as_session_configure(as_session *session, const as_configuration *configuration, as_error *error);

/* The session's uuid: 36 characters and a zero, the same that other programs see as cause_session. */
#define AS_SESSION_ID_SIZE 37
AS_API as_status as_session_get_id(const as_session *session, char id[AS_SESSION_ID_SIZE]);

/* What the session's sound is for. The group's string lasts as long as the session. */
AS_API as_status as_session_get_configuration(const as_session *session, as_configuration *configuration);

/* Asks for the turn, and waits until the session has it. */
AS_API as_status as_session_activate(as_session *session, as_error *error);

/* Gives up the turn, and waits until PipeWire has taken note. With `notify_others` those whom the session interrupted are
 * told that they may resume. If it fails with AS_ERROR_TIMED_OUT or AS_ERROR_MEDIA_SERVICES_FAILED the session is inactive
 * all the same. */
AS_API as_status as_session_deactivate(as_session *session, bool notify_others, as_error *error);

/* One of several parts of a program that need the session to be active. */
typedef struct as_hold as_hold;

/* Activates the session, and waits until it has its turn. It is deactivated, and others are notified, when the last hold on
 * it has ended. Leaves NULL in `hold` if it fails. */
AS_API as_status as_session_hold(as_session *session, as_hold **hold, as_error *error);

/* Ends the hold and gives the handle back; waits. NULL does nothing. */
AS_API as_status as_hold_end(as_hold *hold);

/* What is known of a session at one moment. */
typedef struct as_session_info {
    uint32_t size;
    as_state state;
    float gain;          /* what others, or silent mode, lower it to: multiply with it */
    float output_volume; /* of the output in use, 0 to 1 */
    float input_gain;    /* of the input in use, 0 to 1 */
    bool is_output_muted;
    bool is_input_gain_settable;
    bool is_other_audio_playing; /* false until the session was first activated or configured */
    bool should_secondary_audio_be_silent;
    int32_t sample_rate;
    int32_t output_channels;
    int32_t input_channels;
    int32_t preferred_sample_rate;       /* 0: none */
    double preferred_io_buffer_duration; /* these four in seconds; 0: none */
    double io_buffer_duration;
    double output_latency;
    double input_latency;
    /* Since the second version of this struct. */
    int32_t maximum_output_channels; /* of the ports in use */
    int32_t maximum_input_channels;
    int32_t preferred_output_channels; /* 0: none */
    int32_t preferred_input_channels;
    uint32_t replug_limit; /* see as_session_set_resumes_on_replug; in milliseconds */
    bool resumes_on_replug;
    bool is_output_overridden; /* see as_session_override_output */
} as_session_info;
#define AS_SESSION_INFO_INIT \
    { sizeof(as_session_info), AS_STATE_INACTIVE, 0, 0, 0, false, false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      false, false }

/* Waits for nothing. */
AS_API as_status as_session_get_info(const as_session *session, as_session_info *info);

/* Where the session's sound goes and comes from now; as_route_free gives it back. Waits for nothing. */
AS_API as_status as_session_get_route(const as_session *session, as_route **route);

/* MARK: Silence */

typedef enum as_silence_kind {
    AS_SILENCE_INACTIVE = 0,     /* the session did not activate, or has deactivated */
    AS_SILENCE_INTERRUPTED = 1,  /* by the cause */
    AS_SILENCE_ADVISED = 2,      /* the interruption is over, and the program has not activated again yet */
    AS_SILENCE_DUCKED = 3,       /* by the cause, to gain */
    AS_SILENCE_SILENT_MODE = 4,
    AS_SILENCE_MUTED = 5,        /* the user has muted the output, or the session's streams */
    AS_SILENCE_INPUT_MUTED = 6,  /* what is recorded is silence; what is played is heard */
    AS_SILENCE_ROUTE_LOST = 7,   /* the output was lost, and the session does not go on elsewhere by itself */
    AS_SILENCE_DAEMON_LOST = 8,  /* there is no PipeWire */
    AS_SILENCE_PAUSED = 9        /* its program plays nothing */
} as_silence_kind;

/* Why nothing, or less, is heard of a session. A reason with several causes is that many reasons, one after the other. */
typedef struct as_silence_reason {
    uint32_t size;
    as_silence_kind kind;
    float gain;                /* what a ducked session is multiplied with; 1 for other kinds */
    int32_t cause_pid;         /* of the session in the way; 0 if it is not known, or if there is none */
    const char *cause_name;    /* what its program calls itself; NULL if it does not */
    const char *cause_session; /* its uuid; NULL if there is none */
} as_silence_reason;
#define AS_SILENCE_REASON_INIT { sizeof(as_silence_reason), AS_SILENCE_INACTIVE, 1, 0, NULL, NULL }

/* Why a session was silent at one moment; it never changes. */
typedef struct as_silence_reasons as_silence_reasons;

/* The most important reason first; none if the session is heard as it is. as_silence_reasons_free gives them back. */
AS_API as_status as_session_get_silence_reasons(const as_session *session, as_silence_reasons **reasons);

/* 0 for a handle that is none. */
AS_API uint32_t as_silence_reasons_count(const as_silence_reasons *reasons);

/* The strings last as long as the list. AS_ERROR_BAD_PARAM beyond as_silence_reasons_count. */
AS_API as_status as_silence_reasons_get(
    const as_silence_reasons *reasons, uint32_t index, as_silence_reason *reason);

/* Gives the handle back. NULL does nothing. */
AS_API as_status as_silence_reasons_free(as_silence_reasons *reasons);

/* MARK: Preferences */

/* Prefers an output or input for this session's streams; NULL prefers none. Kept until it is set anew. The uid is one of
 * as_manager_get_available_ports, else the function fails with AS_ERROR_RESOURCE_NOT_AVAILABLE. Waits. */
AS_API as_status as_session_set_preferred_port(
    as_session *session, as_direction direction, const char *uid, as_error *error);

/* The preferred output and input, at most one each, whether or not they are there. as_route_free gives them back. */
AS_API as_status as_session_get_preferred_ports(const as_session *session, as_route **ports);

typedef enum as_choice_reason {
    AS_CHOICE_SYSTEM_DEFAULT = 0,
    AS_CHOICE_PREFERRED = 1,
    AS_CHOICE_PREFERRED_MISSING = 2, /* the preferred port is not there: the default, until it is back */
    AS_CHOICE_CARD_SWITCHED = 3,     /* the wanted port is of a card that was switched to another port since */
    AS_CHOICE_OVERRIDE = 4,
    AS_CHOICE_DEFAULT_TO_SPEAKER = 5,
    AS_CHOICE_DATA_SOURCE = 6,
    AS_CHOICE_HEADSET = 7,              /* the other direction goes through the same headset */
    AS_CHOICE_BLUETOOTH_NOT_ALLOWED = 8 /* the default is a Bluetooth device, which the options do not allow */
} as_choice_reason;

/* Which port was chosen for a session, and why. */
typedef struct as_choice_info {
    uint32_t size;
    as_choice_reason reason;
    const as_port *port;     /* NULL if there is none */
    const as_port *wanted;   /* what the program wanted instead; NULL unless the reason names it */
    const char *description; /* the reason as a sentence for people */
} as_choice_info;
#define AS_CHOICE_INFO_INIT { sizeof(as_choice_info), AS_CHOICE_SYSTEM_DEFAULT, NULL, NULL, NULL }

/* A choice of one moment; it never changes. */
typedef struct as_choice as_choice;

/* Leaves NULL in `choice` if the category does not have that direction. as_choice_free gives it back. */
AS_API as_status as_session_get_choice(const as_session *session, as_direction direction, as_choice **choice);

/* The pointers last as long as the choice. */
AS_API as_status as_choice_get(const as_choice *choice, as_choice_info *info);

/* Gives the handle back. NULL does nothing. */
AS_API as_status as_choice_free(as_choice *choice);

/* Those of the port in use; none if there is nothing to switch. as_data_sources_free gives them back. Waits. */
AS_API as_status as_session_get_data_sources(
    as_session *session, as_direction direction, as_data_sources **sources, as_error *error);

/* Switches the port in use to one of its data sources, for all programs, while the session is active; NULL leaves it to the
 * system. Waits. */
AS_API as_status as_session_set_data_source(
    as_session *session, as_direction direction, const char *id, as_error *error);

/* Whether the session receives AS_EVENT_RESUME_ADVICE when the output whose loss stopped it is back within `limit`
 * milliseconds; 0 for 5 minutes. Off unless set. Waits. */
AS_API as_status as_session_set_resumes_on_replug(
    as_session *session, bool resumes, uint32_t limit, as_error *error);

/* Wishes, which are kept until they are set anew: Docs/Numbers.md. 0 asks for none. All three wait. */
AS_API as_status as_session_set_preferred_channels(
    as_session *session, as_direction direction, int32_t count, as_error *error);
AS_API as_status as_session_set_preferred_sample_rate(as_session *session, int32_t rate, as_error *error);
AS_API as_status as_session_set_preferred_io_buffer_duration(as_session *session, double seconds, as_error *error);

/* The built-in speaker instead of what is used otherwise; category play and record only. Waits. */
AS_API as_status as_session_override_output(as_session *session, bool to_speaker, as_error *error);

/* 0 to 1, for all programs, as a user does in a mixer. Waits. */
AS_API as_status as_session_set_input_gain(as_session *session, float gain, as_error *error);

/* MARK: The computer */

typedef void (*as_manager_handler)(as_manager *manager, const as_event *event, void *user_data);

/* Every event of the manager: its default route, the available ports, silent mode, PipeWire's loss and return. The rules are
 * those of as_session_set_handler. */
AS_API as_status as_manager_set_handler(as_manager *manager, as_manager_handler handler, void *user_data);

/* What is known of the computer at one moment. */
typedef struct as_manager_info {
    uint32_t size;
    float output_volume; /* of the default output, 0 to 1, as the desktop's sliders count it */
    bool is_output_muted;
    bool is_silent_mode; /* active sessions of category ambient and solo ambient are silent */
    bool is_input_muted; /* this program records silence */
} as_manager_info;
#define AS_MANAGER_INFO_INIT { sizeof(as_manager_info), 0, false, false, false }

/* Waits for nothing. */
AS_API as_status as_manager_get_info(const as_manager *manager, as_manager_info *info);

/* Turns the silent mode on or off, for all programs. Waits. */
AS_API as_status as_manager_set_silent_mode(as_manager *manager, bool is_on, as_error *error);

/* Mutes or unmutes the input of this program. One that records by itself records zeros while is_input_muted is true. Waits. */
AS_API as_status as_manager_set_input_muted(as_manager *manager, bool is_muted, as_error *error);

/* Declares that the program is in the background, where its sessions that do not mix may not activate, unless it was the
 * last one to play. Waits. */
AS_API as_status as_manager_set_in_background(as_manager *manager, bool is_in_background, as_error *error);

#ifdef __cplusplus
}
#endif
#endif
