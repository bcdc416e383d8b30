/* SPDX-License-Identifier: Apache-2.0
 *
 * Merge patches applied to YAML text. YAML has more ways to write a thing than
 * anyone has foreseen, so the result is read again and must be exactly what the
 * patches make of the values; else nothing is changed.
 */
#include "ballast/format/edit.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/format/value_build.h"
#include "ballast/format/yaml.h"
#include "yaml_splice.h"

static const struct value *
find_value(const struct value *root, long item)
{
    const struct value *items = item < 0 ? NULL : value_get(root, "items");

    if (item < 0) {
        return root;
    }
    return items != NULL && value_type(items) == VALUE_LIST ? value_at(items, (size_t)item) : NULL;
}

static const struct yaml_node *
find_items(const struct yaml_node *root)
{
    for (size_t i = 0; root->kind == YAML_MAPPING && i < root->count; i += 2) {
        const struct yaml_node *key = root->items[i];

        if (key->kind == YAML_SCALAR && str_eq(key->text, "items")) {
            return root->items[i + 1];
        }
    }
    return NULL;
}

/* Returns the node of an object. NULL with err if the object or its parent is shared. */
static const struct yaml_node *
find_node(struct splicer *s, const struct yaml_node *root, long item)
{
    const struct yaml_node *items = item < 0 ? NULL : find_items(root);
    const struct yaml_node *node = root;

    if (item >= 0) {
        if (items == NULL || items->kind != YAML_SEQUENCE || (size_t)item >= items->count) {
            error_set(s->err, ERROR_NOT_FOUND, "there is no items[%ld] written out", item);
            return NULL;
        }
        if (items->is_aliased) {
            splice_fail_shared(s, items);
            return NULL;
        }
        node = items->items[item];
    }
    if (root->is_aliased || node->is_aliased || node->kind == YAML_ALIAS) {
        splice_fail_shared(s, node->anchor != NULL ? node : root);
        return NULL;
    }
    return node;
}

static bool
plan_edit(struct splicer *s, const struct yaml_tree *tree, const struct yaml_documents *documents,
          const struct yaml_edit *edit)
{
    const struct value *object = edit->document < documents->count
                                     ? find_value(documents->items[edit->document], edit->item)
                                     : NULL;

    if (object == NULL || value_type(object) != VALUE_OBJECT ||
        value_type(edit->patch) != VALUE_OBJECT) {
        return error_set(s->err, ERROR_NOT_FOUND, "there is no such object");
    }
    const struct yaml_node *root = tree->roots[edit->document];
    const struct yaml_node *node = find_node(s, root, edit->item);

    if (node == NULL) {
        return false;
    }
    s->list_offset = s->member_offset = -1;
    splice_look(s, node);
    return splice_object(s, node, object, edit->patch);
}

/* Drops the splices of an edit that fails half way. */
static void
plan_edits(struct splicer *s, const struct yaml_tree *tree, const struct yaml_documents *documents,
           struct yaml_edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t before = s->splices.count;

        edits[i].error = (struct error)ERROR_INIT;
        s->err = &edits[i].error;
        edits[i].done = plan_edit(s, tree, documents, &edits[i]);
        if (!edits[i].done) {
            s->splices.count = before;
        }
    }
}

