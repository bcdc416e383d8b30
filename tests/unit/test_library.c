/* SPDX-License-Identifier: Apache-2.0
 *
 * Giving back what of a library is in memory as it is in its file.
 */
#include "ballast/base/library.h"
#include "check.h"
#include "library_pages.h"

/* Every such page goes, also the last one of a part; what was written when it was loaded stays. */
static void
test_rest(void)
{
    uint64_t before = library_pages_touch(UNUSED_LIBRARY);

    CHECK(library_pages_clean(UNUSED_LIBRARY) > 0);
    library_rest();
    CHECK_INT(library_pages_clean(UNUSED_LIBRARY), 0);
    CHECK(library_pages_touch(UNUSED_LIBRARY) == before);
}

void suite_library(void);

void
suite_library(void)
{
    check_suite("library");
    check_test("rest", test_rest);
}
