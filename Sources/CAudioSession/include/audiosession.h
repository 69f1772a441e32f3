/* Audio sessions on PipeWire, for C and every language that can call C. Sessions decide which
 * programs are heard, and where their sound goes. Docs/Sessions.md describes them.
 *
 * Threads. Every function may be called on any thread, and on several threads at a time, but not in
 * a signal handler. Handlers are called on one thread of the library, one after the other. No other
 * handler runs during a call, so a handler should not wait for user input. A handler may call every
 * function except as_manager_close, as_manager_dispatch and those that end in _destroy, which fail
 * there with AS_ERROR_WRONG_THREAD. Functions that the library calls must return to it: a C++
 * exception or longjmp must not leave them.
 *
 * Main loops. A program with a main loop sets calls_handlers_in_dispatch of as_manager_options. All
 * handlers of the manager, its sessions and their streams are then called in as_manager_dispatch,
 * on the thread that calls it. Such a handler may call every function.
 *
 * Waiting. The comment of a function states whether it waits:
 * - "Waits": it returns when the library's thread has carried it out, which may need an answer of
 *   PipeWire. Without that answer it fails with AS_ERROR_TIMED_OUT after `timeout` of
 *   as_manager_options, and the session has its former state. Functions that release a handle, and
 *   as_hold_end, do not fail for that reason.
 * - "Waits for the library's thread only": it does not wait for an answer of PipeWire.
 * - "Does not wait": it returns at once.
 *
 * Handles. They are opaque. NULL, a released handle and a handle of another type fail with
 * AS_ERROR_BAD_HANDLE, and never crash. The functions that release a handle do nothing for NULL. A
 * handle that is not released uses memory until the process ends.
 *
 * Structs. Each begins with its size in bytes, which the caller sets, for example with
 * AS_ERROR_INIT. A later version of the library adds members at the end, and accesses at most
 * `size` bytes, so programs need not be compiled again. A size below that of the first version
 * fails with AS_ERROR_BAD_PARAM. Events and ports that the library passes to a handler have the
 * library's size: compare it before reading a member that an older library does not have.
 *
 * Enums. The numbers of constants never change, and later versions add constants. A program ignores
 * the constants that it does not know.
 *
 * Strings. They are UTF-8 and end with a zero byte. Paths of files may have other bytes; in other
 * strings these fail with AS_ERROR_BAD_PARAM. The library copies the strings, arrays and structs
 * that a program passes, which may be freed when the function has returned.
 *
 * Forks. A child that is forked after its parent has called as_manager_open, successfully or not,
 * cannot use the library: every call fails at once with AS_ERROR_FORKED, until exec. The child
 * holds no connection of the parent, so the parent's sessions end with the parent. A child of a
 * process that has never called as_manager_open may open a manager. */
#ifndef AUDIOSESSION_H
#define AUDIOSESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AS_API __attribute__((visibility("default")))

/* The version of the library that this header belongs to. */
#define AS_VERSION_MAJOR 0
#define AS_VERSION_MINOR 9
#define AS_VERSION_PATCH 0

/* Whether this header is of a version or a later one, for #if. The library that the program loads
 * may have another version, which as_version returns. */
#define AS_CHECK_VERSION(major, minor, patch) \
    (AS_VERSION_MAJOR > (major) || (AS_VERSION_MAJOR == (major) && AS_VERSION_MINOR > (minor)) || \
     (AS_VERSION_MAJOR == (major) && AS_VERSION_MINOR == (minor) && AS_VERSION_PATCH >= (patch)))

/* The version of the binary interface. It changes if programs that were compiled with an older
 * header no longer run. */
#define AS_ABI_VERSION 1

/* Returns the version of the loaded library, such as "0.9.0". The string is never freed. Does not
 * wait. */
AS_API const char *as_version(void);

/* Returns AS_ABI_VERSION of the loaded library. Does not wait. */
AS_API uint32_t as_abi_version(void);

/* Returns the version of the loaded libpipewire, such as "1.4.2". The string is never freed. Does
 * not wait. */
AS_API const char *as_pipewire_version(void);

/* MARK: Errors */

/* The result of a function. */
typedef enum as_status {
    AS_OK = 0,
    AS_ERROR_BAD_PARAM = 1,               /* a value or a combination of values is illegal */
    AS_ERROR_MEDIA_SERVICES_FAILED = 2,   /* PipeWire does not run, cannot be reached, or its connection was lost */
    AS_ERROR_IS_BUSY = 3,                 /* streams are still running */
    AS_ERROR_INCOMPATIBLE_CATEGORY = 4,   /* the category does not have the required direction */
    AS_ERROR_CANNOT_INTERRUPT_OTHERS = 5, /* a session that does not mix was activated in the background */
    AS_ERROR_INSUFFICIENT_PRIORITY = 6,   /* a session of higher priority is active, such as a call */
    AS_ERROR_RESOURCE_NOT_AVAILABLE = 7,  /* the required hardware is missing */
    AS_ERROR_EXPIRED_SESSION = 8,         /* the session was closed */
    AS_ERROR_SESSION_NOT_ACTIVE = 9,      /* the function requires an active session */
    AS_ERROR_UNSPECIFIED = 10,            /* the cause is unknown */
    AS_ERROR_TIMED_OUT = 11,           /* PipeWire did not answer in time, or the call's limit was reached */
    AS_ERROR_CLOSED = 12,              /* the manager or the stream was closed */
    AS_ERROR_RESOURCES_EXHAUSTED = 13, /* the system has no thread, file or memory left, or a limit was reached */
    AS_ERROR_NOT_PERMITTED = 14,       /* PipeWire does not permit it to this program, for example in a sandbox */
    AS_ERROR_BAD_HANDLE = 15,          /* the handle is NULL, was released, or is of another type */
    AS_ERROR_WRONG_THREAD = 16,        /* a handler, a destroy function or a second thread may not call the function */
    AS_ERROR_FORKED = 17,              /* the process was forked, without exec, from one that had called as_manager_open */
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
    AS_ERROR_CANCELLED = 36,           /* the call was cancelled before it completed */
    AS_ERROR_ECHO_CANCELLER_MISSING = 37 /* PipeWire's echo canceller is not installed; the message names its package */
} as_status;

/* The description of a failure, or AS_OK after a success. Every `as_error *` parameter may be NULL,
 * for callers that need only the status. */
typedef struct as_error {
    uint32_t size;
    as_status status;
    int32_t os_status; /* Apple's number for the error; 0 if there is none */
    uint32_t reserved;
    char message[496]; /* what happened, why, and what to do; truncated if it is too long */
} as_error;
#define AS_ERROR_INIT { sizeof(as_error), AS_OK, 0, 0, { 0 } }

/* Returns the name of the constant, or "AS_ERROR_UNSPECIFIED" for an unknown number. The string is
 * never freed. Does not wait. */
AS_API const char *as_status_name(as_status status);

/* MARK: Managers */

/* A program's connection to PipeWire. It reconnects by itself when PipeWire is restarted. */
typedef struct as_manager as_manager;

/* The options of as_manager_open. */
typedef struct as_manager_options {
    uint32_t size;
    uint32_t timeout;             /* of each call that waits, in milliseconds; 0 for 5 seconds */
    const char *remote;           /* name or absolute path of PipeWire's socket; NULL for that of the environment */
    const char *application_name; /* the program's name in mixers; NULL leaves it to PipeWire */
    bool waits_for_pipewire;      /* whether as_manager_open waits, for `timeout` at most, until PipeWire runs */
    uint8_t reserved[7];
    /* Since the second version of this struct. Whether the library's thread keeps the program's
     * priority. If not, it requests the priority of PipeWire's own processes, nice -11. It does so
     * only in programs that run at nice 0 and SCHED_OTHER. */
    bool keeps_thread_priority;
    uint8_t reserved2[7];
    /* Since the third version of this struct. Whether handlers are called in as_manager_dispatch,
     * instead of on a thread of the library. An older library ignores it, and has no
     * as_manager_get_descriptor, which then fails in the loader. */
    bool calls_handlers_in_dispatch;
} as_manager_options;
#define AS_MANAGER_OPTIONS_INIT { sizeof(as_manager_options), 0, NULL, NULL, false, { 0 }, false, { 0 }, false }

/* Connects to PipeWire and makes a manager; release it with as_manager_close. `options` may be
 * NULL. If the function fails, `manager` is NULL. It fails with AS_ERROR_MEDIA_SERVICES_FAILED if
 * PipeWire does not run or cannot be reached, and with AS_ERROR_TIMED_OUT if PipeWire does not
 * answer, or with waits_for_pipewire does not start, within `timeout`. Waits. */
AS_API as_status as_manager_open(const as_manager_options *options, as_manager **manager, as_error *error);

/* Closes the connection and releases the manager. Calls of its sessions fail from then on, but the
 * handles of the sessions must still be released. When this returns, its handler is not called any
 * more. The function waits for a call of the handler that is under way: hold no lock that the
 * handler takes. Events that wait for as_manager_dispatch are dropped. Fails with
 * AS_ERROR_WRONG_THREAD in a handler. NULL does nothing. Waits. */
AS_API as_status as_manager_close(as_manager *manager);

/* Reads the file descriptor for the program's main loop. It is readable (POLLIN) as long as
 * as_manager_dispatch has handlers to call, and becomes unreadable in as_manager_dispatch. The
 * program only polls it, and stops before it calls as_manager_close, which may close it. Fails with
 * AS_ERROR_BAD_PARAM unless the manager was opened with calls_handlers_in_dispatch. Does not
 * wait. */
AS_API as_status as_manager_get_descriptor(const as_manager *manager, int32_t *descriptor);

/* Calls the handlers of the manager, its sessions and their streams for the events that have
 * arrived, on the caller's thread. It is called when the descriptor is readable, or regularly, such
 * as once per frame of a game. After 256 events it returns, and the descriptor is readable if more
 * have arrived. A program that does not call it loses the oldest events, as with a slow handler.
 *
 * A handler may call every function, also those that release its own object or replace its handler.
 * These do not wait for handlers that are running on the same thread: do not free the `user_data` of
 * such a handler before it returns. If a handler runs a main loop of its own, the events of other
 * objects are delivered there, and those of its object when it has returned.
 *
 * Fails with AS_ERROR_WRONG_THREAD while another thread is in this function for the manager, and on
 * a thread of the library, such as in a handler of another manager; with AS_ERROR_BAD_PARAM as
 * as_manager_get_descriptor does. Does not wait. */
AS_API as_status as_manager_dispatch(as_manager *manager, as_error *error);

/* MARK: Configurations */

