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

// printf writes a line as a whole, also while another thread writes one.
static void print(const as_stream_event &event) {
    switch (event.type) {
    case AS_STREAM_EVENT_STATE_CHANGED:
        if (event.state == AS_STREAM_RUNNING) std::puts("plays");
        else if (event.pause_reason == AS_PAUSE_INTERRUPTED) std::puts("paused: interrupted");
        else if (event.state == AS_STREAM_PAUSED) std::puts("paused");
        break;
    case AS_STREAM_EVENT_ITEM_CHANGED:
        if (event.item) std::printf("%s: %g s\n", event.item->name, event.item->duration);
        break;
    case AS_STREAM_EVENT_POSITION_CHANGED: std::printf("at %g s\n", event.position); break;
    case AS_STREAM_EVENT_FINISHED: std::puts("finished"); break;
    case AS_STREAM_EVENT_BECAME_NOISY: std::printf("%s is gone\n", event.port->name); break;
    case AS_STREAM_EVENT_FAILED: std::puts(event.message); break;
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
