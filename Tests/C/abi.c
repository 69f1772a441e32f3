/* Sources/CAudioSession: the part of the library for C that is C. */
#include "harness.h"

#include <audiosession.h>
#include <string.h>

TEST("C interface", "every status has a name") {
    CHECK_EQUAL(as_abi_version(), AS_ABI_VERSION);
    CHECK_TEXT(as_status_name(AS_OK), "AS_OK");
    CHECK_TEXT(as_status_name(AS_ERROR_WRONG_THREAD), "AS_ERROR_WRONG_THREAD");
    for (int status = -3; status < 40; status++)
        CHECK(strncmp(as_status_name((as_status)status), "AS_", 3) == 0);
}