/* At one place, an insertion precedes a removal. */
static int
splice_cmp(const void *a, const void *b)
{
    const struct splice *x = a, *y = b;

    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    if ((x->end == x->begin) != (y->end == y->begin)) {
        return x->end == x->begin ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Writes the line ends of the text. */
static void
append_text(const char *text, const char *newline, struct buf *out)
{
    for (;;) {
        const char *end = strchr(text, '\n');

        if (end == NULL) {
            buf_append_str(out, text);
            return;
        }
        buf_append(out, text, (size_t)(end - text));
        buf_append_str(out, newline);
        text = end + 1;
    }
}

static bool
make_splices(struct splicer *s, struct buf *out)
{
    const char *line_end = memchr(s->text, '\n', s->length);
    const char *newline =
        line_end != NULL && line_end > s->text && line_end[-1] == '\r' ? "\r\n" : "\n";
    size_t at = 0;

    if (s->splices.count > 0) {
        qsort(s->splices.items, s->splices.count, sizeof(*s->splices.items), splice_cmp);
    }
    for (size_t i = 0; i < s->splices.count; i++) {
        const struct splice *splice = &s->splices.items[i];

        if (splice->begin < at || splice->end < splice->begin || splice->end > s->length) {
            return false;
        }
        buf_append(out, s->text + at, splice->begin - at);
        append_text(splice->with, newline, out);
        at = splice->end;
    }
    buf_append(out, s->text + at, s->length - at);
    return true;
}

static int
edit_cmp(const void *a, const void *b)
{
    const struct yaml_edit *x = *(const struct yaml_edit *const *)a;
    const struct yaml_edit *y = *(const struct yaml_edit *const *)b;

    if (x->document != y->document) {
        return x->document < y->document ? -1 : 1;
    }
    return x->item < y->item ? -1 : x->item > y->item;
}

/* Sorts edits by place. Two edits of one object would each miss the other's changes. */
static bool
sort_edits(struct yaml_edit *edits, size_t count, struct yaml_edit **ret, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        ret[i] = &edits[i];
    }
    if (count > 1) {
        qsort(ret, count, sizeof(*ret), edit_cmp);
    }
    for (size_t i = 1; i < count; i++) {
        if (edit_cmp(&ret[i - 1], &ret[i]) == 0) {
            return error_set(err, ERROR_INVALID, "two edits of one object");
        }
    }
    return true;
}

struct check {
    struct arena *arena;
    struct yaml_edit **edits; /* sorted by place */
    size_t count, next;
};

/* True if `now` is `before` with the edit of this place, if any, applied. */
static bool
check_value(struct check *check, size_t document, long item, const struct value *before,
            const struct value *now)
{
    struct yaml_edit place = {.document = document, .item = item};
    const struct yaml_edit *at = &place;

    while (check->next < check->count && edit_cmp(&check->edits[check->next], &at) < 0) {
        check->next++;
    }
    const struct yaml_edit *edit =
        check->next < check->count && edit_cmp(&check->edits[check->next], &at) == 0
            ? check->edits[check->next]
            : NULL;

    return value_equal(
        edit != NULL && edit->done ? value_merge(check->arena, before, edit->patch) : before, now);
}

static bool
has_items(const struct value *root)
{
    const struct value *items = value_get(root, "items");

    return items != NULL && value_type(items) == VALUE_LIST;
}

/* True if two lists differ in their items only. */
static bool
same_envelope(const struct value *a, const struct value *b)
{
    bool same = value_count(a) == value_count(b);

    for (struct value_iterator it = VALUE_ITERATOR(a); same && value_each(&it);) {
        const struct value *other = value_get(b, it.key);

        same = other != NULL && (str_eq(it.key, "items") || value_equal(it.value, other));
    }
    return same;
}

static bool
check_document(struct check *check, size_t document, const struct value *before,
               const struct value *now)
{
    bool edits_items = check->next < check->count &&
                       check->edits[check->next]->document == document &&
                       check->edits[check->next]->item >= 0;

    if (!edits_items) {
        return check_value(check, document, -1, before, now);
    }
    if (!has_items(before) || !has_items(now) || !same_envelope(before, now)) {
        return false;
    }
    const struct value *old_items = value_get(before, "items");
    const struct value *new_items = value_get(now, "items");

    if (value_count(old_items) != value_count(new_items)) {
        return false;
    }
    for (size_t i = 0; i < value_count(old_items); i++) {
        if (!check_value(check, document, (long)i, value_at(old_items, i),
                         value_at(new_items, i))) {
            return false;
        }
    }
    return true;
}

static bool
check_documents(struct check *check, const struct yaml_documents *before,
                const struct yaml_documents *now)
{
    if (before->count != now->count) {
        return false;
    }
    for (size_t i = 0; i < before->count; i++) {
        while (check->next < check->count && check->edits[check->next]->document < i) {
            check->next++;
        }
        if (!check_document(check, i, before->items[i], now->items[i])) {
            return false;
        }
    }
    return true;
}

static bool
check_result(struct check *check, const struct yaml_documents *before, const char *text,
             size_t length, struct error *err)
{
    struct yaml_documents now;
    struct error why = ERROR_INIT;
    bool is_right = false;

    if (yaml_parse("", text, length, &now, &why)) {
        is_right = check_documents(check, before, &now);
        yaml_documents_free(&now);
    }
    return is_right || error_set(err, ERROR_INVALID,
                                 "the text is written in a way that does not let a single object "
                                 "be changed; rewrite it with kubectl's layout");
}

struct parsed_yaml {
    struct yaml_documents documents;
    struct yaml_tree tree;
};

static bool
edit_documents(struct splicer *s, const struct parsed_yaml *parsed, struct yaml_edit *edits,
               size_t count, struct buf *out, struct error *err)
{
    struct check check = {.arena = s->arena,
                          .edits = ARENA_ARRAY(s->arena, struct yaml_edit *, count),
                          .count = count};
    const size_t begin = out->length;

    if (!sort_edits(edits, count, check.edits, err)) {
        return false;
    }
    s->splices.count = 0;
    plan_edits(s, &parsed->tree, &parsed->documents, edits, count);
    bool is_whole = make_splices(s, out);

    if (out->overflowed) {
        return error_set(err, ERROR_LIMIT, "the changed text is too long");
    }
    if (check_result(&check, &parsed->documents, is_whole ? buf_text(out) + begin : "[",
                     is_whole ? out->length - begin : 1, err)) {
        return true;
    }
    out->length = begin;
    return false;
}

/* If the text does not show where items begin, writes a changed list as a whole. */
static bool
edit_or_rewrite(struct splicer *s, const struct parsed_yaml *parsed, struct yaml_edit *edits,
                size_t count, struct buf *out, struct error *err)
{
    bool done = edit_documents(s, parsed, edits, count, out, err);

    if (!done && !out->overflowed) {
        *err = (struct error)ERROR_INIT;
        s->writes_lists_anew = true;
        done = edit_documents(s, parsed, edits, count, out, err);
    }
    return done;
}

bool
edit_yaml(const char *text, size_t length, struct yaml_edit *edits, size_t count, struct buf *out,
          struct error *err)
{
    const struct yaml_text source = {.file = "", .text = text, .length = length};
    struct parsed_yaml parsed;

    if (!yaml_parse_until(&source, &parsed.documents, err)) {
        return false;
    }
    if (!yaml_tree_parse(&source, &parsed.tree, err)) {
        yaml_documents_free(&parsed.documents);
        return false;
    }
    struct splicer s = {.text = text, .length = length, .arena = parsed.tree.arena};
    bool done = edit_or_rewrite(&s, &parsed, edits, count, out, err);

    vec_free(&s.splices);
    yaml_tree_free(&parsed.tree);
    yaml_documents_free(&parsed.documents);
    return done;
}
