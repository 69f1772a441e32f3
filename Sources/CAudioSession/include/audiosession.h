/* Audio sessions on PipeWire, for C and all that can call C: whose turn it is to be heard, and where sound goes.
 *
 * Threads. Every function may be called on any thread, from several at a time. Those that say "waits" return when PipeWire
 * has answered, or with AS_ERROR_TIMED_OUT after the time that the manager was opened with, also while PipeWire is stopped.
 * The session is then what it was before. Handlers are called on one thread of the library's own,
 * one after the other. A handler may call everything but what gives back a handle with a handler (as_manager_close and the
 * functions that end in _destroy), which fails there with AS_ERROR_WRONG_THREAD. While it runs no other handler does, so it should not wait for people.
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

/* The version of this header. It changes if a program that was compiled with an older header would not run any more. */
#define AS_ABI_VERSION 1

/* Returns AS_ABI_VERSION of the library that is loaded. */
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
    AS_ERROR_WRONG_THREAD = 16,        /* not from within a handler or a destroy function */
    AS_ERROR_FORKED = 17,              /* in a child that was forked, without exec, from a process that had a manager */
    AS_ERROR_FILE_NOT_FOUND = 18,      /* no file exists at the path */
    AS_ERROR_PERMISSION_DENIED = 19,   /* the file exists, but the program may not read it */
    AS_ERROR_NOT_A_FILE = 20,          /* the path names a directory, a pipe, a socket or a device */
    AS_ERROR_UNSUPPORTED_FORMAT = 21,  /* the file has no sound that can be played, or no stream has the format */
    AS_ERROR_UNSUPPORTED_RECORDING_FORMAT = 22, /* no file or stream can record this rate, or number of channels or bits */
    AS_ERROR_UNREADABLE = 23,          /* the file is damaged, or the medium failed */
    AS_ERROR_CANNOT_SEEK = 24,         /* the file's format does not allow seeking */
    AS_ERROR_CANNOT_WRITE = 25,        /* the file cannot be created or written */
    AS_ERROR_NOTHING_LOADED = 26,      /* the player's queue is empty */
    AS_ERROR_NO_SUCH_ITEM = 27,        /* the player's queue has no item with that index */
    AS_ERROR_TOO_MANY_ITEMS = 28,      /* the player's queue would have more than 10,000 items */
    AS_ERROR_ALREADY_RECORDING = 29,   /* a recording is in progress */
    AS_ERROR_NOT_PAUSED = 30,          /* there is no paused recording */
    AS_ERROR_NO_OUTPUT = 31,           /* PipeWire has no output */
    AS_ERROR_OUTPUT_FAILED = 32,       /* the stream of a player or output failed, although PipeWire is connected */
    AS_ERROR_NO_MICROPHONE = 33,       /* PipeWire has no input */
    AS_ERROR_INPUT_FAILED = 34,        /* the stream of a recorder or input failed, although PipeWire is connected */
    AS_ERROR_STOPPED = 35,             /* the output or input is stopped: nothing can be written or read */
    AS_ERROR_CANCELLED = 36,           /* the call was given up before it was done */
    AS_ERROR_ECHO_CANCELLER_MISSING = 37 /* PipeWire's plugin is not installed; the message names its package */
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

/* Sets the configuration. This activates an active session with it; if that fails, the old one stays. Waits. */
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

/* What an active session does to programs without sessions, if the program has an as_unmanaged for it. */
typedef enum as_unmanaged_policy {
    AS_UNMANAGED_DEFAULT = 0, /* AS_UNMANAGED_DUCK of a session that ducks others, AS_UNMANAGED_LEAVE of others that mix,
                               * AS_UNMANAGED_PAUSE of the rest */
    AS_UNMANAGED_LEAVE = 1,   /* nothing */
    AS_UNMANAGED_PAUSE = 2,   /* pauses their media players */
    AS_UNMANAGED_SILENCE = 3, /* likewise, and mutes streams of programs without a media player */
    AS_UNMANAGED_DUCK = 4     /* lowers their streams */
} as_unmanaged_policy;

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
    /* Since the third version of this struct: see as_session_set_unmanaged_policy and the like. */
    as_unmanaged_policy unmanaged_policy;
    bool pauses_on_route_loss;
    bool resumes_after_interruption;
} as_session_info;
#define AS_SESSION_INFO_INIT \
    { sizeof(as_session_info), AS_STATE_INACTIVE, 0, 0, 0, false, false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      false, false, AS_UNMANAGED_DEFAULT, false, false }

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

/* A reason why a session is silent or ducked. A reason with several causes is listed once for each of them. */
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
 * milliseconds; 0 for 5 minutes. The default is false. Waits. */
AS_API as_status as_session_set_resumes_on_replug(
    as_session *session, bool resumes, uint32_t limit, as_error *error);

/* Preferences, which are kept until they are set anew: Docs/Numbers.md. 0 asks for none. All three wait. */
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

/* MARK: Streams */

/* What outputs, inputs, players and recorders have in common. All of them belong to a session, whose turn they follow: they
 * activate it when they start, are silent while another session interrupts, and are silent before anything is heard on
 * another device when theirs is lost. Their session may be destroyed before them; they are then silent. */

