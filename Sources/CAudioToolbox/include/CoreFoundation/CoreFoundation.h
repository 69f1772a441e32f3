/* A small stand-in for Core Foundation: of its strings, numbers, arrays and dictionaries what programs over
 * AudioToolbox/AudioSession.h need. Names and rules are Apple's (what is made by "Create" is to be released, what is had by "Get" is not); in the library
 * the symbols have names of their own, so that they do not meet those of a real Core Foundation. All functions may be called
 * on any thread. NULL is nowhere a crash. */
#ifndef AUDIOSESSION_COREFOUNDATION_H
#define AUDIOSESSION_COREFOUNDATION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint8_t UInt8;
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef int32_t SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef float Float32;
typedef double Float64;
typedef unsigned char Boolean;
typedef int32_t OSStatus;
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

enum { noErr = 0 };

#define kCFAllocatorDefault ((CFAllocatorRef)0)

typedef enum CFComparisonResult {
    kCFCompareLessThan = -1,
    kCFCompareEqualTo = 0,
    kCFCompareGreaterThan = 1
} CFComparisonResult;

enum { kCFCompareCaseInsensitive = 1 };
enum { kCFStringEncodingASCII = 0x0600, kCFStringEncodingUTF8 = 0x08000100 };

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

/* A string that is never released. `text` is a literal. */
#define CFSTR(text) CFStringConstant("" text "")
CFStringRef CFStringConstant(const char *text) AS_CF(CFStringConstant);
/* Encodings are all read as UTF-8. */
CFStringRef CFStringCreateWithCString(CFAllocatorRef allocator, const char *text, CFStringEncoding encoding)
    AS_CF(CFStringCreateWithCString);
/* By bytes, or if asked for regardless of the case of ASCII's letters. NULL is the least. */
CFComparisonResult CFStringCompare(CFStringRef left, CFStringRef right, CFOptionFlags options) AS_CF(CFStringCompare);
Boolean CFStringHasPrefix(CFStringRef string, CFStringRef prefix) AS_CF(CFStringHasPrefix);
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

/* For programs that end with a run loop: it only waits, for listeners are called on a thread of the library's own. */
#define kCFRunLoopDefaultMode CFSTR("kCFRunLoopDefaultMode")
#define kCFRunLoopCommonModes CFSTR("kCFRunLoopCommonModes")
CFRunLoopRef CFRunLoopGetMain(void) AS_CF(CFRunLoopGetMain);
CFRunLoopRef CFRunLoopGetCurrent(void) AS_CF(CFRunLoopGetCurrent);
/* Until CFRunLoopStop. */
void CFRunLoopRun(void) AS_CF(CFRunLoopRun);
void CFRunLoopStop(CFRunLoopRef loop) AS_CF(CFRunLoopStop);

#ifdef __cplusplus
}
#endif
#endif
