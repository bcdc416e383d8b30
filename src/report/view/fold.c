/* SPDX-License-Identifier: Apache-2.0
 *
 * Folds bindings whose texts differ only in numbers: "2 of 5 replicas", "since 8m34s". Digits in
 * names are part of the name.
 */
#include "view.h"

#include <ctype.h>
#include <string.h>

#include "ballast/base/hash.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"

#define FOLD_MIN 4           /* smaller groups stay unfolded */
#define TEXT_MAX (64u << 10) /* bytes of a binding's text; longer texts stay unfolded */
#define ANY_NUMBER '\x01'    /* stands for different numbers; safe texts never contain it */
#define LONE UINT32_MAX      /* no group */

struct fold_group {
    uint32_t first; /* binding */
    uint32_t count;
    int64_t replicas;
    char *text;          /* NULL: one binding so far */
    uint32_t *bindings;  /* filled at the end */
    uint32_t n_bindings; /* of `bindings` */
};

struct folding {
    const struct report_view *view;
    fold_writer *write;
    struct map *by_digest;
    VEC_OF(struct fold_group) groups;
    uint32_t *group_of; /* by shown binding */
    struct buf text, key;
};

/* Returns the length of a number at text[at], with units of time ("8m34s"); 0: none. */
static size_t
number_length(const char *text, size_t at)
{
    size_t length = 0;

    if (!isdigit((unsigned char)text[at]) ||
        (at > 0 && strchr(" (\"/=:\n", text[at - 1]) == NULL)) {
        return 0;
    }
    while (text[at + length] != '\0' && strchr("0123456789.,hms", text[at + length]) != NULL) {
        length++;
    }
    while (strchr(".,", text[at + length - 1]) != NULL) {
        length--; /* trailing punctuation */
    }
    return isalnum((unsigned char)text[at + length]) || text[at + length] == '-' ? 0 : length;
}

/* Replaces each number by a mark. */
static void
mask(const char *text, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; text[i] != '\0';) {
        size_t number = number_length(text, i);

        if (number > 0) {
            buf_append_char(out, ANY_NUMBER);
            i += number;
        } else {
            buf_append_char(out, text[i++]);
        }
    }
}

/* Replaces different numbers in `text` by marks. Both texts have one mask. */
static void
merge(char *text, const char *other)
{
    size_t to = 0, from = 0, at = 0;

    while (text[from] != '\0') {
        size_t other_number = number_length(other, at);
        size_t number = text[from] == ANY_NUMBER ? 1 : number_length(text, from);
        bool same = number == other_number && memcmp(text + from, other + at, number) == 0;

        if (number == 0) {
            text[to++] = text[from++];
            at++;
        } else if (same) {
            memmove(text + to, text + from, number);
            to += number;
        } else {
            text[to++] = ANY_NUMBER;
        }
        from += number;
        at += number > 0 ? other_number : 0;
    }
    text[to] = '\0';
}

static const char *
write_row(struct folding *folding, const struct row *row)
{
    buf_clear(&folding->text);
    folding->write(folding->view, row, &folding->text);
    return buf_text(&folding->text);
}

static int64_t
assigned(const struct row *row)
{
    const struct target_list *before = &row->decision->before;
    int64_t sum = 0;

    for (uint32_t i = 0; i < before->count; i++) {
        sum += before->items[i].replicas;
    }
    return sum;
}

static uint32_t
new_group(struct folding *folding, uint32_t binding, int64_t replicas)
{
    struct fold_group *group = vec_push(&folding->groups);

    group->first = binding;
    group->count = 1;
    group->replicas = replicas;
    return pin_uint32(folding->groups.count) - 1;
}

