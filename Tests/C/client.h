/* A loop, and a client of PipeWire on it, that write their notifications into the journal. */
#ifndef CLIENT_H
#define CLIENT_H

#include "CPipeWireShim.h"
#include "CPipeWireTestServer.h"
#include "harness.h"

/* ---- A loop whose thread runs blocks of the test */

struct test_loop {
    cpw_loop *loop;
    const char *name;
    void *work; /* a block; null: none, or done */
};

/* Journal: "NAME finished" when the thread has ended. */
struct test_loop *test_loop_start(const char *name);
/* Runs the block on the loop's thread, and returns when it has ended. */
void test_loop_run(struct test_loop *loop, void (^work)(void));
/* Releases the loop, and returns when its thread has ended. */
void test_loop_end(struct test_loop *loop);

/* ---- A client */

struct client {
    struct test_loop *loop;
    const char *name;
    cpw_connection *connection;
    void (^at)(const char *line); /* called on the loop's thread after each line of the client */
};

/* All callbacks write lines that begin with the client's name:
 *   NAME global ID TYPE KEY=VALUE...       NAME properties ID TYPE COUNT KEY=VALUE...
 *   NAME named NODE.NAME ID                NAME removed ID
 *   NAME state ID STATE                    NAME mute ID 0|1        NAME volumes ID COUNT
 *   NAME begin ID PARAM                    NAME end ID PARAM
 *   NAME profile ID PARAM INDEX PROFILE    NAME route ID PARAM INDEX ROUTE
 *   NAME metadata ID SUBJECT KEY VALUE
 *   NAME done SEQUENCE                     NAME failed
 * TYPE and PARAM are the numbers of the shim's enumerations. */
extern const cpw_connection_events client_events;

/* Connects to the daemon at the path, and watches on request. */
struct client *client_start(const char *name, const char *path, bool watches);
/* Returns when the daemon has answered everything so far. */
void client_settle(struct client *client);
void client_run(struct client *client, void (^work)(void));
/* Ends the connection and the loop. */
void client_end(struct client *client);
/* Ends the connection only. */
void client_disconnect(struct client *client);

/* ---- A daemon of the test's own, at test_path("daemon") */

cpt_server *server_start(void);

/* A list of properties as the shim takes it: PROPERTIES("node.name", "n", "node.nick", "k"). */
#define PROPERTIES(...)                                                                            \
    (const cpw_property *)(const char *const[]){__VA_ARGS__},                                      \
        sizeof((const char *const[]){__VA_ARGS__}) / (sizeof(cpw_property))

/* An object that the registry shows with all its properties. */
#define ADD(server, type, ...) cpt_object_add(server, type, PROPERTIES(__VA_ARGS__), PROPERTIES(__VA_ARGS__))

#endif