/* What the sound is, for mixers and the session manager's rules. */
typedef enum as_role {
    AS_ROLE_MUSIC = 0,
    AS_ROLE_MOVIE = 1,
    AS_ROLE_GAME = 2,
    AS_ROLE_NOTIFICATION = 3,
    AS_ROLE_COMMUNICATION = 4,
    AS_ROLE_ACCESSIBILITY = 5,
    AS_ROLE_PRODUCTION = 6,
    AS_ROLE_TEST = 7
} as_role;

typedef enum as_stream_state {
    AS_STREAM_STOPPED = 0,
    AS_STREAM_RUNNING = 1, /* plays or captures; as_session_get_silence_reasons says whether it is heard */
    AS_STREAM_PAUSED = 2,  /* started, and silent until it runs again; the pause reason says why */
    AS_STREAM_FINISHED = 3 /* of a player: the queue was played to its end */
} as_stream_state;

typedef enum as_pause_reason {
    AS_PAUSE_NONE = 0,                /* it is not paused */
    AS_PAUSE_USER = 1,                /* the program called the pause function, or the user paused it on the desktop */
    AS_PAUSE_ROUTE_LOST = 2,          /* the output in use was lost; it does not start again by itself */
    AS_PAUSE_INTERRUPTED = 3,         /* another session took over; it continues when advised to */
    AS_PAUSE_SESSION_INACTIVE = 4,    /* the session was deactivated or closed */
    AS_PAUSE_MEDIA_SERVICES_LOST = 5, /* the connection to PipeWire ended */
    AS_PAUSE_STREAM_FAILED = 6        /* the stream failed; AS_STREAM_EVENT_FAILED said why */
} as_pause_reason;

typedef enum as_finish_reason {
    AS_FINISH_STOPPED = 0,             /* the program stopped it */
    AS_FINISH_INTERRUPTED = 1,         /* another session took over */
    AS_FINISH_MICROPHONE_LOST = 2,     /* the microphone was pulled; another one is not recorded instead */
    AS_FINISH_CATEGORY_CHANGED = 3,    /* the session's category does not record any more */
    AS_FINISH_SESSION_DEACTIVATED = 4, /* the session was deactivated */
    AS_FINISH_MEDIA_SERVICES_LOST = 5, /* the connection to PipeWire ended */
    AS_FINISH_FAILED = 6               /* the file or the stream failed; AS_STREAM_EVENT_FAILED said why */
} as_finish_reason;

typedef enum as_muter {
    AS_MUTED_BY_PROGRAM = 0, /* by as_manager_set_input_muted */
    AS_MUTED_BY_USER = 1     /* in a mixer or by a key */
} as_muter;

typedef enum as_stream_event_type {
    AS_STREAM_EVENT_STATE_CHANGED = 1,       /* state, pause_reason */
    AS_STREAM_EVENT_FAILED = 2,              /* status, message, path */
    AS_STREAM_EVENT_BECAME_NOISY = 3,        /* port that is lost; the output is silent. Before ROUTE_CHANGED */
    AS_STREAM_EVENT_ROUTE_CHANGED = 4,       /* reason, previous_route, current_route */
    AS_STREAM_EVENT_UNDERRUN = 5,            /* frames that were silent, because the output's ring was empty */
    AS_STREAM_EVENT_CALLBACK_WAS_LATE = 6,   /* frames: how many calls took longer than their frames last */
    AS_STREAM_EVENT_INPUT_CHANGED = 7,       /* port that is captured from now on */
    AS_STREAM_EVENT_MICROPHONE_MUTED = 8,    /* muter: silence is captured from now on */
    AS_STREAM_EVENT_MICROPHONE_UNMUTED = 9,  /* muter */
    AS_STREAM_EVENT_MICROPHONE_SILENT = 10,  /* of a recorder: only zeros for two seconds, without a mute */
    AS_STREAM_EVENT_MICROPHONE_LOST = 11,    /* port that is lost */
    AS_STREAM_EVENT_OVERRUN = 12,            /* of a recorder: frames that were lost, because the file is slow */
    AS_STREAM_EVENT_FINISHED = 13,           /* finish_reason; of inputs and recorders also frames and path */
    AS_STREAM_EVENT_ITEM_CHANGED = 14,       /* of a player: item, or NULL if the queue is empty */
    AS_STREAM_EVENT_POSITION_CHANGED = 15    /* of a player: position, after a seek */
} as_stream_event_type;

/* A sound file in a player's queue. */
typedef struct as_item {
    uint32_t size;
    int32_t sample_rate; /* in frames per second */
    int32_t channels;
    uint32_t reserved;
    uint64_t frames;      /* by the file's header */
    double duration;      /* in seconds, by the file's header */
    const char *path;     /* as it was given */
    const char *name;     /* of the file without its folders, for people */
    const char *title;    /* by the file's tags; NULL without one, as the artist */
    const char *artist;
    const char *encoding; /* such as "FLAC", for people */
} as_item;
#define AS_ITEM_INIT { sizeof(as_item), 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL }

/* What happened to an output, input, player or recorder. It is another struct than as_event, because the two share hardly
 * a member, and a switch over the types of one need not pass over those of the other. Members that the type does not name
 * are 0 or NULL. Pointers, and the routes, last until the handler returns. */
