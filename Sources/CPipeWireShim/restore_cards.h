/* Cards that the watchdog switches back. Called by restore.c. */
#ifndef CPW_RESTORE_CARDS_H
#define CPW_RESTORE_CARDS_H

#include "internal.h"

enum { CARD_ENDS = 16, CARD_MARKS = 64, CARD_TEXT = 256 };

/* `text` is the end's text in marks: direction, number and device, each followed by a semicolon. */
struct card_end {
    char text[CARD_TEXT], device[CARD_TEXT];
    int32_t number, chosen, back;
    uint32_t id;
    bool is_chosen;
};

/* Of another program. */
struct card_mark {
    char text[CARD_TEXT];
    uint32_t id, client;
};

struct cards {
    struct card_end ends[CARD_ENDS];
    struct card_mark marks[CARD_MARKS];
    size_t end_count, mark_count;
};

/* Reads a line of the order: an at sign, the index of the chosen route, the index of the previous one, and the text. */
void cards_read(struct cards *cards, const char *line);
/* Binds the device if an end of the order is on it. */
void cards_note_device(struct cards *cards, cpw_connection *connection, uint32_t id, const char *name);
void cards_note_route(struct cards *cards, uint32_t id, const cpw_route *route);
/* `text`: what follows CPW_CARD in the mark's payload. */
void cards_note_mark(struct cards *cards, uint32_t id, uint32_t client, const char *text);
void cards_note_removed(struct cards *cards, uint32_t id);
/* Switches back each end that is still on the chosen route, unless a mark of another program needs it. */
void cards_put_back(const struct cards *cards, cpw_connection *connection, bool (*is_ignored)(uint32_t client));

#endif
