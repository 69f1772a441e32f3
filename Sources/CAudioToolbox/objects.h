/* What the stand-in for Core Foundation is made of, and making what programs are given. */
#ifndef AUDIOSESSION_OBJECTS_H
#define AUDIOSESSION_OBJECTS_H

#include <CoreFoundation/CoreFoundation.h>
#include <stdatomic.h>
#include <stdbool.h>

#define AS_CF_HIDDEN __attribute__((visibility("hidden")))

/* Type identifiers; 0 is that of nothing. */
typedef enum { STRING = 1, NUMBER, ARRAY, DICTIONARY } kind;

typedef struct {
    kind kind;
    bool is_constant;
    atomic_long references;
} head;

struct as_cf_string {
    head head;
    const struct as_cf_string *next; /* of those that CFSTR made */
    const char *text;
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