/* The kind of a session's sound; see Docs/Configuration.md. */
typedef enum as_category {
    AS_CATEGORY_SOLO_AMBIENT = 0, /* the default */
    AS_CATEGORY_AMBIENT = 1,
    AS_CATEGORY_PLAYBACK = 2,
    AS_CATEGORY_RECORD = 3,
    AS_CATEGORY_PLAY_AND_RECORD = 4,
    AS_CATEGORY_MULTI_ROUTE = 5
} as_category;

/* The special purpose of a session within its category; see Docs/Configuration.md. */
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

/* The bits of `options` in as_configuration; see Docs/Configuration.md. */
typedef enum as_category_option {
    AS_OPTION_MIX_WITH_OTHERS = 0x1,
    AS_OPTION_DUCK_OTHERS = 0x2,
    AS_OPTION_ALLOW_BLUETOOTH_HFP = 0x4,
    AS_OPTION_DEFAULT_TO_SPEAKER = 0x8,
    AS_OPTION_INTERRUPT_SPOKEN_AUDIO_AND_MIX_WITH_OTHERS = 0x11,
    AS_OPTION_ALLOW_BLUETOOTH_A2DP = 0x20,
    AS_OPTION_ALLOW_AIR_PLAY = 0x40
} as_category_option;

/* The rule by which a session shares its route with others; see Docs/Configuration.md. */
typedef enum as_policy {
    AS_POLICY_DEFAULT = 0,
    AS_POLICY_LONG_FORM_AUDIO = 1,
    AS_POLICY_INDEPENDENT = 2,
    AS_POLICY_LONG_FORM_VIDEO = 3
} as_policy;

/* The priority of a session. No session interrupts or ducks one of a higher priority. */
typedef enum as_priority {
    AS_PRIORITY_MEDIA = 0,
    AS_PRIORITY_ALARM = 1,
    AS_PRIORITY_RINGTONE = 2,
    AS_PRIORITY_COMMUNICATION = 3,
    AS_PRIORITY_EMERGENCY = 4
} as_priority;

/* The declaration of what a session's sound is for. Docs/Configuration.md lists the legal
 * combinations. */
typedef struct as_configuration {
    uint32_t size;
    as_category category;
    as_mode mode;
    uint32_t options; /* bits of as_category_option */
    as_policy policy;
    as_priority priority;
    const char *group; /* 1 to 64 bytes; sessions of one group never affect one another. NULL for the group that the
                        * environment variable AUDIOSESSION_GROUP names, or else for the process */
} as_configuration;
#define AS_CONFIGURATION_INIT \
    { sizeof(as_configuration), AS_CATEGORY_SOLO_AMBIENT, AS_MODE_DEFAULT, 0, AS_POLICY_DEFAULT, AS_PRIORITY_MEDIA, NULL }

/* Checks whether a configuration is legal. Returns AS_OK, or AS_ERROR_BAD_PARAM with the violated
 * rule as the message. `configuration` must not be NULL, which is AS_ERROR_BAD_PARAM too. Does not
 * wait. */
AS_API as_status as_configuration_validate(const as_configuration *configuration, as_error *error);

/* MARK: Routes */

/* The direction of sound through a port, as the program sees it. */
typedef enum as_direction { AS_DIRECTION_OUTPUT = 0, AS_DIRECTION_INPUT = 1 } as_direction;

/* The kind of a port's connector, speaker, microphone or connection. */
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

/* An input or output as a session sees it, such as a speaker, a jack, a headset or a screen. */
typedef struct as_port {
    uint32_t size;
    as_port_type type;
    as_direction direction;
    bool is_uncertain; /* the type is a guess, because the computer's data does not determine it */
    const char *name;  /* for the user */
    const char *uid;   /* identifies the port, and is stable across unplugging and reboots */
    /* Since the second version of this struct. */
    as_port_type hint;         /* the device at a port whose type names only its bus; else AS_PORT_UNKNOWN */
    bool is_through_filter;    /* a filter, such as an equalizer or echo canceller, is between program and port */
    bool needs_profile_change; /* a session that prefers the port switches its card's profile, for all programs */
    const char *type_reason;   /* the reason for the type, for the user */
    const char *channels;      /* PipeWire's channel names in order, such as "FL,FR"; empty if they are unknown */
    const char *node_name;     /* the name of PipeWire's node; this and the next two are NULL if there is none */
    const char *device_name;   /* the name of PipeWire's device, the card */
    const char *route_name;    /* the name of the card's device route */
} as_port;
#define AS_PORT_INIT \
    { sizeof(as_port), AS_PORT_UNKNOWN, AS_DIRECTION_OUTPUT, false, NULL, NULL, AS_PORT_UNKNOWN, false, false, NULL, NULL, \
      NULL, NULL, NULL }

/* The outputs and inputs in use at one moment. A route never changes. */
typedef struct as_route as_route;

/* Returns the number of the route's ports in a direction; 0 if the handle is invalid. Does not
 * wait. */
AS_API uint32_t as_route_count(const as_route *route, as_direction direction);

/* Reads a port of the route; `index` counts from 0. The strings are valid until the route is
 * released. Fails with AS_ERROR_BAD_PARAM if `index` is as_route_count or more. Does not wait. */
AS_API as_status as_route_port(const as_route *route, as_direction direction, uint32_t index, as_port *port);

/* Makes another handle of a route. Unlike the route of an event, it stays valid after the handler
 * returns. Release it with as_route_free. Does not wait. */
AS_API as_status as_route_copy(const as_route *route, as_route **copy);

/* Releases the route. NULL does nothing. Does not wait. */
AS_API as_status as_route_free(as_route *route);

/* Reads the route of the default output and input, which sessions without preferences use. Release
 * it with as_route_free. Does not wait. */
AS_API as_status as_manager_get_route(const as_manager *manager, as_route **route);

/* Reads all outputs and inputs that a session can prefer now, as one list for each direction.
 * Release them with as_route_free. Does not wait. */
AS_API as_status as_manager_get_available_ports(const as_manager *manager, as_route **ports);

/* MARK: Data sources */

/* The orientation of a data source: the side of the computer. */
typedef enum as_orientation {
    AS_ORIENTATION_UNKNOWN = 0,
    AS_ORIENTATION_TOP = 1,
    AS_ORIENTATION_BOTTOM = 2,
    AS_ORIENTATION_FRONT = 3,
    AS_ORIENTATION_BACK = 4,
    AS_ORIENTATION_LEFT = 5,
    AS_ORIENTATION_RIGHT = 6
} as_orientation;

/* One of several microphones or outputs that a port can switch between. */
typedef struct as_data_source {
    uint32_t size;
    as_orientation orientation; /* derived from the data source's name */
    bool is_selected;
    const char *id;       /* identifies the data source within its port */
    const char *name;     /* for the user */
    const char *port_uid; /* the uid by which the data source is listed among the available ports */
} as_data_source;
#define AS_DATA_SOURCE_INIT { sizeof(as_data_source), AS_ORIENTATION_UNKNOWN, false, NULL, NULL, NULL }

/* The data sources of a port at one moment. The list never changes. */
typedef struct as_data_sources as_data_sources;

/* Reads the data sources of an available port; the list is empty if the port has nothing to switch.
 * Release it with as_data_sources_free. Fails with AS_ERROR_RESOURCE_NOT_AVAILABLE if the port is
 * not available. Waits. */
AS_API as_status as_manager_get_data_sources(
    as_manager *manager, const char *port_uid, as_data_sources **sources, as_error *error);

/* Returns the number of data sources; 0 if the handle is invalid. Does not wait. */
AS_API uint32_t as_data_sources_count(const as_data_sources *sources);

/* Reads a data source; `index` counts from 0. The strings are valid until the list is released.
 * Fails with AS_ERROR_BAD_PARAM if `index` is as_data_sources_count or more. Does not wait. */
AS_API as_status as_data_sources_get(const as_data_sources *sources, uint32_t index, as_data_source *source);

/* Releases the list. NULL does nothing. Does not wait. */
AS_API as_status as_data_sources_free(as_data_sources *sources);

/* MARK: Sessions */

/* A declaration of what the sound of a part of the program is for. It takes part in arbitration
 * with all other sessions of the computer, which decides when its sound is heard. */
typedef struct as_session as_session;

/* The state of a session. */
typedef enum as_state { AS_STATE_INACTIVE = 0, AS_STATE_ACTIVE = 1, AS_STATE_INTERRUPTED = 2 } as_state;

/* The reason of a route change. */
typedef enum as_route_change_reason {
    AS_ROUTE_CHANGE_UNKNOWN = 0,
    AS_ROUTE_CHANGE_NEW_DEVICE_AVAILABLE = 1,           /* a device appeared, and the route moved to it */
    AS_ROUTE_CHANGE_OLD_DEVICE_UNAVAILABLE = 2,         /* the device in use was lost */
    AS_ROUTE_CHANGE_CATEGORY_CHANGE = 3,                /* category, mode or options of an active session changed */
    AS_ROUTE_CHANGE_OVERRIDE = 4,                       /* the user or the program selected another port */
    AS_ROUTE_CHANGE_WAKE_FROM_SLEEP = 6,                /* the computer woke up */
    AS_ROUTE_CHANGE_NO_SUITABLE_ROUTE_FOR_CATEGORY = 7, /* no port is left that suits the session */
    AS_ROUTE_CHANGE_ROUTE_CONFIGURATION_CHANGE = 8      /* the configuration of the same devices changed */
} as_route_change_reason;

/* The type of an event. The comment of each type lists the members of as_event that are set. Calls,
 * and sessions that mix, continue on another output, and do not receive AS_EVENT_BECAME_NOISY.
 * After that event, a program that renders by itself calls as_session_activate when it plays
 * again. */
