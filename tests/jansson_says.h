/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSON text, read by jansson alone: what the program takes is what jansson
 * takes, with the same members in the same order. For fuzzers and unit tests.
 */
#ifndef BALLAST_TESTS_JANSSON_SAYS_H
#define BALLAST_TESTS_JANSSON_SAYS_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/format/value.h"

/* NULL: it is no JSON. */
static inline char *
jansson_dump(const char *text, size_t length)
{
    json_t *root =
        json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &(json_error_t){0});
    char *dump = json_dumps(root, JSON_ENCODE_ANY | JSON_COMPACT);

    json_decref(root);
    return dump;
}

/* What is nested too deep for us need not be for jansson. */
static inline bool
jansson_says_the_same(const char *text, size_t length)
{
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(text, length, 1, &err);
    char *want = jansson_dump(text, length), *got = NULL;
    struct buf out;

    buf_init(&out, SIZE_MAX);
    if (document != NULL) {
        value_write_json(document_root(document), false, &out);
        got = jansson_dump(out.data, out.length);
    }
    bool agree = want == NULL || got == NULL
                     ? want == got || strstr(err.message, "nested more than") != NULL
                     : strcmp(want, got) == 0;

    free(want);
    free(got);
    buf_release(&out);
    document_free(document);
    return agree;
}

#endif
