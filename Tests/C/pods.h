/* Parameters in PipeWire's binary form, well formed and damaged. */
#ifndef PODS_H
#define PODS_H

#include "harness.h"

/* Capacity for damage that makes it longer. */
struct pod {
    _Alignas(8) uint8_t bytes[2048];
    size_t size;
};

struct pod pod_route(int32_t index, const char *name, int32_t device /* -1: not in use */);
struct pod pod_profile(int32_t index, const char *name);
struct pod pod_props(uint32_t volumes, bool mute);

/* Damages one to three parts: sizes, types, keys, values, or the end. */
void pod_damage(struct pod *pod, struct random *random);

/* One of the three above, damaged. */
struct pod pod_damaged(struct random *random);

#endif
