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
 * Without the installed library no call has an effect: is_available() is false, and problem() has the reason. Other
 * failures, such as a missing PipeWire, throw audiosession::Error. Threads are as in the C header. */
#ifndef AUDIOSESSION_HPP
#define AUDIOSESSION_HPP

#ifndef AUDIOSESSION_H
#include "audiosession-loader.h"
#define AUDIOSESSION_IS_LOADED 1
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
#ifdef AUDIOSESSION_IS_LOADED
    return as_loader_is_available();
#else
    return true;
#endif
}

/* The reason why the library was not loaded; empty if it was. */
inline std::string problem() {
#ifdef AUDIOSESSION_IS_LOADED
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

struct Give {
    void operator()(as_manager *manager) const noexcept { as_manager_close(manager); }
    void operator()(as_session *session) const noexcept { as_session_destroy(session); }
    void operator()(as_hold *hold) const noexcept { as_hold_end(hold); }
    void operator()(as_route *route) const noexcept { as_route_free(route); }
    void operator()(as_silence_reasons *reasons) const noexcept { as_silence_reasons_free(reasons); }
};

template <typename Handle> using Owned = std::unique_ptr<Handle, Give>;

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
    std::string group; /* empty: the group is the process */

    /* The struct points to this configuration's group. */
    as_configuration c() const {
        as_configuration value = AS_CONFIGURATION_INIT;
        value.category = category;
        value.mode = mode;
        value.options = options;
        value.policy = policy;
        value.priority = priority;
        value.group = group.empty() ? nullptr : group.c_str();
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

/* The connection to PipeWire. It is closed with the last session that uses it. */
class Manager {
public:
    /* With an empty name PipeWire chooses the program's name. A timeout of 0 is 5 seconds. */
    explicit Manager(const std::string &application_name = std::string(), uint32_t timeout_milliseconds = 0) {
        if (!is_available()) return;
        as_manager_options options = AS_MANAGER_OPTIONS_INIT;
        options.application_name = application_name.empty() ? nullptr : application_name.c_str();
        options.timeout = timeout_milliseconds;
        as_error error = AS_ERROR_INIT;
        as_manager *handle = nullptr;
        detail::check(as_manager_open(&options, &handle, &error), error);
        handle_ = std::shared_ptr<as_manager>(handle, detail::Give());
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
    /* Called on a thread of the library. The event's pointers are valid until it returns. */
    using Handler = std::function<void(const as_event &)>;

    explicit Session(const Configuration &configuration, const Manager &manager = Manager())
        : manager_(manager.handle_), handler_(new Handler) {
        if (!manager_) return;
        const as_configuration value = configuration.c();
        as_error error = AS_ERROR_INIT;
        as_session *handle = nullptr;
        detail::check(as_session_create(manager_.get(), &value, &handle, &error), error);
        handle_.reset(handle);
    }

    /* Sets the handler of all further events. An empty one ends that. Not allowed in a handler. */
    void on_event(Handler handler) {
        if (!handle_) return;
        detail::check(as_session_set_handler(handle_.get(), nullptr, nullptr));
        *handler_ = std::move(handler);
        if (*handler_) detail::check(as_session_set_handler(handle_.get(), &Session::receive, handler_.get()));
    }

    /* Activates the session, and waits until PipeWire has granted that. */
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
            return as_session_set_preferred_port(session, direction, uid.empty() ? nullptr : uid.c_str(), error);
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

    /* Whether another program plays, with a session or without; false until the session was first activated. */
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
    static void receive(as_session *, const as_event *event, void *handler) {
        (*static_cast<Handler *>(handler))(*event);
    }

    template <typename Function> void call(Function function) {
        if (!handle_) return;
        as_error error = AS_ERROR_INIT;
        detail::check(function(handle_.get(), &error), error);
    }

    std::shared_ptr<as_manager> manager_;
    std::unique_ptr<Handler> handler_;
    /* Destroyed first, after which the handler is no longer called. */
    detail::Owned<as_session> handle_;
};

} // namespace audiosession
#endif
