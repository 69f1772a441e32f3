/* The results of the loader's functions without the library, and with the library but without
 * PipeWire. The argument selects one; the caller sets AUDIOSESSION_LIBRARY and PIPEWIRE_REMOTE. */
#define _GNU_SOURCE
#include "audiosession-loader.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) failures++, printf("line %d: not %s\n", __LINE__, #condition); \
    } while (0)

enum { THREADS = 8 };
static pthread_barrier_t barrier;

/* All threads make the program's first call at the same moment. */
static void *first_call(void *result) {
    pthread_barrier_wait(&barrier);
    *(uint32_t *)result = as_abi_version();
    return NULL;
}

static uint32_t call_on_many_threads(void) {
    pthread_t threads[THREADS];
    uint32_t versions[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, first_call, &versions[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 1; i < THREADS; i++) CHECK(versions[i] == versions[0]);
    return versions[0];
}

static void without_library(void) {
    as_error error = AS_ERROR_INIT, small = AS_ERROR_INIT;
    as_session_info info = AS_SESSION_INFO_INIT;
    as_manager *manager = (as_manager *)&error;
    as_session *session = (as_session *)&error;
    as_route *route = (as_route *)&error;
    info.gain = 0.5f;
    CHECK(call_on_many_threads() == 0);
    CHECK(!as_loader_is_available());
    CHECK(strstr(as_loader_problem(), "AUDIOSESSION_LIBRARY"));
    CHECK(as_manager_open(NULL, &manager, &error) == AS_ERROR_MEDIA_SERVICES_FAILED && !manager);
    CHECK(error.status == AS_ERROR_MEDIA_SERVICES_FAILED && strcmp(error.message, as_loader_problem()) == 0);
    CHECK(as_session_create(manager, NULL, &session, NULL) == AS_ERROR_MEDIA_SERVICES_FAILED && !session);
    CHECK(as_session_activate(session, NULL) == AS_ERROR_MEDIA_SERVICES_FAILED);
    CHECK(as_session_get_info(session, &info) == AS_ERROR_MEDIA_SERVICES_FAILED && info.gain == 0.5f);
    CHECK(as_session_get_route(session, &route) == AS_ERROR_MEDIA_SERVICES_FAILED && !route);
    CHECK(as_session_get_route(session, NULL) == AS_ERROR_MEDIA_SERVICES_FAILED);
    CHECK(as_route_count(route, AS_DIRECTION_OUTPUT) == 0 && as_silence_reasons_count(NULL) == 0);
    CHECK(as_manager_close(NULL) == AS_OK && as_session_destroy(NULL) == AS_OK && as_hold_end(NULL) == AS_OK);
    CHECK(as_route_free(NULL) == AS_OK && as_choice_free(NULL) == AS_OK && as_data_sources_free(NULL) == AS_OK);
    CHECK(*as_status_name(AS_OK) == 0 && *as_pipewire_version() == 0 && *as_version() == 0);
    /* The buffer may be too small, so nothing is written. */
    small.size = 8;
    CHECK(as_session_activate(session, &small) == AS_ERROR_MEDIA_SERVICES_FAILED && small.status == AS_OK);
}

static void without_pipewire(void) {
    as_error error = AS_ERROR_INIT;
    as_manager *manager = (as_manager *)&error;
    CHECK(call_on_many_threads() == AS_ABI_VERSION);
    CHECK(as_loader_is_available() && *as_loader_problem() == 0);
    CHECK(as_manager_open(NULL, &manager, &error) == AS_ERROR_MEDIA_SERVICES_FAILED && !manager);
    CHECK(strstr(error.message, "PipeWire"));
    CHECK(strcmp(as_status_name(AS_ERROR_FORKED), "AS_ERROR_FORKED") == 0);
    CHECK(as_session_activate(NULL, NULL) == AS_ERROR_BAD_HANDLE);
}

/* A library that is older: the file has none of the functions. */
static void with_older_library(void) {
    as_error error = AS_ERROR_INIT;
    CHECK(as_loader_is_available() && *as_loader_problem() == 0);
    CHECK(as_session_activate(NULL, &error) == AS_ERROR_MEDIA_SERVICES_FAILED);
    CHECK(strstr(error.message, "older") && strstr(error.message, "as_session_activate"));
}

int main(int count, char **arguments) {
    const char *kind = count > 1 ? arguments[1] : "";
    if (strcmp(kind, "no-library") == 0) without_library();
    else if (strcmp(kind, "no-pipewire") == 0) without_pipewire();
    else if (strcmp(kind, "older") == 0) with_older_library();
    else failures = 1;
    return failures != 0;
}
