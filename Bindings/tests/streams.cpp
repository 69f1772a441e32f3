/* Calls everything that the C++ layer has for outputs, inputs, players, recorders and main loops: with
 * a PipeWire and a card if a folder is passed, which receives a recording, otherwise without the
 * library. */
#include "audiosession-loader.h"

/* After the loader, which it has to recognize. The examples include it alone. */
#include "audiosession.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <poll.h>
#include <thread>

using namespace audiosession;

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) failures++, std::fprintf(stderr, "line %d: not %s\n", __LINE__, #condition); \
    } while (0)
#define CHECK_THROWS(expected, call) \
    do { \
        as_status status = AS_OK; \
        try { \
            call; \
        } catch (const Error &error) { \
            status = error.status(); \
        } \
        CHECK(status == expected); \
    } while (0)

static const uint32_t LIMIT = 10000; /* of each wait, in milliseconds */

/* The events of a stream, without their pointers. */
class Events {
public:
    std::function<void(const as_stream_event &)> handler() {
        return [this](const as_stream_event &event) {
            const std::lock_guard<std::mutex> lock(mutex_);
            events_.push_back(event);
            changed_.notify_all();
        };
    }

    /* Skips events until one is of the type and has the state; false at the limit. */
    bool wait(as_stream_event_type type, as_stream_state state = AS_STREAM_STOPPED) {
        std::unique_lock<std::mutex> lock(mutex_);
        return changed_.wait_for(lock, std::chrono::milliseconds(LIMIT), [&] {
            while (read_ < events_.size()) {
                const as_stream_event &event = events_[read_++];
                if (event.type == type && event.state == state) return true;
            }
            return false;
        });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<as_stream_event> events_;
    size_t read_ = 0;
};

/* Waits for what has no event; false at the limit. */
template <typename Condition> static bool until(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(LIMIT);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

static void count_cycles(
    std::atomic<int> &cycles, uint32_t frames, uint32_t channels, uint32_t sample_rate, uint64_t time) {
    if (frames > 0 && channels > 0 && sample_rate > 0 && time > 0) cycles++;
}

static void render(
    void *cycles, float *samples, uint32_t frames, uint32_t channels, uint32_t sample_rate, uint64_t time) {
    std::fill_n(samples, frames * channels, 0.1f);
    count_cycles(*static_cast<std::atomic<int> *>(cycles), frames, channels, sample_rate, time);
}

static void receive(
    void *cycles, const float *, uint32_t frames, uint32_t channels, uint32_t sample_rate, uint64_t time) {
    count_cycles(*static_cast<std::atomic<int> *>(cycles), frames, channels, sample_rate, time);
}

static void what_is_written_is_played(const Session &session) {
    OutputOptions options;
    options.sample_rate = 24000;
    options.channels = 1;
    options.role = AS_ROLE_GAME;
    Output made(session, options);
    Events events;
    made.on_event(events.handler());
    Output output(std::move(made));
    std::vector<float> tone(2400, 0.1f);
    CHECK_THROWS(AS_ERROR_STOPPED, output.write(tone.data(), 2400));
    output.start();
    CHECK(events.wait(AS_STREAM_EVENT_STATE_CHANGED, AS_STREAM_RUNNING));
    const as_output_info info = output.info();
    CHECK(info.state == AS_STREAM_RUNNING && info.sample_rate == 24000 && info.channels == 1);
    CHECK(output.write(tone.data(), 2400) == 2400);
    CHECK(output.drain(LIMIT));
    CHECK(output.info().position == 2400 && output.info().missing_frames == 0);
    CHECK(output.statistics().cycles > 0);
    CHECK(output.route().outputs.size() == 1);
    std::vector<float> second(24000);
    CHECK(output.write(second.data(), 24000, 20) < 24000);
    CHECK(!output.drain(0));
    output.flush();
    CHECK(output.write_available(tone.data(), 2400) <= 2400);
    output.set_volume(0.5f);
    CHECK(output.info().volume == 0.5f);
    output.on_event(nullptr);
    output.stop();
    CHECK(output.info().state == AS_STREAM_STOPPED);
}

static void callbacks_render_and_receive(const Session &session) {
    std::atomic<int> rendered(0), received(0);
    Output output(session, render, &rendered);
    output.start();
    CHECK(until([&] { return rendered > 0; }));
    CHECK_THROWS(AS_ERROR_BAD_PARAM, output.write(std::vector<float>(16).data(), 1, 0));
    InputOptions options;
    options.channels = 1;
    Input input(session, receive, &received, options);
    input.start();
    CHECK(until([&] { return received > 0; }));
    float sample;
    CHECK_THROWS(AS_ERROR_BAD_PARAM, input.read(&sample, 1, 0));
}

static void what_is_captured_is_read(const Session &session) {
    InputOptions options;
    options.sample_rate = 16000;
    options.channels = 1;
    Input input(session, options);
    Events events;
    input.on_event(events.handler());
    float samples[1600];
    input.start();
    CHECK(events.wait(AS_STREAM_EVENT_STATE_CHANGED, AS_STREAM_RUNNING));
    CHECK(input.read(samples, 1600, LIMIT) == 1600);
    CHECK(input.level().peak_power >= -160);
    CHECK_THROWS(AS_ERROR_BAD_PARAM, input.level(7));
    CHECK(input.statistics().cycles > 0);
    CHECK(input.route().inputs.size() == 1);
    CHECK(until([&] { return input.info().waiting_frames > 0; }));
    input.stop();
    CHECK(events.wait(AS_STREAM_EVENT_FINISHED));
    /* What is left is less than a second. */
    std::vector<float> rest(32000);
    const uint32_t count = input.read(rest.data(), 32000, LIMIT);
    CHECK(count > 0 && count < 32000);
    CHECK_THROWS(AS_ERROR_STOPPED, input.read(samples, 1, LIMIT));
    CHECK(Input::is_echo_canceller_available());
}

static void a_recording_is_played(const Session &session, const std::string &path) {
    RecorderOptions options;
    options.sample_rate = 16000;
    Recorder recorder(session, options);
    Events recorded;
    recorder.on_event(recorded.handler());
    CHECK_THROWS(AS_ERROR_CANNOT_WRITE, recorder.record(path + "/none/memo.wav"));
    CHECK_THROWS(AS_ERROR_NOT_PAUSED, recorder.resume());
    recorder.record(path);
    std::vector<float> samples(8000);
    CHECK(recorder.read(samples.data(), 8000, LIMIT) == 8000);
    recorder.pause();
    CHECK(recorded.wait(AS_STREAM_EVENT_STATE_CHANGED, AS_STREAM_PAUSED));
    recorder.resume();
    CHECK(recorder.level().average_power >= -160);
    CHECK(recorder.info().state == AS_STREAM_RUNNING);
    CHECK(recorder.route().inputs.size() == 1);
    recorder.statistics();
    const as_recording recording = recorder.stop();
    CHECK(recording.frames >= 8000 && recording.sample_rate == 16000 && recording.bits_per_sample == 16);
    CHECK(recorded.wait(AS_STREAM_EVENT_FINISHED));

    PlayerOptions quiet;
    quiet.role = AS_ROLE_TEST;
    Player player(session, quiet);
    Events played;
    player.on_event(played.handler());
    CHECK_THROWS(AS_ERROR_NOTHING_LOADED, player.play());
    CHECK_THROWS(AS_ERROR_FILE_NOT_FOUND, player.load({path, path + ".none"}));
    player.load({path});
    player.enqueue({path});
    const std::vector<Item> queue = player.queue();
    CHECK(queue.size() == 2 && queue[1].encoding == "FLAC" && queue[1].path == path);
    CHECK(queue.size() == 2 && queue[0].frames == recording.frames && queue[0].title.empty());
    player.set_volume(0.5f);
    player.play();
    CHECK(played.wait(AS_STREAM_EVENT_STATE_CHANGED, AS_STREAM_RUNNING));
    player.pause();
    CHECK(played.wait(AS_STREAM_EVENT_STATE_CHANGED, AS_STREAM_PAUSED));
    player.seek(0.25);
    CHECK(played.wait(AS_STREAM_EVENT_POSITION_CHANGED));
    CHECK(player.info().pause_reason == AS_PAUSE_USER && player.info().volume == 0.5f);
    player.skip_to_next();
    CHECK(player.info().current_index == 1);
    CHECK_THROWS(AS_ERROR_NO_SUCH_ITEM, player.skip_to_next());
    player.skip_to_previous();
    CHECK(player.info().current_index == 0);
    player.skip(1);
    CHECK(player.route().outputs.size() == 1);
    player.play();
    CHECK(played.wait(AS_STREAM_EVENT_FINISHED));
    CHECK(player.statistics().cycles > 0);
    player.stop();
}

/* The handler runs on the thread that polls, and destroys its session. */
static void a_main_loop_calls_handlers() {
    CHECK_THROWS(AS_ERROR_BAD_PARAM, Manager().descriptor());
    CHECK_THROWS(AS_ERROR_BAD_PARAM, Manager().dispatch());
    ManagerOptions options;
    options.application_name = "Loop";
    options.calls_handlers_in_dispatch = true;
    Manager manager(options);
    Configuration ambient;
    ambient.category = AS_CATEGORY_AMBIENT;
    std::unique_ptr<Session> session(new Session(ambient, manager));
    const std::thread::id loop = std::this_thread::get_id();
    std::thread::id caller;
    session->on_event([&](const as_event &event) {
        if (event.type != AS_EVENT_STATE_CHANGED || event.state != AS_STATE_ACTIVE) return;
        session.reset();
        caller = std::this_thread::get_id();
    });
    session->activate();
    pollfd polled = {manager.descriptor(), POLLIN, 0};
    while (session && poll(&polled, 1, LIMIT) == 1) manager.dispatch();
    CHECK(!session && caller == loop);
}

/* No call has an effect, throws or waits. */
static void nothing_happens_without_the_library(Manager manager, const Session &session) {
    manager.dispatch();
    CHECK(manager.descriptor() == -1);
    float samples[2] = {0, 0};
    std::atomic<int> cycles(0);
    OutputOptions options;
    options.title = "None";
    Output output(session, options), rendered(session, render, &cycles);
    output = Output(session);
    output.on_event([](const as_stream_event &) {});
    output.start();
    CHECK(output.write(samples, 2) == 0 && output.write_available(samples, 2) == 0 && output.drain());
    output.flush();
    output.set_volume(0);
    CHECK(output.info().volume == 1 && output.statistics().cycles == 0 && output.route().outputs.empty());
    output.stop();
    CHECK(!output.c());

    Input input(session), received(session, receive, &cycles);
    input.on_event(nullptr);
    input.start();
    CHECK(input.read(samples, 2) == 0 && input.level().peak_power == -160 && input.info().channels == 0);
    CHECK(input.statistics().cycles == 0 && input.route().inputs.empty());
    input.stop();
    CHECK(!Input::is_echo_canceller_available());

    Player player(session);
    player.on_event(nullptr);
    player.load({"none"});
    player.enqueue({"none"});
    player.play();
    player.pause();
    player.seek(1);
    player.skip(1);
    player.skip_to_next();
    player.skip_to_previous();
    player.set_volume(0);
    player.stop();
    CHECK(player.queue().empty() && player.info().current_index == -1);
    CHECK(player.statistics().cycles == 0 && player.route().outputs.empty());

    Recorder recorder(session);
    recorder.on_event(nullptr);
    recorder.record("none.wav", AS_FILE_WAV);
    recorder.pause();
    recorder.resume();
    CHECK(recorder.read(samples, 2) == 0 && recorder.level(1).peak_power == -160);
    CHECK(recorder.stop().frames == 0 && recorder.info().state == AS_STREAM_STOPPED);
    CHECK(recorder.statistics().cycles == 0 && recorder.route().inputs.empty());
}

int main(int count, char **arguments) {
    Configuration configuration;
    configuration.category = AS_CATEGORY_PLAY_AND_RECORD;
    const Manager manager("Streams");
    const Session session(configuration, manager);
    if (count > 1) {
        CHECK(is_available());
        CHECK(until([&] { return !manager.route().outputs.empty() && !manager.route().inputs.empty(); }));
        a_main_loop_calls_handlers();
        what_is_written_is_played(session);
        callbacks_render_and_receive(session);
        what_is_captured_is_read(session);
        a_recording_is_played(session, std::string(arguments[1]) + "/memo.flac");
    } else {
        CHECK(!is_available());
        nothing_happens_without_the_library(manager, session);
    }
    if (failures == 0) std::puts("passed");
    return failures != 0;
}