typedef struct as_stream_event {
    uint32_t size;
    as_stream_event_type type;
    uint64_t time;    /* in ns of CLOCK_MONOTONIC */
    uint64_t frames;
    double position;  /* in seconds from the beginning of the item */
    uint32_t dropped; /* how many events before this one were dropped, because the handler was slow */
    as_stream_state state;
    as_pause_reason pause_reason;
    as_finish_reason finish_reason;
    as_muter muter;
    as_route_change_reason reason;
    as_status status;
    uint32_t reserved;
    const as_port *port;
    const as_route *previous_route;
    const as_route *current_route;
    const as_item *item;
    const char *path;    /* NULL if there is no file */
    const char *message; /* what happened, why, and what to do */
} as_stream_event;

/* What the real-time side of a stream did, or that of the one before. */
typedef struct as_stream_statistics {
    uint32_t size;
    uint32_t quantum;         /* frames in a cycle of PipeWire's graph; of outputs and players, as the next */
    uint32_t graph_rate;      /* frames per second of the graph */
    bool is_echo_cancelled;   /* of inputs and recorders: the echo is being taken out */
    uint64_t cycles;          /* in which it took or delivered sound */
    uint64_t dropped_frames;  /* of inputs and recorders: lost, because the program was slow */
    double latency;           /* in seconds: from the writing or rendering of a frame until it is heard, or from the
                               * microphone to the program; 0 of recorders */
    double gate_delay;        /* in seconds, from PipeWire's callback that reported the loss to the closed gate; or 0 */
    uint64_t gate_time;       /* when the gate was last closed, in ns of CLOCK_MONOTONIC; 0: never */
    uint64_t last_sound_time; /* the start of the last cycle with sound, likewise; of outputs and players */
} as_stream_statistics;
#define AS_STREAM_STATISTICS_INIT { sizeof(as_stream_statistics), 0, 0, false, 0, 0, 0, 0, 0, 0 }

/* As a limit in milliseconds: for as long as it takes. */
#define AS_FOREVER 4294967295

/* Frees what a callback was given as its context. It may be called on the library's thread, where functions that wait fail
 * with AS_ERROR_WRONG_THREAD. */
typedef void (*as_destroy_function)(void *context);

/* MARK: Outputs */

/* Plays what the program renders: by a callback, or by a ring that the program writes. Samples are 32-bit floating point
 * numbers, interleaved; full scale is 1. Docs/YourOwnSound.md says what an output does by itself. */
typedef struct as_output as_output;

/* Fills `samples`, which are 0 at the call, with `frames` frames of `channels` samples. `time` is when the first of them is
 * heard, in ns of CLOCK_MONOTONIC. PipeWire's real-time thread calls it once a cycle while the output runs. The sound of
 * all programs waits for it, so it must not lock, allocate, make system calls or wait. */
typedef void (*as_render_function)(
    void *context, float *samples, uint32_t frames, uint32_t channels, uint32_t sample_rate, uint64_t time);

typedef struct as_output_options {
    uint32_t size;
    int32_t sample_rate;         /* 1 to 768,000 frames per second; 0 takes the hardware's, which spares a conversion */
    int32_t channels;            /* 1 to 8, in the order of WAV files; 0 takes the hardware's */
    uint32_t buffer_duration;    /* how much the ring holds, 1 to 10,000 milliseconds; 0 for 200 */
    as_role role;
    bool reports_late_callbacks; /* for debugging: measures each call of the callback */
    const char *title;            /* how the stream shows in mixers; NULL for "Output" */
    const char *application_name; /* how the program shows there; NULL takes the manager's */
    const char *node_name;        /* of PipeWire's node; NULL leaves it to PipeWire */
} as_output_options;
#define AS_OUTPUT_OPTIONS_INIT { sizeof(as_output_options), 0, 0, 0, AS_ROLE_MUSIC, false, NULL, NULL, NULL }

/* Makes an output that plays what is written to it. `options` may be NULL. Starts nothing, and waits for nothing. */
AS_API as_status as_output_create(
    as_session *session, const as_output_options *options, as_output **output, as_error *error);

/* Makes an output that plays what `render` renders. `destroy`, which may be NULL, is called once with the context, after the
 * last call of `render`, on a thread that is not the real-time thread: in as_output_destroy, or soon after it. If this
 * function fails it is not called. Starts nothing, and waits for nothing. */
AS_API as_status as_output_create_with_callback(
    as_session *session, const as_output_options *options, as_render_function render, void *context,
    as_destroy_function destroy, as_output **output, as_error *error);

/* Stops the output and gives the handle back; waits. A write that waits fails with AS_ERROR_CLOSED. When this returns, the
 * handler and the render function are not called any more. NULL does nothing. */
AS_API as_status as_output_destroy(as_output *output);

/* Starts playing, or continues after a pause. An inactive session is activated first, and its errors are those of
 * as_session_activate. While the session is interrupted the request is kept. Waits. */
AS_API as_status as_output_start(as_output *output, as_error *error);

/* Stops, and drops what was written and not played. Writes that wait fail with AS_ERROR_STOPPED. The session stays active.
 * Waits for the library's thread only. */
