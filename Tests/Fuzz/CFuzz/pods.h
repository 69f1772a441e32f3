#ifndef CFUZZ_PODS_H
#define CFUZZ_PODS_H

#include "internal.h"

#include <spa/pod/pod.h>

/* Null if there are not even bytes for a header. To be freed. */
struct spa_pod *cfuzz_pod_copy(const uint8_t *bytes, size_t size);

#endif
