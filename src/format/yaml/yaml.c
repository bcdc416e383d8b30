/* SPDX-License-Identifier: Apache-2.0
 *
 * Values out of YAML. An alias shares the value of its anchor, so a billion
 * laughs cost no memory here, but whoever walks the values pays; the size of
 * what aliases stand for is bounded. Merge keys act where they stand, as they
 * do for kubectl: a later key wins, be it merged or written out.
 */
#include "ballast/format/yaml.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/vec.h"
#include "ballast/format/value_build.h"
#include "yaml_tree.h"

/* Values that aliases may stand for, beyond ten times what is written out. */
#define KEY_SHOWN_MAX ((size_t)64)
#define EXPANSION_MAX 100000

struct position {
    size_t line, column;
};

/* Where values and members stand, by address and by address and key. */
struct positions {
    struct arena *arena;
    struct map *map;
};

struct maker {
    const struct yaml_text *source;
    const char *file;
    struct arena *arena;
    struct positions *positions; /* NULL: not kept */
    enum yaml_flags flags;
    VEC_OF(struct value *) anchored; /* values that aliases may still want */
    size_t depth, written, expanded;
    size_t told; /* of the progress */
    struct error *err;
};

static bool
fail_at(const struct maker *maker, const struct yaml_node *node, const char *message)
{
    return yaml_fail(maker->err, maker->file, node->line, node->column, message);
}

static void
positions_free(void *extra)
{
    struct positions *positions = extra;

    if (positions != NULL) {
        map_free(positions->map);
        arena_free(positions->arena);
        free(positions);
    }
}

static struct positions *
positions_new(void)
{
    struct positions *positions = heap_new(1, sizeof(*positions));

    positions->arena = arena_new();
    positions->map = map_new();
    return positions;
}

/* The key under which a place is kept: the value's address, then the member's name. */
static void
position_key(const struct value *value, const char *key, struct buf *out)
{
    buf_append(out, &value, sizeof(value));
    if (key != NULL) {
        buf_append_str(out, key);
    }
}

static void
keep_position(const struct maker *maker, const struct value *value, const char *key,
              const struct yaml_node *node)
{
    struct positions *positions = maker->positions;
    struct buf text;
    bool added;

    /* true, false and null are the same value everywhere, so only their members' places help */
    if (positions == NULL || (key == NULL && value_type(value) <= VALUE_BOOL)) {
        return;
    }
    if ((maker->flags & YAML_KEEP_POSITIONS) == 0 && (key != NULL || maker->depth > 2)) {
        return;
    }
    buf_init(&text, SIZE_MAX);
    position_key(value, key, &text);
    char *copy = arena_memdup(positions->arena, text.data, text.length);
    struct position *position = ARENA_NEW(positions->arena, struct position);

    *position = (struct position){.line = node->line, .column = node->column};
    *map_put(positions->map, copy, text.length, &added) = position;
    buf_release(&text);
}

static struct value *
make_scalar(struct maker *maker, const struct yaml_node *node, const struct yaml_node *scalar)
{
    struct error why = ERROR_INIT;
    struct value *value = yaml_resolve(scalar, &why);

    if (value == NULL) {
        fail_at(maker, node, why.message);
    }
    return value;
}

static struct value *
make_alias(struct maker *maker, struct yaml_node *node)
{
    const struct yaml_node *target = node->target;

    if (target->value == NULL && target->kind == YAML_SCALAR) {
        node->size = node->height = 1; /* the anchor is at a key */
        return make_scalar(maker, node, target);
    }
    node->size = target->size;
    node->height = target->height;
    maker->expanded += target->size;
    if (maker->expanded > EXPANSION_MAX + 10 * maker->written) {
        fail_at(maker, node, "aliases stand for too many values");
        return NULL;
    }
    if (maker->depth + target->height > VALUE_DEPTH_MAX) {
        fail_at(maker, node, "nested too deep by an alias");
        return NULL;
    }
    return value_share(target->value);
}

/* What a key says: of an alias, what it means. */
static const struct yaml_node *
key_scalar(const struct yaml_node *node)
{
    return node->kind == YAML_ALIAS ? node->target : node;
}

/* Asked before the key's value is made: an alias in it may mean this key, or a part of it, and no
 * value is made of a key. */
static bool
check_key(struct maker *maker, const struct yaml_node *node)
{
    return key_scalar(node)->kind == YAML_SCALAR ||
           fail_at(maker, node, "a key that is neither string, number nor boolean");
}

