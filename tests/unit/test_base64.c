/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as text, and bytes made smaller.
 */
#include "ballast/base/base64.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/compress.h"
#include "check.h"

static void
test_base64(void)
{
    /* RFC 4648, chapter 10 */
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf text;

        buf_init(&text, 100);
        base64_append(&text, cases[i].text, strlen(cases[i].text));
        CHECK_STR(buf_text(&text), cases[i].want);
        buf_release(&text);
    }
}

static void
test_compress(void)
{
    static char bytes[100000];
    struct buf small;

    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)(i / 100);
    }
    buf_init(&small, sizeof(bytes));
    buf_append_char(&small, 'x'); /* what was there stays */
    compress_append(&small, bytes, sizeof(bytes));
    CHECK(small.length < sizeof(bytes) / 10);

    char *back = decompress(small.data + 1, small.length - 1, sizeof(bytes));

    CHECK(back != NULL && memcmp(back, bytes, sizeof(bytes)) == 0);
    free(back);
    CHECK(decompress(small.data + 1, small.length - 1, sizeof(bytes) - 1) == NULL);
    CHECK(decompress(small.data + 1, small.length - 1, sizeof(bytes) + 1) == NULL);
    CHECK(decompress(small.data + 1, small.length - 2, sizeof(bytes)) == NULL);
    small.data[small.length / 2] ^= 1;
    CHECK(decompress(small.data + 1, small.length - 1, sizeof(bytes)) == NULL);
    CHECK(decompress("", 0, 0) == NULL);
    buf_release(&small);
}

void suite_base64(void);
void
suite_base64(void)
{
    check_suite("base64");
    check_test("base64", test_base64);
    check_test("compressed, and back", test_compress);
}
