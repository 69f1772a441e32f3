#define _GNU_SOURCE
#include "watchdog.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Watchdogs that write their order into a file */

void write_order(const char *path, char *order) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file > 4)
        _exit(3);
    size_t size = strlen(order);
    char *copy = malloc(size + 1); /* it allocates like the real ones */
    memcpy(copy, order, size + 1);
    if (write(file, copy, size) != (ssize_t)size)
        _exit(4);
    free(copy);
}

cpr_watchdog *watchdog_start(const char *path) {
    int error = 1;
    cpr_watchdog *watchdog = cpr_watchdog_create(write_order, NULL, path, &error);
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(error, 0);
    return watchdog;
}

void watchdog_set_order(cpr_watchdog *watchdog, const char *order) {
    CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, strlen(order)), 0);
}

void check_written(const char *path, const char *order) {
    char *text = read_file(path);
    if (order != NULL)
        CHECK_TEXT(text, order);
    else
        CHECK(text == NULL);
    free(text);
}

/* ---- The clock of a watchdog (--wrap), which is that of the program when it starts */

static uint64_t stopped_clock; /* 0: it runs */
uint64_t __real_cpw_now(void);
uint64_t __wrap_cpw_now(void) { return stopped_clock != 0 ? stopped_clock : __real_cpw_now(); }

unsigned __real_alarm(unsigned seconds);
unsigned __wrap_alarm(unsigned seconds) { return stopped_clock != 0 ? 0 : __real_alarm(seconds); }

/* ---- Watchdogs of the daemon */

cpw_watchdog *watchdog_with(const char *order) {
    int error = 0;
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(cpw_watchdog_set_order(watchdog, order, strlen(order)), 0);
    return watchdog;
}

cpw_watchdog *watchdog_without_clock(const char *order) {
    stopped_clock = cpw_now();
    cpw_watchdog *watchdog = watchdog_with(order);
    stopped_clock = 0;
    return watchdog;
}

size_t restore(cpt_object *stream, const char *order, float *first, bool *is_muted) {
    char text[1000];
    float volumes[CPW_MAX_VOLUMES] = {0};
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof(text), order, cpt_object_id(stream));
#pragma clang diagnostic pop
    cpw_watchdog_destroy(watchdog_with(text));
    CHECK_EQUAL(await_orphan(), 0);
    size_t count = cpt_node_soft_volumes(stream, volumes, CPW_MAX_VOLUMES, is_muted);
    *first = volumes[0];
    return count;
}

/* A card is queried once, and again after each request. */
bool switches_headset_back(cpt_object *card) {
    size_t count = cpt_device_question_count(card, CPW_PARAM_PROFILE);
    cpw_watchdog_destroy(watchdog_with("mark\n@2 1 headset;0;card;\n"));
    CHECK_EQUAL(await_orphan(), 0);
    count = cpt_device_question_count(card, CPW_PARAM_PROFILE) - count;
    CHECK(count >= 1);
    return count > 1;
}

cpt_object *add_stream(cpt_server *server) {
    return ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Output/Audio", "object.serial", "4242");
}

cpt_object *add_mark(cpt_server *server, const char *name, const char *payload, const char *client) {
    return ADD(server, CPW_OBJECT_SESSION, "session.name", name, CPW_MARK_KEY, payload, "client.id", client);
}

cpt_object *add_device_mark(cpt_server *server, const char *name, const char *payload, const char *client) {
    return ADD(server, CPW_OBJECT_DEVICE, "device.api", CPW_MARK_API, "device.name", name, "device.description",
               payload, "client.id", client);
}
