#include "Watchdog/restore_cards.h"

#include <stdio.h>

void cards_read(struct cards *cards, const char *line) {
    const char *length = strchr(line, '\n');
    struct card_control control = {.id = SPA_ID_INVALID};
    int begin = 0, device = 0;
    size_t size = length != NULL ? (size_t)(length - line) : strlen(line);
    char text[CARD_TEXT];
    if (cards->control_count == CARD_CONTROLS || size >= sizeof(text))
        return;
    memcpy(text, line, size);
    text[size] = '\0';
    if (sscanf(text, "@%d %d %n%*[a-z];%d;%n", &control.chosen, &control.previous, &begin,
               &control.number, &device) < 3 || device == 0)
        return;
    snprintf(control.text, sizeof(control.text), "%s", text + begin);
    snprintf(control.device, sizeof(control.device), "%s", text + device);
    char *semicolon = strchr(control.device, ';');
    if (semicolon == NULL || semicolon[1] != '\0')
        return; /* truncated, or not a line of a card */
    *semicolon = '\0';
    control.is_profile = strncmp(control.text, "profile;", strlen("profile;")) == 0;
    cards->controls[cards->control_count++] = control;
}

void cards_note_device(struct cards *cards, cpw_connection *connection, uint32_t id, const char *name) {
    bool is_wanted = false;
    for (size_t i = 0; name != NULL && i < cards->control_count; i++)
        if (strcmp(cards->controls[i].device, name) == 0) {
            cards->controls[i].id = id;
            is_wanted = true;
        }
    if (is_wanted)
        cpw_connection_bind(connection, id, CPW_OBJECT_DEVICE);
}

void cards_note_route(struct cards *cards, uint32_t id, const cpw_route *route) {
    for (size_t i = 0; i < cards->control_count; i++)
        if (cards->controls[i].id == id && !cards->controls[i].is_profile && cards->controls[i].number == route->device)
            cards->controls[i].is_chosen = cards->controls[i].chosen == route->index;
}

void cards_note_profile(struct cards *cards, uint32_t id, const cpw_profile *profile) {
    for (size_t i = 0; i < cards->control_count; i++)
        if (cards->controls[i].id == id && cards->controls[i].is_profile)
            cards->controls[i].is_chosen = cards->controls[i].chosen == profile->index;
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

static bool is_wanted(const struct cards *cards, const struct card_control *control, bool (*is_ignored)(uint32_t client)) {
    for (size_t i = 0; i < cards->mark_count; i++)
        if (!is_ignored(cards->marks[i].client) && strncmp(cards->marks[i].text, control->text, strlen(control->text)) == 0)
            return true;
    return false;
}

bool cards_restore(const struct cards *cards, cpw_connection *connection, bool (*is_ignored)(uint32_t client)) {
    bool was_any = false;
    for (size_t i = 0; i < cards->control_count; i++) {
        const struct card_control *control = &cards->controls[i];
        if (!control->is_chosen || is_wanted(cards, control, is_ignored))
            continue;
        was_any = true;
        if (control->is_profile)
            cpw_connection_set_profile(connection, control->id, control->previous);
        else
            cpw_connection_set_route(connection, control->id, control->previous, control->number);
    }
    return was_any;
}
