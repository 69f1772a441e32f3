#include "restore_cards.h"

#include <stdio.h>

void cards_read(struct cards *cards, const char *line) {
    const char *length = strchr(line, '\n');
    struct card_end end = {.id = SPA_ID_INVALID};
    int begin = 0, device = 0;
    size_t size = length != NULL ? (size_t)(length - line) : strlen(line);
    char text[CARD_TEXT];
    if (cards->end_count == CARD_ENDS || size >= sizeof(text))
        return;
    memcpy(text, line, size);
    text[size] = '\0';
    if (sscanf(text, "@%d %d %n%*[a-z];%d;%n", &end.chosen, &end.back, &begin, &end.number, &device) < 3 || device == 0)
        return;
    snprintf(end.text, sizeof(end.text), "%s", text + begin);
    snprintf(end.device, sizeof(end.device), "%s", text + device);
    char *semicolon = strchr(end.device, ';');
    if (semicolon == NULL || semicolon[1] != '\0')
        return; /* truncated, or none of ours */
    *semicolon = '\0';
    cards->ends[cards->end_count++] = end;
}

void cards_note_device(struct cards *cards, cpw_connection *connection, uint32_t id, const char *name) {
    bool is_wanted = false;
    for (size_t i = 0; name != NULL && i < cards->end_count; i++)
        if (strcmp(cards->ends[i].device, name) == 0) {
            cards->ends[i].id = id;
            is_wanted = true;
        }
    if (is_wanted)
        cpw_connection_bind(connection, id, CPW_OBJECT_DEVICE);
}

void cards_note_route(struct cards *cards, uint32_t id, const cpw_route *route) {
    for (size_t i = 0; i < cards->end_count; i++)
        if (cards->ends[i].id == id && cards->ends[i].number == route->device)
            cards->ends[i].is_chosen = cards->ends[i].chosen == route->index;
}

void cards_note_mark(struct cards *cards, uint32_t id, uint32_t client, const char *text) {
    if (cards->mark_count == CARD_MARKS)
        return;
    struct card_mark *mark = &cards->marks[cards->mark_count++];
    *mark = (struct card_mark){"", id, client};
    snprintf(mark->text, sizeof(mark->text), "%s", text);
}

void cards_note_removed(struct cards *cards, uint32_t id) {
    for (size_t i = 0; i < cards->mark_count; i++)
        if (cards->marks[i].id == id)
            cards->marks[i--] = cards->marks[--cards->mark_count];
}

static bool is_wanted(const struct cards *cards, const struct card_end *end, bool (*is_ignored)(uint32_t client)) {
    for (size_t i = 0; i < cards->mark_count; i++)
        if (!is_ignored(cards->marks[i].client) && strncmp(cards->marks[i].text, end->text, strlen(end->text)) == 0)
            return true;
    return false;
}

void cards_put_back(const struct cards *cards, cpw_connection *connection, bool (*is_ignored)(uint32_t client)) {
    for (size_t i = 0; i < cards->end_count; i++) {
        const struct card_end *end = &cards->ends[i];
        if (end->is_chosen && !is_wanted(cards, end, is_ignored))
            cpw_connection_set_route(connection, end->id, end->back, end->number);
    }
}
