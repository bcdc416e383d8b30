/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys and values out of a variable.
 */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/text.h"

/* Of a text. */
struct part {
    const char *at;
    size_t length;
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct part
trim(struct part part)
{
    while (part.length > 0 && is_blank(part.at[0])) {
        part.at++;
        part.length--;
    }
    while (part.length > 0 && is_blank(part.at[part.length - 1])) {
        part.length--;
    }
    return part;
}

/* NULL: there is a % that begins no byte. */
static char *
unescape(struct part part)
{
    char *text = heap_new(part.length + 1, 1);
    size_t length = 0;

    for (size_t i = 0; i < part.length; i++) {
        char c = part.at[i];

        if (c == '%') {
            const int byte = i + 2 < part.length ? text_hex_byte(part.at + i + 1) : -1;

            c = (char)(byte > 0 ? byte : 0);
            i += 2;
        }
        if (c == '\0') {
            secret_free_text(text);
            return NULL;
        }
        text[length++] = c;
    }
    return text;
}

size_t
pairs_most(const struct pairs *pairs)
{
    size_t most = 1;

    for (const char *c = pairs->text; *c != '\0'; c++) {
        most += *c == ',' ? 1 : 0;
    }
    return most;
}

static void
read_pair(struct part item, struct pair *ret)
{
    const char *equals = memchr(item.at, '=', item.length);

    ret->key = ret->value = NULL;
    if (equals != NULL) {
        const size_t length = (size_t)(equals - item.at);

        ret->key = unescape(trim((struct part){item.at, length}));
        ret->value = unescape(trim((struct part){equals + 1, item.length - length - 1}));
    }
    ret->is_bad = ret->key == NULL || ret->key[0] == '\0' || ret->value == NULL;
    if (ret->is_bad) {
        pair_release(ret);
    }
}

bool
pairs_next(struct pairs *pairs, struct pair *ret)
{
    while (*pairs->text != '\0') {
        const size_t length = strcspn(pairs->text, ",");
        const struct part item = trim((struct part){pairs->text, length});

        pairs->text += length + (pairs->text[length] == ',' ? 1 : 0);
        pairs->number++;
        if (item.length > 0) {
            ret->number = pairs->number;
            read_pair(item, ret);
            return true;
        }
    }
    return false;
}

void
pair_release(struct pair *pair)
{
    free(pair->key);
    secret_free_text(pair->value);
    pair->key = pair->value = NULL;
}
