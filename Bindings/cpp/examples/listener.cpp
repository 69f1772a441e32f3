// A session that executes lines of input, as Examples/c/listener.c does, without libaudiosession to
// build with:
//
//     cc -c audiosession-loader.c
//     c++ listener.cpp audiosession-loader.o -o listener
//     ./listener NAME
//
// Lines of input: activate, deactivate, silently (deactivates without advice to resume).
#include "audiosession.hpp"

#include <iostream>

// Names come from other programs and from devices, and a terminal executes control characters, so
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

static void tell(const as_event &event) {
    switch (event.type) {
    case AS_EVENT_INTERRUPTION_BEGAN:
        std::cout << "interrupted by " << clean(event.cause_name ? event.cause_name : "another program") << std::endl;
        break;
    case AS_EVENT_INTERRUPTION_ENDED:
        std::cout << (event.should_resume ? "may resume" : "stays silent") << std::endl;
        break;
    case AS_EVENT_BECAME_NOISY: std::cout << "paused: " << clean(event.port->name) << " is gone" << std::endl; break;
    case AS_EVENT_DUCKING: std::cout << "gain " << event.gain << std::endl; break;
    default: break; // there will be more
    }
}

int main(int count, char **arguments) try {
    if (!audiosession::is_available()) std::cerr << audiosession::problem() << std::endl;
    audiosession::Session session(audiosession::interrupt(), audiosession::Manager(count > 1 ? arguments[1] : ""));
    session.on_event(tell);
    std::cout << "ready" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            if (line == "activate") session.activate();
            if (line == "deactivate" || line == "silently") session.deactivate(line == "deactivate");
            std::cout << "done" << std::endl;
        } catch (const audiosession::Error &error) {
            std::cout << clean(error.what()) << std::endl;
        }
    }
} catch (const audiosession::Error &error) {
    std::cerr << clean(error.what()) << std::endl;
    return 1;
}
