/* Sources/CProcess, and the shim's use of it (Watchdog). A watchdog is a forked process. The
 * process of the test adopts it when its parent has ended, so that its end and status can be
 * awaited. */
#define _GNU_SOURCE
#include "CProcess.h"
#include "pods.h"
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Writes its order into the file of its place. It has no open file of the program. */
static void work(const char *place, char *order) {
    int file = open(place, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file > 4)
        _exit(3);
    size_t size = strlen(order);
    char *copy = malloc(size + 1); /* it allocates like the real ones */
    memcpy(copy, order, size + 1);
    if (write(file, copy, size) != (ssize_t)size)
        _exit(4);
    free(copy);
}

static cpr_watchdog *create(const char *place) {
    int error = 1;
    cpr_watchdog *watchdog = cpr_watchdog_create(work, NULL, place, &error);
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(error, 0);
    return watchdog;
}

static void tell(cpr_watchdog *watchdog, const char *order) { CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, strlen(order)), 0); }

static void check_work(const char *place, const char *order) {
    char *text = read_file(place);
    if (order != NULL)
        CHECK_TEXT(text, order);
    else
        CHECK(text == NULL);
    free(text);
}

TEST("watchdog", "it carries out the last order, and nothing without an order") {
    const char *received = test_path("received"), *silent = test_path("silent");
    cpr_watchdog *first = create(received), *second = create(silent);
    tell(first, "a longer first order");
    tell(first, "the last");
    cpr_watchdog_destroy(first); /* the other one has closed its end of the first one's socket */
    CHECK_EQUAL(await_orphan(), 0);
    check_work(received, "the last");
    cpr_watchdog_destroy(second);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(silent, NULL);
}

TEST("watchdog", "an order of the maximum size is carried out, a longer one is refused") {
    const char *place = test_path("order");
    cpr_watchdog *watchdog = create(place);
    char *order = malloc(CPR_WATCHDOG_ORDER_SIZE + 1);
    memset(order, 'x', CPR_WATCHDOG_ORDER_SIZE);
    CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, 0), -EINVAL);
    CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, CPR_WATCHDOG_ORDER_SIZE), -EMSGSIZE);
    CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, CPR_WATCHDOG_ORDER_SIZE - 1), 0);
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    order[CPR_WATCHDOG_ORDER_SIZE - 1] = '\0';
    check_work(place, order);
    free(order);
}

TEST("watchdog", "it carries out the last of many orders, although it has not run meanwhile") {
    const char *place = test_path("many");
    cpr_watchdog *watchdog = create(place);
    char *order = malloc(100 * 1024);
    memset(order, 'x', 100 * 1024 - 1);
    order[100 * 1024 - 1] = '\0';
    for (int turn = 0; turn < 100; turn++) { /* far more than a socket holds */
        order[0] = (char)('0' + turn % 10);
        tell(watchdog, order);
    }
    tell(watchdog, "the last");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(place, "the last");
    free(order);
}

