/* The C part of fuzzing: libFuzzer's loop, and the shim's readers of pods. */
#ifndef CFUZZ_H
#define CFUZZ_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* libFuzzer as a library: calls back for each input, and does not return before the end. */
int LLVMFuzzerRunDriver(int *count, char *_Nonnull *_Nonnull *_Nonnull arguments,
                        int (*callback)(const uint8_t *bytes, size_t size));

/* Reads bytes as a pod; the first byte selects the kind. Aborts if a result is invalid. */
void cfuzz_pod(const uint8_t *bytes, size_t size);

/* Passes bytes to an exported device as a client's write or query. */
void cfuzz_export(const uint8_t *bytes, size_t size);

#pragma clang assume_nonnull end
#endif
