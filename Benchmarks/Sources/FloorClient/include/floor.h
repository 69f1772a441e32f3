#pragma once

/* KIND [slow MICROSECONDS | lie | typed], after the name of the program: the floor. A plain client of libpipewire that does
 * nothing but what the event needs. `slow` and `lie` are there to see whether the driver notices; `typed` is the floor for
 * typed ports. KIND is nodes, default, jack, volume or session, of which `typed` knows the first three. */
int floor_client(int count, char **arguments);
