// Plays a tone in its session's turn, and prints what happens to it, without libaudiosession to
// build with:
//
//     cc -c audiosession-loader.c
//     c++ tone.cpp audiosession-loader.o -o tone -pthread
//     ./tone NAME
//
// Each line of input prints how many frames were played. The end of the input ends the program.
#include "audiosession.hpp"

#include <cmath>
#include <cstdio>
#include <iostream>
#include <thread>

static const int RATE = 48000;

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
        else std::puts(event.state == AS_STREAM_PAUSED ? "paused" : "stopped");
        break;
    case AS_STREAM_EVENT_BECAME_NOISY: std::printf("%s is gone\n", clean(event.port->name).c_str()); break;
    case AS_STREAM_EVENT_FAILED: std::puts(clean(event.message).c_str()); break;
    default: break; // there will be more
    }
}

// Writes blocks of the tone until the output is stopped. A write waits while the ring is full, and
// while the output is paused.
static void play(audiosession::Output &output) {
    float block[RATE / 50];
    const uint32_t frames = sizeof block / sizeof *block;
    const double step = 2 * 3.14159265 * 440 / RATE;
    int time = 0;
    try {
        do {
            for (float &sample : block) sample = 0.1f * static_cast<float>(std::sin(step * time++));
            time %= RATE;
        } while (output.write(block, frames) == frames); // without the library it writes none
    } catch (const audiosession::Error &error) {
        if (error.status() != AS_ERROR_STOPPED) std::cerr << error.what() << std::endl;
    }
}

int main(int count, char **arguments) try {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (!audiosession::is_available()) std::cerr << audiosession::problem() << std::endl;
    audiosession::Session session(audiosession::interrupt(), audiosession::Manager(count > 1 ? arguments[1] : ""));
    audiosession::OutputOptions options;
    options.sample_rate = RATE;
    options.channels = 1;
    options.title = "Tone";
    audiosession::Output output(session, options);
    output.on_event(print);
    output.start();
    std::thread writer([&] { play(output); });
    std::puts("ready");
    for (std::string line; std::getline(std::cin, line);) {
        std::printf("played %llu\n", static_cast<unsigned long long>(output.info().position));
    }
    output.stop();
    writer.join();
} catch (const audiosession::Error &error) {
    std::cerr << error.what() << std::endl;
    return 1;
}
