/* The objects behind Core Foundation's names, and how those that programs receive are made. */
#ifndef AUDIOSESSION_OBJECTS_H
#define AUDIOSESSION_OBJECTS_H

#include <CoreFoundation/CoreFoundation.h>
#include <stdatomic.h>
#include <stdbool.h>

#define AS_CF_HIDDEN __attribute__((visibility("hidden")))

/* Type identifiers; 0 is that of nothing. */
typedef enum { STRING = 1, NUMBER, ARRAY, DICTIONARY } kind;

/* First in every object. A CFSTR is no object: its first byte is CONSTANT, and its text follows. */
typedef struct {
    uint8_t kind;
    atomic_long references;
} head;

enum { CONSTANT = 0xC5 };

struct as_cf_string {
    head head;
    char text[];
};

struct as_cf_number {
    head head;
    bool is_real;
    int64_t whole;
    double real;
};

struct as_cf_array {
    head head;
    CFIndex count;
    CFTypeRef values[];
};

struct as_cf_dictionary {
    head head;
    CFIndex count;
    struct { CFTypeRef key, value; } pairs[];
};

/* STRING for a CFSTR too, 0 for NULL. */
AS_CF_HIDDEN CFTypeID as_cf_kind(CFTypeRef object);

/* Of an object or a CFSTR; not of NULL. */
AS_CF_HIDDEN const char *as_cf_text(CFStringRef string);

/* With one reference and all else 0. NULL without memory. */
AS_CF_HIDDEN void *as_cf_make(kind kind, size_t size);

/* Retains both keys and values; at most `count` pairs. NULL without memory. */
AS_CF_HIDDEN CFDictionaryRef as_cf_make_dictionary(CFIndex count, CFStringRef const *keys, CFTypeRef const *values);

/* Empty, with place for `count`. NULL without memory. */
AS_CF_HIDDEN struct as_cf_array *as_cf_make_array(CFIndex count);

/* Takes over the caller's reference. Not of NULL, nor beyond the place that there is. */
AS_CF_HIDDEN void as_cf_append(struct as_cf_array *array, CFTypeRef value);

/* What CFRelease and CFEqual do for what has others in it. */
AS_CF_HIDDEN void as_cf_release_values(head *head);
AS_CF_HIDDEN bool as_cf_are_equal_arrays(CFArrayRef left, CFArrayRef right);
AS_CF_HIDDEN bool as_cf_are_equal_dictionaries(CFDictionaryRef left, CFDictionaryRef right);

#endif
