/* The part of Core Foundation that programs with AudioToolbox/AudioSession.h use: strings,
 * numbers, arrays, dictionaries, byte order and a run loop that waits.
 *
 * Names and rules are Apple's: the caller releases only the results of functions with "Create"
 * in their name. The library's symbols have other names, so that they do not clash with those of
 * a real Core Foundation. Every function may be called on any thread and accepts NULL. */
#ifndef AUDIOSESSION_COREFOUNDATION_H
#define AUDIOSESSION_COREFOUNDATION_H

/* Programs of that time rely on these headers, which Apple's header includes. */
#include <MacTypes.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

typedef long CFIndex;
typedef unsigned long CFOptionFlags;
typedef unsigned long CFTypeID;
typedef uint32_t CFStringEncoding;

typedef const void *CFTypeRef;
typedef const struct as_cf_string *CFStringRef;
typedef const struct as_cf_number *CFNumberRef;
typedef const struct as_cf_array *CFArrayRef;
typedef const struct as_cf_dictionary *CFDictionaryRef;
typedef const struct as_cf_allocator *CFAllocatorRef;
typedef struct as_cf_run_loop *CFRunLoopRef;

typedef double CFTimeInterval;

typedef struct CFRange {
    CFIndex location, length;
} CFRange;

static inline CFRange CFRangeMake(CFIndex location, CFIndex length) {
    CFRange range;
    range.location = location;
    range.length = length;
    return range;
}

enum { kCFNotFound = -1 };

#define kCFAllocatorDefault ((CFAllocatorRef)0)

typedef enum CFComparisonResult {
    kCFCompareLessThan = -1,
    kCFCompareEqualTo = 0,
    kCFCompareGreaterThan = 1
} CFComparisonResult;

enum { kCFCompareCaseInsensitive = 1, kCFCompareBackwards = 4, kCFCompareAnchored = 8 };

/* All encodings are read and written as UTF-8. */
enum {
    kCFStringEncodingMacRoman = 0,
    kCFStringEncodingWindowsLatin1 = 0x0500,
    kCFStringEncodingISOLatin1 = 0x0201,
    kCFStringEncodingASCII = 0x0600,
    kCFStringEncodingUTF8 = 0x08000100
};
static inline CFStringEncoding CFStringGetSystemEncoding(void) { return kCFStringEncodingUTF8; }

typedef enum CFNumberType {
    kCFNumberSInt8Type = 1,
    kCFNumberSInt16Type = 2,
    kCFNumberSInt32Type = 3,
    kCFNumberSInt64Type = 4,
    kCFNumberFloat32Type = 5,
    kCFNumberFloat64Type = 6,
    kCFNumberCharType = 7,
    kCFNumberShortType = 8,
    kCFNumberIntType = 9,
    kCFNumberLongType = 10,
    kCFNumberLongLongType = 11,
    kCFNumberFloatType = 12,
    kCFNumberDoubleType = 13,
    kCFNumberCFIndexType = 14
} CFNumberType;

#define AS_CF(name) __asm__("as_cf_" #name) __attribute__((visibility("default")))

CFTypeRef CFRetain(CFTypeRef object) AS_CF(CFRetain);
void CFRelease(CFTypeRef object) AS_CF(CFRelease);
Boolean CFEqual(CFTypeRef left, CFTypeRef right) AS_CF(CFEqual);
/* Returns the type identifier; 0 for NULL. */
CFTypeID CFGetTypeID(CFTypeRef object) AS_CF(CFGetTypeID);
CFTypeID CFStringGetTypeID(void) AS_CF(CFStringGetTypeID);
CFTypeID CFNumberGetTypeID(void) AS_CF(CFNumberGetTypeID);
CFTypeID CFArrayGetTypeID(void) AS_CF(CFArrayGetTypeID);
CFTypeID CFDictionaryGetTypeID(void) AS_CF(CFDictionaryGetTypeID);

/* Creates a constant string that is never released. `text` is a literal.
 *
 * The result is a constant expression and can initialize a variable with static storage. It
 * points to the literal, whose first byte marks it as a constant. */
#define CFSTR(text) ((CFStringRef)(const void *)("\xC5" text ""))
CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *text, CFStringEncoding encoding)
    AS_CF(CFStringCreateWithCString);
/* Compares bytes. With kCFCompareCaseInsensitive, the case of ASCII letters is ignored. NULL is
 * the least value. */
