#ifndef SESSION_FLOOD_SESSION_H
#define SESSION_FLOOD_SESSION_H

#include <pipewire/pipewire.h>

/* Exports a Session with these properties, or has the daemon number it and shows it later. */
struct pw_proxy *export_session(struct pw_core *core, const struct spa_dict *properties);
struct pw_proxy *hold_session_back(struct pw_core *core, const struct spa_dict *properties);
/* Shows the Session that is held back. */
void show_session(void);

#endif
