/* fork: a child has none of the library's threads. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_FORK_H
#define CPW_PUBLIC_FORK_H

#include <stdbool.h>

/* Any thread. From now on this process cannot be continued by a child of it; to be called before a thread is made. A child
 * that is forked without exec closes the library's sockets, so that this process's end is seen by others. */
void cpw_handle_forks(void);

/* Any thread. Whether this process is such a child: then nothing here may be called. */
bool cpw_is_forked_child(void);

#endif
