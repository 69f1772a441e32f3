/* A harness for tests of C under sanitizers.
 *
 * Each test runs in a process of its own, so that a crash, a hang, a leak or a report of a
 * sanitizer belongs to one test, and global state starts anew. A failed CHECK is printed with file
 * and line, and the test continues; a failed REQUIRE, or a missed deadline, ends the test.
 *
 * Callbacks write lines into the journal, on any thread; the test waits for lines that it names. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- Tests */

struct test {
    const char *target, *sentence;
    void (*run)(void);
    struct test *next;
};

void harness_add(struct test *test);

#define HARNESS_JOIN_(a, b) a##b
#define HARNESS_JOIN(a, b) HARNESS_JOIN_(a, b)

/* TEST("loop", "a wake runs the drain") { ... } */
#define TEST(target_, sentence_)                                                                   \
    static void HARNESS_JOIN(test_, __LINE__)(void);                                               \
    __attribute__((constructor)) static void HARNESS_JOIN(add_, __LINE__)(void) {                  \
        static struct test test = {target_, sentence_, HARNESS_JOIN(test_, __LINE__), NULL};       \
        harness_add(&test);                                                                        \
    }                                                                                              \
    static void HARNESS_JOIN(test_, __LINE__)(void)

/* ---- Checks */

void harness_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void harness_check_equal(const char *file, int line, const char *expression, long long actual, long long expected);
void harness_check_text(const char *file, int line, const char *expression, const char *actual, const char *expected);

/* Ends the test on a failure after which it cannot continue. */
_Noreturn void harness_abandon(void);

/* Ends the test as skipped. */
_Noreturn void harness_skip(const char *reason);

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : harness_fail(__FILE__, __LINE__, "%s", "not true: " #condition))
#define CHECK_EQUAL(actual, expected)                                                              \
    harness_check_equal(__FILE__, __LINE__, #actual, (long long)(actual), (long long)(expected))
#define CHECK_TEXT(actual, expected) harness_check_text(__FILE__, __LINE__, #actual, actual, expected)
#define REQUIRE(condition)                                                                         \
    ((condition) ? (void)0 : (harness_fail(__FILE__, __LINE__, "%s", "not true: " #condition), harness_abandon()))

/* ---- The journal. Any thread. */

/* Adds a line; longer ones are cut. */
void journal(const char *format, ...) __attribute__((format(printf, 1, 2)));
void journal_clear(void);

/* The number of lines that are the text, or continue it after a space. */
size_t journal_count(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The position of the first such line in the journal; SIZE_MAX without one. */
size_t journal_place(const char *format, ...) __attribute__((format(printf, 1, 2)));

long harness_await_lines(const char *file, int line, size_t count, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Waits until there are so many such lines. The deadline only ends a failed test: it is far
 * longer than any step takes. */
#define AWAIT(...) (void)harness_await_lines(__FILE__, __LINE__, 1, __VA_ARGS__)
#define AWAIT_COUNT(count, ...) (void)harness_await_lines(__FILE__, __LINE__, count, __VA_ARGS__)
/* The same, with the number that follows the text in the last such line as its value. */
#define AWAIT_NUMBER(...) harness_await_lines(__FILE__, __LINE__, 1, __VA_ARGS__)

/* Polls until the condition is true, for state without a callback. */
void harness_await(const char *file, int line, const char *what, bool (^is_true)(void));
#define AWAIT_TRUE(what, ...) harness_await(__FILE__, __LINE__, what, ^bool { return __VA_ARGS__; })

/* ---- Folders, processes, memory, numbers */

/* A path in the test's own folder, which the harness removes. Lasts until the test ends. */
const char *test_path(const char *name);
void write_file(const char *path, const char *text);
/* The caller frees the result, which is null if there is no such file. */
char *read_file(const char *path);

/* Waits for the end of a process that lost its parent, such as a watchdog, or of a child. Returns
 * its status as of waitpid. */
int await_orphan(void);

/* Runs the block repeatedly; the first, second, ... allocation that the project's code makes on
 * this thread fails, until the block runs without a failure. Returns the number of failures. */
size_t with_failing_allocations(void (^body)(void));

/* Numbers that are the same in each run (SplitMix64). */
struct random {
    uint64_t state;
};
struct random random_start(uint64_t seed); /* prints the seed if the test fails */
uint64_t random_next(struct random *random);
uint32_t random_below(struct random *random, uint32_t limit);

#endif
