#pragma once

/* The part of floor_client for `KIND typed`. */
int typed_client(const char *kind);
