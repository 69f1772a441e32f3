#pragma once

/* What floor_client does for `KIND typed`. */
int typed_client(const char *kind);