/* The text of a key, which need not be a string in YAML; NULL with an error. */
static const char *
key_text(struct maker *maker, const struct yaml_node *node)
{
    const struct yaml_node *scalar = key_scalar(node);
    struct error why = ERROR_INIT;
    const char *text = NULL;
    struct value *key = yaml_resolve(scalar, &why);

    if (key == NULL) {
        fail_at(maker, node, why.message);
        return NULL;
    }
    switch (value_type(key)) {
    case VALUE_STRING:
        text = scalar->text;
        break;
    case VALUE_INTEGER:
        text = arena_printf(maker->arena, "%" PRId64, value_integer(key));
        break;
    case VALUE_REAL:
        text = arena_printf(maker->arena, "%g", value_real(key));
        break;
    case VALUE_BOOL:
        text = value_bool(key) ? "true" : "false";
        break;
    default:
        fail_at(maker, node, "null is no key");
        break;
    }
    value_drop(key);
    return text;
}

static bool
is_merge(const struct yaml_node *key)
{
    return key->kind == YAML_SCALAR && str_eq(key->text, "<<") &&
           (key->tag == NULL || str_eq(key->tag, "merge"));
}

/* The keys of a mapping that are written out, which must be unique among themselves. They are
 * those of the object until the first merge. */
struct written_keys {
    struct map *map; /* NULL until then */
};

static void
begin_merging(struct maker *maker, struct written_keys *written, const struct value *object)
{
    struct value_iterator it = VALUE_ITERATOR(object);
    const struct value *value;
    const char *key;
    bool added;

    if (written->map != NULL) {
        return;
    }
    written->map = map_new();
    while (value_each(&it, &key, &value)) {
        map_put_str(written->map, arena_strndup(maker->arena, key, strlen(key)), &added);
    }
}

static bool
merge_object(struct maker *maker, const struct yaml_node *key, struct value *object,
             const struct value *from)
{
    struct value_iterator it = VALUE_ITERATOR(from);
    const struct value *value;
    const char *name;

    if (value_type(from) != VALUE_OBJECT) {
        return fail_at(maker, key, "<< wants an object or a list of objects");
    }
    while (value_each(&it, &name, &value)) {
        value_put(object, name, value_share(value));
        keep_position(maker, object, name, key);
    }
    return true;
}

static bool
merge_any(struct maker *maker, const struct yaml_node *key, struct value *object,
          const struct value *from)
{
    if (value_type(from) != VALUE_LIST) {
        return merge_object(maker, key, object, from);
    }
    for (size_t i = value_count(from); i > 0; i--) {
        if (!merge_object(maker, key, object, value_at(from, i - 1))) {
            return false;
        }
    }
    return true;
}

/* The second one; what it is called may be long, and anything. */
static bool
refuse_duplicate(const struct maker *maker, const struct yaml_node *key, const char *name)
{
    struct buf cut, text;

    buf_init(&cut, KEY_SHOWN_MAX + 1);
    buf_init(&text, (KEY_SHOWN_MAX + 4) * strlen("\\u0000") + sizeof("duplicate key "));
    text_append_cut(&cut, name, KEY_SHOWN_MAX);
    buf_append_str(&text, "duplicate key ");
    text_append_quoted(&text, buf_text(&cut));
    fail_at(maker, key, buf_text(&text));
    buf_release(&text);
    buf_release(&cut);
    return false;
}

/* Takes over `item`. */
static bool
add_member(struct maker *maker, const struct yaml_node *key, struct written_keys *written,
           struct value *object, struct value *item)
{
    if (is_merge(key)) {
        begin_merging(maker, written, object);
        bool merged = merge_any(maker, key, object, item);

        value_drop(item);
        return merged;
    }
    const char *text = key_text(maker, key);
    bool is_new = text != NULL;

    if (text != NULL && written->map != NULL) {
        map_put_str(written->map, text, &is_new);
    } else if (text != NULL) {
        is_new = value_get(object, text) == NULL;
    }
    if (!is_new) {
        value_drop(item);
        return text != NULL && refuse_duplicate(maker, key, text);
    }
    keep_position(maker, object, text, key);
    return value_put(object, text, item);
}

static void
finish_node(struct maker *maker, struct yaml_node *node, struct value *value)
{
    node->size = node->height = 1;
    if (node->kind != YAML_ALIAS) {
        keep_position(maker, value, NULL, node);
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct yaml_node *child = node->items[i];

        node->size += child->size;
        node->height = child->height >= node->height ? child->height + 1 : node->height;
    }
    if (node->anchor != NULL) {
        node->value = value_share(value);
        vec_add(&maker->anchored, node->value);
    }
}

