/* What a daemon sends of a card whose headphones are plugged in or pulled, and of a sink that comes, told as a connection
 * tells it: the bytes are read by the shim. */
#ifndef CORE_PODS_H
#define CORE_PODS_H

#include "CPipeWireShim.h"

#pragma clang assume_nonnull begin

typedef struct core_pods core_pods;

/* The bytes of a card's four routes; null: no memory, or too little. Never freed. */
core_pods *_Nullable core_pods_create(bool plugged);

void core_pods_tell(const core_pods *pods, const cpw_connection_events *events, void *user, uint32_t device);

/* A sink without a card: what the registry shows of it, then all that it says of itself. */
void core_pods_tell_sink(const cpw_connection_events *events, void *user, uint32_t id);

#pragma clang assume_nonnull end
#endif