AS_API as_status as_output_stop(as_output *output, as_error *error);

/* Writes `frames` frames, and waits until all of them are in the ring, also through a pause, for at most `limit`
 * milliseconds; 0 does not wait, AS_FOREVER has no limit. `written`, which may be NULL, is how many frames are in the ring,
 * also if it fails: with AS_ERROR_TIMED_OUT at the limit, AS_ERROR_STOPPED unless it was started, AS_ERROR_CLOSED. Of
 * several threads that write, one is served after the other. */
AS_API as_status as_output_write(
    as_output *output, const float *samples, uint32_t frames, uint32_t limit, uint32_t *written, as_error *error);

/* Writes as many of the frames as there is room for, and waits for nothing: for game loops. It writes none while another
 * thread's as_output_write waits. Before as_output_start it fills the ring with what is to be heard first. */
AS_API as_status as_output_write_available(
    as_output *output, const float *samples, uint32_t frames, uint32_t *written, as_error *error);

/* Waits until all that was written has been played, for at most `limit` milliseconds (AS_ERROR_TIMED_OUT). To run empty
 * then is no underrun. */
AS_API as_status as_output_drain(as_output *output, uint32_t limit, as_error *error);

/* Drops what was written and not played, so that what is written next is heard next. Waits for nothing. */
AS_API as_status as_output_flush(as_output *output);

/* Sets the output's own volume, 0 to 1 as the desktop's sliders count it, within a cycle and without a jump; values beyond
 * are clamped. The user's volume is beside it. Waits for the library's thread only. */
AS_API as_status as_output_set_volume(as_output *output, float volume, as_error *error);

/* What is known of an output at one moment. */
typedef struct as_output_info {
    uint32_t size;
    as_stream_state state;
    as_pause_reason pause_reason;
    float volume;            /* what as_output_set_volume set */
    int32_t sample_rate;     /* of what is rendered or written; these two never change */
    int32_t channels;
    uint64_t position;       /* frames that were taken from the ring or the callback; what was dropped counts */
    uint64_t missing_frames; /* that were silent, because the ring was empty; 0 with a callback */
} as_output_info;
#define AS_OUTPUT_INFO_INIT { sizeof(as_output_info), AS_STREAM_STOPPED, AS_PAUSE_NONE, 1, 0, 0, 0, 0 }

/* Waits for nothing. */
AS_API as_status as_output_get_info(const as_output *output, as_output_info *info);

/* Reads the latency, with what waits in the ring, and what the real-time thread did. Waits for the library's thread only. */
AS_API as_status as_output_get_statistics(as_output *output, as_stream_statistics *statistics, as_error *error);

/* Where the output's sound goes, or would go; as_route_free gives it back. Waits for nothing. */
AS_API as_status as_output_get_route(const as_output *output, as_route **route);

