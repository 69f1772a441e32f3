#ifndef CDB_INTERNAL_H
#define CDB_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CDesktopBus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define MPRIS_PATH "/org/mpris/MediaPlayer2"
#define MPRIS_ROOT "org.mpris.MediaPlayer2"
#define MPRIS_PLAYER "org.mpris.MediaPlayer2.Player"
#define LOGIND_NAME "org.freedesktop.login1"
#define LOGIND_PATH "/org/freedesktop/login1"
#define LOGIND_MANAGER "org.freedesktop.login1.Manager"
#define BUS_NAME "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"

struct cdb_bus {
    sd_bus *bus;
    sd_bus_slot *owners, *statuses, *sleep;
    cdb_bus_events events;
    void *user;
    int socket_slot; /* of CProcess.h */
    char name[CDB_CLAIM_SIZE]; /* the unique name, empty until the bus has assigned it */
};

#endif
