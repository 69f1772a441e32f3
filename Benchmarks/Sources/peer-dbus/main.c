/* peer-dbus session: a signal over D-Bus, as a daemon that decides about sound would send it.
 * `peer-dbus emit` sends one for each `activate` and `deactivate` that it reads, and answers
 * `time` as peer-cause does. */
#include <peer.h>

#if __has_include(<systemd/sd-bus.h>)
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define PATH "/org/example/Sessions"
#define INTERFACE "org.example.Sessions"

static int changed(sd_bus_message *message, void *data, sd_bus_error *error) {
    uint64_t time = peer_now();
    const char *what = NULL;
    (void)data, (void)error;
    if (sd_bus_message_read(message, "s", &what) >= 0 && what) {
        peer_saw(time, "bare", "session", what);
        peer_saw(time, "full", "session", what);
    }
    return 0;
}

static int emit(sd_bus *bus) {
    char line[64];
    uint64_t caused = 0;
    setvbuf(stdin, NULL, _IONBF, 0);
    peer_ready();
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "time") == 0) {
            peer_print("caused %llu\n", (unsigned long long)caused);
            continue;
        }
        caused = peer_now();
        sd_bus_emit_signal(bus, PATH, INTERFACE, "Changed", "s", "?");
        sd_bus_flush(bus);
    }
    return 0;
}

int main(int count, char **arguments) {
    sd_bus *bus = NULL;
    if (count < 2)
        return 64;
    if (sd_bus_open_user(&bus) < 0) {
        peer_print("unavailable no D-Bus session bus\n");
        return 69;
    }
    if (strcmp(arguments[1], "emit") == 0)
        return emit(bus);
    peer_follow_driver();
    if (sd_bus_match_signal(bus, NULL, NULL, PATH, INTERFACE, "Changed", changed, NULL) < 0)
        return 69;
    peer_ready();
    while (sd_bus_process(bus, NULL) > 0 || sd_bus_wait(bus, UINT64_MAX) >= 0) {}
    return 0;
}
#else
int main(void) { return peer_unavailable("libsystemd-dev"); }
#endif
