/* The order in which the C++ layer releases handles, handlers and the connection, over functions of
 * this file in place of the library. */
#include "audiosession.h"
/* Scripts/test-bindings gives the loader's header this name. These functions are linked. */
#undef AUDIOSESSION_LOADER

#include "audiosession.hpp"

#include <cstdio>
#include <exception>
#include <sys/wait.h>
#include <unistd.h>

using audiosession::Manager;
using audiosession::Output;
using audiosession::Session;

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) failures++, std::printf("line %d: not %s\n", __LINE__, #condition); \
    } while (0)

static std::vector<std::string> released;
static as_status next_status = AS_OK;
static as_status release_status = AS_OK;
static as_output_handler handler;
static void *handler_data;
static as_session_handler session_handler;
static void *session_handler_data;
static bool has_dispatch;
static as_status descriptor_status = AS_OK;

template <typename Handle> static as_status make(Handle **handle) {
    static char objects[32];
    static int count = 0;
    *handle = next_status == AS_OK ? reinterpret_cast<Handle *>(&objects[count++]) : nullptr;
    return next_status;
}

template <typename Handle> static as_status release(Handle *handle, const char *name) {
    if (handle && release_status == AS_OK) released.push_back(name);
    return handle ? release_status : AS_OK;
}

extern "C" {
as_status as_manager_open(const as_manager_options *options, as_manager **manager, as_error *) {
    has_dispatch = options->calls_handlers_in_dispatch;
    return make(manager);
}
as_status as_manager_get_descriptor(const as_manager *, int32_t *descriptor) {
    *descriptor = 7;
    return descriptor_status;
}
/* One event of the session, and one of the output. */
as_status as_manager_dispatch(as_manager *, as_error *) {
    const as_event event = {};
    if (session_handler) session_handler(nullptr, &event, session_handler_data);
    const as_stream_event stream_event = {};
    if (handler) handler(nullptr, &stream_event, handler_data);
    return AS_OK;
}
as_status as_manager_close(as_manager *manager) { return release(manager, "manager"); }
as_status as_session_create(as_manager *, const as_configuration *, as_session **session, as_error *) {
    return make(session);
}
as_status as_session_destroy(as_session *session) {
    if (release_status == AS_OK) session_handler = nullptr;
    return release(session, "session");
}
as_status as_session_set_handler(as_session *, as_session_handler set, void *data) {
    session_handler = set, session_handler_data = data;
    return AS_OK;
}
as_status as_output_create(as_session *, const as_output_options *, as_output **output, as_error *error) {
    error->status = next_status;
    return make(output);
}
as_status as_output_destroy(as_output *output) {
    if (release_status == AS_OK) handler = nullptr;
    return release(output, "output");
}
as_status as_output_set_handler(as_output *, as_output_handler set, void *data) {
    handler = set, handler_data = data;
    return AS_OK;
}
const char *as_status_name(as_status) { return ""; }
}

/* Is released with the handler that holds it. */
struct Probe {
    ~Probe() { released.push_back("handler"); }
};

static void replaced_objects_are_released_before_their_handlers() {
    using Names = std::vector<std::string>;
    {
        Session session{audiosession::interrupt()};
        std::shared_ptr<Probe> probe(new Probe);
        session.on_event([probe](const as_event &) {});
        probe.reset();
        session = Session(audiosession::duck());
        CHECK((released == Names{"session", "handler", "manager"}));
        released.clear();

        Output output(session);
        probe.reset(new Probe);
        output.on_event([probe](const as_stream_event &) {});
        probe.reset();
        output = Output(session);
        CHECK((released == Names{"output", "handler"}));
        released.clear();
    }
    CHECK((released == Names{"output", "session", "manager"}));
    released.clear();
}

static void a_moved_stream_keeps_its_handler() {
    int events = 0;
    Session session{audiosession::interrupt()};
    Output first(session);
    first.on_event([&](const as_stream_event &) { events++; });
    Output second(std::move(first));
    const as_stream_event event = {};
    handler(second.c(), &event, handler_data);
    CHECK(events == 1 && first.c() == nullptr && released.empty());
    first.on_event(nullptr);
    CHECK(handler != nullptr);
    second.on_event(nullptr);
    CHECK(handler == nullptr);
}

static void a_stream_keeps_the_connection() {
    released.clear();
    std::unique_ptr<Session> session(new Session(audiosession::interrupt()));
    std::unique_ptr<Output> output(new Output(*session));
    session.reset();
    CHECK((released == std::vector<std::string>{"session"}));
    output.reset();
    CHECK((released == std::vector<std::string>{"session", "output", "manager"}));
}

