/* Sources/CAudioSession: the part of the library for C that is C. */
#include "harness.h"

#include <audiosession.h>
#include <stdio.h>
#include <string.h>

#if !AS_CHECK_VERSION(AS_VERSION_MAJOR, AS_VERSION_MINOR, AS_VERSION_PATCH)
#error "the header is older than itself"
#endif

TEST("C interface", "the version of the header is that of the library") {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", AS_VERSION_MAJOR, AS_VERSION_MINOR, AS_VERSION_PATCH);
    CHECK_TEXT(as_version(), version);
}

TEST("C interface", "versions are compared by their parts, from the first") {
    CHECK(AS_CHECK_VERSION(AS_VERSION_MAJOR - 1, AS_VERSION_MINOR + 1, AS_VERSION_PATCH + 1));
    CHECK(AS_CHECK_VERSION(AS_VERSION_MAJOR, AS_VERSION_MINOR - 1, AS_VERSION_PATCH + 1));
    CHECK(AS_CHECK_VERSION(AS_VERSION_MAJOR, AS_VERSION_MINOR, AS_VERSION_PATCH - 1));
    CHECK(!AS_CHECK_VERSION(AS_VERSION_MAJOR, AS_VERSION_MINOR, AS_VERSION_PATCH + 1));
    CHECK(!AS_CHECK_VERSION(AS_VERSION_MAJOR, AS_VERSION_MINOR + 1, 0));
    CHECK(!AS_CHECK_VERSION(AS_VERSION_MAJOR + 1, 0, 0));
}

TEST("C interface", "every status has a name") {
    CHECK_EQUAL(as_abi_version(), AS_ABI_VERSION);
    CHECK_TEXT(as_status_name(AS_OK), "AS_OK");
    CHECK_TEXT(as_status_name(AS_ERROR_WRONG_THREAD), "AS_ERROR_WRONG_THREAD");
    for (int status = -3; status < 40; status++)
        CHECK(strncmp(as_status_name((as_status)status), "AS_", 3) == 0);
}