CFComparisonResult CFStringCompare(CFStringRef left, CFStringRef right, CFOptionFlags options) AS_CF(CFStringCompare);
Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix) AS_CF(CFStringHasPrefix);
Boolean CFStringHasSuffix(CFStringRef string, CFStringRef suffix) AS_CF(CFStringHasSuffix);
/* Finds the first occurrence, or the last one with kCFCompareBackwards, in bytes of UTF-8. With
 * kCFCompareAnchored, it must be at the beginning or the end. Returns {kCFNotFound, 0} if there
 * is no occurrence or `found` is empty. */
CFRange CFStringFind(CFStringRef string, CFStringRef found, CFOptionFlags options) AS_CF(CFStringFind);
/* Returns the length in bytes of UTF-8. */
CFIndex CFStringGetLength(CFStringRef string) AS_CF(CFStringGetLength);
const char *CFStringGetCStringPtr(CFStringRef string, CFStringEncoding encoding) AS_CF(CFStringGetCStringPtr);
Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex size, CFStringEncoding encoding)
    AS_CF(CFStringGetCString);

CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value) AS_CF(CFNumberCreate);
/* Returns whether the conversion to the type is exact. */
Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value) AS_CF(CFNumberGetValue);

CFIndex CFArrayGetCount(CFArrayRef array) AS_CF(CFArrayGetCount);
/* Returns NULL for an index beyond the end. */
const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index) AS_CF(CFArrayGetValueAtIndex);

const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key) AS_CF(CFDictionaryGetValue);
/* Returns whether the key exists. `value` may be NULL. */
Boolean CFDictionaryGetValueIfPresent(CFDictionaryRef dictionary, const void *key, const void **value)
    AS_CF(CFDictionaryGetValueIfPresent);
Boolean CFDictionaryContainsKey(CFDictionaryRef dictionary, const void *key) AS_CF(CFDictionaryContainsKey);
CFIndex CFDictionaryGetCount(CFDictionaryRef dictionary) AS_CF(CFDictionaryGetCount);

/* Prints the object to standard error, for debugging. */
void CFShow(CFTypeRef object) AS_CF(CFShow);

/* Byte order. */
static inline uint16_t CFSwapInt16(uint16_t value) { return __builtin_bswap16(value); }
static inline uint32_t CFSwapInt32(uint32_t value) { return __builtin_bswap32(value); }
static inline uint64_t CFSwapInt64(uint64_t value) { return __builtin_bswap64(value); }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define AS_CF_SWAPS(bits, Big, Little) AS_CF_SWAP(bits, Big, CFSwapInt##bits(value)) AS_CF_SWAP(bits, Little, value)
#else
#define AS_CF_SWAPS(bits, Big, Little) AS_CF_SWAP(bits, Big, value) AS_CF_SWAP(bits, Little, CFSwapInt##bits(value))
#endif
#define AS_CF_SWAP(bits, Order, result) \
    static inline uint##bits##_t CFSwapInt##bits##HostTo##Order(uint##bits##_t value) { return result; } \
    static inline uint##bits##_t CFSwapInt##bits##Order##ToHost(uint##bits##_t value) { return result; }
AS_CF_SWAPS(16, Big, Little)
AS_CF_SWAPS(32, Big, Little)
AS_CF_SWAPS(64, Big, Little)
#undef AS_CF_SWAPS
#undef AS_CF_SWAP

/* A run loop only waits, because the library calls listeners on its own thread. */
#define kCFRunLoopDefaultMode CFSTR("kCFRunLoopDefaultMode")
#define kCFRunLoopCommonModes CFSTR("kCFRunLoopCommonModes")
CFRunLoopRef CFRunLoopGetMain(void) AS_CF(CFRunLoopGetMain);
CFRunLoopRef CFRunLoopGetCurrent(void) AS_CF(CFRunLoopGetCurrent);
/* Waits until CFRunLoopStop is called. */
void CFRunLoopRun(void) AS_CF(CFRunLoopRun);
enum { kCFRunLoopRunFinished = 1, kCFRunLoopRunStopped, kCFRunLoopRunTimedOut, kCFRunLoopRunHandledSource };
/* Waits for `seconds` or until CFRunLoopStop is called. The mode and `returns_early` have no
 * effect. */
SInt32 CFRunLoopRunInMode(CFStringRef mode, CFTimeInterval seconds, Boolean returns_early) AS_CF(CFRunLoopRunInMode);
void CFRunLoopStop(CFRunLoopRef loop) AS_CF(CFRunLoopStop);

#ifdef __cplusplus
}
#endif
#endif
