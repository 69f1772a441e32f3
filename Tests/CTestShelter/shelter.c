/* Gives a test process a private home, runtime directory and bus addresses before main, so that
 * no test reaches the PipeWire, the desktop or the files of the user, however the tests are
 * started. */
#define _GNU_SOURCE
#include "CTestShelter.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* Scripts/common.bash uses the same name: where it is set, the folders exist. */
static const char mark[] = "AUDIOSESSIONS_TEST_RUN";

static char folder[128];
static pid_t owner;

static int remove_file(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

static void remove_folder(void) {
    if (getpid() == owner)
        nftw(folder, remove_file, 16, FTW_DEPTH | FTW_PHYS);
}

static void set_folder(const char *variable, const char *name) {
    char path[sizeof(folder) + 16];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    mkdir(path, 0700);
    setenv(variable, path, 1);
}

static void unset_all(const char *prefix) {
    size_t length = strlen(prefix);
    for (char **entry = environ; *entry != NULL;) {
        char *equals = strchr(*entry, '=');
        if (equals == NULL || strncmp(*entry, prefix, length) != 0) {
            entry++;
            continue;
        }
        char *name = strndup(*entry, (size_t)(equals - *entry));
        unsetenv(name);
        free(name);
        entry = environ;
    }
}

__attribute__((constructor)) static void shelter(void) {
    if (getenv(mark) != NULL)
        return;
    const char *parent = getenv("TMPDIR");
    /* The path of a socket has room for 107 bytes. */
    if (parent == NULL || *parent != '/' || strlen(parent) > 60)
        parent = "/tmp";
    snprintf(folder, sizeof(folder), "%s/audiosessions-tests.XXXXXX", parent);
    if (mkdtemp(folder) == NULL) {
        fprintf(stderr, "the tests cannot make a folder in %s: set TMPDIR to one that they may write to\n", parent);
        _exit(1);
    }
    owner = getpid();
    atexit(remove_folder);
    static const char *const foreign[] = {"PIPEWIRE_", "WIREPLUMBER_", "SPA_", "PULSE_"};
    for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++) unset_all(foreign[i]);
    setenv(mark, folder, 1);
    set_folder("HOME", "home");
    set_folder("XDG_RUNTIME_DIR", "run");
    set_folder("XDG_CONFIG_HOME", "config");
    set_folder("XDG_STATE_HOME", "state");
    set_folder("XDG_CACHE_HOME", "cache");
    set_folder("XDG_DATA_HOME", "data");
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/no-system-bus", 1);
}

int cts_is_sheltered(void) { return getenv(mark) != NULL; }