/* The library refuses that with AS_ERROR_WRONG_THREAD, and may call the handlers again. */
static void objects_that_a_handler_destroys_keep_their_handlers() {
    int events = 0;
    std::unique_ptr<Session> session(new Session(audiosession::interrupt()));
    std::unique_ptr<Output> output(new Output(*session));
    std::shared_ptr<Probe> probe(new Probe);
    output->on_event([&, probe](const as_stream_event &) {
        output.reset();
        events++;
    });
    session->on_event([&, probe](const as_event &) {
        if (session) *session = Session(audiosession::duck());
        session.reset();
        events++;
    });
    probe.reset();
    released.clear();
    release_status = AS_ERROR_WRONG_THREAD;
    const as_stream_event stream_event = {};
    const as_event event = {};
    for (int i = 0; i < 2; i++) {
        handler(nullptr, &stream_event, handler_data);
        session_handler(nullptr, &event, session_handler_data);
    }
    CHECK(events == 4 && released.empty() && !output && !session);
    release_status = AS_OK;
}

/* A function that destroys itself while it runs would use memory that was freed. */
static void a_handler_in_dispatch_destroys_its_object_and_the_manager() {
    using Names = std::vector<std::string>;
    audiosession::ManagerOptions options;
    options.calls_handlers_in_dispatch = true;
    std::unique_ptr<Manager> manager(new Manager(options));
    CHECK(has_dispatch && manager->descriptor() == 7);
    std::unique_ptr<Session> session(new Session(audiosession::interrupt(), *manager));
    std::unique_ptr<Output> output(new Output(*session));
    std::shared_ptr<Probe> probe(new Probe);
    released.clear();
    output->on_event([&, probe](const as_stream_event &) {
        output.reset();
        CHECK((released == Names{"session", "handler", "output"}));
    });
    probe.reset(new Probe);
    session->on_event([&, probe](const as_event &) {
        session.reset();
        manager.reset();
        CHECK((released == Names{"session"}));
    });
    probe.reset();
    manager->dispatch();
    CHECK((released == Names{"session", "handler", "output", "handler", "manager"}));
    released.clear();
}

/* It would call the handlers on its own thread. */
static void a_library_without_dispatch_throws() {
    audiosession::ManagerOptions options;
    options.calls_handlers_in_dispatch = true;
    descriptor_status = AS_ERROR_MEDIA_SERVICES_FAILED;
    released.clear();
    try {
        Manager manager(options);
        CHECK(!"made");
    } catch (const audiosession::Error &error) {
        CHECK(error.status() == AS_ERROR_MEDIA_SERVICES_FAILED);
    }
    CHECK((released == std::vector<std::string>{"manager"}));
    descriptor_status = AS_OK;
    released.clear();
}

static void a_handler_replaces_itself() {
    int first = 0, second = 0;
    Manager manager;
    Session session(audiosession::interrupt(), manager);
    std::shared_ptr<Probe> probe(new Probe);
    released.clear();
    session.on_event([&, probe](const as_event &) {
        session.on_event([&](const as_event &) { second++; });
        CHECK(released.empty());
        first++;
    });
    probe.reset();
    manager.dispatch();
    CHECK((released == std::vector<std::string>{"handler"}));
    manager.dispatch();
    CHECK(first == 1 && second == 1);
}

static void an_exception_of_a_handler_ends_the_program() {
    Session session{audiosession::interrupt()};
    Output output(session);
    output.on_event([](const as_stream_event &) { throw 1; });
    const pid_t child = fork();
    if (child == 0) {
        std::set_terminate([] { _exit(3); });
        try {
            const as_stream_event event = {};
            handler(output.c(), &event, handler_data);
        } catch (...) {
        }
        _exit(0);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void a_stream_that_is_refused_throws() {
    Session session{audiosession::interrupt()};
    next_status = AS_ERROR_UNSUPPORTED_FORMAT;
    try {
        Output output(session);
        CHECK(!"made");
    } catch (const audiosession::Error &error) {
        CHECK(error.status() == AS_ERROR_UNSUPPORTED_FORMAT);
    }
    next_status = AS_OK;
}

static void a_zero_character_is_an_error() {
    Session session{audiosession::dictation()};
    audiosession::OutputOptions options;
    options.title = std::string("a\0b", 3);
    try {
        Output output(session, options);
        CHECK(!"made");
    } catch (const audiosession::Error &error) {
        CHECK(error.status() == AS_ERROR_BAD_PARAM);
    }
    CHECK(audiosession::detail::pointer("") == nullptr);
}

static void dictation_plays_and_ducks() {
    const audiosession::Configuration dictation = audiosession::dictation();
    CHECK(dictation.category == AS_CATEGORY_PLAY_AND_RECORD && dictation.options == AS_OPTION_DUCK_OTHERS);
}

int main() {
    replaced_objects_are_released_before_their_handlers();
    a_moved_stream_keeps_its_handler();
    a_stream_keeps_the_connection();
    objects_that_a_handler_destroys_keep_their_handlers();
    a_handler_in_dispatch_destroys_its_object_and_the_manager();
    a_library_without_dispatch_throws();
    a_handler_replaces_itself();
    an_exception_of_a_handler_ends_the_program();
    a_stream_that_is_refused_throws();
    a_zero_character_is_an_error();
    dictation_plays_and_ducks();
    return failures != 0;
}
