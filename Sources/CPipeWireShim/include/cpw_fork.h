/* fork: a child process has none of the shim's threads. CPipeWireShim.h has the rules for all. */
#ifndef CPW_PUBLIC_FORK_H
#define CPW_PUBLIC_FORK_H

#include <stdbool.h>

/* Any thread. From now on a child that is forked without exec is recognized, and closes the shim's
 * sockets, because other programs would otherwise not notice the end of this process. Must be
 * called before the first thread is started. */
void cpw_handle_forks(void);

/* Any thread. Whether this process is such a child. It may call no other function of the shim. */
bool cpw_is_forked_child(void);

#endif