TEST("watchdog", "it survives a SIGKILL of the program, whichever standard files are closed") {
    for (int closed = 0; closed < 8; closed++) {
        char name[8] = {'f', (char)('0' + closed), 0};
        const char *place = test_path(name);
        int ready[2];
        REQUIRE(pipe2(ready, O_CLOEXEC) == 0);
        pid_t program = fork();
        if (program == 0) {
            dup2(ready[1], 20);
            for (int file = 0; file < 3; file++)
                if (closed & 1 << file)
                    close(file);
            int error;
            cpr_watchdog *watchdog = cpr_watchdog_create(work, NULL, place, &error);
            if (watchdog == NULL || cpr_watchdog_set_order(watchdog, "restore", 7) < 0)
                _exit(1);
            if (write(20, "1", 1) == 1)
                raise(SIGKILL);
        }
        close(ready[1]);
        char byte;
        CHECK_EQUAL(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        int ends = 0;
        for (int i = 0; i < 2; i++) /* the program and its watchdog, in any order */
            ends += await_orphan() == SIGKILL;
        CHECK_EQUAL(ends, 1);
        check_work(place, "restore");
    }
}

TEST("watchdog", "a child that the program forks changes no order, and closes no other file") {
    const char *place = test_path("forked");
    cpr_handle_forks();
    cpr_watchdog *watchdog = create(place);
    tell(watchdog, "of the program");
    pid_t child = fork();
    if (child == 0) {
        int first = fcntl(STDERR_FILENO, F_DUPFD, 3), last = fcntl(STDERR_FILENO, F_DUPFD, 3);
        bool is_refused = cpr_watchdog_set_order(watchdog, "of the child", 12) == -EPERM;
        cpr_watchdog_destroy(watchdog);
        _exit(is_refused && fcntl(first, F_GETFD) >= 0 && fcntl(last, F_GETFD) >= 0 ? 0 : 1);
    }
    int status = -1;
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(place, "of the program");
}

static int *trials;

static void hang_twice(void) {
    if (++*trials <= 2)
        for (;;)
            pause();
}

static void die(void) { raise(SIGKILL); }

static void exit_with_message(void) {
    if (++*trials > 2)
        return;
    (void)!write(STDERR_FILENO, "inconsistent", 12);
    _exit(127);
}

TEST("watchdog", "a trial that hangs or crashes is repeated, and finally an error") {
    int error = 0;
    const char *place = test_path("tried");
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cpr_watchdog *watchdog = cpr_watchdog_create(work, hang_twice, place, &error);
    REQUIRE(watchdog != NULL);
    CHECK(*trials >= 3); /* more if the alarm ended a slow one */
    tell(watchdog, "tried");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(place, "tried");
    CHECK(cpr_watchdog_create(work, die, place, &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    munmap(trials, sizeof(*trials));
}

/* glibc's loader prints a message and exits if another thread was loading a library at the fork. */
TEST("watchdog", "a trial that exits is repeated, and writes nothing into the program's output") {
    int error = 0, ends[2], errors = dup(STDERR_FILENO);
    const char *place = test_path("exited");
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(errors >= 0 && pipe2(ends, O_CLOEXEC) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    cpr_watchdog *watchdog = cpr_watchdog_create(work, exit_with_message, place, &error);
    dup2(errors, STDERR_FILENO);
    close(errors), close(ends[1]);
    REQUIRE(watchdog != NULL);
    CHECK(*trials >= 3); /* more if the alarm ended a slow one */
    char byte;
    CHECK_EQUAL(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    tell(watchdog, "exited");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(place, "exited");
    munmap(trials, sizeof(*trials));
}

static void log_and_hang_twice(void) {
    (void)!write(3, "a message", 9);
    hang_twice();
}

TEST("watchdog", "a message of the trial to a file of the program, which is closed, is no success") {
    int error = 0;
    const char *place = test_path("logged");
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(dup2(STDERR_FILENO, 3) == 3);
    cpr_watchdog *watchdog = cpr_watchdog_create(work, log_and_hang_twice, place, &error);
    REQUIRE(watchdog != NULL);
    CHECK(*trials >= 3); /* more if the alarm ended a slow one */
    tell(watchdog, "logged");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(place, "logged");
    munmap(trials, sizeof(*trials));
    close(3);
}

static void use_up_processes(void) {
    ++*trials;
    setrlimit(RLIMIT_NPROC, &(struct rlimit){0, 0});
    if (geteuid() == 0) /* the limit is not that of root */
        (void)!setresuid(65534, 65534, 65534);
}

TEST("watchdog", "missing processes are an error at once, also in a program that ignores SIGCHLD") {
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void (*handlers[])(int) = {SIG_DFL, SIG_IGN};
    for (int i = 0; i < 2; i++) {
        int error = 0;
        *trials = 0;
        signal(SIGCHLD, handlers[i]);
        CHECK(cpr_watchdog_create(work, use_up_processes, "", &error) == NULL);
        CHECK_EQUAL(error, -EAGAIN);
        CHECK(*trials < 16); /* which the alarm ended */
    }
    munmap(trials, sizeof(*trials));
}

static int *faults_handled;

static void note_fault(int number) {
    (void)number;
    ++*faults_handled;
}

static void crash(void) { raise(SIGSEGV); }

static void fail(void) { raise(SIGABRT); }

TEST("watchdog", "a trial that crashes does not call the program's crash handler") {
    int error = 0;
    faults_handled = mmap(NULL, sizeof(*faults_handled), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void (*before[])(int) = {signal(SIGSEGV, note_fault), signal(SIGABRT, note_fault)};
    CHECK(cpr_watchdog_create(work, crash, "", &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    CHECK(cpr_watchdog_create(work, fail, "", &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    CHECK_EQUAL(*faults_handled, 0);
    signal(SIGSEGV, before[0]);
    signal(SIGABRT, before[1]);
    munmap(faults_handled, sizeof(*faults_handled));
}

static int *dumpable; /* in the trial and in the watchdog */

static void note_dumpable(void) { dumpable[0] = prctl(PR_GET_DUMPABLE); }

static void note_dumpable_too(const char *place, char *order) {
    (void)place, (void)order;
    dumpable[1] = prctl(PR_GET_DUMPABLE);
}

TEST("watchdog", "a trial that crashes leaves no core dump") {
    int error = 0;
    dumpable = mmap(NULL, 2 * sizeof(*dumpable), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    dumpable[0] = dumpable[1] = -1;
    prctl(PR_SET_DUMPABLE, 1);
    cpr_watchdog *watchdog = cpr_watchdog_create(note_dumpable_too, note_dumpable, "", &error);
    REQUIRE(watchdog != NULL);
    tell(watchdog, "order");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    CHECK_EQUAL(dumpable[0], 0);
    /* PipeWire reads a client's files in /proc, which belong to root for one that is not. */
    CHECK_EQUAL(dumpable[1], 1);
    munmap(dumpable, 2 * sizeof(*dumpable));
}

static unsigned *blocked; /* signals in the watchdog */

static void note_blocked(const char *place, char *order) {
    sigset_t mask;
    (void)place, (void)order;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int number = 1; number < 32; number++)
        *blocked |= sigismember(&mask, number) == 1 ? 1u << number : 0;
}

TEST("watchdog", "it blocks the signals of the program's group, but not those of a sandbox") {
    int error = 0;
    blocked = mmap(NULL, sizeof(*blocked), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cpr_watchdog *watchdog = cpr_watchdog_create(note_blocked, NULL, "", &error);
    REQUIRE(watchdog != NULL);
    tell(watchdog, "order");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    static const int group[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGPIPE, SIGTSTP};
    for (size_t i = 0; i < sizeof(group) / sizeof(*group); i++)
        CHECK(*blocked & 1u << group[i]);
    CHECK(!(*blocked & 1u << SIGSYS));
    munmap(blocked, sizeof(*blocked));
}

static bool has_no_close_range;
int __real_close_range(unsigned first, unsigned last, int flags);
int __wrap_close_range(unsigned first, unsigned last, int flags) {
    if (!has_no_close_range)
        return __real_close_range(first, last, flags);
    errno = ENOSYS;
    return -1;
}

TEST("watchdog", "it keeps none of the program's files where the kernel has no close_range") {
    const char *place = test_path("old");
    int high = fcntl(STDIN_FILENO, F_DUPFD, 900);
    int ends[2];
    REQUIRE(high >= 900 && pipe(ends) == 0);
    has_no_close_range = true;
    cpr_watchdog *watchdog = create(place);
    close(ends[1]);
    char byte;
    CHECK_EQUAL(read(ends[0], &byte, 1), 0); /* the watchdog has closed the other end */
    tell(watchdog, "old");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(place, "old");
    close(ends[0]);
    close(high);
}

static void open_file(void) {
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        raise(SIGKILL);
    close(file);
}

TEST("watchdog", "it works where the program has used up all its files but two, and so does its trial") {
    const char *place = test_path("last");
    int files[2], highest;
    REQUIRE(pipe(files) == 0);
    highest = files[0] > files[1] ? files[0] : files[1];
    close(files[0]), close(files[1]);
    struct rlimit limit, few;
    getrlimit(RLIMIT_NOFILE, &limit);
    few = limit;
    few.rlim_cur = (rlim_t)highest + 1;
    setrlimit(RLIMIT_NOFILE, &few);
    int error = 0;
    cpr_watchdog *watchdog = cpr_watchdog_create(work, open_file, place, &error);
    setrlimit(RLIMIT_NOFILE, &limit);
    REQUIRE(watchdog != NULL);
    tell(watchdog, "last");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_work(place, "last");
}

TEST("watchdog", "missing memory or files are errors") {
    CHECK(with_failing_allocations(^{
        int error = 0;
        cpr_watchdog *watchdog = cpr_watchdog_create(work, NULL, "", &error);
        if (watchdog == NULL)
            return CHECK_EQUAL(error, -ENOMEM);
        cpr_watchdog_destroy(watchdog);
        CHECK_EQUAL(await_orphan(), 0);
    }) == 1);
    struct rlimit limit, none;
    getrlimit(RLIMIT_NOFILE, &limit);
    none = limit;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
    int error = 0;
    CHECK(cpr_watchdog_create(work, NULL, "", &error) == NULL);
    CHECK_EQUAL(error, -EMFILE);
    setrlimit(RLIMIT_NOFILE, &limit);
}

TEST("watchdog", "its start succeeds and fails as always in a program that ignores SIGCHLD") {
    const char *place = test_path("ignored");
    int error = 0;
    signal(SIGCHLD, SIG_IGN);
    CHECK(cpr_watchdog_create(work, die, place, &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    cpr_watchdog *watchdog = create(place);
    tell(watchdog, "ignored");
    cpr_watchdog_destroy(watchdog);
    AWAIT_TRUE("work of the watchdog", access(place, R_OK) == 0);
    while (waitpid(-1, NULL, 0) >= 0 || errno == EINTR)
        ;
    check_work(place, "ignored");
}

static void *allocate(void *stop) {
    while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
        void *volatile bytes = malloc(100);
        free(bytes);
    }
    return NULL;
}

TEST("watchdog", "it works if other threads allocate memory during the fork") {
    pthread_t threads[2];
    bool stop = false;
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&threads[i], NULL, allocate, &stop) == 0);
    for (int turn = 0; turn < 10; turn++) {
        char name[8] = {'t', (char)('0' + turn), 0};
        const char *place = test_path(name);
        cpr_watchdog *watchdog = create(place);
        tell(watchdog, name);
        cpr_watchdog_destroy(watchdog);
        CHECK_EQUAL(await_orphan(), 0);
        check_work(place, name);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* ---- The watchdog of ducked streams */

/* Lets a watchdog execute the order, in which %1$u is replaced with the stream's id. Returns the
 * number of volumes that were written to the stream, the first of them, and whether it was
 * muted. */
static size_t restore(cpt_object *stream, const char *order, float *first, bool *is_muted) {
    char text[1000];
    int error = 0;
    float volumes[CPW_MAX_VOLUMES] = {0};
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof(text), order, cpt_object_id(stream));
#pragma clang diagnostic pop
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(cpw_watchdog_set_order(watchdog, text, strlen(text)), 0);
    cpw_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    size_t count = cpt_node_soft_volumes(stream, volumes, CPW_MAX_VOLUMES, is_muted);
    *first = volumes[0];
    return count;
}

static cpt_object *add_stream(cpt_server *server) {
    return ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Output/Audio", "object.serial", "4242");
}

/* Whether the streams of a program are restored whose log has the file of this number. */
static bool restores_with_log(int number) {
    pid_t program = fork();
    if (program == 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        setenv("PIPEWIRE_LOG", test_path("log"), 1);
        setenv("PIPEWIRE_DEBUG", "5", 1);
        int null = open("/dev/null", O_WRONLY);
        for (int file = STDERR_FILENO; file < number; file++)
            dup2(null, file);
        close(number);
        cpt_server *server = server_start();
        float first;
        bool is_muted;
        size_t count = restore(add_stream(server), "mark\n%1$u 4242 0 3f800000", &first, &is_muted);
        cpt_server_stop(server);
        _exit(count == 1 ? 0 : 1);
    }
    int status = 1;
    while (waitpid(program, &status, 0) < 0 && errno == EINTR)
        ;
    return status == 0;
}

TEST("stream restore", "messages for PipeWire's log file do not disturb it") {
    for (int number = 3; number < 20; number++)
        if (!restores_with_log(number))
            harness_fail(__FILE__, __LINE__, "the log had file %d", number);
}

static cpt_object *add_mark(cpt_server *server, const char *name, const char *payload, const char *client) {
    return ADD(server, CPW_OBJECT_SESSION, "session.name", name, CPW_MARK_KEY, payload, "client.id", client);
}

/* Where PipeWire has no Session objects. */
static cpt_object *add_device_mark(cpt_server *server, const char *name, const char *payload, const char *client) {
    return ADD(server, CPW_OBJECT_DEVICE, "device.api", CPW_MARK_API, "device.name", name, "device.description", payload,
               "client.id", client);
}

TEST("stream restore", "volumes and mute are restored, and malformed lines are ignored") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 1 3f800000 3e800000", &first, &is_muted), 2);
    CHECK(is_muted && first == 1);
    CHECK_EQUAL(restore(stream,
                        "mark\nnonsense\n\n99999999999999999999 1 0 3f800000\n%1$u\n%1$u \n%1$u 4242\n%1$u 42 0 0\n"
                        "%1$u 4242 0 3f000000\n%1$u 4242 1 0",
                        &first, &is_muted), 1);
    CHECK(!is_muted && first == 0.5f);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0", &first, &is_muted), 1); /* unchanged */
    CHECK_EQUAL(restore(stream, "only a mark", &first, &is_muted), 1);
    CHECK_EQUAL(restore(stream, "mark\n", &first, &is_muted), 1);
    /* A line that ends after the serial uses no value of the previous order. */
    int error = 0;
    char orders[2][60];
    snprintf(orders[0], sizeof(orders[0]), "mark\n%u 4242 0 3e800000", cpt_object_id(stream));
    snprintf(orders[1], sizeof(orders[1]), "mark\n%u 4242 ", cpt_object_id(stream));
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    for (int i = 0; i < 3; i++) /* twice the first one, because the last but one is kept */
        CHECK_EQUAL(cpw_watchdog_set_order(watchdog, orders[i / 2], strlen(orders[i / 2])), 0);
    cpw_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    cpt_node_soft_volumes(stream, &first, 1, &is_muted);
    CHECK(first == 0.5f);
    char many[CPW_MAX_VOLUMES * 9 + 200] = "mark\n%1$u 4242 0";
    for (unsigned i = 0; i < CPW_MAX_VOLUMES + 10; i++)
        strcat(many, " 3f800000");
    CHECK_EQUAL(restore(stream, many, &first, &is_muted), CPW_MAX_VOLUMES);
    cpt_server_stop(server);
}

TEST("stream restore", "other streams, and those that another client restores, are left alone") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 42420 0 3f800000", &first, &is_muted), 0);
    cpt_object *mark = add_mark(server, "other", "1;ducks=200", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    mark = add_device_mark(server, "other", "1;ducks=200", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    ADD(server, CPW_OBJECT_DEVICE, "device.api", CPW_MARK_API);
    ADD(server, CPW_OBJECT_SESSION, CPW_MARK_KEY, "1;ducks=200");
    mark = add_mark(server, "other", CPW_MARK_MUTES "4242", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    add_mark(server, "other", CPW_MARK_MUTES "42420000000000000000000000000000000", "4711");
    mark = add_mark(server, "other", CPW_MARK_NO_DUCKING, "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 1);
    cpt_server_stop(server);
}

TEST("stream restore", "it waits until the program's mark is removed, and ends without a daemon") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *stream = add_stream(server), *mark = add_mark(server, "mark", "1;ducks=200", "4711");
    char order[100];
    int error = 0;
    snprintf(order, sizeof(order), "mark\n%u 4242 0 3f800000", cpt_object_id(stream));
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    cpw_watchdog *lost = cpw_watchdog_create(test_path("daemon"), &error);
    REQUIRE(watchdog != NULL && lost != NULL);
    CHECK(cpw_watchdog_set_order(watchdog, order, strlen(order)) == 0 && cpw_watchdog_set_order(lost, order, strlen(order)) == 0);
    client_settle(client);
    size_t clients = journal_count("client global");
    cpw_watchdog_destroy(watchdog);
    AWAIT_TRUE("watchdog", journal_count("client global") > clients);
    cpt_object_remove(mark);
    CHECK_EQUAL(await_orphan(), 0);
    float volumes[1];
    bool is_muted;
    CHECK_EQUAL(cpt_node_soft_volumes(stream, volumes, 1, &is_muted), 1);
    client_end(client);
    cpt_server_stop(server);
    cpw_watchdog_destroy(lost);
    CHECK_EQUAL(await_orphan(), 0);
}

static uint64_t stopped_clock; /* 0: it runs */
uint64_t __real_cpw_now(void);
uint64_t __wrap_cpw_now(void) { return stopped_clock != 0 ? stopped_clock : __real_cpw_now(); }

/* The limit of a watchdog whose clock is stopped is that of the test. */
unsigned __real_alarm(unsigned seconds);
unsigned __wrap_alarm(unsigned seconds) { return stopped_clock != 0 ? 0 : __real_alarm(seconds); }

/* CardKillTests test the routes with a session manager. */
TEST("card restore", "malformed lines and marks are ignored, and lines for streams still hold") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_route(1, "speaker", 0);
    cpt_device_set(card, CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    add_mark(server, "other", CPW_MARK_CARD, "4711");
    add_mark(server, "other", CPW_MARK_CARD "output;0;card;speaker", "4711");
    CHECK_EQUAL(restore(stream,
                        "mark\n@\n@1\n@1 2\n@1 2 output\n@1 2 output;0\n@1 2 output;0;card\n@1 2 ;0;card;\n"
                        "@99999999999999999999 2 output;0;card;\n@1 2 output;x;card;\n@1 2 output;0;card;;\n"
                        "@1 2 output;0;card;\n@1 2 input;0;nowhere;\n%1$u 4242 0 3f800000",
                        &first, &is_muted), 1);
    char many[4000] = "mark\n";
    for (int i = 0; i < 40; i++)
        strcat(many, "@1 2 output;0;card;\n");
    strcat(many, "@1 2 output;0;");
    for (int i = 0; i < 30; i++)
        strcat(many, "0123456789");
    strcat(many, ";\n");
    /* The watchdog's clock is stopped: queries of the card end no wait, and no limit is reached. */
    int error = 0;
    stopped_clock = cpw_now();
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    stopped_clock = 0;
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(cpw_watchdog_set_order(watchdog, many, strlen(many)), 0);
    cpw_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    cpt_server_stop(server);
}

/* The watchdog's clock is stopped, so that it waits however long the flood takes. */
TEST("stream restore", "events of other clients do not shorten the wait for the end of the program's mark") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *stream = add_stream(server), *mark = add_mark(server, "mark", "1;ducks=200", "4711");
    char order[100];
    int error = 0;
    snprintf(order, sizeof(order), "mark\n%u 4242 0 3f800000", cpt_object_id(stream));
    stopped_clock = cpw_now();
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    stopped_clock = 0;
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(cpw_watchdog_set_order(watchdog, order, strlen(order)), 0);
    client_settle(client);
    size_t clients = journal_count("client global");
    cpw_watchdog_destroy(watchdog);
    AWAIT_TRUE("watchdog", journal_count("client global") > clients);
    for (int i = 0; i < 1500; i++) {
        cpt_object_remove(ADD(server, CPW_OBJECT_NODE, "node.name", "flood"));
        client_settle(client);
    }
    cpt_object_remove(mark);
    CHECK_EQUAL(await_orphan(), 0);
    float volumes[1];
    bool is_muted;
    CHECK_EQUAL(cpt_node_soft_volumes(stream, volumes, 1, &is_muted), 1);
    client_end(client);
    cpt_server_stop(server);
}

static cpw_watchdog *watchdog_with(const char *order) {
    int error = 0;
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(cpw_watchdog_set_order(watchdog, order, strlen(order)), 0);
    return watchdog;
}

/* An owner that does not answer would keep the watchdog from reading its other messages. */
TEST("card restore", "a card is queried only after the end of the program's mark") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *mark = add_mark(server, "mark", CPW_MARK_CARD "output;0;card;speaker", "4711");
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_route(1, "speaker", 0);
    cpt_device_set(card, CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    size_t clients = journal_count("client global");
    cpw_watchdog_destroy(watchdog_with("mark\n@1 2 output;0;card;\n"));
    AWAIT_TRUE("watchdog", journal_count("client global") > clients);
    client_settle(client);
    CHECK_EQUAL(cpt_device_question_count(card, CPW_PARAM_ROUTE), 0);
    cpt_object_remove(mark);
    /* A card that changes all the time does not keep it alive. */
    for (size_t count = 1; count < 4; count++) {
        AWAIT_TRUE("question", cpt_device_question_count(card, CPW_PARAM_ROUTE) >= count);
        cpt_device_emit_changed(card, 1u << CPW_PARAM_ROUTE);
    }
    CHECK_EQUAL(await_orphan(), 0);
    client_end(client);
    cpt_server_stop(server);
}

TEST("card restore", "a sandboxed client's device with the card's name gets no request") {
    cpt_server *server = server_start();
    cpt_object *devices[3];
    char sandboxed[16];
    snprintf(sandboxed, sizeof(sandboxed), "%u",
             cpt_object_id(ADD(server, CPW_OBJECT_CLIENT, "pipewire.access", "restricted")));
    struct pod pod = pod_route(1, "speaker", 0);
    for (int i = 0; i < 3; i++) {
        devices[i] = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device", "client.id",
                         i == 1 ? "4711" : sandboxed);
        cpt_device_set(devices[i], CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    }
    cpt_device_hold(devices[0], true);
    cpt_device_hold(devices[2], true);
    cpw_watchdog_destroy(watchdog_with("mark\n@1 2 output;0;card;\n"));
    CHECK_EQUAL(await_orphan(), 0);
    /* It is queried again after the request. */
    CHECK(cpt_device_question_count(devices[1], CPW_PARAM_ROUTE) >= 2);
    CHECK_EQUAL(cpt_device_question_count(devices[0], CPW_PARAM_ROUTE), 0);
    CHECK_EQUAL(cpt_device_question_count(devices[2], CPW_PARAM_ROUTE), 0);
    cpt_server_stop(server);
}

/* Lets a watchdog switch a headset back from its second profile. Returns whether it did. A card is
 * queried once, and again after each request. */
static bool switches_headset_back(cpt_object *card) {
    size_t count = cpt_device_question_count(card, CPW_PARAM_PROFILE);
    cpw_watchdog_destroy(watchdog_with("mark\n@2 1 headset;0;card;\n"));
    CHECK_EQUAL(await_orphan(), 0);
    count = cpt_device_question_count(card, CPW_PARAM_PROFILE) - count;
    CHECK(count >= 1);
    return count > 1;
}

TEST("card restore", "a headset from which a program records keeps its profile") {
    cpt_server *server = server_start();
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_profile(2, "headset-head-unit");
    cpt_device_set(card, CPW_PARAM_PROFILE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    char device[16], source[16], sink[16], recorder[16], filter[16];
#define TEXT(text, object) snprintf(text, sizeof(text), "%u", cpt_object_id(object))
    TEXT(device, card);
    TEXT(source, ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Source", "device.id", device));
    TEXT(sink, ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Sink", "device.id", device));
    cpt_object *stream = ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Input/Audio");
    TEXT(recorder, stream);
    TEXT(filter, ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Input/Audio/Internal"));
#undef TEXT
    ADD(server, CPW_OBJECT_LINK, "link.output.node", sink, "link.input.node", recorder);
    ADD(server, CPW_OBJECT_LINK, "link.output.node", source, "link.input.node", filter);
    CHECK(switches_headset_back(card));
    cpt_object *link = ADD(server, CPW_OBJECT_LINK, "link.output.node", source, "link.input.node", recorder);
    CHECK(!switches_headset_back(card));
    cpt_object_remove(link);
    CHECK(switches_headset_back(card));
    cpt_server_stop(server);
}

TEST("card restore", "a client with many marks or microphones hides none of another client") {
    cpt_server *server = server_start();
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_profile(2, "headset-head-unit");
    cpt_device_set(card, CPW_PARAM_PROFILE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    char device[16], source[16], recorder[16];
    snprintf(device, sizeof(device), "%u", cpt_object_id(card));
    for (int i = 0; i < 300; i++) {
        add_mark(server, "crowd", CPW_MARK_CARD "output;0;other;speaker", "4711");
        ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Source", "device.id", device, "client.id", "4711");
    }
    CHECK(switches_headset_back(card));
    cpt_object *mark = add_mark(server, "other", CPW_MARK_CARD "headset;0;card;hfp", "4712");
    CHECK(!switches_headset_back(card));
    cpt_object_remove(mark);
    cpt_object *stream = ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Input/Audio");
    cpt_object *microphone =
        ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Source", "device.id", device, "client.id", "4712");
    snprintf(recorder, sizeof(recorder), "%u", cpt_object_id(stream));
    snprintf(source, sizeof(source), "%u", cpt_object_id(microphone));
    ADD(server, CPW_OBJECT_LINK, "link.output.node", source, "link.input.node", recorder);
    CHECK(!switches_headset_back(card));
    cpt_server_stop(server);
}

/* Answers what is held, and returns how often the route was queried until then. */
static size_t answer_questions(cpt_server *server, cpt_object *card) {
    cpt_server_lock(server);
    size_t count = cpt_device_question_count(card, CPW_PARAM_ROUTE);
    cpt_device_hold(card, false);
    cpt_device_hold(card, true);
    cpt_server_unlock(server);
    return count;
}

/* If it ended before, the daemon would keep the old route. The watchdog's clock is stopped, so that
 * it waits however late the answers are. */
TEST("card restore", "it ends when the card has answered its last question") {
    cpt_server *server = server_start();
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_route(1, "speaker", 0);
    cpt_device_set(card, CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    const char *order = "mark\n@1 2 output;0;card;\n";
    int error = 0, status;
    stopped_clock = cpw_now();
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    stopped_clock = 0;
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(cpw_watchdog_set_order(watchdog, order, strlen(order)), 0);
    cpt_device_hold(card, true);
    cpw_watchdog_destroy(watchdog);
    /* The route is queried, then again after each of the two requests for another one. */
    AWAIT_TRUE("second question", answer_questions(server, card) >= 2);
    AWAIT_TRUE("last question", cpt_device_question_count(card, CPW_PARAM_ROUTE) >= 3);
    /* A watchdog that does not wait ends while another client connects and asks. */
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    CHECK_EQUAL(waitpid(-1, &status, WNOHANG), 0);
    client_end(client);
    cpt_device_hold(card, false);
    CHECK_EQUAL(await_orphan(), 0);
    cpt_server_stop(server);
}

TEST("stream restore", "marks of sandboxed clients do not count, however many there are") {
    enum { CLIENTS = 600 };
    static cpt_object *clients[CLIENTS];
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    for (int i = 0; i < CLIENTS; i++)
        clients[i] = ADD(server, CPW_OBJECT_CLIENT, "pipewire.access", "restricted");
    for (int i = CLIENTS - 1; i >= 0; i--) {
        char id[16];
        snprintf(id, sizeof(id), "%u", cpt_object_id(clients[i]));
        add_mark(server, "sandboxed", "1;ducks=200", id);
        add_mark(server, "mark", "1;ducks=200", id); /* the program's own name */
    }
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 1);
    CHECK(first == 1);
    /* The last of all is valid. */
    add_mark(server, "other", "1;ducks=200", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f000000", &first, &is_muted), 1);
    CHECK(first == 1);
    cpt_server_stop(server);
}

TEST("stream restore", "a client with many marks hides none of another client") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    for (int i = 0; i < 300; i++)
        add_mark(server, "crowd", CPW_MARK_MUTES "1", "4711");
    cpt_object *mark = add_mark(server, "other", CPW_MARK_MUTES "4242", "4712");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 1);
    cpt_server_stop(server);
}
