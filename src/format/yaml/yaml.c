/* SPDX-License-Identifier: Apache-2.0
 *
 * Values out of YAML. An alias shares the value of its anchor, so a billion
 * laughs cost no memory here, but whoever walks the values pays; the size of
 * what aliases stand for is bounded. Merge keys act where they stand, as they
 * do for kubectl: a later key wins, be it merged or written out.
 */
#include "ballast/format/yaml.h"

#include <inttypes.h>
#include <string.h>

#include "ballast/base/arena.h"
#include "ballast/base/buf.h"
#include "ballast/base/map.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/format/value_build.h"
#include "format/json/value_form.h"
#include "yaml_tree.h"

#define KEY_SHOWN_MAX ((size_t)64)
#define EXPANSION_MAX 100000 /* values by aliases, beyond ten times the written ones */

struct maker {
    const struct yaml_text *source;
    const char *file;
    struct arena *arena; /* of the documents */
    size_t depth, written, expanded;
    size_t told; /* last reported progress */
    struct error *err;
};

static bool
fail_at(const struct maker *maker, const struct yaml_node *node, const char *message)
{
    return yaml_fail(maker->err, maker->file, node->line, node->column, message);
}

static struct value *
make_scalar(struct maker *maker, const struct yaml_node *node, const struct yaml_node *scalar)
{
    struct error why = ERROR_INIT;
    struct value *value = yaml_resolve(scalar, maker->arena, &why);

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
    return target->value;
}

/* Returns the scalar of a key; of an alias, its target. */
static const struct yaml_node *
key_scalar(const struct yaml_node *node)
{
    return node->kind == YAML_ALIAS ? node->target : node;
}

/* Called before the key's value is made. An alias in that value may refer to the key or a part of
 * it, and no value is made of a key. */
static bool
check_key(struct maker *maker, const struct yaml_node *node)
{
    return key_scalar(node)->kind == YAML_SCALAR ||
           fail_at(maker, node, "a key that is neither string, number nor boolean");
}

/* Returns the text of a key, which may be no string in YAML. NULL with err. */
static const char *
key_text(struct maker *maker, const struct yaml_node *node)
{
    const struct yaml_node *scalar = key_scalar(node);
    struct error why = ERROR_INIT;
    const char *text = NULL;
    struct value *key = yaml_resolve(scalar, maker->arena, &why);

    if (key == NULL) {
        fail_at(maker, node, why.message);
        return NULL;
    }
    switch (value_type(key)) {
    case VALUE_STRING:
        text = value_string(key);
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
    return text;
}

static bool
is_merge(const struct yaml_node *key)
{
    return key->kind == YAML_SCALAR && str_eq(key->text, "<<") &&
           (key->tag == NULL || str_eq(key->tag, "merge"));
}

/* Keys that a mapping writes out, which must be unique among themselves. Until the first merge,
 * they are the object's keys. */
struct written_keys {
    struct map *map; /* NULL before the first merge */
};

static void
begin_merging(struct written_keys *written, const struct value *object)
{
    bool added;

    if (written->map != NULL) {
        return;
    }
    written->map = map_new();
    for (struct value_iterator it = VALUE_ITERATOR(object); value_each(&it);) {
        map_put_str(written->map, it.key, &added);
    }
}

static bool
merge_object(struct maker *maker, const struct yaml_node *key, struct value *object,
             const struct value *from)
{

    if (value_type(from) != VALUE_OBJECT) {
        return fail_at(maker, key, "<< wants an object or a list of objects");
    }
    for (struct value_iterator it = VALUE_ITERATOR(from); value_each(&it);) {
        value_put(object, it.key, it.value);
        value_set_place(object, it.key, key->line, key->column);
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

/* Shows the key, which may be long and have any characters. */
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

static bool
add_member(struct maker *maker, const struct yaml_node *key, struct written_keys *written,
           struct value *object, const struct value *item)
{
    if (is_merge(key)) {
        begin_merging(written, object);
        return merge_any(maker, key, object, item);
    }
    const char *text = key_text(maker, key);
    bool is_new = text != NULL;

    if (text != NULL && written->map != NULL) {
        map_put_str(written->map, text, &is_new);
    } else if (text != NULL) {
        is_new = value_get(object, text) == NULL;
    }
    if (!is_new) {
        return text != NULL && refuse_duplicate(maker, key, text);
    }
    value_put(object, text, item);
    value_set_place(object, text, key->line, key->column);
    return true;
}

static void
finish_node(struct yaml_node *node, struct value *value)
{
    node->size = node->height = 1;
    value_set_place(value, NULL, node->line, node->column);
    for (size_t i = 0; i < node->count; i++) {
        const struct yaml_node *child = node->items[i];

        node->size += child->size;
        node->height = child->height >= node->height ? child->height + 1 : node->height;
    }
    node->value = value;
}

static struct value *
make_leaf(struct maker *maker, struct yaml_node *node)
{
    if (node->kind == YAML_ALIAS) {
        return make_alias(maker, node);
    }
    struct value *leaf = make_scalar(maker, node, node);

    if (leaf != NULL) {
        finish_node(node, leaf);
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
    struct value *value = value_with_room(
        maker->arena, node->kind == YAML_MAPPING ? VALUE_OBJECT : VALUE_LIST, node->count / step);

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
        yaml_report(maker->source, (maker->source->length + node->items[i]->end) / 2, &maker->told);
    }
    maker->depth--;
    map_free(written.map);
    if (done) {
        finish_node(node, value);
    }
    return done ? value : NULL;
}

static bool
make_documents(const struct yaml_text *source, const struct yaml_tree *tree,
               struct yaml_documents *ret, struct error *err)
{
    struct arena *arena = arena_new();
    bool done = true;

    *ret = (struct yaml_documents){
        .arena = arena,
        .items = ARENA_ARRAY(arena, const struct value *, tree->count),
        .first_lines = ARENA_ARRAY(arena, size_t, tree->count),
        .count = tree->count,
    };
    for (size_t i = 0; i < tree->count && done; i++) {
        struct maker maker = {.source = source, .file = source->file, .arena = arena, .err = err};

        ret->items[i] = make(&maker, tree->roots[i]);
        ret->first_lines[i] = tree->roots[i]->line;
        done = ret->items[i] != NULL;
    }
    if (!done) {
        yaml_documents_free(ret);
    }
    return done;
}

bool
yaml_parse_until(const struct yaml_text *text, struct yaml_documents *ret, struct error *err)
{
    struct yaml_tree tree;

    if (!yaml_tree_parse(text, &tree, err)) {
        return false;
    }
    bool done = make_documents(text, &tree, ret, err);

    yaml_tree_free(&tree);
    return done;
}

bool
yaml_parse(const char *file, const char *text, size_t length, struct yaml_documents *ret,
           struct error *err)
{
    const struct yaml_text source = {.file = file, .text = text, .length = length};

    return yaml_parse_until(&source, ret, err);
}

void
yaml_documents_free(struct yaml_documents *documents)
{
    arena_free(documents->arena);
    *documents = (struct yaml_documents){.items = NULL};
}
