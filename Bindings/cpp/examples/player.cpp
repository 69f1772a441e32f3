// Plays sound files in its session's turn, and prints what happens to them, without libaudiosession
// to build with:
//
//     cc -c audiosession-loader.c
//     c++ player.cpp audiosession-loader.o -o player -pthread
//     ./player NAME FILE...
//
// Lines of input: pause, play, stop, or the seconds to move to. The end of the input ends the program.
#include "audiosession.hpp"

#include <cstdio>
#include <cstdlib>
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

// printf writes a line as a whole, also while another thread writes one.
static void print(const as_stream_event &event) {
    switch (event.type) {
    case AS_STREAM_EVENT_STATE_CHANGED:
        if (event.state == AS_STREAM_RUNNING) std::puts("plays");
        else if (event.pause_reason == AS_PAUSE_INTERRUPTED) std::puts("paused: interrupted");
        else if (event.state == AS_STREAM_PAUSED) std::puts("paused");
        break;
    case AS_STREAM_EVENT_ITEM_CHANGED:
        if (event.item) std::printf("%s: %g s\n", clean(event.item->name).c_str(), event.item->duration);
        break;
    case AS_STREAM_EVENT_POSITION_CHANGED: std::printf("at %g s\n", event.position); break;
    case AS_STREAM_EVENT_FINISHED: std::puts("finished"); break;
    case AS_STREAM_EVENT_BECAME_NOISY: std::printf("%s is gone\n", clean(event.port->name).c_str()); break;
    case AS_STREAM_EVENT_FAILED: std::puts(clean(event.message).c_str()); break;
    default: break; // there will be more
    }
}

int main(int count, char **arguments) try {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (!audiosession::is_available()) std::cerr << audiosession::problem() << std::endl;
    audiosession::Session session(audiosession::interrupt(), audiosession::Manager(count > 1 ? arguments[1] : ""));
    audiosession::Player player(session);
    player.on_event(print);
    player.load(std::vector<std::string>(arguments + (count > 1 ? 2 : 1), arguments + count));
    player.play();
    std::puts("ready");
    for (std::string line; std::getline(std::cin, line);) {
        if (line == "pause") player.pause();
        else if (line == "play") player.play();
        else if (line == "stop") player.stop();
        else player.seek(std::atoi(line.c_str()));
        std::puts("done");
    }
} catch (const audiosession::Error &error) {
    std::cerr << error.what() << std::endl;
    return 1;
}
