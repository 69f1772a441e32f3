/* The part of Core Foundation that programs over AudioToolbox/AudioSession.h use: strings, numbers, arrays, dictionaries, byte
 * order and a run loop that waits. Names and rules are Apple's: the caller releases what a function with "Create" in its name
 * returns, and nothing else. The symbols in the library have other names, so that they do not clash with those of a real
 * Core Foundation. Every function may be called on any thread and accepts NULL. */
#ifndef AUDIOSESSION_COREFOUNDATION_H
#define AUDIOSESSION_COREFOUNDATION_H

/* Programs of the time include nothing else: these come with Apple's header too. */
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

/* All are read and written as UTF-8. */
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
/* 0 of NULL. */
CFTypeID CFGetTypeID(CFTypeRef object) AS_CF(CFGetTypeID);
CFTypeID CFStringGetTypeID(void) AS_CF(CFStringGetTypeID);
CFTypeID CFNumberGetTypeID(void) AS_CF(CFNumberGetTypeID);
CFTypeID CFArrayGetTypeID(void) AS_CF(CFArrayGetTypeID);
CFTypeID CFDictionaryGetTypeID(void) AS_CF(CFDictionaryGetTypeID);

/* A string that is never released. `text` is a literal. The result is a constant, so a variable with static storage can be
 * initialized with it: it points to the literal itself, whose first byte tells the library that this is no object. */
#define CFSTR(text) ((CFStringRef)(const void *)("\xC5" text ""))
CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *text, CFStringEncoding encoding)
    AS_CF(CFStringCreateWithCString);
/* By bytes, or if asked for regardless of the case of ASCII's letters. NULL is the least. */
CFComparisonResult CFStringCompare(CFStringRef left, CFStringRef right, CFOptionFlags options) AS_CF(CFStringCompare);
Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix) AS_CF(CFStringHasPrefix);
Boolean CFStringHasSuffix(CFStringRef string, CFStringRef suffix) AS_CF(CFStringHasSuffix);
/* The first, or with kCFCompareBackwards the last, occurrence, in bytes of UTF-8; with kCFCompareAnchored only that at the
 * beginning, or at the end. {kCFNotFound, 0} if there is none, and for an empty `found`. */
CFRange CFStringFind(CFStringRef string, CFStringRef found, CFOptionFlags options) AS_CF(CFStringFind);
/* In bytes of UTF-8. */
CFIndex CFStringGetLength(CFStringRef string) AS_CF(CFStringGetLength);
const char *CFStringGetCStringPtr(CFStringRef string, CFStringEncoding encoding) AS_CF(CFStringGetCStringPtr);
Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex size, CFStringEncoding encoding)
    AS_CF(CFStringGetCString);

CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value) AS_CF(CFNumberCreate);
/* Returns whether the number is the same in that type. */
Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value) AS_CF(CFNumberGetValue);

CFIndex CFArrayGetCount(CFArrayRef array) AS_CF(CFArrayGetCount);
/* NULL beyond the end. */
const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index) AS_CF(CFArrayGetValueAtIndex);

const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key) AS_CF(CFDictionaryGetValue);
/* `value` may be NULL. */
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

/* A run loop only waits: listeners are called on a thread of the library's own. */
#define kCFRunLoopDefaultMode CFSTR("kCFRunLoopDefaultMode")
#define kCFRunLoopCommonModes CFSTR("kCFRunLoopCommonModes")
CFRunLoopRef CFRunLoopGetMain(void) AS_CF(CFRunLoopGetMain);
CFRunLoopRef CFRunLoopGetCurrent(void) AS_CF(CFRunLoopGetCurrent);
/* Returns after CFRunLoopStop. */
void CFRunLoopRun(void) AS_CF(CFRunLoopRun);
enum { kCFRunLoopRunFinished = 1, kCFRunLoopRunStopped, kCFRunLoopRunTimedOut, kCFRunLoopRunHandledSource };
/* Returns after `seconds`, or after CFRunLoopStop. Neither the mode nor `returns_early` has an effect. */
SInt32 CFRunLoopRunInMode(CFStringRef mode, CFTimeInterval seconds, Boolean returns_early) AS_CF(CFRunLoopRunInMode);
void CFRunLoopStop(CFRunLoopRef loop) AS_CF(CFRunLoopStop);

#ifdef __cplusplus
}
#endif
#endif