typedef enum as_event_type {
    AS_EVENT_STATE_CHANGED = 1,         /* the session's state changed: state */
    AS_EVENT_INTERRUPTION_BEGAN = 2,    /* another session interrupts; be silent: cause_name, cause_pid, cause_session */
    AS_EVENT_INTERRUPTION_ENDED = 3,    /* if should_resume is true, activate and resume: should_resume */
    AS_EVENT_DUCKING = 4,               /* multiply samples by gain: gain, cause_name, cause_pid, cause_session */
    AS_EVENT_BECAME_NOISY = 5,          /* the output was lost; pause. Sent before the route change: port */
    AS_EVENT_ROUTE_CHANGED = 6,         /* the route changed: reason, previous_route, current_route */
    AS_EVENT_RESUME_ADVICE = 7,         /* the output whose loss stopped the session is available again: no members */
    AS_EVENT_SECONDARY_AUDIO_HINT = 8,  /* another program's primary audio began or ended: should_be_silent */
    AS_EVENT_OUTPUT_VOLUME_CHANGED = 9, /* the volume of the output in use changed: volume, is_muted */
    AS_EVENT_INPUT_GAIN_CHANGED = 10,   /* the gain of the input in use changed: gain, on the desktop's scale */
    AS_EVENT_FORMAT_CHANGED = 11,       /* rate, buffer, channels or latencies changed; see as_session_get_info */
    AS_EVENT_MEDIA_SERVICES_LOST = 12,  /* PipeWire was lost; all handles stay valid, and no stream starts again by itself */
    AS_EVENT_MEDIA_SERVICES_RESET = 13, /* PipeWire is connected again, and the session has its place again */
    AS_EVENT_SILENCE_REASONS_CHANGED = 16, /* the silence reasons changed; see as_session_get_silence_reasons */
    /* Of managers only. */
    AS_EVENT_AVAILABLE_PORTS_CHANGED = 14, /* the available ports changed; see as_manager_get_available_ports */
    AS_EVENT_SILENT_MODE_CHANGED = 15      /* silent mode was turned on or off: is_silent_mode */
} as_event_type;

/* An event of a session or a manager. Members that its type does not list are 0 or NULL. All
 * pointers, and the routes, are valid until the handler returns. */
typedef struct as_event {
    uint32_t size;
    as_event_type type;
    uint64_t time;    /* when this process received the event, in nanoseconds of CLOCK_MONOTONIC */
    uint32_t dropped; /* the number of events before this one that were dropped, because the handler was slow */
    as_state state;
    as_route_change_reason reason;
    int32_t cause_pid; /* the process ID that PipeWire verified; 0 if it is unknown */
    float gain;        /* 0 to 1 */
    float volume;      /* 0 to 1, on the scale of the desktop's sliders */
    bool should_resume;
    bool should_be_silent;
    bool is_muted;
    const char *cause_name; /* the name that the other program gives itself; NULL if it has none */
    const as_port *port;
    const as_route *previous_route;
    const as_route *current_route;
    /* Since the second version of this struct. */
    const char *cause_session; /* the uuid of the other session; NULL if there is none */
    bool is_silent_mode;
} as_event;

/* Receives an event of a session, with the `user_data` of as_session_set_handler. */
typedef void (*as_session_handler)(as_session *session, const as_event *event, void *user_data);

/* Makes an inactive session; release it with as_session_destroy. If `configuration` is NULL, it is
 * AS_CONFIGURATION_INIT. Fails with AS_ERROR_BAD_PARAM if the configuration is illegal. Does not
 * wait. */
AS_API as_status as_session_create(
    as_manager *manager, const as_configuration *configuration, as_session **session, as_error *error);

/* Closes the session, which then has no place among the sessions of the computer, and releases it.
 * Sessions that it interrupted are advised to resume, unless it is music: category playback or solo
 * ambient with priority media, in mode default, movie playback or spoken audio. To choose, call
 * as_session_deactivate before. When this returns, its handler is not called any more. The function
 * waits for a call of the handler that is under way: hold no lock that the handler takes. Fails
 * with AS_ERROR_WRONG_THREAD in a handler. NULL does nothing. Waits. */
AS_API as_status as_session_destroy(as_session *session);

/* Sets the handler of all later events; NULL removes it. When this returns, no call of the previous
 * handler is under way and none follows, so its `user_data` may be freed. The function waits for
 * that, unless a handler calls it: hold no lock that the handler takes. It does not wait for the
 * handlers of other objects. At most 256 events wait for a slow handler; beyond that, the oldest
 * ones are dropped. */
AS_API as_status as_session_set_handler(as_session *session, as_session_handler handler, void *user_data);

/* Sets the configuration. An active session is activated with it; if that fails, the old
 * configuration stays. Fails with AS_ERROR_BAD_PARAM if `configuration` is NULL or illegal, and
 * with the errors of as_session_activate. Waits. */
AS_API as_status as_session_configure(as_session *session, const as_configuration *configuration, as_error *error);

/* The size of a session's uuid in bytes: 36 characters and a zero byte. */
#define AS_SESSION_ID_SIZE 37
/* Writes the session's uuid to `id`. Other programs receive the same uuid as cause_session. Does
 * not wait. */
AS_API as_status as_session_get_id(const as_session *session, char id[AS_SESSION_ID_SIZE]);

/* Reads the session's configuration. The string of the group is valid until the session is
 * released. Does not wait. */
AS_API as_status as_session_get_configuration(const as_session *session, as_configuration *configuration);

/* Activates the session, and waits until it is active. This may interrupt or duck other sessions.
 * Fails with AS_ERROR_INSUFFICIENT_PRIORITY if a session of higher priority is active, with
 * AS_ERROR_CANNOT_INTERRUPT_OTHERS if the program is in the background (see
 * as_manager_set_in_background), with AS_ERROR_MEDIA_SERVICES_FAILED without PipeWire, and with
 * AS_ERROR_RESOURCES_EXHAUSTED if there are too many sessions.
 *
 * A program that renders by itself also calls this when it plays again after AS_EVENT_BECAME_NOISY,
 * because otherwise should_resume is false after the next interruption. */
AS_API as_status as_session_activate(as_session *session, as_error *error);

/* Deactivates the session, and waits until PipeWire has received the release. With `notify_others`,
 * the sessions that this one interrupted are advised to resume. If it fails with AS_ERROR_TIMED_OUT
 * or AS_ERROR_MEDIA_SERVICES_FAILED, the session is inactive nevertheless. */
AS_API as_status as_session_deactivate(as_session *session, bool notify_others, as_error *error);

/* A hold of one part of the program on a session that it needs to be active. A session may have
 * several. */
typedef struct as_hold as_hold;

/* Activates the session, and waits until it is active; release the hold with as_hold_end. When the
 * last hold on the session has ended, the session is deactivated and other sessions are notified.
 * If the function fails, with the errors of as_session_activate, `hold` is NULL. */
AS_API as_status as_session_hold(as_session *session, as_hold **hold, as_error *error);

/* Ends the hold and releases it. NULL does nothing. Waits. */
AS_API as_status as_hold_end(as_hold *hold);

/* The effect of an active session on programs without sessions, if the program has an as_unmanaged
 * for the session. */
typedef enum as_unmanaged_policy {
    AS_UNMANAGED_DEFAULT = 0, /* AS_UNMANAGED_DUCK for sessions that duck others, AS_UNMANAGED_LEAVE for others that
                               * mix, AS_UNMANAGED_PAUSE for the rest */
    AS_UNMANAGED_LEAVE = 1,   /* there is no effect */
    AS_UNMANAGED_PAUSE = 2,   /* their media players are paused */
    AS_UNMANAGED_SILENCE = 3, /* their media players are paused, and streams of programs without one are muted */
    AS_UNMANAGED_DUCK = 4     /* their streams are ducked */
} as_unmanaged_policy;

/* The values of a session at one moment. */
typedef struct as_session_info {
    uint32_t size;
    as_state state;
    float gain;          /* 0 to 1, by other sessions that duck this one, or silent mode: multiply samples by it */
    float output_volume; /* of the last output in use, 0 to 1, on the scale of the desktop's sliders; 0 before it */
    float input_gain;    /* of the input in use, 0 to 1, on the same scale; 1 if it cannot be set */
    bool is_output_muted;
    bool is_input_gain_settable;
    bool is_other_audio_playing; /* with a session or without; false right after the session was made */
    bool should_secondary_audio_be_silent;
    int32_t sample_rate;                 /* of PipeWire's graph, in frames per second */
    int32_t output_channels;             /* of the output in use */
    int32_t input_channels;              /* of the input in use */
    int32_t preferred_sample_rate;       /* in frames per second; 0: no preference */
    double preferred_io_buffer_duration; /* in seconds; 0: no preference */
    double io_buffer_duration;           /* of one cycle of PipeWire's graph, in seconds */
    double output_latency;               /* in seconds */
    double input_latency;                /* in seconds */
    /* Since the second version of this struct. */
    int32_t maximum_output_channels;   /* of the output in use */
    int32_t maximum_input_channels;    /* of the input in use */
    int32_t preferred_output_channels; /* 0: no preference */
    int32_t preferred_input_channels;  /* 0: no preference */
    uint32_t replug_limit;             /* in milliseconds; see as_session_set_resumes_on_replug */
    bool resumes_on_replug;
    bool is_output_overridden; /* see as_session_override_output */
    /* Since the third version of this struct; see as_session_set_unmanaged_policy,
     * as_session_set_pauses_on_route_loss and as_session_set_resumes_after_interruption. */
    as_unmanaged_policy unmanaged_policy;
    bool pauses_on_route_loss;
    bool resumes_after_interruption;
} as_session_info;
#define AS_SESSION_INFO_INIT \
    { sizeof(as_session_info), AS_STATE_INACTIVE, 0, 0, 0, false, false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      false, false, AS_UNMANAGED_DEFAULT, false, false }

/* Reads the values of a session. Does not wait. */
AS_API as_status as_session_get_info(const as_session *session, as_session_info *info);

/* Reads the current outputs and inputs of the session. Release the route with as_route_free. Does
 * not wait. */
AS_API as_status as_session_get_route(const as_session *session, as_route **route);

/* MARK: Silence */

/* The kind of a silence reason. */
typedef enum as_silence_kind {
    AS_SILENCE_INACTIVE = 0,     /* the session was not activated, or was deactivated */
    AS_SILENCE_INTERRUPTED = 1,  /* the cause interrupts the session */
    AS_SILENCE_ADVISED = 2,      /* the interruption has ended, and the program has not activated the session again */
    AS_SILENCE_DUCKED = 3,       /* the cause ducks the session to gain */
    AS_SILENCE_SILENT_MODE = 4,  /* silent mode is on, and the session's category follows it */
    AS_SILENCE_MUTED = 5,        /* the user has muted the output, or the session's streams */
    AS_SILENCE_INPUT_MUTED = 6,  /* silence is recorded; what is played is heard */
    AS_SILENCE_ROUTE_LOST = 7,   /* the output was lost, and the session does not continue on another one by itself */
    AS_SILENCE_DAEMON_LOST = 8,  /* PipeWire is not connected */
    AS_SILENCE_PAUSED = 9        /* the program plays nothing */
} as_silence_kind;

/* A reason why a session is silent or ducked. A reason with several causes is listed once for each
 * of them. */
