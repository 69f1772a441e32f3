/* A stand-in in C for the functions of audiosession.h that the library implements in Swift. They write
 * their arguments into the journal and return what the test wants. Each handle is an allocation, so that
 * the sanitizers see misuse and leaks. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <audiosession.h>

struct stand_in {
    as_status open_status, create_status, status; /* what managers, sessions and all else return */
    int32_t os_status;
    as_session_info info;
    as_port ports[2][3]; /* by direction */
    uint32_t port_counts[2];
};
extern struct stand_in stand_in;

/* A route of the ports as they are now. as_route_free gives it back. */
as_route *stand_in_route(void);

/* Calls the session's handler on another thread, as the library does, and waits for it. */
void stand_in_send(const as_event *event);

#endif
