/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of texts, of which each slot has the last one.
 */
#include "passed.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/error.h"
#include "ballast/base/heap.h"
#include "token.h"

#define SLOTS ((size_t)128)
#define TEXT_LEAST ((size_t)32)
#define TEXT_MOST ((size_t)1 << 10)

struct passed_text {
    char *text;
    size_t room, length, depth;
};

struct passed_texts {
    struct passed_text slots[SLOTS];
};

struct passed_texts *
passed_texts_new(void)
{
    return heap_new(1, sizeof(struct passed_texts));
}

void
passed_texts_free(struct passed_texts *passed)
{
    for (size_t i = 0; passed != NULL && i < SLOTS; i++) {
        free(passed->slots[i].text);
    }
    free(passed);
}

size_t
passed_texts_slot(uint64_t before, const char *text)
{
    return (token_mark(text, PASSED_HEAD) ^ before) % SLOTS;
}

size_t
passed_texts_find(const struct passed_texts *passed, size_t slot, const char *text, size_t length,
                  size_t depth)
{
    const struct passed_text *known = &passed->slots[slot];

    return known->length > 0 && known->length <= length && depth <= known->depth &&
                   memcmp(known->text, text, known->length) == 0
               ? known->length
               : 0;
}

void
passed_texts_keep(struct passed_texts *passed, size_t slot, const char *text, size_t length,
                  size_t depth)
{
    struct passed_text *known = &passed->slots[slot];

    if (length < TEXT_LEAST || length > TEXT_MOST) {
        return;
    }
    if (length > known->room) {
        free(known->text);
        known->text = malloc(length);
        if (known->text == NULL) {
            out_of_memory();
        }
        known->room = length;
    }
    memcpy(known->text, text, length);
    known->length = length;
    known->depth = depth;
}
