/* Sources/CDesktopBus: connections to a bus, and calls. */
#include "desktop_bus.h"

#include <errno.h>
#include <string.h>

TEST("bus", "invalid addresses, and those without a daemon, are errors") {
    static const char *const bad[] = {"", "nonsense", "unix:path=/nonexistent/bus", "unix:", "tcp:host=,port=x"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        int error = 0;
        cdb_bus *bus = cdb_bus_open(bad[i], &bus_events, "bad", &error);
        CHECK((bus == NULL) == (error < 0));
        if (bus != NULL)
            cdb_bus_close(bus);
    }
    start_daemon();
    CHECK(with_failing_allocations(^{
        int error = 0;
        cdb_bus *bus = cdb_bus_open(bus_address, &bus_events, "bus", &error);
        if (bus == NULL)
            return CHECK_EQUAL(error, -ENOMEM);
        cdb_bus_wants_to_write(bus);
        cdb_bus_close(bus); /* before it is connected */
    }) == 1);
    stop_daemon();
}

TEST("bus", "calls of every signature bring replies of every type, and errors") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus");
    const char *own = cdb_bus_name(bus);
    CHECK_EQUAL(cdb_bus_call(bus, 2, DBUS, "ListNames", "", NULL, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 3, DBUS, "GetNameOwner", "s", own, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 4, DBUS, "NameHasOwner", "s", own, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 5, DBUS, "RequestName", "su", "org.mpris.MediaPlayer2.c", NULL, 4), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 6, DBUS, "GetNameOwner", "s", "no.such.name", NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 7, "org.freedesktop.DBus", "/org/freedesktop/DBus", DBUS_PROPERTIES, "Get", "ss",
                             "org.freedesktop.DBus", "Features", 0), 0); /* a variant that is no string */
    CHECK_EQUAL(cdb_bus_call(bus, 8, DBUS, "GetConnectionCredentials", "s", own, NULL, 0), 0); /* pairs */
    CHECK_EQUAL(cdb_bus_call(bus, 9, "no.such.service", "/", "no.such", "Method", "", NULL, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 10, DBUS, "GetId", "x", NULL, NULL, 0), -EINVAL);
    CHECK(cdb_bus_call(bus, 11, "..", "no path", "", "", "", NULL, NULL, 0) < 0);
    CHECK(cdb_bus_call(bus, 12, DBUS, "GetNameOwner", "s", "\xff not text", NULL, 0) < 0);
    PUMP("replies", journal_count("bus replied 9") == 1);
    CHECK(journal_count("bus replied 2 0 0 2 -") == 1 && journal_count("bus replied 3 0 0 0 %s", own) == 1);
    CHECK(journal_count("bus replied 4 0 1 0") == 1 && journal_count("bus replied 5 0 1 0") == 1);
    CHECK_EQUAL(journal_count("bus replied 6 %d 0 0 org.freedesktop.DBus.Error.NameHasNoOwner", ENXIO), 1);
    CHECK(journal_count("bus replied 7 %d", EBADMSG) == 1 && journal_count("bus replied 8 %d", EBADMSG) == 1);
    CHECK_EQUAL(journal_count("bus replied 9 0"), 0);
    CHECK(with_failing_allocations(^{
        cdb_bus_call(bus, 13, DBUS, "GetId", "", NULL, NULL, 0);
        size_t count = journal_count("bus replied 13");
        PUMP("quiet", cdb_bus_deadline(bus) == UINT64_MAX);
        CHECK(journal_count("bus replied 13") >= count);
    }) == 1);
    close_buses();
}

/* Answers calls of another program. The member names the kind of answer. */
static int answer(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    static char *many[300001];
    sd_bus_message *reply = NULL;
    const char *member = sd_bus_message_get_member(call);
    if (!sd_bus_message_is_method_call(call, "c.test", NULL) || sd_bus_message_new_method_return(call, &reply) < 0)
        return 0;
    for (size_t i = 0; i + 1 < sizeof(many) / sizeof(*many); i++)
        many[i] = (char *)"text";
    if (strcmp(member, "Many") == 0)
        sd_bus_message_append_strv(reply, many);
    else if (strcmp(member, "None") == 0)
        sd_bus_message_append(reply, "as", 0);
    else if (strcmp(member, "Large") == 0)
        sd_bus_message_append(reply, "x", INT64_MAX);
    else if (strcmp(member, "Variant") == 0)
        sd_bus_message_append(reply, "v", "v", "s", "inner");
    sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return 1;
}

TEST("bus", "replies of other programs are read up to their bounds") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus");
    const char *name = NULL;
    open_raw_bus();
    REQUIRE(sd_bus_get_unique_name(raw_bus, &name) >= 0 && sd_bus_add_filter(raw_bus, NULL, answer, NULL) >= 0);
    static const char *const members[] = {"Many", "None", "Large", "Variant", "Empty"};
    for (uint64_t i = 0; i < 5; i++)
        CHECK_EQUAL(cdb_bus_call(bus, 2 + i, name, "/", "c.test", members[i], "", NULL, NULL, 0), 0);
    PUMP("replies", journal_count("bus replied 6") == 1);
    CHECK_EQUAL(journal_count("bus replied 2 0 0 262144 -"), 1);
    CHECK(journal_count("bus replied 3 0 0 0 -") == 1 && journal_count("bus replied 4 0 0 0 -") == 1);
    CHECK(journal_count("bus replied 5 %d", EBADMSG) == 1 && journal_count("bus replied 6 0 0 0 -") == 1);
    close_buses();
}

TEST("bus", "it is closed, or loses its daemon, with unanswered calls") {
    for (int turn = 0; turn < 2; turn++) {
        start_daemon();
        cdb_bus *bus = open_bus(0, "bus");
        cdb_bus_watch_players(bus);
        cdb_bus_watch_players(bus);
        for (uint64_t call = 2; call < 50; call++)
            CHECK_EQUAL(cdb_bus_call(bus, call, DBUS, "ListNames", "", NULL, NULL, 0), 0);
        if (turn == 1) {
            stop_daemon();
            PUMP("loss", journal_count("bus 0 is lost") > 0);
            cdb_bus_call(bus, 99, DBUS, "ListNames", "", NULL, NULL, 0);
        }
        cdb_bus_unwatch_players(bus);
        cdb_bus_close(bus);
        buses[0] = NULL;
        if (turn == 0)
            stop_daemon();
        journal_clear();
    }
}
