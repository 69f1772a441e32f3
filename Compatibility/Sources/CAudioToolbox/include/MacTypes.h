/* The basic types that Apple's headers use. */
#ifndef AUDIOSESSION_MACTYPES_H
#define AUDIOSESSION_MACTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t UInt8;
typedef int8_t SInt8;
typedef uint16_t UInt16;
typedef int16_t SInt16;
typedef uint32_t UInt32;
typedef int32_t SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef float Float32;
typedef double Float64;
typedef unsigned char Boolean;
typedef int16_t OSErr;
typedef int32_t OSStatus;
typedef UInt32 FourCharCode;
typedef FourCharCode OSType;
typedef unsigned long ByteCount;
typedef unsigned long ItemCount;

enum { noErr = 0 };

#endif