typedef void (*as_output_handler)(as_output *output, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events, on the library's thread for handlers. The rules are those of
 * as_session_set_handler. */
AS_API as_status as_output_set_handler(as_output *output, as_output_handler handler, void *user_data);

/* MARK: Inputs */

/* Gives the program what the microphone hears: by a callback, or by a queue that the program reads. Samples are as those of
 * an output. The session's category has to record. */
typedef struct as_input as_input;

/* Receives `frames` frames of `channels` samples, the first of which was captured at `time` in ns of CLOCK_MONOTONIC. It is
 * called by PipeWire's real-time thread itself while the input captures, with the rules of as_render_function. */
typedef void (*as_receive_function)(
    void *context, const float *samples, uint32_t frames, uint32_t channels, uint32_t sample_rate, uint64_t time);

typedef struct as_input_options {
    uint32_t size;
    int32_t sample_rate;      /* 1 to 768,000 frames per second; 0 takes the hardware's, which spares a conversion */
    int32_t channels;         /* 1 to 8; 0 takes the hardware's */
    uint32_t buffer_duration; /* how much waits for as_input_read before the oldest is lost, up to 60,000 milliseconds; 0
                               * for 1,000 */
    bool stops_when_lost;     /* a lost microphone stops it; otherwise another one takes its place */
    bool prefers_echo_cancelled_input; /* takes the sound of the session's output out; mono at 48,000 unless
                                        * sample_rate is 16,000 or 32,000, about 25 milliseconds later */
    const char *title;            /* as in as_output_options; NULL for "Input" */
    const char *application_name;
    const char *node_name;
} as_input_options;
#define AS_INPUT_OPTIONS_INIT { sizeof(as_input_options), 0, 0, 0, false, false, NULL, NULL, NULL }

/* Makes an input for as_input_read. `options` may be NULL. Starts nothing, and waits for nothing. */
AS_API as_status as_input_create(
    as_session *session, const as_input_options *options, as_input **input, as_error *error);

/* Makes an input that gives what it captures to `receive`. `destroy` is as in as_output_create_with_callback. Starts nothing,
 * and waits for nothing. */
AS_API as_status as_input_create_with_callback(
    as_session *session, const as_input_options *options, as_receive_function receive, void *context,
    as_destroy_function destroy, as_input **input, as_error *error);

/* Stops the input and gives the handle back; waits. A read that waits fails with AS_ERROR_CLOSED. When this returns, the
 * handler and the receive function are not called any more. NULL does nothing. */
AS_API as_status as_input_destroy(as_input *input);

/* Starts capturing, or continues after an interruption, which takes the turn back. An inactive session is activated first,
 * and its errors are those of as_session_activate; AS_ERROR_NO_MICROPHONE if there is no input;
 * AS_ERROR_ECHO_CANCELLER_MISSING, and AS_ERROR_UNSUPPORTED_RECORDING_FORMAT for a rate that the canceller does not have.
 * Waits. */
AS_API as_status as_input_start(as_input *input, as_error *error);

/* Reads whether the echo canceller is installed. Each call searches it, which takes some milliseconds. */
AS_API as_status as_input_get_echo_canceller_available(bool *is_available);

/* Stops capturing. What was captured can still be read. The session stays active. Waits for the library's thread only. */
AS_API as_status as_input_stop(as_input *input, as_error *error);

/* Reads `frames` frames, and waits until they were captured, for at most `limit` milliseconds; 0 does not wait, AS_FOREVER
 * has no limit. `count`, which may be NULL, is the number of frames that were read, also if it fails. It fails with
 * AS_ERROR_TIMED_OUT at the limit, AS_ERROR_STOPPED if the input is stopped and fewer are left, AS_ERROR_CLOSED, and
 * AS_ERROR_BAD_PARAM if the input has a callback. A paused input waits. */
AS_API as_status as_input_read(
    as_input *input, float *samples, uint32_t frames, uint32_t limit, uint32_t *count, as_error *error);

/* How loud a channel is over the last twentieth of a second, in decibels relative to full scale: 0 is the loudest, -160 is
 * silence. */
typedef struct as_level {
    uint32_t size;
    float average_power;
    float peak_power;
} as_level;
#define AS_LEVEL_INIT { sizeof(as_level), -160, -160 }

/* Reads the level of a channel, counted from 0; silence while nothing is captured. AS_ERROR_BAD_PARAM beyond the channels.
 * Waits for the library's thread only. */
AS_API as_status as_input_get_level(as_input *input, uint32_t channel, as_level *level, as_error *error);

/* What is known of an input at one moment. */
typedef struct as_input_info {
    uint32_t size;
    as_stream_state state;
    as_pause_reason pause_reason;
    int32_t sample_rate;     /* of what is captured; these two never change */
    int32_t channels;
    uint32_t reserved;
    uint64_t waiting_frames; /* that can be read without waiting */
    uint64_t dropped_frames; /* that were lost, because the program did not read them in time */
} as_input_info;
#define AS_INPUT_INFO_INIT { sizeof(as_input_info), AS_STREAM_STOPPED, AS_PAUSE_NONE, 0, 0, 0, 0, 0 }

/* Waits for nothing. */
AS_API as_status as_input_get_info(const as_input *input, as_input_info *info);

/* Reads the latency and what the real-time thread did. Waits for the library's thread only. */
AS_API as_status as_input_get_statistics(as_input *input, as_stream_statistics *statistics, as_error *error);

/* The microphone in use or the last one, as a route with at most one input; as_route_free gives it back. Waits for nothing. */
AS_API as_status as_input_get_route(const as_input *input, as_route **route);

typedef void (*as_input_handler)(as_input *input, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events, on the library's thread for handlers. The rules are those of
 * as_session_set_handler. */
AS_API as_status as_input_set_handler(as_input *input, as_input_handler handler, void *user_data);

/* MARK: Policies */

/* Whether the loss of the output in use pauses what the session plays. If not, it continues on the next output. Sessions
 * that mix and calls continue in either case. The default is true. Waits. */
AS_API as_status as_session_set_pauses_on_route_loss(as_session *session, bool pauses, as_error *error);

/* Whether what the session plays and captures continues by itself when the session is advised to resume. The
 * default is true. Waits. */
AS_API as_status as_session_set_resumes_after_interruption(as_session *session, bool resumes, as_error *error);

/* What the session does to programs without sessions, from its next activation on. Waits. */
AS_API as_status as_session_set_unmanaged_policy(
    as_session *session, as_unmanaged_policy policy, as_error *error);

/* MARK: Programs without sessions */

/* Pauses or ducks programs without sessions while a session is active, as its policy says (see
 * as_session_set_unmanaged_policy), and lets them continue afterwards. Docs/Desktop.md says which programs. If the process is
 * killed, a watchdog does the same. */
typedef struct as_unmanaged as_unmanaged;

/* The programs that are left as they are. */
typedef struct as_unmanaged_options {
    uint32_t size;
    uint32_t process_count;
    const int32_t *processes; /* each with all of its descendants */
    const char **names;       /* of programs, processes or media players, in upper or lower case */
    uint32_t name_count;
    uint32_t reserved;
} as_unmanaged_options;
#define AS_UNMANAGED_OPTIONS_INIT { sizeof(as_unmanaged_options), 0, NULL, NULL, 0, 0 }

/* Begins to follow the session's state. `options` may be NULL. Waits for nothing. */
AS_API as_status as_unmanaged_create(
    as_session *session, const as_unmanaged_options *options, as_unmanaged **unmanaged, as_error *error);

/* Lets the programs continue, as at the end of the process, and gives the handle back; waits. NULL does nothing. */
AS_API as_status as_unmanaged_destroy(as_unmanaged *unmanaged);

/* Waits until the programs are as they were before the session became active, for at most `limit` milliseconds
 * (AS_ERROR_TIMED_OUT); some milliseconds pass after as_session_deactivate. */
AS_API as_status as_unmanaged_wait_until_restored(as_unmanaged *unmanaged, uint32_t limit, as_error *error);

typedef enum as_unmanaged_effect {
    AS_UNMANAGED_EFFECT_PAUSED = 0, /* a media player is kept silent */
    AS_UNMANAGED_EFFECT_DUCKED = 1  /* a stream is lowered */
} as_unmanaged_effect;

/* A media player or a stream of a program without sessions. */
typedef struct as_program {
    uint32_t size;
    as_unmanaged_effect effect;
    int32_t pid;      /* 0 if it is not known */
    uint32_t reserved;
    const char *name; /* of the player on the desktop's bus, or of the stream's program */
} as_program;
#define AS_PROGRAM_INIT { sizeof(as_program), AS_UNMANAGED_EFFECT_PAUSED, 0, 0, NULL }

/* The players and streams that were paused or lowered at one moment; it never changes. */
typedef struct as_programs as_programs;

/* What is paused and lowered now. as_programs_free gives it back. Waits for nothing. */
AS_API as_status as_unmanaged_get_programs(const as_unmanaged *unmanaged, as_programs **programs);

/* 0 for a handle that is none. Waits for nothing. */
AS_API uint32_t as_programs_count(const as_programs *programs);

/* The string lasts as long as the list. AS_ERROR_BAD_PARAM beyond as_programs_count. Waits for nothing. */
AS_API as_status as_programs_get(const as_programs *programs, uint32_t index, as_program *program);

/* Gives the handle back. NULL does nothing. */
AS_API as_status as_programs_free(as_programs *programs);

typedef enum as_unmanaged_event_type {
    AS_UNMANAGED_EVENT_PAUSED = 1,   /* name, pid: the player was paused, and its program is silent */
    AS_UNMANAGED_EVENT_MUTED = 2,    /* name, pid: the player's streams were muted, because they went on */
    AS_UNMANAGED_EVENT_RESUMED = 3,  /* name, pid: the player was sent Play */
    AS_UNMANAGED_EVENT_RELEASED = 4, /* name, pid: the player is left alone from now on, as it is */
    AS_UNMANAGED_EVENT_DUCKED = 5,   /* name, pid, gain */
    AS_UNMANAGED_EVENT_RESTORED = 6, /* name, pid: the stream is not lowered by this session any more */
    AS_UNMANAGED_EVENT_LEFT_TO_ROLE_POLICY = 7, /* the session manager itself lowers streams by their roles */
    AS_UNMANAGED_EVENT_UNAVAILABLE = 8          /* reason: no player is paused, or no stream lowered */
} as_unmanaged_event_type;

/* What happened to a program without sessions. It is a struct of its own, because it is about another program. Members that
 * the type does not name are 0 or NULL. Strings last until the handler returns. */
typedef struct as_unmanaged_event {
    uint32_t size;
    as_unmanaged_event_type type;
    uint64_t time;      /* in ns of CLOCK_MONOTONIC */
    uint32_t dropped;   /* how many events before this one were dropped, because the handler was slow */
    int32_t pid;        /* 0 if it is not known */
    float gain;         /* 0 to 1: what the stream's own volume is multiplied with */
    uint32_t reserved;
    const char *name;
    const char *reason; /* why, for people */
} as_unmanaged_event;

typedef void (*as_unmanaged_handler)(as_unmanaged *unmanaged, const as_unmanaged_event *event, void *user_data);

/* Sets the handler of all later events, on the library's thread for handlers. The rules are those of
 * as_session_set_handler. */
AS_API as_status as_unmanaged_set_handler(as_unmanaged *unmanaged, as_unmanaged_handler handler, void *user_data);

/* MARK: Players */

/* Plays a queue of sound files (WAV, FLAC, Ogg, Opus, MP3 and all others of libsndfile). */
typedef struct as_player as_player;

typedef struct as_player_options {
    uint32_t size;
    as_role role;
    const char *application_name; /* as in as_output_options */
    const char *node_name;
} as_player_options;
#define AS_PLAYER_OPTIONS_INIT { sizeof(as_player_options), AS_ROLE_MUSIC, NULL, NULL }

/* `options` may be NULL. Plays nothing, and waits for nothing. */
AS_API as_status as_player_create(
    as_session *session, const as_player_options *options, as_player **player, as_error *error);

/* Stops the player and gives the handle back; waits. Its handler is not called any more. NULL does nothing. */
AS_API as_status as_player_destroy(as_player *player);

/* Replaces the queue by `count` files, which are paths or file URLs, and stops at the beginning of the first. If one cannot
 * be played, the function fails with its error and the queue stays. Waits for the files to be read. */
AS_API as_status as_player_load(as_player *player, const char **paths, uint32_t count, as_error *error);

/* Appends files to the queue, which a player that plays continues with, without a gap if they are of the same format. Fails
 * and waits as as_player_load. */
AS_API as_status as_player_enqueue(as_player *player, const char **paths, uint32_t count, as_error *error);

/* Plays, or continues. An inactive session is activated first, and its errors are those of as_session_activate. While the
 * session is interrupted the request is kept. AS_ERROR_NOTHING_LOADED with an empty queue. Waits. */
AS_API as_status as_player_play(as_player *player, as_error *error);

/* Pauses at the next frame. Waits for the library's thread only; so do the five below. */
AS_API as_status as_player_pause(as_player *player, as_error *error);

/* Stops, and returns to the beginning of the current file. */
AS_API as_status as_player_stop(as_player *player, as_error *error);

/* Moves to a time in the current file, in seconds from its beginning, also while it plays; a time beyond the end is the end. A
 * format that does not allow it gives AS_STREAM_EVENT_FAILED. */
AS_API as_status as_player_seek(as_player *player, double seconds, as_error *error);

/* Moves to the beginning of a file of the queue, counted from 0, and plays on if it played. AS_ERROR_NO_SUCH_ITEM. */
AS_API as_status as_player_skip(as_player *player, uint32_t index, as_error *error);

/* Moves to the next file, or to the one before. AS_ERROR_NO_SUCH_ITEM at the last or first. */
AS_API as_status as_player_skip_to_next(as_player *player, as_error *error);
AS_API as_status as_player_skip_to_previous(as_player *player, as_error *error);

/* Sets the player's own volume, as as_output_set_volume. */
AS_API as_status as_player_set_volume(as_player *player, float volume, as_error *error);

/* What is known of a player at one moment. */
typedef struct as_player_info {
    uint32_t size;
    as_stream_state state;
    as_pause_reason pause_reason;
    float volume;          /* what as_player_set_volume set */
    int32_t current_index; /* in the queue; -1 if it is empty */
    uint32_t queue_length;
    double position;       /* in the current file, in seconds: of the next frame to be taken */
    double duration;       /* of the current file, in seconds by its header; 0 if the queue is empty */
    uint64_t underruns;    /* how often a file could not be read in time */
} as_player_info;
#define AS_PLAYER_INFO_INIT { sizeof(as_player_info), AS_STREAM_STOPPED, AS_PAUSE_NONE, 1, -1, 0, 0, 0, 0 }

/* Waits for nothing. */
AS_API as_status as_player_get_info(const as_player *player, as_player_info *info);

/* The files of a queue at one moment; it never changes. */
typedef struct as_items as_items;

/* The files of the queue in their order, those that were played as well. as_items_free gives them back. Waits for nothing. */
AS_API as_status as_player_get_queue(const as_player *player, as_items **items);

/* 0 for a handle that is none. Waits for nothing. */
AS_API uint32_t as_items_count(const as_items *items);

/* The strings last as long as the list. AS_ERROR_BAD_PARAM beyond as_items_count. Waits for nothing. */
AS_API as_status as_items_get(const as_items *items, uint32_t index, as_item *item);

/* Gives the handle back. NULL does nothing. */
AS_API as_status as_items_free(as_items *items);

/* Reads the latency and what the real-time thread did. Waits for the library's thread only. */
AS_API as_status as_player_get_statistics(as_player *player, as_stream_statistics *statistics, as_error *error);

/* Where the player's sound goes, or would go; as_route_free gives it back. Waits for nothing. */
AS_API as_status as_player_get_route(const as_player *player, as_route **route);

typedef void (*as_player_handler)(as_player *player, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events, on the library's thread for handlers. The rules are those of
 * as_session_set_handler. */
AS_API as_status as_player_set_handler(as_player *player, as_player_handler handler, void *user_data);

/* MARK: Recorders */

/* Records a session's input to a WAV or FLAC file, gives it to the program, or both. */
typedef struct as_recorder as_recorder;

typedef struct as_recorder_options {
    uint32_t size;
    int32_t sample_rate;       /* in frames per second; 0 for 48,000 */
    int32_t channels;          /* 1 to 8; 0 for 1 */
    int32_t bits_per_sample;   /* of a file, 16 or 24; 0 for 16 */
    uint32_t buffer_duration;  /* as in as_input_options */
    uint32_t file_permissions; /* less those of the umask; 0 for 0600: for the user alone */
    bool continues_after_interruption; /* an interruption pauses a recording, rather than ending it */
    bool follows_symbolic_links;       /* records to the file that a link leads to, rather than failing */
    bool prefers_echo_cancelled_input; /* as in as_input_options */
    const char *application_name;      /* as in as_output_options */
    const char *node_name;
} as_recorder_options;
#define AS_RECORDER_OPTIONS_INIT { sizeof(as_recorder_options), 0, 0, 0, 0, 0, false, false, false, NULL, NULL }

/* `options` may be NULL. Records nothing, and waits for nothing. The session's category has to record. */
AS_API as_status as_recorder_create(
    as_session *session, const as_recorder_options *options, as_recorder **recorder, as_error *error);

/* Ends the recording, completes its file and gives the handle back; waits. Its handler is not called any more. NULL does
 * nothing. */
AS_API as_status as_recorder_destroy(as_recorder *recorder);

typedef enum as_file_type {
    AS_FILE_BY_NAME = 0, /* FLAC if the path ends in .flac, else WAV */
    AS_FILE_WAV = 1,
    AS_FILE_FLAC = 2
} as_file_type;

/* Starts a recording to a file, which replaces one that exists; NULL for `path` records without a file, for
 * as_recorder_read. An inactive session is activated first, and its errors are those of as_session_activate;
 * AS_ERROR_CANNOT_WRITE, AS_ERROR_NO_MICROPHONE, AS_ERROR_ALREADY_RECORDING. Waits. */
AS_API as_status as_recorder_record(
    as_recorder *recorder, const char *path, as_file_type type, as_error *error);

/* Pauses the recording, whose file is complete soon after. Waits for the library's thread only. */
AS_API as_status as_recorder_pause(as_recorder *recorder, as_error *error);

/* Continues a paused recording in the same file. AS_ERROR_NOT_PAUSED if there is none. Waits. */
AS_API as_status as_recorder_resume(as_recorder *recorder, as_error *error);

/* The result of a recording. */
typedef struct as_recording {
    uint32_t size;
    int32_t sample_rate;
    int32_t channels;
    int32_t bits_per_sample; /* of the file */
    uint64_t frames;
    double duration;         /* in seconds */
} as_recording;
#define AS_RECORDING_INIT { sizeof(as_recording), 0, 0, 0, 0, 0 }

/* Ends the recording, and waits until its file is complete. `recording` receives the last one; it may be NULL. If there was
 * none, or it failed, all of it is 0. */
AS_API as_status as_recorder_stop(as_recorder *recorder, as_recording *recording, as_error *error);

/* Reads what is recorded, as as_input_read. */
AS_API as_status as_recorder_read(
    as_recorder *recorder, float *samples, uint32_t frames, uint32_t limit, uint32_t *count, as_error *error);

/* Reads the level of a channel, as as_input_get_level. Waits for the library's thread only. */
AS_API as_status as_recorder_get_level(as_recorder *recorder, uint32_t channel, as_level *level, as_error *error);

/* What is known of a recorder at one moment: as of an input. Waits for nothing. */
AS_API as_status as_recorder_get_info(const as_recorder *recorder, as_input_info *info);

/* Reads what the real-time thread did. Waits for the library's thread only. */
AS_API as_status as_recorder_get_statistics(
    as_recorder *recorder, as_stream_statistics *statistics, as_error *error);

/* The microphone in use or the last one, as as_input_get_route. Waits for nothing. */
AS_API as_status as_recorder_get_route(const as_recorder *recorder, as_route **route);

typedef void (*as_recorder_handler)(as_recorder *recorder, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events, on the library's thread for handlers. The rules are those of
 * as_session_set_handler. */
AS_API as_status as_recorder_set_handler(as_recorder *recorder, as_recorder_handler handler, void *user_data);

/* MARK: Now playing */

/* Shows a player on the user's desktop (MPRIS), whose media keys and widgets control it: play, pause, stop, next, seek and
 * volume act on the player by themselves. */
typedef struct as_now_playing as_now_playing;

typedef struct as_now_playing_options {
    uint32_t size;
    bool can_raise; /* whether AS_COMMAND_RAISE is offered, and the next AS_COMMAND_QUIT */
    bool can_quit;
    const char *name;          /* of the program, for people; not NULL */
    const char *desktop_entry; /* the name of its .desktop file without the ending; NULL if there is none */
} as_now_playing_options;
#define AS_NOW_PLAYING_OPTIONS_INIT { sizeof(as_now_playing_options), false, false, NULL, NULL }

/* Shows a player until as_now_playing_destroy. Waits for nothing. */
AS_API as_status as_now_playing_create(
    as_player *player, const as_now_playing_options *options, as_now_playing **now_playing, as_error *error);

/* Removes the player from the desktop, and gives the handle back; waits. The player plays on. NULL does nothing. */
AS_API as_status as_now_playing_destroy(as_now_playing *now_playing);

/* AS_OK if the player is shown or is about to be. Else AS_ERROR_RESOURCE_NOT_AVAILABLE, with the reason as the error's
 * message, such as a missing session bus. Waits for nothing. */
AS_API as_status as_now_playing_check(const as_now_playing *now_playing, as_error *error);

typedef enum as_command_type {
    AS_COMMAND_RAISE = 1, /* bring the program's window to the front */
    AS_COMMAND_QUIT = 2   /* end the program */
} as_command_type;

/* A command of the desktop that only the program can obey. */
typedef struct as_command {
    uint32_t size;
    as_command_type type;
    uint64_t time;    /* in ns of CLOCK_MONOTONIC */
    uint32_t dropped; /* how many commands before this one were dropped, because the handler was slow */
    uint32_t reserved;
} as_command;

typedef void (*as_now_playing_handler)(as_now_playing *now_playing, const as_command *command, void *user_data);

/* Sets the handler of commands, on the library's thread for handlers. The rules are those of as_session_set_handler. */
AS_API as_status as_now_playing_set_handler(
    as_now_playing *now_playing, as_now_playing_handler handler, void *user_data);

#ifdef __cplusplus
}
#endif
#endif
