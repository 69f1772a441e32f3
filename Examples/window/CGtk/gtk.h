#pragma once

#include <glib-unix.h>
#include <gtk/gtk.h>

// libdispatch's hooks for run loops that are not its own. Swift's Foundation uses them for the same
// purpose.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
