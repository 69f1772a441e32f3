#include "objects.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum { STRING, NUMBER, DICTIONARY } kind;

typedef struct {
    kind kind;
    bool is_constant;
    atomic_long references;
} head;

struct as_cf_string {
    head head;
    struct as_cf_string *next; /* of the constants */
    char text[];
};

struct as_cf_number {
    head head;
    bool is_real;
    int64_t whole;
    double real;
};

struct as_cf_dictionary {
    head head;
    CFIndex count;
    struct { CFTypeRef key, value; } pairs[];
};

static void *make(kind kind, size_t size) {
    head *object = calloc(1, size);
    if (!object) return NULL;
    object->kind = kind;
    atomic_init(&object->references, 1);
    return object;
}

static head *head_of(CFTypeRef object) { return (head *)(uintptr_t)object; }

CFTypeRef CFRetain(CFTypeRef object) {
    head *head = head_of(object);
    if (head && !head->is_constant) atomic_fetch_add_explicit(&head->references, 1, memory_order_relaxed);
    return object;
}

void CFRelease(CFTypeRef object) {
    head *head = head_of(object);
    if (!head || head->is_constant) return;
    if (atomic_fetch_sub_explicit(&head->references, 1, memory_order_acq_rel) > 1) return;
    if (head->kind == DICTIONARY) {
        struct as_cf_dictionary *dictionary = (struct as_cf_dictionary *)head;
        for (CFIndex i = 0; i < dictionary->count; i++) {
            CFRelease(dictionary->pairs[i].key);
            CFRelease(dictionary->pairs[i].value);
        }
    }
    free(head);
}

static bool are_equal_numbers(CFNumberRef left, CFNumberRef right) {
    if (left->is_real || right->is_real) return left->real == right->real;
    return left->whole == right->whole;
}

Boolean CFEqual(CFTypeRef left, CFTypeRef right) {
    if (left == right) return true;
    if (!left || !right || head_of(left)->kind != head_of(right)->kind) return false;
    switch (head_of(left)->kind) {
    case STRING: return CFStringCompare(left, right, 0) == kCFCompareEqualTo;
    case NUMBER: return are_equal_numbers(left, right);
    case DICTIONARY: return false;
    }
    return false;
}

/* MARK: Strings */

CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *text, CFStringEncoding encoding) {
    (void)allocator;
    (void)encoding;
    if (!text) return NULL;
    struct as_cf_string *string = make(STRING, sizeof *string + strlen(text) + 1);
    if (string) strcpy(string->text, text);
    return string;
}

CFStringRef CFStringConstant(const char *text) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct as_cf_string *constants;
    if (!text) return NULL;
    pthread_mutex_lock(&lock);
    struct as_cf_string *string = constants;
    while (string && strcmp(string->text, text) != 0) string = string->next;
    if (!string) {
        string = (struct as_cf_string *)(uintptr_t)CFStringCreateWithCString(NULL, text, kCFStringEncodingUTF8);
        if (string) {
            string->head.is_constant = true;
            string->next = constants;
            constants = string;
        }
    }
    pthread_mutex_unlock(&lock);
    return string;
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

/* MARK: Numbers */

CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value) {
    (void)allocator;
    if (!value) return NULL;
    struct as_cf_number *number = make(NUMBER, sizeof *number);
    if (!number) return NULL;
    switch (type) {
    case kCFNumberSInt8Type:
    case kCFNumberCharType: number->whole = *(const int8_t *)value; break;
    case kCFNumberSInt16Type:
    case kCFNumberShortType: number->whole = *(const int16_t *)value; break;
    case kCFNumberSInt32Type:
    case kCFNumberIntType: number->whole = *(const int32_t *)value; break;
    case kCFNumberSInt64Type:
    case kCFNumberLongLongType: number->whole = *(const int64_t *)value; break;
    case kCFNumberLongType:
    case kCFNumberCFIndexType: number->whole = *(const long *)value; break;
    case kCFNumberFloat32Type:
    case kCFNumberFloatType: number->real = *(const float *)value, number->is_real = true; break;
    case kCFNumberFloat64Type:
    case kCFNumberDoubleType: number->real = *(const double *)value, number->is_real = true; break;
    default:
        CFRelease(number);
        return NULL;
    }
    if (!number->is_real) number->real = (double)number->whole;
    else if (number->real > -9e18 && number->real < 9e18) number->whole = (int64_t)number->real;
    return number;
}

Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value) {
    if (!number || !value) return false;
    bool is_whole = !number->is_real || (double)number->whole == number->real;
    switch (type) {
    case kCFNumberSInt8Type:
    case kCFNumberCharType: return *(int8_t *)value = (int8_t)number->whole, is_whole && *(int8_t *)value == number->whole;
    case kCFNumberSInt16Type:
    case kCFNumberShortType: return *(int16_t *)value = (int16_t)number->whole, is_whole && *(int16_t *)value == number->whole;
    case kCFNumberSInt32Type:
    case kCFNumberIntType: return *(int32_t *)value = (int32_t)number->whole, is_whole && *(int32_t *)value == number->whole;
    case kCFNumberSInt64Type:
    case kCFNumberLongLongType: return *(int64_t *)value = number->whole, is_whole;
    case kCFNumberLongType:
    case kCFNumberCFIndexType: return *(long *)value = (long)number->whole, is_whole;
    case kCFNumberFloat32Type:
    case kCFNumberFloatType: return *(float *)value = (float)number->real, true;
    case kCFNumberFloat64Type:
    case kCFNumberDoubleType: return *(double *)value = number->real, true;
    }
    return false;
}

/* MARK: Dictionaries */

CFDictionaryRef as_cf_make_dictionary(CFIndex count, CFStringRef const *keys, CFTypeRef const *values) {
    struct as_cf_dictionary *dictionary =
        make(DICTIONARY, sizeof *dictionary + (size_t)count * sizeof *dictionary->pairs);
    if (!dictionary) return NULL;
    for (CFIndex i = 0; i < count; i++) {
        if (!keys[i] || !values[i]) continue;
        dictionary->pairs[dictionary->count].key = CFRetain(keys[i]);
        dictionary->pairs[dictionary->count].value = CFRetain(values[i]);
        dictionary->count++;
    }
    return dictionary;
}

const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key) {
    for (CFIndex i = 0; dictionary && i < dictionary->count; i++)
        if (CFEqual(dictionary->pairs[i].key, key)) return dictionary->pairs[i].value;
    return NULL;
}

CFIndex CFDictionaryGetCount(CFDictionaryRef dictionary) { return dictionary ? dictionary->count : 0; }

/* MARK: Run loops */

static pthread_mutex_t loop_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loop_stopped = PTHREAD_COND_INITIALIZER;
static unsigned loop_stops;
static struct as_cf_run_loop { char unused; } loop;

CFRunLoopRef CFRunLoopGetMain(void) { return &loop; }
CFRunLoopRef CFRunLoopGetCurrent(void) { return &loop; }

void CFRunLoopRun(void) {
    pthread_mutex_lock(&loop_lock);
    for (unsigned stops = loop_stops; stops == loop_stops;) pthread_cond_wait(&loop_stopped, &loop_lock);
    pthread_mutex_unlock(&loop_lock);
}

void CFRunLoopStop(CFRunLoopRef stopped) {
    (void)stopped;
    pthread_mutex_lock(&loop_lock);
    loop_stops++;
    pthread_cond_broadcast(&loop_stopped);
    pthread_mutex_unlock(&loop_lock);
}
