/* SPDX-License-Identifier: Apache-2.0
 *
 * What the formats share: counting, comparing, showing differences.
 */
#include "conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_PER_FILE 5
#define INPUT_SHOWN_MAX 6000
#define JSON_MAX (64u << 20)

static const char *const exempt_tags[] = {"unstableSort", "quirk:int32Overflow",
                                          "int32-product-overflow"};

const char *
conform_text(const struct value *object, const char *key)
{
    const struct value *value = value_get(object, key);

    return value != NULL && value_type(value) == VALUE_STRING ? value_string(value) : "";
}

int64_t
conform_integer(const struct value *object, const char *key, int64_t fallback)
{
    const struct value *value = value_get(object, key);

    return value != NULL && value_type(value) == VALUE_INTEGER ? value_integer(value) : fallback;
}

struct conform_case
conform_case(const struct value *item)
{
    return (struct conform_case){
        .name = conform_text(item, "name"),
        .tags = value_get(item, "tags"),
        .input = item,
    };
}

static bool
case_is_exempt(const struct conform_case *c)
{
    size_t n_tags = c->tags != NULL ? value_count(c->tags) : 0;

    for (size_t i = 0; i < n_tags; i++) {
        const struct value *tag = value_at(c->tags, i);

        for (size_t j = 0; j < sizeof(exempt_tags) / sizeof(exempt_tags[0]); j++) {
            if (value_type(tag) == VALUE_STRING && strcmp(value_string(tag), exempt_tags[j]) == 0) {
                return true;
            }
        }
    }
    return false;
}

const char *
conform_json(struct conform *run, const struct value *value)
{
    struct buf out;
    const char *text;

    if (value == NULL) {
        return "(absent)";
    }
    buf_init(&out, JSON_MAX);
    value_write_json(value, true, &out);
    text = arena_strndup(run->arena, buf_text(&out), out.length);
    buf_release(&out);
    return text;
}

static void
show_case(struct conform *run, const struct conform_case *c)
{
    unsigned number = run->agree + run->differ + run->exempt;

    printf("  case %u", number);
    if (c->name != NULL && c->name[0] != '\0') {
        printf(" \"%s\"", c->name);
    }
    if (c->tags != NULL && value_count(c->tags) > 0) {
        printf(" tags %s", conform_json(run, c->tags));
    }
    putchar('\n');
    if (c->input != NULL) {
        const char *input = conform_json(run, c->input);

        printf("    input %.*s%s\n", INPUT_SHOWN_MAX, input,
               strlen(input) > INPUT_SHOWN_MAX ? " (cut)" : "");
    }
}

void
conform_compare(struct conform *run, const struct conform_case *c, const char *got,
                const char *want)
{
    if (case_is_exempt(c)) {
        run->exempt++;
        return;
    }
    if (strcmp(got, want) == 0) {
        run->agree++;
        return;
    }
    if (++run->differ <= SHOWN_PER_FILE) {
        show_case(run, c);
        printf("    got   %s\n    want  %s\n", got, want);
    }
}

void
conform_broken(struct conform *run, const struct conform_case *c, const struct error *err)
{
    if (++run->differ <= SHOWN_PER_FILE) {
        show_case(run, c);
        printf("    the input cannot be decoded: %s\n", err->message);
    }
}

static int
pair_cmp(const void *a, const void *b)
{
    const struct conform_pair *x = a;
    const struct conform_pair *y = b;

    return strcmp(x->name, y->name);
}

const char *
conform_pairs(struct conform *run, const struct conform_pair *pairs, size_t count)
{
    struct conform_pair *sorted = ARENA_ARRAY(run->arena, struct conform_pair, count);
    struct buf out;
    const char *text;

    if (count > 0) {
        memcpy(sorted, pairs, count * sizeof(*pairs));
        qsort(sorted, count, sizeof(*sorted), pair_cmp);
    }
    buf_init(&out, JSON_MAX);
    buf_append_char(&out, '{');
    for (size_t i = 0; i < count; i++) {
        buf_printf(&out, "%s\"%s\":%jd", i > 0 ? "," : "", sorted[i].name,
                   (intmax_t)sorted[i].count);
    }
    buf_append_char(&out, '}');
    text = arena_strndup(run->arena, buf_text(&out), out.length);
    buf_release(&out);
    return text;
}

const char *
conform_pairs_of_list(struct conform *run, const struct value *list, const char *count_key)
{
    size_t count = list != NULL ? value_count(list) : 0;
    struct conform_pair *pairs = ARENA_ARRAY(run->arena, struct conform_pair, count);

    for (size_t i = 0; i < count; i++) {
        pairs[i].name = conform_text(value_at(list, i), "name");
        pairs[i].count = conform_integer(value_at(list, i), count_key, 0);
    }
    return conform_pairs(run, pairs, count);
}
