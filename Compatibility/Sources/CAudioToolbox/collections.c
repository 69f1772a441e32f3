#include "objects.h"

void as_cf_release_values(head *head) {
    if (head->kind == ARRAY) {
        struct as_cf_array *array = (struct as_cf_array *)head;
        for (CFIndex i = 0; i < array->count; i++) CFRelease(array->values[i]);
    } else if (head->kind == DICTIONARY) {
        struct as_cf_dictionary *dictionary = (struct as_cf_dictionary *)head;
        for (CFIndex i = 0; i < dictionary->count; i++) {
            CFRelease(dictionary->pairs[i].key);
            CFRelease(dictionary->pairs[i].value);
        }
    }
}

/* MARK: Arrays */

struct as_cf_array *as_cf_make_array(CFIndex count) {
    return as_cf_make(ARRAY, sizeof(struct as_cf_array) + (size_t)count * sizeof(CFTypeRef));
}

void as_cf_append(struct as_cf_array *array, CFTypeRef value) { array->values[array->count++] = value; }

CFIndex CFArrayGetCount(CFArrayRef array) { return array ? array->count : 0; }

const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index) {
    return array && index >= 0 && index < array->count ? array->values[index] : NULL;
}

bool as_cf_are_equal_arrays(CFArrayRef left, CFArrayRef right) {
    if (left->count != right->count) return false;
    for (CFIndex i = 0; i < left->count; i++)
        if (!CFEqual(left->values[i], right->values[i])) return false;
    return true;
}

/* MARK: Dictionaries */

CFDictionaryRef as_cf_make_dictionary(CFIndex count, CFStringRef const *keys, CFTypeRef const *values) {
    struct as_cf_dictionary *dictionary =
        as_cf_make(DICTIONARY, sizeof *dictionary + (size_t)count * sizeof *dictionary->pairs);
    if (!dictionary) return NULL;
    for (CFIndex i = 0; i < count; i++) {
        if (!keys[i] || !values[i]) continue;
        dictionary->pairs[dictionary->count].key = CFRetain(keys[i]);
        dictionary->pairs[dictionary->count].value = CFRetain(values[i]);
        dictionary->count++;
    }
    return dictionary;
}

Boolean CFDictionaryGetValueIfPresent(CFDictionaryRef dictionary, const void *key, const void **value) {
    for (CFIndex i = 0; dictionary && i < dictionary->count; i++) {
        if (!CFEqual(dictionary->pairs[i].key, key)) continue;
        if (value) *value = dictionary->pairs[i].value;
        return true;
    }
    return false;
}

const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key) {
    const void *value = NULL;
    CFDictionaryGetValueIfPresent(dictionary, key, &value);
    return value;
}

Boolean CFDictionaryContainsKey(CFDictionaryRef dictionary, const void *key) {
    return CFDictionaryGetValueIfPresent(dictionary, key, NULL);
}

CFIndex CFDictionaryGetCount(CFDictionaryRef dictionary) { return dictionary ? dictionary->count : 0; }

bool as_cf_are_equal_dictionaries(CFDictionaryRef left, CFDictionaryRef right) {
    if (left->count != right->count) return false;
    for (CFIndex i = 0; i < left->count; i++)
        if (!CFEqual(CFDictionaryGetValue(right, left->pairs[i].key), left->pairs[i].value)) return false;
    return true;
}
