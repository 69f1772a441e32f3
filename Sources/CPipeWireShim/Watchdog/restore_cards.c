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

void cards_note_device(struct cards *cards, uint32_t id, uint32_t client, const char *name) {
    bool is_wanted = false;
    for (size_t i = 0; name != NULL && i < cards->control_count; i++)
        is_wanted = is_wanted || strcmp(cards->controls[i].device, name) == 0;
    if (is_wanted)
        client_objects_add(&cards->devices, id, client, name);
}

void cards_note_source(struct cards *cards, uint32_t id, uint32_t client, uint32_t device) {
    bool is_wanted = false;
    for (size_t i = 0; i < cards->devices.count; i++)
        is_wanted = is_wanted || cards->devices.objects[i].id == device;
    struct client_object *source = is_wanted ? client_objects_add(&cards->sources, id, client, "") : NULL;
    if (source != NULL)
        source->device = device;
}

void cards_note_link(struct cards *cards, uint32_t id, uint32_t client, uint32_t output) {
    uint32_t device = SPA_ID_INVALID;
    for (size_t i = 0; i < cards->sources.count; i++)
        if (cards->sources.objects[i].id == output)
            device = cards->sources.objects[i].device;
    struct client_object *link =
        device != SPA_ID_INVALID ? client_objects_add(&cards->links, id, client, "") : NULL;
    if (link != NULL)
        link->device = device;
}

void cards_bind(struct cards *cards, cpw_connection *connection) {
    for (size_t i = 0; i < cards->devices.count; i++) {
        const struct client_object *device = &cards->devices.objects[i];
        bool is_needed = false;
        for (size_t j = 0; j < cards->control_count && !is_sandboxed(device->client); j++)
            if (cards->controls[j].id == SPA_ID_INVALID && strcmp(cards->controls[j].device, device->text) == 0) {
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
    client_objects_add(&cards->marks, id, client, text);
}

void cards_note_removed(struct cards *cards, uint32_t id) {
    client_objects_remove(&cards->devices, id);
    client_objects_remove(&cards->marks, id);
    client_objects_remove(&cards->sources, id);
    client_objects_remove(&cards->links, id);
}

static bool is_recorded_from(const struct cards *cards, uint32_t device) {
    for (size_t i = 0; i < cards->links.count; i++)
        if (cards->links.objects[i].device == device)
            return true;
    return false;
}

static bool is_wanted(const struct cards *cards, const struct card_control *control) {
    for (size_t i = 0; i < cards->marks.count; i++) {
        const struct client_object *mark = &cards->marks.objects[i];
        if (!is_sandboxed(mark->client) && strncmp(mark->text, control->text, strlen(control->text)) == 0)
            return true;
    }
    return false;
}

bool cards_restore(const struct cards *cards, cpw_connection *connection) {
    bool was_any = false;
    for (size_t i = 0; i < cards->control_count; i++) {
        const struct card_control *control = &cards->controls[i];
        if (!control->is_chosen || is_wanted(cards, control) ||
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
