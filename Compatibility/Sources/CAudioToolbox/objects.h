/* The object layouts of the Core Foundation types, and the functions that create objects for
 * programs. */
#ifndef AUDIOSESSION_OBJECTS_H
#define AUDIOSESSION_OBJECTS_H

#include <CoreFoundation/CoreFoundation.h>
#include <stdatomic.h>
#include <stdbool.h>

#define AS_CF_HIDDEN __attribute__((visibility("hidden")))

/* Type identifiers; 0 means no object. */
typedef enum { STRING = 1, NUMBER, ARRAY, DICTIONARY } kind;

/* The header of every object. A CFSTR is no object: its first byte is CONSTANT, followed by its
 * text. */
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

/* Returns the type identifier: STRING also for a CFSTR, 0 for NULL. */
AS_CF_HIDDEN CFTypeID as_cf_kind(CFTypeRef object);

/* Returns the text of an object or a CFSTR. The argument must not be NULL. */
AS_CF_HIDDEN const char *as_cf_text(CFStringRef string);

/* Allocates a zeroed object with one reference. Returns NULL without memory. */
AS_CF_HIDDEN void *as_cf_make(kind kind, size_t size);

/* Creates a dictionary of at most `count` pairs, and retains keys and values. Returns NULL
 * without memory. */
AS_CF_HIDDEN CFDictionaryRef as_cf_make_dictionary(CFIndex count, CFStringRef const *keys, CFTypeRef const *values);

/* Creates an empty array with capacity for `count` values. Returns NULL without memory. */
AS_CF_HIDDEN struct as_cf_array *as_cf_make_array(CFIndex count);

/* Appends a value and takes over the caller's reference. The value must not be NULL, and the
 * capacity must suffice. */
AS_CF_HIDDEN void as_cf_append(struct as_cf_array *array, CFTypeRef value);

/* These functions implement CFRelease and CFEqual for objects that contain others. */
AS_CF_HIDDEN void as_cf_release_values(head *head);
AS_CF_HIDDEN bool as_cf_are_equal_arrays(CFArrayRef left, CFArrayRef right);
AS_CF_HIDDEN bool as_cf_are_equal_dictionaries(CFDictionaryRef left, CFDictionaryRef right);

#endif
