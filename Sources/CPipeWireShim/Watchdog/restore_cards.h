/* Cards that the watchdog switches back. Used by watchdog.c only. */
#ifndef CPW_RESTORE_CARDS_H
#define CPW_RESTORE_CARDS_H

#include "internal.h"

enum { CARD_CONTROLS = 16, CARD_DEVICES = 64, CARD_MARKS = 64, CARD_LINKS = 64, CARD_TEXT = 256 };

/* What the program switched: the route of one node of a card, or the card's profile. `text` is its
 * text in marks: the direction, `profile` or `headset`, number and device, each with a semicolon. */
struct card_control {
    char text[CARD_TEXT], device[CARD_TEXT];
    int32_t number, chosen, previous;
    uint32_t id;
    bool is_profile, is_headset, is_chosen;
};

/* The mark of another program. */
struct card_mark {
    char text[CARD_TEXT];
    uint32_t id, client;
};

/* A device that has the name of one in the order. Any client can make one. */
struct card_device {
    char name[CARD_TEXT];
    uint32_t id, client;
};

/* A microphone of a device in the order. */
struct card_source {
    uint32_t id, device;
};

/* A link from a microphone of the device to a program that records. */
struct card_link {
    uint32_t id, device;
};

struct cards {
    struct card_control controls[CARD_CONTROLS];
    struct card_device devices[CARD_DEVICES];
    struct card_mark marks[CARD_MARKS];
    struct card_source sources[CARD_LINKS];
    struct card_link links[CARD_LINKS];
    size_t control_count, device_count, mark_count, source_count, link_count;
};

/* Reads a line of the order: an at sign, the index of the chosen route or profile, the index of the
 * previous one, and the text. Ignores other lines, truncated ones, and more than CARD_CONTROLS. */
void cards_read(struct cards *cards, const char *line);
/* Keeps the device if the order has a control of it. `name` may be null. If there are too many, those
 * of clients for which `is_ignored` is true are dropped. */
void cards_note_device(struct cards *cards, uint32_t id, uint32_t client, const char *name,
                       bool (*is_ignored)(uint32_t client));
/* Keeps the node if it is a microphone of a kept device. */
void cards_note_source(struct cards *cards, uint32_t id, uint32_t device);
/* Keeps a link to a program that records if `output` is a kept microphone. */
void cards_note_link(struct cards *cards, uint32_t id, uint32_t output);
/* Binds the device of each control: the first one whose client is not ignored. */
void cards_bind(struct cards *cards, cpw_connection *connection, bool (*is_ignored)(uint32_t client));
/* Stores whether the active route or profile is the chosen one. */
void cards_note_route(struct cards *cards, uint32_t id, const cpw_route *route);
void cards_note_profile(struct cards *cards, uint32_t id, const cpw_profile *profile);
/* `text` is what follows CPW_MARK_CARD in the mark's payload. */
void cards_note_mark(struct cards *cards, uint32_t id, uint32_t client, const char *text);
void cards_note_removed(struct cards *cards, uint32_t id);
/* Switches back each control that still has the chosen value, unless another program's mark has the
 * same control, or any program records from the headset. `is_ignored` excludes clients. Returns
 * whether one was switched. */
bool cards_restore(const struct cards *cards, cpw_connection *connection, bool (*is_ignored)(uint32_t client));

#endif