static void
join_group(struct folding *folding, struct fold_group *group, int64_t replicas)
{
    if (group->text == NULL) {
        char *said =
            arena_memdup(folding->view->arena, buf_text(&folding->text), folding->text.length + 1);
        struct row first = view_row(folding->view, group->first);

        group->text = arena_printf(folding->view->arena, "%s", write_row(folding, &first));
        merge(group->text, said);
    } else {
        merge(group->text, buf_text(&folding->text));
    }
    group->count++;
    group->replicas += replicas;
}

/* A page lists the bindings of an entry, so that it can fold changed ones as well. */
static bool
is_page(const struct report_view *view)
{
    return view->options->format == REPORT_HTML;
}

/* Returns the group of a binding, or LONE. */
static uint32_t
find_group(struct folding *folding, uint32_t binding)
{
    static const struct hash_key no_key; /* not secret: the digest only compares texts */
    struct row row = view_row(folding->view, binding);
    bool added;

    if ((row.decision->changes && !is_page(folding->view)) ||
        !view_has_news(folding->view, binding)) {
        return LONE;
    }
    const char *text = write_row(folding, &row);
    int64_t replicas = assigned(&row);

    mask(text, &folding->key);
    if (folding->text.overflowed || folding->key.overflowed) {
        return LONE;
    }
    struct digest digest = digest_bytes(&no_key, folding->key.data, folding->key.length);
    const struct digest *key = arena_memdup(folding->view->arena, &digest, sizeof(digest));
    void **slot = map_put(folding->by_digest, key, sizeof(*key), &added);

    if (added) {
        *slot = (void *)(uintptr_t)new_group(folding, binding, replicas);
    } else {
        join_group(folding, &folding->groups.items[(uintptr_t)*slot], replicas);
    }
    return pin_uint32((uintptr_t)*slot);
}

/* Shows marks as "N". */
static const char *
shown_text(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if (*c == ANY_NUMBER) {
            *c = 'N';
        }
    }
    return text;
}

static void
add_binding(const struct report_view *view, struct fold_group *group, uint32_t binding)
{
    if (group->bindings == NULL) {
        group->bindings = ARENA_ARRAY(view->arena, uint32_t, group->count);
    }
    group->bindings[group->n_bindings++] = binding;
}

static struct entries
collect(const struct folding *folding)
{
    const struct report_view *view = folding->view;
    struct fold_entry *entries = ARENA_ARRAY(view->arena, struct fold_entry, view->n_shown);
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->n_shown; i++) {
        struct fold_group *group =
            folding->group_of[i] != LONE ? &folding->groups.items[folding->group_of[i]] : NULL;
        bool folded = group != NULL && group->count >= FOLD_MIN;

        if (folded) {
            add_binding(view, group, view->shown[i]);
        }
        if (!folded) {
            entries[count] = (struct fold_entry){
                .binding = view->shown[i], .count = 1, .bindings = &view->shown[i]};
            count++;
        } else if (group->first == view->shown[i]) {
            struct fold_entry *entry = &entries[count++];

            *entry = (struct fold_entry){.binding = group->first,
                                         .count = group->count,
                                         .bindings = group->bindings,
                                         .replicas = group->replicas,
                                         .text = shown_text(group->text)};
        }
    }
    return (struct entries){entries, count};
}

struct entries
fold_entries(const struct report_view *view, fold_writer *write)
{
    struct folding folding = {.view = view, .write = write, .by_digest = map_new()};

    buf_init(&folding.text, TEXT_MAX);
    buf_init(&folding.key, TEXT_MAX);
    folding.group_of = ARENA_ARRAY(view->arena, uint32_t, view->n_shown);
    for (uint32_t i = 0; i < view->n_shown; i++) {
        bool alone = (view->options->limit == 0 && !is_page(view)) || view_is_stopped(view);

        folding.group_of[i] = alone ? LONE : find_group(&folding, view->shown[i]);
    }
    struct entries entries = collect(&folding);

    buf_release(&folding.key);
    buf_release(&folding.text);
    vec_free(&folding.groups);
    map_free(folding.by_digest);
    return entries;
}
