#define _GNU_SOURCE
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 20 /* seconds for one line */, LIMIT = 60 /* for one test */, SKIPPED = 77, LINE_SIZE = 400 };

static struct test *tests, **last_test = &tests;
static const struct test *running;
static char folder[200]; /* of the running test */
static char reports[200]; /* beginning of the files into which sanitizers write */
static unsigned failures;
static char waiting_for[LINE_SIZE];
static char seed_text[64];

void harness_add(struct test *test) {
    *last_test = test;
    last_test = &test->next;
}

/* ---- Checks */

static void print_place(const char *file, int line) {
    const char *slash = strrchr(file, '/');
    __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
    printf("%s:%d: %s: %s: ", slash != NULL ? slash + 1 : file, line, running->target, running->sentence);
}

void harness_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    print_place(file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

void harness_check_equal(const char *file, int line, const char *expression, long long actual, long long expected) {
    if (actual != expected)
        harness_fail(file, line, "%s is %lld, expected %lld", expression, actual, expected);
}

void harness_check_text(const char *file, int line, const char *expression, const char *actual,
                        const char *expected) {
    if (actual == NULL || strcmp(actual, expected) != 0)
        harness_fail(file, line, "%s is \"%s\", expected \"%s\"", expression, actual != NULL ? actual : "(null)",
                     expected);
}

void harness_abandon(void) {
    fputs(seed_text, stdout);
    fflush(stdout);
    _exit(1);
}

void harness_skip(const char *reason) {
    printf("skipped: %s: %s: %s\n", running->target, running->sentence, reason);
    fflush(stdout);
    _exit(SKIPPED);
}

/* ---- The journal. Its own allocations never fail. */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static char **lines;
static size_t line_count, line_room;

void journal(const char *format, ...) {
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    if (line_count == line_room) {
        line_room = line_room != 0 ? 2 * line_room : 256;
        lines = __real_realloc(lines, line_room * sizeof(*lines));
    }
    lines[line_count++] = __real_strdup(text);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void journal_clear(void) {
    pthread_mutex_lock(&lock);
    while (line_count > 0)
        free(lines[--line_count]);
    pthread_mutex_unlock(&lock);
}

static size_t find_lines(const char *text, size_t *first, size_t *last) {
    size_t length = strlen(text), count = 0;
    *first = SIZE_MAX;
    for (size_t i = 0; i < line_count; i++) {
        if (strncmp(lines[i], text, length) != 0 || (lines[i][length] != '\0' && lines[i][length] != ' '))
            continue;
        if (count++ == 0)
            *first = i;
        *last = i;
    }
    return count;
}

#define FORMAT(text)                                                                               \
    char text[LINE_SIZE];                                                                          \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    vsnprintf(text, sizeof(text), format, arguments);                                              \
    va_end(arguments)

size_t journal_count(const char *format, ...) {
    FORMAT(text);
    size_t place, last;
    pthread_mutex_lock(&lock);
    size_t count = find_lines(text, &place, &last);
    pthread_mutex_unlock(&lock);
    return count;
}

size_t journal_place(const char *format, ...) {
    FORMAT(text);
    size_t place, last;
    pthread_mutex_lock(&lock);
    find_lines(text, &place, &last);
    pthread_mutex_unlock(&lock);
    return place;
}

static struct timespec deadline_in(int seconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += seconds;
    return time;
}

long harness_await_lines(const char *file, int line, size_t count, const char *format, ...) {
    FORMAT(text);
    const struct timespec deadline = deadline_in(PATIENCE);
    int result = 0;
    size_t place, last = 0, found;
    pthread_mutex_lock(&lock);
    snprintf(waiting_for, sizeof(waiting_for), "%s", text);
    while ((found = find_lines(text, &place, &last)) < count && result == 0)
        result = pthread_cond_timedwait(&changed, &lock, &deadline);
    waiting_for[0] = '\0';
    if (found < count) {
        print_place(file, line);
        printf("\"%s\" came %zu times in %d s, expected %zu; the last lines were:\n", text, found, PATIENCE, count);
        for (size_t i = line_count > 12 ? line_count - 12 : 0; i < line_count; i++)
            printf("    %s\n", lines[i]);
        harness_abandon();
    }
    long number = strtol(lines[last] + strlen(text), NULL, 10);
    pthread_mutex_unlock(&lock);
    return number;
}

void harness_await(const char *file, int line, const char *what, bool (^is_true)(void)) {
    snprintf(waiting_for, sizeof(waiting_for), "%s", what);
    for (int turn = 0; turn < PATIENCE * 500; turn++) {
        if (is_true()) {
            waiting_for[0] = '\0';
            return;
        }
        nanosleep(&(struct timespec){0, 2 * 1000 * 1000}, NULL);
    }
    harness_fail(file, line, "no %s in %d s", what, PATIENCE);
    harness_abandon();
}

/* ---- Folders and processes */

const char *test_path(const char *name) {
    static char paths[16][256];
    static unsigned next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs(text, file);
    fclose(file);
}

char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    size_t room = 0;
    if (getdelim(&text, &room, '\0', file) < 0 && text != NULL)
        text[0] = '\0';
    fclose(file);
    return text;
}

int await_orphan(void) {
    int status = 0;
    snprintf(waiting_for, sizeof(waiting_for), "the end of an orphan");
    while (waitpid(-1, &status, 0) < 0)
        REQUIRE(errno == EINTR);
    waiting_for[0] = '\0';
    return status;
}

/* ---- Memory: the linker sends the calls of the project's own code here (--wrap) */

static _Thread_local size_t allocations_left; /* 0: none fails */
static _Thread_local bool has_failed;

static bool fails(void) {
    if (allocations_left == 0 || --allocations_left > 0)
        return false;
    has_failed = true;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }

size_t with_failing_allocations(void (^body)(void)) {
    for (size_t turn = 1;; turn++) {
        REQUIRE(turn < 1000);
        has_failed = false;
        allocations_left = turn;
        body();
        allocations_left = 0;
        if (!has_failed)
            return turn - 1;
    }
}

/* ---- Numbers */

struct random random_start(uint64_t seed) {
    snprintf(seed_text, sizeof(seed_text), "    the seed was %llu\n", (unsigned long long)seed);
    return (struct random){seed};
}

uint64_t random_next(struct random *random) {
    uint64_t word = random->state += 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

uint32_t random_below(struct random *random, uint32_t limit) { return (uint32_t)(random_next(random) % limit); }

/* ---- Running. The process of a test */

static void end_hanging(int signal) {
    (void)signal;
    char text[2 * LINE_SIZE];
    int size = snprintf(text, sizeof(text), "%s: %s: not ended after %d s%s%s\n", running->target, running->sentence,
                        LIMIT, waiting_for[0] != '\0' ? ", waiting for: " : "", waiting_for);
    fflush(stdout);
    (void)!write(1, text, (size_t)size);
    __sanitizer_print_stack_trace();
    _exit(1);
}

_Noreturn static void run_in_child(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGALRM, end_hanging);
    alarm(LIMIT);
    running->run();
    journal_clear();
    free(lines);
    lines = NULL;
    if (failures > 0)
        fputs(seed_text, stdout);
    exit(failures > 0 ? 1 : 0); /* with the search for leaks */
}

/* ---- The process of the harness */

static int remove_file(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

/* Reports of sanitizers, also of processes without a parent or a standard error. */
static size_t print_reports(void) {
    char pattern[sizeof(reports) + 2];
    glob_t found;
    snprintf(pattern, sizeof(pattern), "%s.*", reports);
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        char *text = read_file(found.gl_pathv[i]);
        fputs(text != NULL ? text : "", stdout);
        free(text);
        unlink(found.gl_pathv[i]);
    }
    globfree(&found);
    return count;
}

/* The harness adopts children that the test did not wait for. */
static size_t end_left_processes(void) {
    size_t count = 0;
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    char *text = read_file(path);
    for (char *next = text, *end; next != NULL; next = end) {
        pid_t process = (pid_t)strtol(next, &end, 10);
        if (process <= 0)
            break;
        char command[64], *name;
        snprintf(command, sizeof(command), "/proc/%d/comm", (int)process);
        name = read_file(command);
        /* The beginning of a report's file name. */
        bool is_symbolizer = name != NULL && strncmp(name, "llvm-symbolizer", 15) == 0;
        if (!is_symbolizer)
            printf("left running: process %d, %s", (int)process, name != NULL ? name : "?\n");
        free(name);
        kill(process, SIGKILL);
        waitpid(process, NULL, 0);
        count += !is_symbolizer;
    }
    free(text);
    return count;
}

enum outcome { PASSED, FAILED, SKIPPED_TEST };

static enum outcome run_test(const struct test *test) {
    struct timespec start, end;
    char parent[100];
    running = test;
    snprintf(parent, sizeof(parent), "%s", getenv("AUDIOSESSIONS_TEST_RUN"));
    snprintf(folder, sizeof(folder), "%s/c.XXXXXX", parent);
    if (mkdtemp(folder) == NULL) {
        printf("no folder can be made in %s\n", parent);
        return FAILED;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        run_in_child();
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    clock_gettime(CLOCK_MONOTONIC, &end);
    size_t reported = print_reports(), left = end_left_processes();
    nftw(folder, remove_file, 16, FTW_DEPTH | FTW_PHYS);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED && reported == 0)
        return SKIPPED_TEST;
    if (child < 0 || status != 0 || reported > 0 || left > 0) {
        printf("FAILED: %s: %s", test->target, test->sentence);
        printf(WIFSIGNALED(status) ? " (signal %d)\n" : " (status %d)\n",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        return FAILED;
    }
    long long ms = (end.tv_sec - start.tv_sec) * 1000LL + (end.tv_nsec - start.tv_nsec) / 1000000;
    printf("passed: %s: %s (%lld ms)\n", test->target, test->sentence, ms);
    return PASSED;
}

int main(int count, char **arguments) {
    const char *filter = count > 1 ? arguments[1] : "";
    unsigned counts[3] = {0};
    if (getenv("AUDIOSESSIONS_TEST_RUN") == NULL) {
        fputs("AUDIOSESSIONS_TEST_RUN must be a folder of its own: run Scripts/test-c\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    snprintf(reports, sizeof(reports), "%s/sanitizer", getenv("AUDIOSESSIONS_TEST_RUN"));
    __sanitizer_set_report_path(reports);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (const struct test *test = tests; test != NULL; test = test->next) {
        char name[300];
        snprintf(name, sizeof(name), "%s: %s", test->target, test->sentence);
        if (strstr(name, filter) != NULL)
            counts[run_test(test)]++;
    }
    printf("%u tests passed, %u failed, %u skipped\n", counts[PASSED], counts[FAILED], counts[SKIPPED_TEST]);
    return counts[FAILED] > 0 || counts[PASSED] + counts[SKIPPED_TEST] == 0;
}
