/* Making what listeners are given. */
#ifndef AUDIOSESSION_OBJECTS_H
#define AUDIOSESSION_OBJECTS_H

#include <CoreFoundation/CoreFoundation.h>

/* Retains both keys and values; at most `count` pairs. NULL without memory. */
CFDictionaryRef as_cf_make_dictionary(CFIndex count, CFStringRef const *keys, CFTypeRef const *values)
    __attribute__((visibility("hidden")));

#endif
