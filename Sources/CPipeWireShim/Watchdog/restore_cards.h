/* Cards that the watchdog switches back. Used by watchdog.c only. */
#ifndef CPW_RESTORE_CARDS_H
#define CPW_RESTORE_CARDS_H

#include "Watchdog/client_objects.h"
#include "internal.h"

enum { CARD_CONTROLS = 16, CARD_TEXT = CLIENT_OBJECT_TEXT };

/* What the program switched: the route of one node of a card, or the card's profile. `text` is its
 * text in marks: the direction, `profile` or `headset`, number and device, each with a semicolon. */
struct card_control {
    char text[CARD_TEXT], device[CARD_TEXT];
    int32_t number, chosen, previous;
    uint32_t id;
    bool is_profile, is_headset, is_chosen;
};

struct cards {
    struct card_control controls[CARD_CONTROLS];
    size_t control_count;
    struct client_objects devices; /* those with the name of one in the order; any client can make one */
    struct client_objects marks;   /* of other programs */
    struct client_objects sources; /* microphones of these devices */
    struct client_objects links;   /* from these microphones to programs that record */
};

/* Reads a line of the order: an at sign, the index of the chosen route or profile, the index of the
 * previous one, and the text. Ignores other lines, truncated ones, and more than CARD_CONTROLS. */
void cards_read(struct cards *cards, const char *line);
/* Keeps the device if the order has a control of it. `name` may be null. Here and below, what a
 * client in a sandbox has made counts for nothing, also if the sandbox is noted only later. */
void cards_note_device(struct cards *cards, uint32_t id, uint32_t client, const char *name);
/* Keeps the microphone if it is one of a kept device. */
void cards_note_source(struct cards *cards, uint32_t id, uint32_t client, uint32_t device);
/* Keeps a link to a program that records if `output` is a kept microphone. */
void cards_note_link(struct cards *cards, uint32_t id, uint32_t client, uint32_t output);
/* Binds the device of each control: the first one whose client is in no sandbox. */
void cards_bind(struct cards *cards, cpw_connection *connection);
/* Stores whether the active route or profile is the chosen one. */
void cards_note_route(struct cards *cards, uint32_t id, const cpw_route *route);
void cards_note_profile(struct cards *cards, uint32_t id, const cpw_profile *profile);
/* `text` is what follows CPW_MARK_CARD in the mark's payload. */
void cards_note_mark(struct cards *cards, uint32_t id, uint32_t client, const char *text);
void cards_note_removed(struct cards *cards, uint32_t id);
/* Switches back each control that still has the chosen value, unless another program's mark has the
 * same control, or any program records from the headset. Returns whether one was switched. */
bool cards_restore(const struct cards *cards, cpw_connection *connection);

#endif
