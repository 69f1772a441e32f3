#include "objects.h"

#include <pthread.h>
#include <string.h>
#include <strings.h>

CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *text, CFStringEncoding encoding) {
    (void)allocator;
    (void)encoding;
    if (!text) return NULL;
    struct as_cf_string *string = as_cf_make(STRING, sizeof *string + strlen(text) + 1);
    if (string) string->text = strcpy((char *)(string + 1), text);
    return string;
}

CFStringRef CFStringConstant(const char *text) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const struct as_cf_string *constants;
    if (!text) return NULL;
    pthread_mutex_lock(&lock);
    const struct as_cf_string *found = constants;
    while (found && strcmp(found->text, text) != 0) found = found->next;
    if (!found) {
        struct as_cf_string *made =
            (struct as_cf_string *)(uintptr_t)CFStringCreateWithCString(NULL, text, kCFStringEncodingUTF8);
        if (made) {
            made->head.is_constant = true;
            made->next = constants;
            constants = made;
        }
        found = made;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

CFComparisonResult CFStringCompare(CFStringRef left, CFStringRef right, CFOptionFlags options) {
    if (!left || !right) return left ? kCFCompareGreaterThan : right ? kCFCompareLessThan : kCFCompareEqualTo;
    int order = options & kCFCompareCaseInsensitive ? strcasecmp(left->text, right->text) : strcmp(left->text, right->text);
    return order < 0 ? kCFCompareLessThan : order > 0 ? kCFCompareGreaterThan : kCFCompareEqualTo;
}

Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix) {
    return string && prefix && strncmp(string->text, prefix->text, strlen(prefix->text)) == 0;
}

CFIndex CFStringGetLength(CFStringRef string) { return string ? (CFIndex)strlen(string->text) : 0; }

const char *CFStringGetCStringPtr(CFStringRef string, CFStringEncoding encoding) {
    (void)encoding;
    return string ? string->text : NULL;
}

Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex size, CFStringEncoding encoding) {
    (void)encoding;
    if (!string || !buffer || size <= CFStringGetLength(string)) return false;
    strcpy(buffer, string->text);
    return true;
}