static struct value *
make_leaf(struct maker *maker, struct yaml_node *node)
{
    if (node->kind == YAML_ALIAS) {
        return make_alias(maker, node);
    }
    struct value *leaf = make_scalar(maker, node, node);

    if (leaf != NULL) {
        finish_node(maker, node, leaf);
    }
    return leaf;
}

static struct value *
make(struct maker *maker, struct yaml_node *node)
{
    struct written_keys written = {.map = NULL};
    size_t step = node->kind == YAML_MAPPING ? 2 : 1;
    bool done = true;

    maker->written++;
    if (node->kind == YAML_SCALAR || node->kind == YAML_ALIAS) {
        return make_leaf(maker, node);
    }
    struct value *value = node->kind == YAML_MAPPING ? value_new_object() : value_new_list();

    maker->depth++;
    for (size_t i = 0; i < node->count && done; i += step) {
        bool may_follow = yaml_goes_on(maker->source, maker->err) &&
                          (step == 1 || check_key(maker, node->items[i]));
        struct value *item = may_follow ? make(maker, node->items[i + step - 1]) : NULL;

        if (item == NULL) {
            done = false;
        } else if (step == 2) {
            done = add_member(maker, node->items[i], &written, value, item);
        } else {
            value_append(value, item);
        }
        yaml_tell(maker->source, (maker->source->length + node->items[i]->end) / 2, &maker->told);
    }
    maker->depth--;
    map_free(written.map);
    if (!done) {
        value_drop(value);
        return NULL;
    }
    finish_node(maker, node, value);
    return value;
}

static struct document *
make_document(const struct yaml_text *source, const struct yaml_tree *tree, struct yaml_node *root,
              enum yaml_flags flags, struct error *err)
{
    struct maker maker = {
        .source = source, .file = source->file, .arena = tree->arena, .flags = flags, .err = err};

    if (flags != YAML_PLAIN) {
        maker.positions = positions_new();
    }
    struct value *value = make(&maker, root);

    for (size_t i = 0; i < maker.anchored.count; i++) {
        value_drop(maker.anchored.items[i]);
    }
    vec_free(&maker.anchored);
    if (value == NULL) {
        positions_free(maker.positions);
        return NULL;
    }
    return document_new(value, maker.positions, positions_free);
}

static bool
make_documents(const struct yaml_text *source, const struct yaml_tree *tree, enum yaml_flags flags,
               struct yaml_documents *ret, struct error *err)
{
    VEC_OF(struct document *) documents = VEC_INIT;
    VEC_OF(size_t) lines = VEC_INIT;
    bool done = true;

    for (size_t i = 0; i < tree->count && done; i++) {
        struct document *document = make_document(source, tree, tree->roots[i], flags, err);

        done = document != NULL;
        if (done) {
            vec_add(&documents, document);
            vec_add(&lines, tree->roots[i]->line);
        }
    }
    struct yaml_documents all = {
        .items = documents.items, .first_lines = lines.items, .count = documents.count};

    if (done) {
        *ret = all;
    } else {
        yaml_documents_free(&all);
    }
    return done;
}

bool
yaml_parse_until(const struct yaml_text *text, enum yaml_flags flags, struct yaml_documents *ret,
                 struct error *err)
{
    struct yaml_tree tree;

    if (!yaml_tree_parse(text, &tree, err)) {
        return false;
    }
    bool done = make_documents(text, &tree, flags, ret, err);

    yaml_tree_free(&tree);
    return done;
}

bool
yaml_parse(const char *file, const char *text, size_t length, enum yaml_flags flags,
           struct yaml_documents *ret, struct error *err)
{
    const struct yaml_text source = {.file = file, .text = text, .length = length};

    return yaml_parse_until(&source, flags, ret, err);
}

bool
yaml_position(const struct document *document, const struct value *value, const char *key,
              size_t *ret_line, size_t *ret_column)
{
    const struct positions *positions = document_extra(document);
    struct buf text;
    void **slot = NULL;

    if (positions == NULL || (key == NULL && value_type(value) <= VALUE_BOOL)) {
        return false;
    }
    buf_init(&text, SIZE_MAX);
    position_key(value, key, &text);
    slot = map_get(positions->map, text.data, text.length);
    buf_release(&text);
    if (slot == NULL) {
        return false;
    }
    const struct position *position = *slot;

    *ret_line = position->line;
    *ret_column = position->column;
    return true;
}

void
yaml_documents_free(struct yaml_documents *documents)
{
    for (size_t i = 0; i < documents->count; i++) {
        document_free(documents->items[i]);
    }
    vec_release(documents->items);
    vec_release(documents->first_lines);
    *documents = (struct yaml_documents){.items = NULL};
}
