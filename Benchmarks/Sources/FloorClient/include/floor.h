#pragma once

/* KIND [slow MICROSECONDS | lie | typed], after the name of the program: the floor. A plain client of libpipewire that does nothing
 * but what the event needs. `slow` and `lie` are there to see whether the driver notices. KIND is nodes, default, jack,
 * volume or session. */
int floor_client(int count, char **arguments);

/* KIND typed: the floor for typed ports. KIND is nodes, default or jack. */
int typed_client(const char *kind);
