/* Cards that the guard switches back. restore.c calls these. */
#ifndef CPW_RESTORE_CARDS_H
#define CPW_RESTORE_CARDS_H

#include "internal.h"

enum { CARD_ENDS = 16, CARD_MARKS = 64, CARD_TEXT = 256 };

/* `text` names an end of a card as its mark does: direction, number and device, each with a semicolon behind it. */
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

/* A line: an at sign, the index of the route that was chosen, that of the one to go back to, and the text. */
void cards_read(struct cards *cards, const char *line);
/* Binds a device that has such an end. */
void cards_note_device(struct cards *cards, cpw_connection *connection, uint32_t id, const char *name);
void cards_note_route(struct cards *cards, uint32_t id, const cpw_route *route);
/* `text`: of a mark, what follows CPW_CARD. */
void cards_note_mark(struct cards *cards, uint32_t id, uint32_t client, const char *text);
void cards_note_removed(struct cards *cards, uint32_t id);
/* What still is as it was chosen, and is wanted so by no other program, is switched back. */
void cards_put_back(const struct cards *cards, cpw_connection *connection, bool (*is_ignored)(uint32_t client));

#endif
