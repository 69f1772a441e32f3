#pragma once

/* KIND [slow MICROSECONDS, lie or typed], after the name of the program: the floor. It is a
 * plain client of libpipewire that handles only the event. `slow` and `lie` test whether the
 * driver notices; `typed` is the floor for typed ports. KIND is nodes, default, jack, volume or
 * session, of which `typed` supports the first three. */
int floor_client(int count, char **arguments);