typedef struct as_silence_reason {
    uint32_t size;
    as_silence_kind kind;
    float gain;                /* 0 to 1, by which a ducked session is multiplied; 1 for other kinds */
    int32_t cause_pid;         /* the process ID of the other session; 0 if it is unknown, or if there is none */
    const char *cause_name;    /* the name that its program gives itself; NULL if it has none */
    const char *cause_session; /* the uuid of the other session; NULL if there is none */
} as_silence_reason;
#define AS_SILENCE_REASON_INIT { sizeof(as_silence_reason), AS_SILENCE_INACTIVE, 1, 0, NULL, NULL }

/* The reasons why a session is silent or ducked at one moment. The list never changes. */
typedef struct as_silence_reasons as_silence_reasons;

/* Reads the silence reasons of a session, the most important first; the list is empty if the
 * session is heard unchanged. Release it with as_silence_reasons_free. Does not wait. */
AS_API as_status as_session_get_silence_reasons(const as_session *session, as_silence_reasons **reasons);

/* Returns the number of silence reasons; 0 if the handle is invalid. Does not wait. */
AS_API uint32_t as_silence_reasons_count(const as_silence_reasons *reasons);

/* Reads a silence reason; `index` counts from 0. The strings are valid until the list is released.
 * Fails with AS_ERROR_BAD_PARAM if `index` is as_silence_reasons_count or more. Does not wait. */
AS_API as_status as_silence_reasons_get(
    const as_silence_reasons *reasons, uint32_t index, as_silence_reason *reason);

/* Releases the list. NULL does nothing. Does not wait. */
AS_API as_status as_silence_reasons_free(as_silence_reasons *reasons);

/* MARK: Preferences */

/* Sets the preferred output or input of this session's streams; NULL is no preference. The
 * preference stays until it is set again. `uid` is that of a port of
 * as_manager_get_available_ports; otherwise the function fails with
 * AS_ERROR_RESOURCE_NOT_AVAILABLE. Fails with AS_ERROR_INCOMPATIBLE_CATEGORY if the category does
 * not have the direction. Waits. */
AS_API as_status as_session_set_preferred_port(
    as_session *session, as_direction direction, const char *uid, as_error *error);

/* Reads the preferred output and input, at most one of each, whether or not they are available.
 * Release them with as_route_free. Does not wait. */
AS_API as_status as_session_get_preferred_ports(const as_session *session, as_route **ports);

/* The reason of a choice. */
typedef enum as_choice_reason {
    AS_CHOICE_SYSTEM_DEFAULT = 0,       /* the default port, because there is no preference */
    AS_CHOICE_PREFERRED = 1,            /* the program prefers the port */
    AS_CHOICE_PREFERRED_MISSING = 2,    /* the default port, until the preferred port is available again */
    AS_CHOICE_CARD_SWITCHED = 3,        /* the card of the wanted port was switched to another port since */
    AS_CHOICE_OVERRIDE = 4,             /* as_session_override_output selects the speaker and its microphone */
    AS_CHOICE_DEFAULT_TO_SPEAKER = 5,   /* AS_OPTION_DEFAULT_TO_SPEAKER selects the speaker */
    AS_CHOICE_DATA_SOURCE = 6,          /* the program selected a data source of the port that it uses anyway */
    AS_CHOICE_HEADSET = 7,              /* the other direction uses the same headset */
    AS_CHOICE_BLUETOOTH_NOT_ALLOWED = 8 /* the default is a Bluetooth device, which the options do not allow */
} as_choice_reason;

/* The port that was chosen for a session in one direction, and why. */
typedef struct as_choice_info {
    uint32_t size;
    as_choice_reason reason;
    const as_port *port;     /* the chosen port; NULL if there is none */
    const as_port *wanted;   /* the port that the program wanted; NULL unless the reason refers to it */
    const char *description; /* the reason as a sentence for the user */
} as_choice_info;
#define AS_CHOICE_INFO_INIT { sizeof(as_choice_info), AS_CHOICE_SYSTEM_DEFAULT, NULL, NULL, NULL }

/* The choice of a port at one moment. It never changes. */
typedef struct as_choice as_choice;

/* Reads which port was chosen for the session in a direction. `choice` is NULL if the category does
 * not have that direction. Release it with as_choice_free. Does not wait. */
AS_API as_status as_session_get_choice(const as_session *session, as_direction direction, as_choice **choice);

/* Reads the values of a choice. The pointers are valid until the choice is released. Does not
 * wait. */
AS_API as_status as_choice_get(const as_choice *choice, as_choice_info *info);

/* Releases the choice. NULL does nothing. Does not wait. */
AS_API as_status as_choice_free(as_choice *choice);

/* Reads the data sources of the port in use; the list is empty if the port has nothing to switch.
 * Release it with as_data_sources_free. Waits. */
AS_API as_status as_session_get_data_sources(
    as_session *session, as_direction direction, as_data_sources **sources, as_error *error);

/* Selects a data source of the port in use, for all programs, while the session is active; NULL
 * leaves the choice to the system. Fails with AS_ERROR_RESOURCE_NOT_AVAILABLE if the port has no
 * data source `id`, and with AS_ERROR_INCOMPATIBLE_CATEGORY if the category does not have the
 * direction. Waits. */
AS_API as_status as_session_set_data_source(
    as_session *session, as_direction direction, const char *id, as_error *error);

/* Sets whether the session receives AS_EVENT_RESUME_ADVICE when the output whose loss stopped it
 * becomes available again within `limit` milliseconds; 0 is 5 minutes. The default is false.
 * Waits. */
AS_API as_status as_session_set_resumes_on_replug(
    as_session *session, bool resumes, uint32_t limit, as_error *error);

/* Sets the preferred number of channels of the output or input, 1 to the maximum in
 * as_session_info; 0 is no preference. It stays until it is set again; see Docs/Numbers.md. Fails
 * with AS_ERROR_BAD_PARAM for other numbers, and with AS_ERROR_INCOMPATIBLE_CATEGORY if the
 * category does not have the direction. Waits. */
AS_API as_status as_session_set_preferred_channels(
    as_session *session, as_direction direction, int32_t count, as_error *error);

/* Sets the preferred sample rate in frames per second, 1 to 768,000; 0 is no preference. It stays
 * until it is set again; see Docs/Numbers.md. Fails with AS_ERROR_BAD_PARAM for other rates.
 * Waits. */
AS_API as_status as_session_set_preferred_sample_rate(as_session *session, int32_t rate, as_error *error);

/* Sets the preferred duration of the I/O buffer in seconds, at most 1; 0 is no preference. It stays
 * until it is set again; see Docs/Numbers.md. Fails with AS_ERROR_BAD_PARAM for other durations.
 * Waits. */
AS_API as_status as_session_set_preferred_io_buffer_duration(as_session *session, double seconds, as_error *error);

/* Overrides the output with the built-in speaker if `to_speaker` is true, and otherwise ends the
 * override. It also ends when the session is deactivated, when its category changes, and when
 * another output is connected. To begin it fails with AS_ERROR_INCOMPATIBLE_CATEGORY unless the
 * category is AS_CATEGORY_PLAY_AND_RECORD, and with AS_ERROR_RESOURCE_NOT_AVAILABLE if the computer
 * has no speaker. Waits. */
AS_API as_status as_session_override_output(as_session *session, bool to_speaker, as_error *error);

/* Sets the gain of the input in use for all programs, as a mixer does: 0 to 1, on the scale of the
 * desktop's sliders; other values are clamped. Fails with AS_ERROR_RESOURCE_NOT_AVAILABLE unless
 * is_input_gain_settable, with AS_ERROR_INCOMPATIBLE_CATEGORY if the category does not record, and
 * with AS_ERROR_BAD_PARAM for NaN. Waits. */
AS_API as_status as_session_set_input_gain(as_session *session, float gain, as_error *error);

/* MARK: The computer */

/* Receives an event of a manager, with the `user_data` of as_manager_set_handler. */
typedef void (*as_manager_handler)(as_manager *manager, const as_event *event, void *user_data);

/* Sets the handler of the manager's events: changes of the default route, of the available ports
 * and of silent mode, the loss of the default output, and the loss and return of PipeWire. The
 * rules are those of as_session_set_handler. */
AS_API as_status as_manager_set_handler(as_manager *manager, as_manager_handler handler, void *user_data);

/* The values of the computer at one moment. */
typedef struct as_manager_info {
    uint32_t size;
    float output_volume; /* of the last default output, 0 to 1, on the scale of the desktop's sliders; 0 before it */
    bool is_output_muted;
    bool is_silent_mode; /* active sessions of category ambient and solo ambient are silent */
    bool is_input_muted; /* the manager's inputs and recorders capture silence */
} as_manager_info;
#define AS_MANAGER_INFO_INIT { sizeof(as_manager_info), 0, false, false, false }

/* Reads the values of the computer. Does not wait. */
AS_API as_status as_manager_get_info(const as_manager *manager, as_manager_info *info);

/* Turns silent mode on or off for all programs. Fails with AS_ERROR_NOT_PERMITTED if PipeWire does
 * not let this program change it, as in a sandbox. Waits. */
AS_API as_status as_manager_set_silent_mode(as_manager *manager, bool is_on, as_error *error);

/* Mutes or unmutes all inputs and recorders of this manager, which then capture zeros. A program
 * that records with a stream of its own must record zeros while is_input_muted is true. Waits. */
AS_API as_status as_manager_set_input_muted(as_manager *manager, bool is_muted, as_error *error);

/* Declares whether the program is in the background. There, a session that does not mix may
 * activate only if it is advised to resume, or if its group is now playing. A group is now playing
 * from the activation of one of its sessions until a session of another group is activated. Only
 * sessions that have priority media and do not mix count. Sessions that end by themselves, such as
 * recordings, leave music now playing: it may start again after them. Waits. */
AS_API as_status as_manager_set_in_background(as_manager *manager, bool is_in_background, as_error *error);

/* MARK: Streams */

/* Outputs, inputs, players and recorders are streams. Each belongs to a session and follows its
 * state. It activates the session when it starts, and is silent while another session interrupts.
 * When its device is lost, it is silent before anything is heard on another device. The session may
 * be released before its streams; they are then silent. */

/* The role of a stream's sound, for mixers and the session manager's rules. */
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

/* The state of a stream. */
typedef enum as_stream_state {
    AS_STREAM_STOPPED = 0, /* it was not started, or was stopped */
    AS_STREAM_RUNNING = 1, /* it plays or captures; as_session_get_silence_reasons says whether it is heard */
    AS_STREAM_PAUSED = 2,  /* it was started, and is silent until it runs again; see as_pause_reason */
    AS_STREAM_FINISHED = 3 /* the player has played its queue to the end */
} as_stream_state;

