// The same as listener.c in C++: handles that give themselves back, errors that are thrown, a handler that is a lambda.
//
//     c++ -std=c++17 listener.cpp -o listener $(pkg-config --cflags --libs audiosession)
#include <audiosession.h>

#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

// Names of other programs and devices may contain control characters, which a terminal executes, so
// they become ?. Those of Unicode begin with C2 and are below A0.
static std::string clean(const char *name) {
    std::string text;
    for (; *name; name++) {
        unsigned char byte = *name, next = name[1];
        bool is_unicode = byte == 0xC2 && next >= 0x80 && next < 0xA0;
        text += byte < ' ' || byte == 0x7F || is_unicode ? '?' : *name;
        if (is_unicode) name++;
    }
    return text;
}

struct Manager {
    explicit Manager(const char *name, const char *remote) {
        as_manager_options options = AS_MANAGER_OPTIONS_INIT;
        as_error error = AS_ERROR_INIT;
        options.application_name = name;
        options.remote = remote;
        if (as_manager_open(&options, &handle, &error) != AS_OK) throw std::runtime_error(error.message);
    }
    ~Manager() { as_manager_close(handle); }
    Manager(const Manager &) = delete;
    as_manager *handle = nullptr;
};

class Session {
public:
    using Handler = std::function<void(const as_event &)>;

    Session(const Manager &manager, as_category category, Handler handler) : handler(std::move(handler)) {
        as_configuration configuration = AS_CONFIGURATION_INIT;
        as_error error = AS_ERROR_INIT;
        configuration.category = category;
        if (as_session_create(manager.handle, &configuration, &handle, &error) != AS_OK)
            throw std::runtime_error(error.message);
        as_session_set_handler(handle, [](as_session *, const as_event *event, void *self) {
            static_cast<Session *>(self)->handler(*event);
        }, this);
    }
    ~Session() { as_session_destroy(handle); } // the handler is not called after that
    Session(const Session &) = delete;

    void activate() {
        as_error error = AS_ERROR_INIT;
        if (as_session_activate(handle, &error) != AS_OK) throw std::runtime_error(error.message);
    }
    void deactivate(bool notify) {
        as_error error = AS_ERROR_INIT;
        if (as_session_deactivate(handle, notify, &error) != AS_OK) throw std::runtime_error(error.message);
    }

private:
    Handler handler;
    as_session *handle = nullptr;
};

int main(int count, char **arguments) try {
    Manager manager(count > 1 ? arguments[1] : nullptr, count > 2 ? arguments[2] : nullptr);
    Session session(manager, AS_CATEGORY_PLAYBACK, [](const as_event &event) {
        if (event.type == AS_EVENT_INTERRUPTION_BEGAN)
            std::cout << "interrupted by " << clean(event.cause_name ? event.cause_name : "another program") << std::endl;
        if (event.type == AS_EVENT_INTERRUPTION_ENDED)
            std::cout << (event.should_resume ? "may resume" : "stays silent") << std::endl;
        if (event.type == AS_EVENT_BECAME_NOISY)
            std::cout << "paused: " << clean(event.port->name) << " is gone" << std::endl;
    });
    std::cout << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            if (line == "activate") session.activate();
            if (line == "deactivate") session.deactivate(true);
            if (line == "silently") session.deactivate(false);
            std::cout << "done" << std::endl;
        } catch (const std::runtime_error &error) {
            std::cout << clean(error.what()) << std::endl;
        }
    }
} catch (const std::exception &error) {
    std::cerr << clean(error.what()) << std::endl;
    return 1;
}
