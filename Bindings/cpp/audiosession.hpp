/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The AudioSessions authors
 *
 * Audio sessions on PipeWire for C++11 and later: RAII over audiosession-loader.h, or over audiosession.h where that was
 * included before. Copy it beside the loader's two files.
 *
 *     audiosession::Session session(audiosession::duck());
 *     {
 *         audiosession::Hold hold = session.hold();
 *         speak("The door is open.");
 *     }
 *
 * Output, Input, Player and Recorder play and capture while their session is active.
 *
 * Without the installed library no call has an effect: is_available() is false, and problem() has
 * the reason. Other failures, such as a missing PipeWire, throw audiosession::Error.
 *
 * Threads are as in the C header. Handlers are called on a thread of the library, where they must
 * not destroy or assign an object of these classes: it would not be released. With
 * calls_handlers_in_dispatch of ManagerOptions they are called in Manager::dispatch, where they may
 * do that, also with their own object. An exception that leaves a handler ends the program. Only one
 * thread at a time may call on_event of an object, move it, or assign to it. */
#ifndef AUDIOSESSION_HPP
#define AUDIOSESSION_HPP

#ifndef AUDIOSESSION_H
#include "audiosession-loader.h"
#endif

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace audiosession {

/* The error of a failed call. what() has what happened, why, and what to do. */
class Error : public std::runtime_error {
public:
    Error(as_status status, const std::string &message) : std::runtime_error(message), status_(status) {}

    as_status status() const noexcept { return status_; }

private:
    as_status status_;
};

/* Whether libaudiosession is installed. Without it no call has an effect. */
inline bool is_available() {
#ifdef AUDIOSESSION_LOADER
    return as_loader_is_available();
#else
    return true;
#endif
}

/* The reason why the library was not loaded; empty if it was. */
inline std::string problem() {
#ifdef AUDIOSESSION_LOADER
    return as_loader_problem();
#else
    return std::string();
#endif
}

namespace detail {

inline void check(as_status status, const as_error &error) {
    if (status != AS_OK) throw Error(status, error.message);
}

inline void check(as_status status) {
    if (status != AS_OK) throw Error(status, as_status_name(status));
}

inline std::string text(const char *value) { return value ? std::string(value) : std::string(); }

/* Throws AS_ERROR_BAD_PARAM for a zero character, where the library would cut the string off. */
inline const std::string &checked(const std::string &value) {
    if (value.find('\0') != std::string::npos)
        throw Error(AS_ERROR_BAD_PARAM, "A string has a zero character after '" + text(value.c_str()) + "'. Remove it.");
    return value;
}

/* NULL for an empty string. The pointer is valid as long as the string. Throws as checked(). */
inline const char *pointer(const std::string &value) { return checked(value).empty() ? nullptr : value.c_str(); }

struct Give {
    as_status operator()(as_manager *manager) const noexcept { return as_manager_close(manager); }
    as_status operator()(as_session *session) const noexcept { return as_session_destroy(session); }
    as_status operator()(as_hold *hold) const noexcept { return as_hold_end(hold); }
    as_status operator()(as_route *route) const noexcept { return as_route_free(route); }
    as_status operator()(as_silence_reasons *reasons) const noexcept { return as_silence_reasons_free(reasons); }
    as_status operator()(as_output *output) const noexcept { return as_output_destroy(output); }
    as_status operator()(as_input *input) const noexcept { return as_input_destroy(input); }
    as_status operator()(as_player *player) const noexcept { return as_player_destroy(player); }
    as_status operator()(as_recorder *recorder) const noexcept { return as_recorder_destroy(recorder); }
    as_status operator()(as_items *items) const noexcept { return as_items_free(items); }
};

template <typename Handle> using Owned = std::unique_ptr<Handle, Give>;

/* A handler of the program, which is not freed during its calls: it may replace itself, and destroy
 * its object. The library passes its address to call(). */
template <typename Event> class StoredHandler : public std::enable_shared_from_this<StoredHandler<Event>> {
public:
    explicit StoredHandler(std::function<void(const Event &)> handler) : handler_(std::move(handler)) {}

    static void call(void *stored, const Event &event) noexcept {
        const std::shared_ptr<StoredHandler> running = static_cast<StoredHandler *>(stored)->shared_from_this();
        running->handler_(event);
    }

    /* Never frees it, because the library may call it at any time. */
    void keep() noexcept { kept_ = this->shared_from_this(); }

private:
    const std::function<void(const Event &)> handler_;
    std::shared_ptr<StoredHandler> kept_;
};

/* Stores a handler; null for an empty one. */
template <typename Event>
std::shared_ptr<StoredHandler<Event>> stored(std::function<void(const Event &)> handler) {
    if (!handler) return nullptr;
    return std::make_shared<StoredHandler<Event>>(std::move(handler));
}

/* Releases an object before its handler. In a handler that the library's thread calls, the library
 * refuses that, and may call this handler again. */
template <typename Handle, typename Event>
void release(Owned<Handle> &handle, const std::shared_ptr<StoredHandler<Event>> &handler) noexcept {
    if (handle && Give()(handle.release()) != AS_OK && handler) handler->keep();
}

template <typename Handle> class Stream;

} // namespace detail

/* An input or output, such as a speaker, a jack or a headset. */
struct Port {
    as_port_type type;
    as_direction direction;
    std::string name; /* for display */
    std::string uid;  /* identifies it across unplugging and reboots */
};

/* A route, or the lists of available ports. */
struct Route {
    std::vector<Port> outputs;
    std::vector<Port> inputs;
};

/* A reason why a session is silent or ducked. */
struct SilenceReason {
    as_silence_kind kind;
    float gain;
    std::string cause; /* the name of the program that causes it */
    int cause_pid;
};

namespace detail {

inline std::vector<Port> ports(const as_route *route, as_direction direction) {
    std::vector<Port> found;
    for (uint32_t i = 0; i < as_route_count(route, direction); i++) {
        as_port port = AS_PORT_INIT;
        check(as_route_port(route, direction, i, &port));
        found.push_back(Port{port.type, port.direction, text(port.name), text(port.uid)});
    }
    return found;
}

inline Route taken(as_route *handle) {
    Owned<as_route> route(handle);
    return Route{ports(handle, AS_DIRECTION_OUTPUT), ports(handle, AS_DIRECTION_INPUT)};
}

} // namespace detail

/* The configuration of a session. Docs/Configuration.md lists the legal ones. */
struct Configuration {
    as_category category = AS_CATEGORY_SOLO_AMBIENT;
    as_mode mode = AS_MODE_DEFAULT;
    uint32_t options = 0; /* of as_category_option */
    as_policy policy = AS_POLICY_DEFAULT;
    as_priority priority = AS_PRIORITY_MEDIA;
    std::string group; /* empty: that of AUDIOSESSION_GROUP in the environment, or else the process */

    /* The struct points to this configuration's group. */
    as_configuration c() const {
        as_configuration value = AS_CONFIGURATION_INIT;
        value.category = category;
        value.mode = mode;
        value.options = options;
        value.policy = policy;
        value.priority = priority;
        value.group = detail::pointer(group);
        return value;
    }
};

/* Ducks others while it is active: for prompts, answers and announcements. */
inline Configuration duck() {
    Configuration configuration;
    configuration.category = AS_CATEGORY_PLAYBACK;
    configuration.mode = AS_MODE_VOICE_PROMPT;
    configuration.options = AS_OPTION_DUCK_OTHERS;
    return configuration;
}

/* Pauses others while it is active, after which they may resume. */
inline Configuration interrupt() {
    Configuration configuration;
    configuration.category = AS_CATEGORY_PLAYBACK;
    return configuration;
}

/* Records, and ducks others meanwhile. */
inline Configuration dictation() {
    Configuration configuration;
    /* Not category record, so that the program can also play, such as a sound when it listens. */
    configuration.category = AS_CATEGORY_PLAY_AND_RECORD;
    configuration.options = AS_OPTION_DUCK_OTHERS;
    return configuration;
}

/* The options of a manager. Zeros and empty strings are the library's defaults. */
struct ManagerOptions {
    std::string application_name; /* empty: PipeWire chooses the program's name */
    uint32_t timeout = 0;         /* of calls that wait, in milliseconds; 0 for 5,000 */
    /* Whether handlers are called in Manager::dispatch, instead of on a thread of the library. A
     * library that is too old for this throws AS_ERROR_MEDIA_SERVICES_FAILED. */
    bool calls_handlers_in_dispatch = false;

    /* The struct points to the string of these options. */
    as_manager_options c() const {
        as_manager_options value = AS_MANAGER_OPTIONS_INIT;
        value.application_name = detail::pointer(application_name);
        value.timeout = timeout;
        value.calls_handlers_in_dispatch = calls_handlers_in_dispatch;
        return value;
    }
};

/* The connection to PipeWire. It is closed with the last session or stream that uses it. */
class Manager {
public:
    /* With an empty name PipeWire chooses the program's name. A timeout of 0 is 5 seconds. */
    explicit Manager(const std::string &application_name = std::string(), uint32_t timeout_milliseconds = 0) {
        ManagerOptions options;
        options.application_name = application_name;
        options.timeout = timeout_milliseconds;
        open(options);
    }

    explicit Manager(const ManagerOptions &options) { open(options); }

    /* The descriptor that the program's main loop polls for reading; -1 without the library. It is
     * readable while dispatch() has handlers to call. The program stops polling it before the
     * connection is closed. Throws AS_ERROR_BAD_PARAM without calls_handlers_in_dispatch. */
    int descriptor() const {
        int32_t descriptor = -1;
        if (handle_) detail::check(as_manager_get_descriptor(handle_.get(), &descriptor));
        return descriptor;
    }

    /* Calls the handlers of sessions and streams for the events that have arrived, 256 at most. A
     * handler may destroy every object, also its own and this one. Throws AS_ERROR_WRONG_THREAD
     * while another thread is in this function, and AS_ERROR_BAD_PARAM as descriptor(). */
    void dispatch() {
        const std::shared_ptr<as_manager> handle = handle_;
        if (!handle) return;
        as_error error = AS_ERROR_INIT;
        detail::check(as_manager_dispatch(handle.get(), &error), error);
    }

    /* All outputs and inputs that a session could prefer now. */
    Route available_ports() const {
        as_route *route = nullptr;
        if (handle_) detail::check(as_manager_get_available_ports(handle_.get(), &route));
        return detail::taken(route);
    }

    /* The route of the default output and input. */
    Route route() const {
        as_route *route = nullptr;
        if (handle_) detail::check(as_manager_get_route(handle_.get(), &route));
        return detail::taken(route);
    }

    /* For functions of the C header; null without the library. */
    as_manager *c() const noexcept { return handle_.get(); }

private:
    friend class Session;

    void open(const ManagerOptions &options) {
        if (!is_available()) return;
        const as_manager_options value = options.c();
        as_error error = AS_ERROR_INIT;
        as_manager *handle = nullptr;
        detail::check(as_manager_open(&value, &handle, &error), error);
        handle_ = std::shared_ptr<as_manager>(handle, detail::Give());
        /* An older library ignores the option, and would call handlers on its own thread. */
        if (options.calls_handlers_in_dispatch) (void)descriptor();
    }

    std::shared_ptr<as_manager> handle_;
};

/* Keeps a session active until it is destroyed. */
class Hold {
public:
    explicit Hold(as_hold *handle = nullptr) : handle_(handle) {}

private:
    detail::Owned<as_hold> handle_;
};

/* An audio session: its configuration, and its state among all sessions on the computer. */
class Session {
public:
    /* Called in Manager::dispatch or on a thread of the library. The event's pointers are valid
     * until it returns. */
    using Handler = std::function<void(const as_event &)>;

    explicit Session(const Configuration &configuration, const Manager &manager = Manager())
        : manager_(manager.handle_) {
        if (!manager_) return;
        const as_configuration value = configuration.c();
        as_error error = AS_ERROR_INIT;
        as_session *handle = nullptr;
        detail::check(as_session_create(manager_.get(), &value, &handle, &error), error);
        handle_.reset(handle);
    }

    Session(Session &&) = default;

    ~Session() { detail::release(handle_, handler_); }

    /* The replaced session is destroyed before its handler and its connection. */
    Session &operator=(Session &&other) noexcept {
        if (this == &other) return *this;
        detail::release(handle_, handler_);
        handle_ = std::move(other.handle_);
        handler_ = std::move(other.handler_);
        manager_ = std::move(other.manager_);
        return *this;
    }

    /* Sets the handler of all further events. An empty one ends that. */
    void on_event(Handler handler) {
        if (!handle_) return;
        std::shared_ptr<Stored> next = detail::stored(std::move(handler));
        detail::check(as_session_set_handler(handle_.get(), next ? &Session::receive : nullptr, next.get()));
        handler_ = std::move(next);
    }

    /* Activates the session, and waits until PipeWire has granted that. A program that renders by
     * itself also calls this when it plays again after AS_EVENT_BECAME_NOISY. */
    void activate() { call([](as_session *session, as_error *error) { return as_session_activate(session, error); }); }

    /* Deactivates the session. With notify_others the sessions that it interrupted may resume. */
    void deactivate(bool notify_others = true) {
        call([=](as_session *session, as_error *error) { return as_session_deactivate(session, notify_others, error); });
    }

    /* Activates the session until the last hold on it is destroyed. */
    Hold hold() {
        as_hold *hold = nullptr;
        call([&](as_session *session, as_error *error) { return as_session_hold(session, &hold, error); });
        return Hold(hold);
    }

    /* Activates an active session with the new configuration. On an error the old one stays. */
    void configure(const Configuration &configuration) {
        const as_configuration value = configuration.c();
        call([&](as_session *session, as_error *error) { return as_session_configure(session, &value, error); });
    }

    /* Prefers one of Manager::available_ports; an empty uid prefers none. */
    void set_preferred_port(as_direction direction, const std::string &uid) {
        call([&](as_session *session, as_error *error) {
            return as_session_set_preferred_port(session, direction, detail::pointer(uid), error);
        });
    }

    /* A snapshot of the session. Without the library it is inactive, at full gain. */
    as_session_info info() const {
        as_session_info info = AS_SESSION_INFO_INIT;
        info.gain = 1;
        if (handle_) detail::check(as_session_get_info(handle_.get(), &info));
        return info;
    }

    /* The gain from ducking and silent mode, 0 to 1, by which samples are multiplied. */
    float gain() const { return info().gain; }

    /* Whether another program plays, with a session or without; false right after the session was made. */
    bool is_other_audio_playing() const { return info().is_other_audio_playing; }

    Route route() const {
        as_route *route = nullptr;
        if (handle_) detail::check(as_session_get_route(handle_.get(), &route));
        return detail::taken(route);
    }

    /* The most important reason first; none if the session sounds at full gain. */
    std::vector<SilenceReason> silence_reasons() const {
        std::vector<SilenceReason> found;
        as_silence_reasons *handle = nullptr;
        if (handle_) detail::check(as_session_get_silence_reasons(handle_.get(), &handle));
        const detail::Owned<as_silence_reasons> reasons(handle);
        for (uint32_t i = 0; i < as_silence_reasons_count(handle); i++) {
            as_silence_reason reason = AS_SILENCE_REASON_INIT;
            detail::check(as_silence_reasons_get(handle, i, &reason));
            found.push_back(SilenceReason{reason.kind, reason.gain, detail::text(reason.cause_name), reason.cause_pid});
        }
        return found;
    }

    /* For functions of the C header; null without the library. */
    as_session *c() const noexcept { return handle_.get(); }

private:
    template <typename Handle> friend class detail::Stream;
    using Stored = detail::StoredHandler<as_event>;

    static void receive(as_session *, const as_event *event, void *handler) noexcept {
        Stored::call(handler, *event);
    }

    template <typename Function> void call(Function function) {
        if (!handle_) return;
        as_error error = AS_ERROR_INIT;
        detail::check(function(handle_.get(), &error), error);
    }

    std::shared_ptr<as_manager> manager_;
    std::shared_ptr<Stored> handler_;
    detail::Owned<as_session> handle_;
};

/* A sound file in a player's queue. */
struct Item {
    std::string path;     /* as the program passed it */
    std::string name;     /* the file's name without its folders, for display */
    std::string title;    /* from the file's tags; empty without one, as is the artist */
    std::string artist;
    std::string encoding; /* such as "FLAC", for display */
    int32_t sample_rate;
    int32_t channels;
    uint64_t frames;
    double duration; /* in seconds */
};

/* The options of an output. Zeros and empty strings are the library's defaults. */
struct OutputOptions {
    int32_t sample_rate = 0;      /* 1 to 768,000 frames per second; 0 takes the hardware's */
    int32_t channels = 0;         /* 1 to 8; 0 takes the hardware's */
    uint32_t buffer_duration = 0; /* the length of the ring, 1 to 10,000 milliseconds; 0 for 200 */
    as_role role = AS_ROLE_MUSIC;
    bool reports_late_callbacks = false; /* for debugging: measures each call of the callback */
    std::string title;                   /* the stream's name in mixers */
    std::string application_name;        /* the program's name in mixers; empty takes the manager's */
    std::string node_name;

    /* The struct points to the strings of these options. */
    as_output_options c() const {
        as_output_options value = AS_OUTPUT_OPTIONS_INIT;
        value.sample_rate = sample_rate;
        value.channels = channels;
        value.buffer_duration = buffer_duration;
        value.role = role;
        value.reports_late_callbacks = reports_late_callbacks;
        value.title = detail::pointer(title);
        value.application_name = detail::pointer(application_name);
        value.node_name = detail::pointer(node_name);
        return value;
    }
};

/* The options of an input. Zeros and empty strings are the library's defaults. */
struct InputOptions {
    int32_t sample_rate = 0;                   /* 1 to 768,000 frames per second; 0 takes the hardware's */
    int32_t channels = 0;                      /* 1 to 8; 0 takes the hardware's */
    uint32_t buffer_duration = 0;              /* captured frames kept for read(), in milliseconds; 0 for 1,000 */
    bool stops_when_lost = false;              /* a lost microphone stops it; otherwise another one replaces it */
    bool prefers_echo_cancelled_input = false; /* removes the session's output from what is captured */
    std::string title;                         /* the stream's name in mixers */
    std::string application_name;              /* the program's name in mixers; empty takes the manager's */
    std::string node_name;

    /* The struct points to the strings of these options. */
    as_input_options c() const {
        as_input_options value = AS_INPUT_OPTIONS_INIT;
        value.sample_rate = sample_rate;
        value.channels = channels;
        value.buffer_duration = buffer_duration;
        value.stops_when_lost = stops_when_lost;
        value.prefers_echo_cancelled_input = prefers_echo_cancelled_input;
        value.title = detail::pointer(title);
        value.application_name = detail::pointer(application_name);
        value.node_name = detail::pointer(node_name);
        return value;
    }
};

/* The options of a player. Empty strings are the library's defaults. */
struct PlayerOptions {
    as_role role = AS_ROLE_MUSIC;
    std::string application_name; /* the program's name in mixers; empty takes the manager's */
    std::string node_name;

    /* The struct points to the strings of these options. */
    as_player_options c() const {
        as_player_options value = AS_PLAYER_OPTIONS_INIT;
        value.role = role;
        value.application_name = detail::pointer(application_name);
        value.node_name = detail::pointer(node_name);
        return value;
    }
};

/* The options of a recorder. Zeros and empty strings are the library's defaults. */
struct RecorderOptions {
    int32_t sample_rate = 0;                   /* in frames per second; 0 for 48,000 */
    int32_t channels = 0;                      /* 1 to 8; 0 for 1 */
    int32_t bits_per_sample = 0;               /* of a file, 16 or 24; 0 for 16 */
    uint32_t buffer_duration = 0;              /* captured frames kept for read(), in milliseconds; 0 for 1,000 */
    uint32_t file_permissions = 0;             /* less those of the umask; 0 for 0600 */
    bool continues_after_interruption = false; /* an interruption pauses a recording, and does not end it */
    bool follows_symbolic_links = false;       /* records to the file that a link names; otherwise links fail */
    bool prefers_echo_cancelled_input = false; /* removes the session's output from what is captured */
    std::string application_name;              /* the program's name in mixers; empty takes the manager's */
    std::string node_name;

    /* The struct points to the strings of these options. */
    as_recorder_options c() const {
        as_recorder_options value = AS_RECORDER_OPTIONS_INIT;
        value.sample_rate = sample_rate;
        value.channels = channels;
        value.bits_per_sample = bits_per_sample;
        value.buffer_duration = buffer_duration;
        value.file_permissions = file_permissions;
        value.continues_after_interruption = continues_after_interruption;
        value.follows_symbolic_links = follows_symbolic_links;
        value.prefers_echo_cancelled_input = prefers_echo_cancelled_input;
        value.application_name = detail::pointer(application_name);
        value.node_name = detail::pointer(node_name);
        return value;
    }
};

namespace detail {

/* The functions that outputs, inputs, players and recorders share, by the type of the handle. */
inline as_status set_handler(as_output *output, as_output_handler handler, void *data) {
    return as_output_set_handler(output, handler, data);
}
inline as_status set_handler(as_input *input, as_input_handler handler, void *data) {
    return as_input_set_handler(input, handler, data);
}
inline as_status set_handler(as_player *player, as_player_handler handler, void *data) {
    return as_player_set_handler(player, handler, data);
}
inline as_status set_handler(as_recorder *recorder, as_recorder_handler handler, void *data) {
    return as_recorder_set_handler(recorder, handler, data);
}
inline as_status get_statistics(as_output *output, as_stream_statistics *statistics, as_error *error) {
    return as_output_get_statistics(output, statistics, error);
}
inline as_status get_statistics(as_input *input, as_stream_statistics *statistics, as_error *error) {
    return as_input_get_statistics(input, statistics, error);
}
inline as_status get_statistics(as_player *player, as_stream_statistics *statistics, as_error *error) {
    return as_player_get_statistics(player, statistics, error);
}
inline as_status get_statistics(as_recorder *recorder, as_stream_statistics *statistics, as_error *error) {
    return as_recorder_get_statistics(recorder, statistics, error);
}
inline as_status get_route(const as_output *output, as_route **route) { return as_output_get_route(output, route); }
inline as_status get_route(const as_input *input, as_route **route) { return as_input_get_route(input, route); }
inline as_status get_route(const as_player *player, as_route **route) { return as_player_get_route(player, route); }
inline as_status get_route(const as_recorder *recorder, as_route **route) {
    return as_recorder_get_route(recorder, route);
}
inline as_status get_info(const as_input *input, as_input_info *info) { return as_input_get_info(input, info); }
inline as_status get_info(const as_recorder *recorder, as_input_info *info) {
    return as_recorder_get_info(recorder, info);
}
inline as_status get_level(as_input *input, uint32_t channel, as_level *level, as_error *error) {
    return as_input_get_level(input, channel, level, error);
}
inline as_status get_level(as_recorder *recorder, uint32_t channel, as_level *level, as_error *error) {
    return as_recorder_get_level(recorder, channel, level, error);
}
inline as_status read(
    as_input *input, float *samples, uint32_t frames, uint32_t limit, uint32_t *count, as_error *error) {
    return as_input_read(input, samples, frames, limit, count, error);
}
inline as_status read(
    as_recorder *recorder, float *samples, uint32_t frames, uint32_t limit, uint32_t *count, as_error *error) {
    return as_recorder_read(recorder, samples, frames, limit, count, error);
}

/* What an Output, Input, Player and Recorder have in common. A stream can be moved, and not
 * copied. It keeps the connection open, but not its session: a stream whose session was
 * destroyed is silent. */
template <typename Handle> class Stream {
public:
    /* Called in Manager::dispatch or on a thread of the library. The event's pointers are valid
     * until it returns. */
    using Handler = std::function<void(const as_stream_event &)>;

    Stream(Stream &&) = default;

    ~Stream() { release(handle_, handler_); }

    /* The replaced stream is destroyed before its handler and its connection. */
    Stream &operator=(Stream &&other) noexcept {
        if (this == &other) return *this;
        release(handle_, handler_);
        handle_ = std::move(other.handle_);
        handler_ = std::move(other.handler_);
        manager_ = std::move(other.manager_);
        return *this;
    }

    /* Sets the handler of all further events. An empty one ends that. */
    void on_event(Handler handler) {
        if (!handle_) return;
        std::shared_ptr<Stored> next = stored(std::move(handler));
        check(set_handler(handle_.get(), next ? &Stream::receive : nullptr, next.get()));
        handler_ = std::move(next);
    }

    /* The latency, and what the real-time thread did. */
    as_stream_statistics statistics() const {
        as_stream_statistics statistics = AS_STREAM_STATISTICS_INIT;
        call([&](Handle *handle, as_error *error) { return get_statistics(handle, &statistics, error); });
        return statistics;
    }

    /* The route of the stream: of the session's output, or the microphone in use or the last
     * one. */
    Route route() const {
        as_route *route = nullptr;
        if (handle_) check(get_route(handle_.get(), &route));
        return taken(route);
    }

    /* For functions of the C header; null without the library. */
    Handle *c() const noexcept { return handle_.get(); }

protected:
    explicit Stream(const Session &session) : manager_(session.manager_) {}

    /* Takes the handle that `function` makes. */
    template <typename Function> void create(const Session &session, Function function) {
        if (!session.c()) return;
        as_error error = AS_ERROR_INIT;
        Handle *handle = nullptr;
        check(function(session.c(), &handle, &error), error);
        handle_.reset(handle);
    }

    template <typename Function> void call(Function function) const {
        if (!handle_) return;
        as_error error = AS_ERROR_INIT;
        check(function(handle_.get(), &error), error);
    }

    /* Calls a function that has a limit, and returns false if that has passed. */
    template <typename Function> bool call_within_limit(Function function) const {
        if (!handle_) return true;
        as_error error = AS_ERROR_INIT;
        const as_status status = function(handle_.get(), &error);
        if (status != AS_ERROR_TIMED_OUT) check(status, error);
        return status == AS_OK;
    }

private:
    using Stored = StoredHandler<as_stream_event>;

    static void receive(Handle *, const as_stream_event *event, void *handler) noexcept {
        Stored::call(handler, *event);
    }

    std::shared_ptr<as_manager> manager_;
    std::shared_ptr<Stored> handler_;
    Owned<Handle> handle_;
};

/* What an Input and a Recorder have in common. */
template <typename Handle> class Capture : public Stream<Handle> {
public:
    /* Reads frames of interleaved samples, and waits until they were captured, for at most
     * `limit` milliseconds. Returns how many frames it has read: fewer than all at the limit, or
     * when capturing was stopped; 0 at once without the library. Throws AS_ERROR_STOPPED if
     * nothing is captured and nothing is left, and AS_ERROR_BAD_PARAM with a callback. */
    uint32_t read(float *samples, uint32_t frames, uint32_t limit = AS_FOREVER) {
        uint32_t count = 0;
        this->call_within_limit([&](Handle *handle, as_error *error) {
            const as_status status = detail::read(handle, samples, frames, limit, &count, error);
            return status == AS_ERROR_STOPPED && count > 0 ? AS_OK : status;
        });
        return count;
    }

    /* How loud a channel is, counted from 0; silence while nothing is captured. */
    as_level level(uint32_t channel = 0) const {
        as_level level = AS_LEVEL_INIT;
        this->call([&](Handle *handle, as_error *error) { return get_level(handle, channel, &level, error); });
        return level;
    }

    /* A snapshot of the stream. */
    as_input_info info() const {
        as_input_info info = AS_INPUT_INFO_INIT;
        if (this->c()) check(get_info(this->c(), &info));
        return info;
    }

protected:
    explicit Capture(const Session &session) : Stream<Handle>(session) {}
};

} // namespace detail

/* Plays what the program renders: what it writes to a ring, or what a callback renders.
 * Docs/YourOwnSound.md describes what an output does by itself. Samples are 32-bit floating
 * point numbers, interleaved; full scale is 1. */
class Output : public detail::Stream<as_output> {
public:
    /* Makes an output that plays what is written to it. Starts nothing. */
    explicit Output(const Session &session, const OutputOptions &options = OutputOptions()) : Stream(session) {
        const as_output_options value = options.c();
        create(session, [&](as_session *session, as_output **output, as_error *error) {
            return as_output_create(session, &value, output, error);
        });
    }

    /* Makes an output that plays what `render` renders. PipeWire's real-time thread calls it with
     * the context once a cycle while the output runs. The sound of all programs waits for it, so it
     * must not lock, allocate, make system calls or wait: it is a function of C, and no
     * std::function. The context has to be valid until the output is destroyed. Starts nothing. */
    Output(
        const Session &session, as_render_function render, void *context,
        const OutputOptions &options = OutputOptions())
        : Stream(session) {
        const as_output_options value = options.c();
        create(session, [&](as_session *session, as_output **output, as_error *error) {
            return as_output_create_with_callback(session, &value, render, context, nullptr, output, error);
        });
    }

    /* Starts playing, or continues after a pause, and activates an inactive session first. While
     * the session is interrupted the request is kept. Throws AS_ERROR_INCOMPATIBLE_CATEGORY, or
     * what Session::activate throws. */
    void start() { call(as_output_start); }

    /* Stops, and drops what was written and not played. A write that waits throws
     * AS_ERROR_STOPPED. */
    void stop() { call(as_output_stop); }

    /* Writes frames, and waits until all of them are in the ring, also through a pause, for at
     * most `limit` milliseconds. Returns how many frames it has written: fewer than all at the
     * limit; 0 at once without the library. Throws AS_ERROR_STOPPED unless the output was
     * started. */
    uint32_t write(const float *samples, uint32_t frames, uint32_t limit = AS_FOREVER) {
        uint32_t written = 0;
        call_within_limit([&](as_output *output, as_error *error) {
            return as_output_write(output, samples, frames, limit, &written, error);
        });
        return written;
    }

    /* Writes the frames for which the ring has room, without waiting, and returns how many: for
     * game loops. */
    uint32_t write_available(const float *samples, uint32_t frames) {
        uint32_t written = 0;
        call([&](as_output *output, as_error *error) {
            return as_output_write_available(output, samples, frames, &written, error);
        });
        return written;
    }

    /* Waits until all that was written was played, for at most `limit` milliseconds. Returns
     * false at the limit. Throws as write(). */
    bool drain(uint32_t limit = AS_FOREVER) {
        return call_within_limit(
            [&](as_output *output, as_error *error) { return as_output_drain(output, limit, error); });
    }

    /* Drops what was written and not played. What is written next is heard next. */
    void flush() {
        if (c()) detail::check(as_output_flush(c()));
    }

    /* Sets the output's own volume, 0 to 1 as the desktop's sliders count it. */
    void set_volume(float volume) {
        call([&](as_output *output, as_error *error) { return as_output_set_volume(output, volume, error); });
    }

    /* A snapshot of the output: its state, its position and the frames that were missing. */
    as_output_info info() const {
        as_output_info info = AS_OUTPUT_INFO_INIT;
        if (c()) detail::check(as_output_get_info(c(), &info));
        return info;
    }
};

/* Captures what the microphone hears: for reads, or for a callback. The session's category has
 * to record. */
class Input : public detail::Capture<as_input> {
public:
    /* Makes an input for read(). Starts nothing. */
    explicit Input(const Session &session, const InputOptions &options = InputOptions()) : Capture(session) {
        const as_input_options value = options.c();
        create(session, [&](as_session *session, as_input **input, as_error *error) {
            return as_input_create(session, &value, input, error);
        });
    }

    /* Makes an input that captures for `receive`, to which the rules of an output's render
     * function apply. Starts nothing. */
    Input(
        const Session &session, as_receive_function receive, void *context,
        const InputOptions &options = InputOptions())
        : Capture(session) {
        const as_input_options value = options.c();
        create(session, [&](as_session *session, as_input **input, as_error *error) {
            return as_input_create_with_callback(session, &value, receive, context, nullptr, input, error);
        });
    }

    /* Whether PipeWire's echo canceller is installed; false without the library. Takes some
     * milliseconds. */
    static bool is_echo_canceller_available() {
        bool is_available = false;
        if (audiosession::is_available()) detail::check(as_input_get_echo_canceller_available(&is_available));
        return is_available;
    }

    /* Starts capturing, or continues after an interruption, and activates an inactive session
     * first. The start of a stopped input drops frames that were captured before and not read.
     * Throws AS_ERROR_NO_MICROPHONE, AS_ERROR_INCOMPATIBLE_CATEGORY,
     * AS_ERROR_ECHO_CANCELLER_MISSING, what Session::activate throws, and of a stopped input
     * AS_ERROR_SESSION_NOT_ACTIVE while another session interrupts. */
    void start() { call(as_input_start); }

    /* Stops capturing. Frames that were captured before can be read until the next start. */
    void stop() { call(as_input_stop); }
};

/* Plays a queue of sound files (WAV, FLAC, Ogg, Opus, MP3 and all others of libsndfile). */
class Player : public detail::Stream<as_player> {
public:
    /* Makes a player with an empty queue. */
    explicit Player(const Session &session, const PlayerOptions &options = PlayerOptions()) : Stream(session) {
        const as_player_options value = options.c();
        create(session, [&](as_session *session, as_player **player, as_error *error) {
            return as_player_create(session, &value, player, error);
        });
    }

    /* Replaces the queue by files, which are paths or file URLs, and stops at the beginning of
     * the first. Throws the error of the first file that cannot be played, such as
     * AS_ERROR_FILE_NOT_FOUND; the queue then stays. */
    void load(const std::vector<std::string> &paths) { queue_with(as_player_load, paths); }

    /* Appends files to the queue. Throws as load(). */
    void enqueue(const std::vector<std::string> &paths) { queue_with(as_player_enqueue, paths); }

    /* Plays, or continues, and activates an inactive session first. While the session is
     * interrupted the request is kept. Throws AS_ERROR_NOTHING_LOADED,
     * AS_ERROR_INCOMPATIBLE_CATEGORY, or what Session::activate throws. */
    void play() { call(as_player_play); }

    /* Pauses at the next frame. */
    void pause() { call(as_player_pause); }

    /* Stops, and returns to the beginning of the current file. */
    void stop() { call(as_player_stop); }

    /* Moves to a time in the current file, in seconds from its beginning. */
    void seek(double seconds) {
        call([&](as_player *player, as_error *error) { return as_player_seek(player, seconds, error); });
    }

    /* Moves to the beginning of a file of the queue, counted from 0. Throws
     * AS_ERROR_NO_SUCH_ITEM. */
    void skip(uint32_t index) {
        call([&](as_player *player, as_error *error) { return as_player_skip(player, index, error); });
    }

    /* Moves to the next file. Throws AS_ERROR_NO_SUCH_ITEM at the last one. */
    void skip_to_next() { call(as_player_skip_to_next); }

    /* Moves to the previous file. Throws AS_ERROR_NO_SUCH_ITEM at the first one. */
    void skip_to_previous() { call(as_player_skip_to_previous); }

    /* Sets the player's own volume, 0 to 1 as the desktop's sliders count it. */
    void set_volume(float volume) {
        call([&](as_player *player, as_error *error) { return as_player_set_volume(player, volume, error); });
    }

    /* A snapshot of the player: its state, the current file and the position in it. */
    as_player_info info() const {
        as_player_info info = AS_PLAYER_INFO_INIT;
        if (c()) detail::check(as_player_get_info(c(), &info));
        return info;
    }

    /* The files of the queue in their order, also those that were played. */
    std::vector<Item> queue() const {
        std::vector<Item> found;
        as_items *handle = nullptr;
        if (c()) detail::check(as_player_get_queue(c(), &handle));
        const detail::Owned<as_items> items(handle);
        for (uint32_t i = 0; i < as_items_count(handle); i++) {
            as_item item = AS_ITEM_INIT;
            detail::check(as_items_get(handle, i, &item));
            found.push_back(Item{
                detail::text(item.path), detail::text(item.name), detail::text(item.title), detail::text(item.artist),
                detail::text(item.encoding), item.sample_rate, item.channels, item.frames, item.duration});
        }
        return found;
    }

private:
    template <typename Function> void queue_with(Function function, const std::vector<std::string> &paths) {
        std::vector<const char *> pointers;
        for (const std::string &path : paths) pointers.push_back(detail::checked(path).c_str());
        call([&](as_player *player, as_error *error) {
            return function(player, pointers.data(), static_cast<uint32_t>(pointers.size()), error);
        });
    }
};

/* Records the session's input to a WAV or FLAC file, for read(), or both. The session's category
 * has to record. */
class Recorder : public detail::Capture<as_recorder> {
public:
    /* Makes a recorder, which records nothing yet. */
    explicit Recorder(const Session &session, const RecorderOptions &options = RecorderOptions()) : Capture(session) {
        const as_recorder_options value = options.c();
        create(session, [&](as_session *session, as_recorder **recorder, as_error *error) {
            return as_recorder_create(session, &value, recorder, error);
        });
    }

    /* Starts a recording to a file, which replaces one that exists, and activates an inactive
     * session first. An empty path records without a file. Frames of an earlier recording that
     * were not read are dropped. Throws AS_ERROR_CANNOT_WRITE, AS_ERROR_ALREADY_RECORDING,
     * AS_ERROR_UNSUPPORTED_RECORDING_FORMAT, or what Input::start throws. */
    void record(const std::string &path = std::string(), as_file_type type = AS_FILE_BY_NAME) {
        call([&](as_recorder *recorder, as_error *error) {
            return as_recorder_record(recorder, detail::pointer(path), type, error);
        });
    }

    /* Pauses the recording, whose file is complete soon after. */
    void pause() { call(as_recorder_pause); }

    /* Continues a paused recording in the same file. Throws AS_ERROR_NOT_PAUSED, or what record()
     * throws. */
    void resume() { call(as_recorder_resume); }

    /* Ends the recording, waits until its file is complete, and returns the result of the last
     * recording: what is in the file, also after a failure, or the frames and the duration of a
     * recording without a file. All members are 0 if there was no recording. */
    as_recording stop() {
        as_recording recording = AS_RECORDING_INIT;
        call([&](as_recorder *recorder, as_error *error) { return as_recorder_stop(recorder, &recording, error); });
        return recording;
    }
};

} // namespace audiosession
#endif
