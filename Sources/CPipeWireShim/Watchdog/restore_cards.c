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
    control.is_headset = strncmp(control.text, "headset;", strlen("headset;")) == 0;
    control.is_profile = control.is_headset || strncmp(control.text, "profile;", strlen("profile;")) == 0;
    cards->controls[cards->control_count++] = control;
}

static void remove_device(struct cards *cards, size_t index) {
    cards->device_count--;
    memmove(&cards->devices[index], &cards->devices[index + 1],
            (cards->device_count - index) * sizeof(cards->devices[0]));
}

void cards_note_device(struct cards *cards, uint32_t id, uint32_t client, const char *name,
                       bool (*is_ignored)(uint32_t client)) {
    bool is_wanted = false;
    for (size_t i = 0; name != NULL && i < cards->control_count; i++)
        is_wanted = is_wanted || strcmp(cards->controls[i].device, name) == 0;
    if (!is_wanted)
        return;
    for (size_t i = 0; cards->device_count == CARD_DEVICES && i < cards->device_count; i++)
        if (is_ignored(cards->devices[i].client))
            remove_device(cards, i);
    if (cards->device_count == CARD_DEVICES)
        return;
    struct card_device *device = &cards->devices[cards->device_count++];
    *device = (struct card_device){.id = id, .client = client};
    snprintf(device->name, sizeof(device->name), "%s", name);
}

void cards_note_source(struct cards *cards, uint32_t id, uint32_t device) {
    for (size_t i = 0; i < cards->device_count && cards->source_count < CARD_LINKS; i++)
        if (cards->devices[i].id == device) {
            cards->sources[cards->source_count++] = (struct card_source){id, device};
            return;
        }
}

void cards_note_link(struct cards *cards, uint32_t id, uint32_t output) {
    for (size_t i = 0; i < cards->source_count && cards->link_count < CARD_LINKS; i++)
        if (cards->sources[i].id == output) {
            cards->links[cards->link_count++] = (struct card_link){id, cards->sources[i].device};
            return;
        }
}

void cards_bind(struct cards *cards, cpw_connection *connection, bool (*is_ignored)(uint32_t client)) {
    for (size_t i = 0; i < cards->device_count; i++) {
        const struct card_device *device = &cards->devices[i];
        bool is_needed = false;
        for (size_t j = 0; j < cards->control_count && !is_ignored(device->client); j++)
            if (cards->controls[j].id == SPA_ID_INVALID && strcmp(cards->controls[j].device, device->name) == 0) {
                cards->controls[j].id = device->id;
                is_needed = true;
            }
        if (is_needed)
            cpw_connection_bind(connection, device->id, CPW_OBJECT_DEVICE);
    }
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
    for (size_t i = 0; i < cards->device_count; i++)
        if (cards->devices[i].id == id)
            remove_device(cards, i--);
    for (size_t i = 0; i < cards->source_count; i++)
        if (cards->sources[i].id == id)
            cards->sources[i--] = cards->sources[--cards->source_count];
    for (size_t i = 0; i < cards->link_count; i++)
        if (cards->links[i].id == id)
            cards->links[i--] = cards->links[--cards->link_count];
}

static bool is_recorded_from(const struct cards *cards, uint32_t device) {
    for (size_t i = 0; i < cards->link_count; i++)
        if (cards->links[i].device == device)
            return true;
    return false;
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
        if (!control->is_chosen || is_wanted(cards, control, is_ignored) ||
            (control->is_headset && is_recorded_from(cards, control->id)))
            continue;
        was_any = true;
        if (control->is_profile)
            cpw_connection_set_profile(connection, control->id, control->previous);
        else
            cpw_connection_set_route(connection, control->id, control->previous, control->number);
    }
    return was_any;
}
