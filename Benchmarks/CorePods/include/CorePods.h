/* The messages of a daemon for a card whose headphones are plugged in or pulled, and for a new
 * sink, as a connection delivers them: the shim reads the bytes. */
#ifndef CORE_PODS_H
#define CORE_PODS_H

#include "CPipeWireShim.h"

#pragma clang assume_nonnull begin

typedef struct core_pods core_pods;

/* The bytes of a card's four routes; null without enough memory. Never freed. */
core_pods *_Nullable core_pods_create(bool plugged);

void core_pods_notify(const core_pods *pods, const cpw_connection_events *events, void *user, uint32_t device);

/* A sink without a card: its registry entry, then all its properties. */
void core_pods_notify_sink(const cpw_connection_events *events, void *user, uint32_t id);

#pragma clang assume_nonnull end
#endif