/* The reason why a stream is paused. */
typedef enum as_pause_reason {
    AS_PAUSE_NONE = 0,                /* the stream is not paused */
    AS_PAUSE_USER = 1,                /* the program called the pause function, or the user paused on the desktop */
    AS_PAUSE_ROUTE_LOST = 2,          /* the output in use was lost; the stream does not start again by itself */
    AS_PAUSE_INTERRUPTED = 3,         /* another session interrupted; the stream continues when advised to resume */
    AS_PAUSE_SESSION_INACTIVE = 4,    /* the session was deactivated or closed, or its category does not play any more */
    AS_PAUSE_MEDIA_SERVICES_LOST = 5, /* the connection to PipeWire was lost */
    AS_PAUSE_STREAM_FAILED = 6        /* the stream failed; AS_STREAM_EVENT_FAILED has reported why */
} as_pause_reason;

/* The reason why an input or a recording has ended. */
typedef enum as_finish_reason {
    AS_FINISH_STOPPED = 0,             /* the program stopped it */
    AS_FINISH_INTERRUPTED = 1,         /* another session interrupted */
    AS_FINISH_MICROPHONE_LOST = 2,     /* the microphone was unplugged; another one is not recorded instead */
    AS_FINISH_CATEGORY_CHANGED = 3,    /* the session's category does not record any more */
    AS_FINISH_SESSION_DEACTIVATED = 4, /* the session was deactivated */
    AS_FINISH_MEDIA_SERVICES_LOST = 5, /* the connection to PipeWire was lost */
    AS_FINISH_FAILED = 6               /* the file or the stream failed; AS_STREAM_EVENT_FAILED has reported why */
} as_finish_reason;

/* The cause of a muted microphone. */
typedef enum as_muter {
    AS_MUTED_BY_PROGRAM = 0, /* the program called as_manager_set_input_muted */
    AS_MUTED_BY_USER = 1     /* the user muted it in a mixer or by a key */
} as_muter;

/* The type of a stream's event. The comment of each type lists the members of as_stream_event that
 * are set. */
typedef enum as_stream_event_type {
    AS_STREAM_EVENT_STATE_CHANGED = 1,       /* the stream's state changed: state, pause_reason */
    AS_STREAM_EVENT_FAILED = 2,              /* a file or the stream failed: status, message, path */
    AS_STREAM_EVENT_BECAME_NOISY = 3,        /* the output was lost and is silent. Sent before the route change: port */
    AS_STREAM_EVENT_ROUTE_CHANGED = 4,       /* the route changed: reason, previous_route, current_route */
    AS_STREAM_EVENT_UNDERRUN = 5,            /* frames were silent, because the output's ring was empty: frames */
    AS_STREAM_EVENT_CALLBACK_WAS_LATE = 6,   /* calls took longer than their frames last: frames, the number of calls */
    AS_STREAM_EVENT_INPUT_CHANGED = 7,       /* the microphone that is captured from now on: port */
    AS_STREAM_EVENT_MICROPHONE_MUTED = 8,    /* silence is captured from now on: muter */
    AS_STREAM_EVENT_MICROPHONE_UNMUTED = 9,  /* sound is captured from now on: muter */
    AS_STREAM_EVENT_MICROPHONE_SILENT = 10,  /* a recorder received only zeros for two seconds, without a mute */
    AS_STREAM_EVENT_MICROPHONE_LOST = 11,    /* the microphone was lost: port */
    AS_STREAM_EVENT_OVERRUN = 12,            /* frames were lost, because the file or the process is slow: frames */
    AS_STREAM_EVENT_FINISHED = 13,           /* the stream ended. Inputs and recorders set: finish_reason, frames, path */
    AS_STREAM_EVENT_ITEM_CHANGED = 14,       /* a player plays another item: item, which is NULL for an empty queue */
    AS_STREAM_EVENT_POSITION_CHANGED = 15    /* a player's position changed by a seek: position */
} as_stream_event_type;

/* A sound file in a player's queue. */
typedef struct as_item {
    uint32_t size;
    int32_t sample_rate; /* in frames per second */
    int32_t channels;
    uint32_t reserved;
    uint64_t frames;      /* by the file's header; 0 if it has none */
    double duration;      /* in seconds, by the file's header; 0 if it has none */
    const char *path;     /* the path or file URL, as it was passed to the player */
    const char *name;     /* the name of the file without its folders, for the user */
    const char *title;    /* by the file's tags; NULL without one */
    const char *artist;   /* by the file's tags; NULL without one */
    const char *encoding; /* such as "FLAC", for the user */
} as_item;
#define AS_ITEM_INIT { sizeof(as_item), 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL }

/* An event of an output, input, player or recorder. Members that its type does not list are 0 or
 * NULL. Pointers, and the routes, are valid until the handler returns. The struct is separate from
 * as_event, because the two have few members in common, and a switch over the types of one need not
 * ignore those of the other. */
