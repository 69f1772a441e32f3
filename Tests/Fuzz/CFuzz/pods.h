#ifndef CFUZZ_PODS_H
#define CFUZZ_PODS_H

#include "internal.h"

#include <spa/pod/pod.h>

/* Null if there are too few bytes for a header. The caller frees it. */
struct spa_pod *cfuzz_pod_copy(const uint8_t *bytes, size_t size);

#endif
