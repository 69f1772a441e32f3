/* What fuzzing needs of C: libFuzzer's loop, and the shim's readers of pods. */
#ifndef CFUZZ_H
#define CFUZZ_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* libFuzzer as a library: calls back with one input after the other, and does not return before the end. */
int LLVMFuzzerRunDriver(int *count, char *_Nonnull *_Nonnull *_Nonnull arguments,
                        int (*callback)(const uint8_t *bytes, size_t size));

/* Any bytes as any of the pods that the shim reads: the first byte says which. Aborts if a result cannot be used. */
void cfuzz_pod(const uint8_t *bytes, size_t size);

/* Any bytes as what a client writes to, or asks of, a device that is exported from here. */
void cfuzz_export(const uint8_t *bytes, size_t size);

#pragma clang assume_nonnull end
#endif
