#include "objects.h"

#include <strings.h>

CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *text, CFStringEncoding encoding) {
    (void)allocator;
    (void)encoding;
    if (!text) return NULL;
    struct as_cf_string *string = as_cf_make(STRING, sizeof *string + strlen(text) + 1);
    if (string) strcpy(string->text, text);
    return string;
}

const char *as_cf_text(CFStringRef string) {
    const char *bytes = (const char *)string;
    return (uint8_t)bytes[0] == CONSTANT ? bytes + 1 : string->text;
}

CFComparisonResult CFStringCompare(CFStringRef left, CFStringRef right, CFOptionFlags options) {
    if (!left || !right) return left ? kCFCompareGreaterThan : right ? kCFCompareLessThan : kCFCompareEqualTo;
    bool ignores_case = options & kCFCompareCaseInsensitive;
    int order = (ignores_case ? strcasecmp : strcmp)(as_cf_text(left), as_cf_text(right));
    return order < 0 ? kCFCompareLessThan : order > 0 ? kCFCompareGreaterThan : kCFCompareEqualTo;
}

CFRange CFStringFind(CFStringRef string, CFStringRef found, CFOptionFlags options) {
    CFRange nowhere = CFRangeMake(kCFNotFound, 0);
    CFIndex length = CFStringGetLength(string), width = CFStringGetLength(found);
    if (width == 0 || width > length) return nowhere;
    bool is_backwards = options & kCFCompareBackwards, ignores_case = options & kCFCompareCaseInsensitive;
    CFIndex first = is_backwards ? length - width : 0, last = is_backwards ? 0 : length - width;
    if (options & kCFCompareAnchored) last = first;
    for (CFIndex at = first;; at += is_backwards ? -1 : 1) {
        if ((ignores_case ? strncasecmp : strncmp)(as_cf_text(string) + at, as_cf_text(found), (size_t)width) == 0)
            return CFRangeMake(at, width);
        if (at == last) return nowhere;
    }
}

/* An empty part matches every string. CFStringFind never finds it. */
static bool has_at_end(CFStringRef string, CFStringRef part, CFOptionFlags options) {
    if (!string || !part) return false;
    return CFStringGetLength(part) == 0 || CFStringFind(string, part, options | kCFCompareAnchored).location != kCFNotFound;
}

Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix) { return has_at_end(string, prefix, 0); }

Boolean CFStringHasSuffix(CFStringRef string, CFStringRef suffix) {
    return has_at_end(string, suffix, kCFCompareBackwards);
}

CFIndex CFStringGetLength(CFStringRef string) { return string ? (CFIndex)strlen(as_cf_text(string)) : 0; }

const char *CFStringGetCStringPtr(CFStringRef string, CFStringEncoding encoding) {
    (void)encoding;
    return string ? as_cf_text(string) : NULL;
}

Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex size, CFStringEncoding encoding) {
    (void)encoding;
    if (!string || !buffer || size <= CFStringGetLength(string)) return false;
    strcpy(buffer, as_cf_text(string));
    return true;
}