typedef struct as_stream_event {
    uint32_t size;
    as_stream_event_type type;
    uint64_t time;    /* in nanoseconds of CLOCK_MONOTONIC */
    uint64_t frames;
    double position;  /* in seconds from the beginning of the item */
    uint32_t dropped; /* the number of events before this one that were dropped, because the handler was slow */
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

/* The activity of the real-time thread for a stream to PipeWire: the current one, or the last
 * one. */
typedef struct as_stream_statistics {
    uint32_t size;
    uint32_t quantum;         /* of outputs and players: frames in a cycle of PipeWire's graph */
    uint32_t graph_rate;      /* of outputs and players: frames per second of the graph */
    bool is_echo_cancelled;   /* of inputs and recorders: the echo is being cancelled */
    uint64_t cycles;          /* the number of cycles in which the thread took or delivered sound */
    uint64_t dropped_frames;  /* of inputs and recorders: lost, because the program was slow */
    double latency;           /* in seconds: from the writing or rendering of a frame until it is heard, or from the
                               * microphone to the program; 0 of recorders */
    double gate_delay;        /* in seconds, from PipeWire's callback that reported the loss to the closed gate; or 0 */
    uint64_t gate_time;       /* when the gate was last closed, in nanoseconds of CLOCK_MONOTONIC; 0: never */
    uint64_t last_sound_time; /* of outputs and players: the start of the last cycle with sound, on the same clock */
} as_stream_statistics;
#define AS_STREAM_STATISTICS_INIT { sizeof(as_stream_statistics), 0, 0, false, 0, 0, 0, 0, 0, 0 }

/* As a limit in milliseconds, AS_FOREVER means that there is no limit; of
 * as_unmanaged_wait_until_restored it is a day. */
#define AS_FOREVER 4294967295

/* Frees the context of a callback. It may be called on a thread of the library, where functions
 * that wait fail with AS_ERROR_WRONG_THREAD. */
typedef void (*as_destroy_function)(void *context);

/* MARK: Outputs */

/* Plays sound that the program renders, by a callback or by a ring that the program writes. Samples
 * are interleaved 32-bit floating-point numbers with full scale 1. Docs/YourOwnSound.md describes
 * what an output does by itself. */
typedef struct as_output as_output;

/* Renders sound: writes `frames` frames of `channels` samples to `samples`, which are 0 at the
 * call. The first frame is heard at `time`, in nanoseconds of CLOCK_MONOTONIC. PipeWire's real-time
 * thread calls it once a cycle while the output runs. The sound of all programs waits for it, so it
 * must not lock, allocate, make system calls or wait, and must not call functions of this header. */
typedef void (*as_render_function)(
    void *context, float *samples, uint32_t frames, uint32_t channels, uint32_t sample_rate, uint64_t time);

/* The options of an output. */
typedef struct as_output_options {
    uint32_t size;
    int32_t sample_rate;         /* 1 to 768,000 frames per second; 0 for the hardware's, which avoids a conversion */
    int32_t channels;            /* 1 to 8, in the order of WAV files; 0 for the hardware's */
    uint32_t buffer_duration;    /* of the ring, in milliseconds; 0 for 200. More than 10,000 is 10,000 */
    as_role role;
    bool reports_late_callbacks; /* for debugging: measures each call of the callback */
    const char *title;            /* the stream's name in mixers; NULL for "Output" */
    const char *application_name; /* the program's name in mixers; NULL for the manager's */
    const char *node_name;        /* the name of PipeWire's node; NULL leaves it to PipeWire */
} as_output_options;
#define AS_OUTPUT_OPTIONS_INIT { sizeof(as_output_options), 0, 0, 0, AS_ROLE_MUSIC, false, NULL, NULL, NULL }

/* Makes an output that plays the samples that are written to it; release it with as_output_destroy.
 * `options` may be NULL. The output is stopped. Fails with AS_ERROR_UNSUPPORTED_FORMAT for a rate
 * or number of channels out of range. Does not wait. */
AS_API as_status as_output_create(
    as_session *session, const as_output_options *options, as_output **output, as_error *error);

/* Makes an output that plays the samples that `render` renders; release it with as_output_destroy.
 * `options` may be NULL. `destroy`, which may be NULL, is called once with the context, after the
 * last call of `render`: in as_output_destroy, or soon after it. It is never called on the
 * real-time thread, and not at all if this function fails. The output is stopped. Does not wait. */
AS_API as_status as_output_create_with_callback(
    as_session *session, const as_output_options *options, as_render_function render, void *context,
    as_destroy_function destroy, as_output **output, as_error *error);

/* Stops the output and releases it. A write that waits fails with AS_ERROR_CLOSED. When this
 * returns, the handler and the render function are not called any more. The function waits for a
 * call of the handler that is under way: hold no lock that the handler takes. Fails with
 * AS_ERROR_WRONG_THREAD in a handler. NULL does nothing. Waits. */
AS_API as_status as_output_destroy(as_output *output);

/* Starts playing, or continues after a pause. An inactive session is activated first, which can
 * fail with the errors of as_session_activate. While the session is interrupted, the output keeps
 * the request, and plays when the session is active again. Fails with
 * AS_ERROR_INCOMPATIBLE_CATEGORY if the category does not play. Waits. */
AS_API as_status as_output_start(as_output *output, as_error *error);

/* Stops the output, and drops frames that were written and not played. Writes that wait fail with
 * AS_ERROR_STOPPED. The session stays active. Waits for the library's thread only. */
AS_API as_status as_output_stop(as_output *output, as_error *error);

/* Writes `frames` frames, and waits until all of them are in the ring, also during a pause, for at
 * most `limit` milliseconds. 0 does not wait, and AS_FOREVER is no limit. `written`, which may be
 * NULL, receives the number of frames in the ring, also on failure. Fails with AS_ERROR_TIMED_OUT
 * at the limit, AS_ERROR_STOPPED unless the output was started, AS_ERROR_CLOSED, and
 * AS_ERROR_BAD_PARAM if the output has a callback. Writes of several threads are served one after
 * the other. */
AS_API as_status as_output_write(
    as_output *output, const float *samples, uint32_t frames, uint32_t limit, uint32_t *written, as_error *error);

/* Writes as many of the frames as the ring has room for, for game loops; `written` receives their
 * number. It writes none while as_output_write waits on another thread. Before as_output_start, it
 * fills the ring with the frames that are heard first. Does not wait. */
AS_API as_status as_output_write_available(
    as_output *output, const float *samples, uint32_t frames, uint32_t *written, as_error *error);

/* Waits until all written frames have been played, for at most `limit` milliseconds; then it fails
 * with AS_ERROR_TIMED_OUT, otherwise with the errors of as_output_write. The empty ring is then no
 * underrun. */
AS_API as_status as_output_drain(as_output *output, uint32_t limit, as_error *error);

/* Drops frames that were written and not played, so that the next written frame is heard next. Does
 * not wait. */
AS_API as_status as_output_flush(as_output *output);

/* Sets the output's own volume, 0 to 1 on the scale of the desktop's sliders; other values are
 * clamped. The change is smooth and takes effect within one cycle. The user's volume applies in
 * addition. Waits for the library's thread only. */
AS_API as_status as_output_set_volume(as_output *output, float volume, as_error *error);

/* The values of an output at one moment. */
typedef struct as_output_info {
    uint32_t size;
    as_stream_state state;
    as_pause_reason pause_reason;
    float volume;            /* the volume that as_output_set_volume set */
    int32_t sample_rate;     /* of the samples, in frames per second; this and the next never change */
    int32_t channels;
    uint64_t position;       /* frames that were taken from the ring or the callback, including dropped frames */
    uint64_t missing_frames; /* frames that were silent, because the ring was empty; 0 with a callback */
} as_output_info;
#define AS_OUTPUT_INFO_INIT { sizeof(as_output_info), AS_STREAM_STOPPED, AS_PAUSE_NONE, 1, 0, 0, 0, 0 }

/* Reads the values of an output. Does not wait. */
AS_API as_status as_output_get_info(const as_output *output, as_output_info *info);

/* Reads the activity of the real-time thread, and the latency, which includes the frames in the
 * ring. Waits for the library's thread only. */
AS_API as_status as_output_get_statistics(as_output *output, as_stream_statistics *statistics, as_error *error);

/* Reads the route of the output's sound, also while it is silent. Release it with as_route_free.
 * Does not wait. */
AS_API as_status as_output_get_route(const as_output *output, as_route **route);

/* Receives an event of an output, with the `user_data` of as_output_set_handler. */
typedef void (*as_output_handler)(as_output *output, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events. The rules are those of as_session_set_handler. */
AS_API as_status as_output_set_handler(as_output *output, as_output_handler handler, void *user_data);

/* MARK: Inputs */

/* Captures the sound of the microphone for the program, by a callback or by a queue that the
 * program reads. Samples are those of an output. The session's category has to record. */
typedef struct as_input as_input;

/* Receives `frames` frames of `channels` samples. The first was captured at `time`, in nanoseconds
 * of CLOCK_MONOTONIC. PipeWire's real-time thread calls it while the input captures, and the rules
 * are those of as_render_function. */
typedef void (*as_receive_function)(
    void *context, const float *samples, uint32_t frames, uint32_t channels, uint32_t sample_rate, uint64_t time);

/* The options of an input. */
typedef struct as_input_options {
    uint32_t size;
    int32_t sample_rate;      /* 1 to 768,000 frames per second; 0 for the hardware's, which avoids a conversion */
    int32_t channels;         /* 1 to 8; 0 for the hardware's */
    uint32_t buffer_duration; /* of the queue of as_input_read, beyond which the oldest frames are dropped, in
                               * milliseconds; 0 for 1,000. More than 60,000 is 60,000 */
    bool stops_when_lost;     /* whether a lost microphone stops the input; otherwise another one replaces it */
    bool prefers_echo_cancelled_input; /* whether the echo of the session's output is removed. The sound is then mono, on
                                        * every channel, and about 25 milliseconds later. sample_rate is 16,000,
                                        * 32,000 or 48,000. 0 is 48,000, and for channels 1 */
    const char *title;            /* as in as_output_options; NULL for "Input" */
    const char *application_name; /* as in as_output_options */
    const char *node_name;        /* as in as_output_options */
} as_input_options;
#define AS_INPUT_OPTIONS_INIT { sizeof(as_input_options), 0, 0, 0, false, false, NULL, NULL, NULL }

/* Makes an input for as_input_read; release it with as_input_destroy. `options` may be NULL. The
 * input is stopped. Fails with AS_ERROR_UNSUPPORTED_FORMAT for a rate or number of channels out of
 * range. Does not wait. */
AS_API as_status as_input_create(
    as_session *session, const as_input_options *options, as_input **input, as_error *error);

/* Makes an input that passes the captured samples to `receive`; release it with as_input_destroy.
 * `options` may be NULL. `destroy` is as in as_output_create_with_callback. The input is stopped.
 * Does not wait. */
AS_API as_status as_input_create_with_callback(
    as_session *session, const as_input_options *options, as_receive_function receive, void *context,
    as_destroy_function destroy, as_input **input, as_error *error);

/* Stops the input and releases it. A read that waits fails with AS_ERROR_CLOSED. When this returns,
 * the handler and the receive function are not called any more. The function waits for a call of
 * the handler that is under way: hold no lock that the handler takes. Fails with
 * AS_ERROR_WRONG_THREAD in a handler. NULL does nothing. Waits. */
AS_API as_status as_input_destroy(as_input *input);

/* Starts capturing. After an interruption, it continues, and activates the session again. The start
 * of a stopped input drops frames that were captured before and not read; a pause keeps them. An
 * inactive session is activated first, which can fail with the errors of as_session_activate. It
 * fails with AS_ERROR_INCOMPATIBLE_CATEGORY if the category does not record, with
 * AS_ERROR_NO_MICROPHONE if there is no input, with AS_ERROR_ECHO_CANCELLER_MISSING, and with
 * AS_ERROR_UNSUPPORTED_RECORDING_FORMAT for a rate that the echo canceller does not have. A stopped
 * input fails with AS_ERROR_SESSION_NOT_ACTIVE while another session interrupts. Waits. */
AS_API as_status as_input_start(as_input *input, as_error *error);

/* Reads whether the echo canceller is installed. Does not wait for PipeWire, but searches for the
 * plugin on each call, which takes a few milliseconds. */
AS_API as_status as_input_get_echo_canceller_available(bool *is_available);

/* Stops capturing. Frames that were captured before can be read until the next start. The session
 * stays active. Waits for the library's thread only. */
AS_API as_status as_input_stop(as_input *input, as_error *error);

/* Reads `frames` frames, and waits until they were captured, for at most `limit` milliseconds. 0
 * does not wait, and AS_FOREVER is no limit. `count`, which may be NULL, receives the number of
 * frames that were read, also on failure. Fails with AS_ERROR_TIMED_OUT at the limit,
 * AS_ERROR_STOPPED if the input is stopped and fewer frames are left, AS_ERROR_CLOSED, and
 * AS_ERROR_BAD_PARAM if the input has a callback. While the input is paused, the call waits. */
AS_API as_status as_input_read(
    as_input *input, float *samples, uint32_t frames, uint32_t limit, uint32_t *count, as_error *error);

/* The level of a channel over the last twentieth of a second, in decibels relative to full scale: 0
 * is the loudest, -160 is silence. */
typedef struct as_level {
    uint32_t size;
    float average_power;
    float peak_power;
} as_level;
#define AS_LEVEL_INIT { sizeof(as_level), -160, -160 }

/* Reads the level of a channel; `channel` counts from 0. The level is silence while nothing is
 * captured. Fails with AS_ERROR_BAD_PARAM if the input has no such channel. Waits for the library's
 * thread only. */
AS_API as_status as_input_get_level(as_input *input, uint32_t channel, as_level *level, as_error *error);

/* The values of an input or a recorder at one moment. */
typedef struct as_input_info {
    uint32_t size;
    as_stream_state state;
    as_pause_reason pause_reason;
    int32_t sample_rate;     /* of the samples, in frames per second; this and the next never change */
    int32_t channels;
    uint32_t reserved;
    uint64_t waiting_frames; /* frames that can be read without waiting */
    uint64_t dropped_frames; /* frames that were lost, because the program did not read them in time */
} as_input_info;
#define AS_INPUT_INFO_INIT { sizeof(as_input_info), AS_STREAM_STOPPED, AS_PAUSE_NONE, 0, 0, 0, 0, 0 }

/* Reads the values of an input. Does not wait. */
AS_API as_status as_input_get_info(const as_input *input, as_input_info *info);

/* Reads the activity of the real-time thread, and the latency. Waits for the library's thread
 * only. */
AS_API as_status as_input_get_statistics(as_input *input, as_stream_statistics *statistics, as_error *error);

/* Reads the current or last microphone, as a route with at most one input. Release it with
 * as_route_free. Does not wait. */
AS_API as_status as_input_get_route(const as_input *input, as_route **route);

/* Receives an event of an input, with the `user_data` of as_input_set_handler. */
typedef void (*as_input_handler)(as_input *input, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events. The rules are those of as_session_set_handler. */
AS_API as_status as_input_set_handler(as_input *input, as_input_handler handler, void *user_data);

/* MARK: Policies */

/* Sets whether the loss of the output in use pauses the session's outputs and players. If not, they
 * continue on the next output. Sessions that mix, and those of priority communication such as
 * calls, continue in either case. The default is true. Waits. */
AS_API as_status as_session_set_pauses_on_route_loss(as_session *session, bool pauses, as_error *error);

/* Sets whether the session's outputs, inputs and players continue by themselves when the session is
 * advised to resume. The default is true. Waits. */
AS_API as_status as_session_set_resumes_after_interruption(as_session *session, bool resumes, as_error *error);

/* Sets the effect of the session on programs without sessions, from its next activation on.
 * Waits. */
AS_API as_status as_session_set_unmanaged_policy(
    as_session *session, as_unmanaged_policy policy, as_error *error);

/* MARK: Programs without sessions */

/* Pauses or ducks programs without sessions while a session is active, by the policy of
 * as_session_set_unmanaged_policy, and restores them afterwards. Docs/Desktop.md describes which
 * programs these are. If the process is killed, a watchdog restores them. */
typedef struct as_unmanaged as_unmanaged;

/* The programs that an as_unmanaged leaves unchanged, at most 4,096 processes and as many names. */
typedef struct as_unmanaged_options {
    uint32_t size;
    uint32_t process_count;
    const int32_t *processes; /* process IDs; the descendants of each process are left unchanged too */
    const char *const *names; /* of programs, processes or media players; upper and lower case are equal */
    uint32_t name_count;
    uint32_t reserved;
} as_unmanaged_options;
#define AS_UNMANAGED_OPTIONS_INIT { sizeof(as_unmanaged_options), 0, NULL, NULL, 0, 0 }

/* Makes an as_unmanaged, which follows the session's state from now on; release it with
 * as_unmanaged_destroy. Make it before the session is activated: a session that is active already
 * affects other programs from its next activation on. `options` may be NULL. Does not wait. */
AS_API as_status as_unmanaged_create(
    as_session *session, const as_unmanaged_options *options, as_unmanaged **unmanaged, as_error *error);

/* Restores the programs, as the end of the process does, and releases the as_unmanaged. When this
 * returns, its handler is not called any more. The function waits for a call of the handler that is
 * under way: hold no lock that the handler takes. Fails with AS_ERROR_WRONG_THREAD in a handler.
 * NULL does nothing. Waits. */
AS_API as_status as_unmanaged_destroy(as_unmanaged *unmanaged);

/* Waits until the programs are as they were before the session became active, for at most `limit`
 * milliseconds; then it fails with AS_ERROR_TIMED_OUT. This takes some milliseconds after
 * as_session_deactivate. Players that were paused for a call on a Bluetooth headset are resumed
 * when it has left its mode for calls: use 10000 to wait for that too. */
AS_API as_status as_unmanaged_wait_until_restored(as_unmanaged *unmanaged, uint32_t limit, as_error *error);

/* The effect of an as_unmanaged on a program. */
typedef enum as_unmanaged_effect {
    AS_UNMANAGED_EFFECT_PAUSED = 0, /* a media player is kept silent */
    AS_UNMANAGED_EFFECT_DUCKED = 1  /* a stream is ducked */
} as_unmanaged_effect;

/* A media player or a stream of a program without sessions. */
typedef struct as_program {
    uint32_t size;
    as_unmanaged_effect effect;
    int32_t pid;      /* the process ID; 0 if it is unknown */
    uint32_t reserved;
    const char *name; /* of the player on the desktop's bus, or of the stream's program */
} as_program;
#define AS_PROGRAM_INIT { sizeof(as_program), AS_UNMANAGED_EFFECT_PAUSED, 0, 0, NULL }

/* The players and streams that were paused or ducked at one moment. The list never changes. */
typedef struct as_programs as_programs;

/* Reads the players and streams that are paused or ducked now. Release the list with
 * as_programs_free. Does not wait. */
AS_API as_status as_unmanaged_get_programs(const as_unmanaged *unmanaged, as_programs **programs);

/* Returns the number of players and streams; 0 if the handle is invalid. Does not wait. */
AS_API uint32_t as_programs_count(const as_programs *programs);

/* Reads a player or stream; `index` counts from 0. The string is valid until the list is released.
 * Fails with AS_ERROR_BAD_PARAM if `index` is as_programs_count or more. Does not wait. */
AS_API as_status as_programs_get(const as_programs *programs, uint32_t index, as_program *program);

/* Releases the list. NULL does nothing. Does not wait. */
AS_API as_status as_programs_free(as_programs *programs);

/* The type of an as_unmanaged's event. The comment of each type lists the members of
 * as_unmanaged_event that are set. */
typedef enum as_unmanaged_event_type {
    AS_UNMANAGED_EVENT_PAUSED = 1,   /* the player was paused, and its program is silent: name, pid */
    AS_UNMANAGED_EVENT_MUTED = 2,    /* the player's streams were muted, because they continued: name, pid */
    AS_UNMANAGED_EVENT_RESUMED = 3,  /* the player was sent the command Play: name, pid */
    AS_UNMANAGED_EVENT_RELEASED = 4, /* the player is left in its present state from now on: name, pid */
    AS_UNMANAGED_EVENT_DUCKED = 5,   /* the stream was ducked: name, pid, gain */
    AS_UNMANAGED_EVENT_RESTORED = 6, /* the stream is not ducked by this session any more: name, pid */
    AS_UNMANAGED_EVENT_LEFT_TO_ROLE_POLICY = 7, /* the session manager itself ducks streams by their roles */
    AS_UNMANAGED_EVENT_UNAVAILABLE = 8          /* no player is paused, or no stream ducked: reason */
} as_unmanaged_event_type;

/* An event of a program without sessions. It is a separate struct, because it concerns another
 * program. Members that its type does not list are 0 or NULL. Strings are valid until the handler
 * returns. */
typedef struct as_unmanaged_event {
    uint32_t size;
    as_unmanaged_event_type type;
    uint64_t time;      /* in nanoseconds of CLOCK_MONOTONIC */
    uint32_t dropped;   /* the number of events before this one that were dropped, because the handler was slow */
    int32_t pid;        /* the process ID; 0 if it is unknown */
    float gain;         /* 0 to 1, by which the stream's own volume is multiplied */
    uint32_t reserved;
    const char *name;   /* of the player on the desktop's bus, or of the stream's program */
    const char *reason; /* why players or streams are not controlled, for the user */
} as_unmanaged_event;

/* Receives an event of an as_unmanaged, with the `user_data` of as_unmanaged_set_handler. */
typedef void (*as_unmanaged_handler)(as_unmanaged *unmanaged, const as_unmanaged_event *event, void *user_data);

/* Sets the handler of all later events. The rules are those of as_session_set_handler. */
AS_API as_status as_unmanaged_set_handler(as_unmanaged *unmanaged, as_unmanaged_handler handler, void *user_data);

/* MARK: Sound of other libraries */

/* Ducks and mutes with a session what other code of the process plays, such as SDL, GStreamer, Qt,
 * libpulse or a pw_stream: all playback streams of the process but those of as_output and as_player.
 * They are ducked while the session is ducked, muted while it is interrupted or has lost its output,
 * and unchanged while it is inactive. The program still receives the session's events, and pauses its
 * playback. Docs/YourOwnSound.md describes the effects. */
typedef struct as_attached as_attached;

/* Attaches the streams of the process to a session, which may be active already; release the
 * as_attached with as_attached_destroy. Fails with AS_ERROR_BAD_PARAM if the streams are attached to
 * a session already. Does not wait. */
AS_API as_status as_attached_create(as_session *session, as_attached **attached, as_error *error);

/* Restores the streams, and releases the as_attached. Fails with AS_ERROR_WRONG_THREAD in a handler.
 * NULL does nothing. Waits. */
AS_API as_status as_attached_destroy(as_attached *attached);

/* MARK: Players */

/* Plays a queue of sound files: WAV, FLAC, Ogg, Opus, MP3 and all other formats of libsndfile. */
typedef struct as_player as_player;

/* The options of a player. */
typedef struct as_player_options {
    uint32_t size;
    as_role role;
    const char *application_name; /* as in as_output_options */
    const char *node_name;        /* as in as_output_options */
} as_player_options;
#define AS_PLAYER_OPTIONS_INIT { sizeof(as_player_options), AS_ROLE_MUSIC, NULL, NULL }

/* Makes a player, which is stopped; release it with as_player_destroy. `options` may be NULL. Does
 * not wait. */
AS_API as_status as_player_create(
    as_session *session, const as_player_options *options, as_player **player, as_error *error);

/* Stops the player and releases it. When this returns, its handler is not called any more. The
 * function waits for a call of the handler that is under way: hold no lock that the handler takes.
 * Fails with AS_ERROR_WRONG_THREAD in a handler. NULL does nothing. Waits. */
AS_API as_status as_player_destroy(as_player *player);

/* Replaces the queue by `count` files, which are paths or file URLs, and stops at the beginning of
 * the first one. If one of them cannot be played, the function fails with its error and the queue
 * is unchanged. It fails with AS_ERROR_TOO_MANY_ITEMS if the queue would have more than 10,000
 * files. Waits until the files were read. The first file stays open, so it can be played after it
 * was deleted. Others are opened again when they are played. Relative paths are resolved by this
 * call, so the program can change its working directory afterwards. */
AS_API as_status as_player_load(as_player *player, const char *const *paths, uint32_t count, as_error *error);

/* Appends files to the queue. A player that plays continues with them, without a gap if they are of
 * the same format. Fails and waits like as_player_load. */
AS_API as_status as_player_enqueue(as_player *player, const char *const *paths, uint32_t count, as_error *error);

/* Starts or resumes playing. An inactive session is activated first, which can fail with the errors
 * of as_session_activate. While the session is interrupted, the player keeps the request, and plays
 * when the session is active again. Fails with AS_ERROR_NOTHING_LOADED if the queue is empty, and
 * with AS_ERROR_INCOMPATIBLE_CATEGORY if the category does not play. Waits. */
AS_API as_status as_player_play(as_player *player, as_error *error);

/* Pauses the player at the next frame. Waits for the library's thread only. */
AS_API as_status as_player_pause(as_player *player, as_error *error);

/* Stops playing, and returns to the beginning of the current file. Waits for the library's thread
 * only. */
AS_API as_status as_player_stop(as_player *player, as_error *error);

/* Moves to a time in the current file, in seconds from its beginning, also while playing. A time
 * after the end is the end. Fails with AS_ERROR_BAD_PARAM if `seconds` is negative or NaN, and with
 * AS_ERROR_NOTHING_LOADED if the queue is empty. If the file's format does not allow it,
 * AS_STREAM_EVENT_FAILED reports that. Waits for the library's thread only. */
AS_API as_status as_player_seek(as_player *player, double seconds, as_error *error);

/* Moves to the beginning of a file of the queue, and continues playing there if it was playing;
 * `index` counts from 0. Fails with AS_ERROR_NO_SUCH_ITEM if the queue has no such file. Waits for
 * the library's thread only. */
AS_API as_status as_player_skip(as_player *player, uint32_t index, as_error *error);

/* Moves to the next file of the queue. Fails with AS_ERROR_NO_SUCH_ITEM at the last file. Waits for
 * the library's thread only. */
AS_API as_status as_player_skip_to_next(as_player *player, as_error *error);

/* Moves to the previous file of the queue. Fails with AS_ERROR_NO_SUCH_ITEM at the first file.
 * Waits for the library's thread only. */
AS_API as_status as_player_skip_to_previous(as_player *player, as_error *error);

/* Sets the player's own volume, by the rules of as_output_set_volume. Waits for the library's
 * thread only. */
AS_API as_status as_player_set_volume(as_player *player, float volume, as_error *error);

/* The values of a player at one moment. */
typedef struct as_player_info {
    uint32_t size;
    as_stream_state state;
    as_pause_reason pause_reason;
    float volume;          /* the volume that as_player_set_volume set */
    int32_t current_index; /* of the current file in the queue; -1 if the queue is empty */
    uint32_t queue_length;
    double position;       /* of the next frame that is taken from the current file, in seconds from its beginning */
    double duration;       /* of the current file by its header, in seconds; 0 if it has none, or the queue is empty */
    uint64_t underruns;    /* how often a file could not be read in time */
} as_player_info;
#define AS_PLAYER_INFO_INIT { sizeof(as_player_info), AS_STREAM_STOPPED, AS_PAUSE_NONE, 1, -1, 0, 0, 0, 0 }

/* Reads the values of a player. Does not wait. */
AS_API as_status as_player_get_info(const as_player *player, as_player_info *info);

/* The files of a queue at one moment. The list never changes. */
typedef struct as_items as_items;

/* Reads the files of the queue in order, including those that were played. Release the list with
 * as_items_free. Does not wait. */
AS_API as_status as_player_get_queue(const as_player *player, as_items **items);

/* Returns the number of files; 0 if the handle is invalid. Does not wait. */
AS_API uint32_t as_items_count(const as_items *items);

/* Reads a file of the list; `index` counts from 0. The strings are valid until the list is
 * released. Fails with AS_ERROR_BAD_PARAM if `index` is as_items_count or more. Does not wait. */
AS_API as_status as_items_get(const as_items *items, uint32_t index, as_item *item);

/* Releases the list. NULL does nothing. Does not wait. */
AS_API as_status as_items_free(as_items *items);

/* Reads the activity of the real-time thread, and the latency. Waits for the library's thread
 * only. */
AS_API as_status as_player_get_statistics(as_player *player, as_stream_statistics *statistics, as_error *error);

/* Reads the route of the player's sound, or the one that it would have if it played. Release it
 * with as_route_free. Does not wait. */
AS_API as_status as_player_get_route(const as_player *player, as_route **route);

/* Receives an event of a player, with the `user_data` of as_player_set_handler. */
typedef void (*as_player_handler)(as_player *player, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events. The rules are those of as_session_set_handler. */
AS_API as_status as_player_set_handler(as_player *player, as_player_handler handler, void *user_data);

/* MARK: Recorders */

/* Records a session's input to a WAV or FLAC file, for the program to read, or both. */
typedef struct as_recorder as_recorder;

/* The options of a recorder. */
typedef struct as_recorder_options {
    uint32_t size;
    int32_t sample_rate;       /* in frames per second; 0 for 48,000 */
    int32_t channels;          /* 1 to 8; 0 for 1 */
    int32_t bits_per_sample;   /* of a file, 16 or 24; 0 for 16 */
    uint32_t buffer_duration;  /* as in as_input_options */
    uint32_t file_permissions; /* less those of the umask; 0 for 0600: for the user alone */
    bool continues_after_interruption; /* whether an interruption pauses a recording instead of ending it */
    bool follows_symbolic_links;       /* whether a link is followed to its file; otherwise recording to it fails */
    bool prefers_echo_cancelled_input; /* as in as_input_options */
    const char *application_name;      /* as in as_output_options */
    const char *node_name;             /* as in as_output_options */
} as_recorder_options;
#define AS_RECORDER_OPTIONS_INIT { sizeof(as_recorder_options), 0, 0, 0, 0, 0, false, false, false, NULL, NULL }

/* Makes a recorder, which is stopped; release it with as_recorder_destroy. `options` may be NULL.
 * The session's category has to record. Fails with AS_ERROR_UNSUPPORTED_RECORDING_FORMAT for a rate
 * or number of channels out of range. Does not wait. */
AS_API as_status as_recorder_create(
    as_session *session, const as_recorder_options *options, as_recorder **recorder, as_error *error);

/* Ends the recording, completes its file, and releases the recorder. When this returns, its handler
 * is not called any more. The function waits for a call of the handler that is under way: hold no
 * lock that the handler takes. Fails with AS_ERROR_WRONG_THREAD in a handler. NULL does nothing.
 * Waits. */
AS_API as_status as_recorder_destroy(as_recorder *recorder);

/* The file type of a recording. */
typedef enum as_file_type {
    AS_FILE_BY_NAME = 0, /* FLAC if the path ends in .flac, else WAV */
    AS_FILE_WAV = 1,
    AS_FILE_FLAC = 2
} as_file_type;

/* Starts a recording to a file, which replaces an existing one. If `path` is NULL, it records
 * without a file, for as_recorder_read. Frames of an earlier recording that were not read are
 * dropped. An inactive session is activated first. Fails with the errors of as_input_start, with
 * AS_ERROR_UNSUPPORTED_RECORDING_FORMAT for other numbers of bits than 16 and 24, with
 * AS_ERROR_CANNOT_WRITE if the file cannot be created, and with AS_ERROR_ALREADY_RECORDING during
 * another recording. Waits. */
AS_API as_status as_recorder_record(
    as_recorder *recorder, const char *path, as_file_type type, as_error *error);

/* Pauses the recording, whose file is complete soon after. Waits for the library's thread only. */
AS_API as_status as_recorder_pause(as_recorder *recorder, as_error *error);

/* Resumes a paused recording in the same file. Fails with AS_ERROR_NOT_PAUSED if there is none, and
 * with the errors of as_recorder_record. Waits. */
AS_API as_status as_recorder_resume(as_recorder *recorder, as_error *error);

/* The result of a recording. */
typedef struct as_recording {
    uint32_t size;
    int32_t sample_rate;     /* in frames per second */
    int32_t channels;
    int32_t bits_per_sample; /* of the file; 0 without one */
    uint64_t frames;         /* in the file, or recorded without one */
    double duration;         /* in seconds */
} as_recording;
#define AS_RECORDING_INIT { sizeof(as_recording), 0, 0, 0, 0, 0 }

/* Ends the recording, and waits until its file is complete. `recording`, which may be NULL,
 * receives the result of the last recording; all of its members are 0 if there was none. Of a
 * recording that failed, the members describe what is in the file, and the function returns AS_OK:
 * AS_STREAM_EVENT_FAILED reports the failure. */
AS_API as_status as_recorder_stop(as_recorder *recorder, as_recording *recording, as_error *error);

/* Reads recorded frames, by the rules of as_input_read. AS_ERROR_STOPPED follows the last frame of
 * the recording. */
AS_API as_status as_recorder_read(
    as_recorder *recorder, float *samples, uint32_t frames, uint32_t limit, uint32_t *count, as_error *error);

/* Reads the level of a channel, by the rules of as_input_get_level. Waits for the library's thread
 * only. */
AS_API as_status as_recorder_get_level(as_recorder *recorder, uint32_t channel, as_level *level, as_error *error);

/* Reads the values of a recorder, which are those of an input. Does not wait. */
AS_API as_status as_recorder_get_info(const as_recorder *recorder, as_input_info *info);

/* Reads the activity of the real-time thread. Waits for the library's thread only. */
AS_API as_status as_recorder_get_statistics(
    as_recorder *recorder, as_stream_statistics *statistics, as_error *error);

/* Reads the current or last microphone, as a route with at most one input. Release it with
 * as_route_free. Does not wait. */
AS_API as_status as_recorder_get_route(const as_recorder *recorder, as_route **route);

/* Receives an event of a recorder, with the `user_data` of as_recorder_set_handler. */
typedef void (*as_recorder_handler)(as_recorder *recorder, const as_stream_event *event, void *user_data);

/* Sets the handler of all later events. The rules are those of as_session_set_handler. */
AS_API as_status as_recorder_set_handler(as_recorder *recorder, as_recorder_handler handler, void *user_data);

/* MARK: Now playing */

/* Shows a player on the user's desktop (MPRIS), whose media keys and widgets control it. Play,
 * pause, stop, next, seek and volume act on the player without code in the program. */
typedef struct as_now_playing as_now_playing;

/* The description of a player on the desktop. */
typedef struct as_now_playing_options {
    uint32_t size;
    bool can_raise; /* whether the desktop offers AS_COMMAND_RAISE */
    bool can_quit;  /* whether the desktop offers AS_COMMAND_QUIT */
    const char *name;          /* of the program, for the user; not NULL */
    const char *desktop_entry; /* the name of the program's .desktop file without the extension; NULL if it has none */
} as_now_playing_options;
#define AS_NOW_PLAYING_OPTIONS_INIT { sizeof(as_now_playing_options), false, false, NULL, NULL }

/* Shows a player on the desktop until as_now_playing_destroy. Fails with AS_ERROR_BAD_PARAM if
 * `options` or its `name` is NULL. Does not wait. */
AS_API as_status as_now_playing_create(
    as_player *player, const as_now_playing_options *options, as_now_playing **now_playing, as_error *error);

/* Removes the player from the desktop, and releases the as_now_playing. The player continues to
 * play. When this returns, its handler is not called any more. The function waits for a call of the
 * handler that is under way: hold no lock that the handler takes. Fails with AS_ERROR_WRONG_THREAD
 * in a handler. NULL does nothing. Waits. */
AS_API as_status as_now_playing_destroy(as_now_playing *now_playing);

/* Checks whether the player is shown. Returns AS_OK if it is shown or is about to be. Otherwise it
 * returns AS_ERROR_RESOURCE_NOT_AVAILABLE, with the reason as the message, such as a missing
 * session bus. Does not wait. */
AS_API as_status as_now_playing_check(const as_now_playing *now_playing, as_error *error);

/* The type of a command. */
typedef enum as_command_type {
    AS_COMMAND_RAISE = 1, /* bring the program's window to the front */
    AS_COMMAND_QUIT = 2   /* end the program */
} as_command_type;

/* A command of the desktop that only the program can obey. */
typedef struct as_command {
    uint32_t size;
    as_command_type type;
    uint64_t time;    /* in nanoseconds of CLOCK_MONOTONIC */
    uint32_t dropped; /* the number of commands before this one that were dropped, because the handler was slow */
    uint32_t reserved;
} as_command;

/* Receives a command of the desktop, with the `user_data` of as_now_playing_set_handler. */
typedef void (*as_now_playing_handler)(as_now_playing *now_playing, const as_command *command, void *user_data);

/* Sets the handler of all later commands. The rules are those of as_session_set_handler. */
AS_API as_status as_now_playing_set_handler(
    as_now_playing *now_playing, as_now_playing_handler handler, void *user_data);

#ifdef __cplusplus
}
#endif
#endif
