/* SPDX-License-Identifier: Apache-2.0
 *
 * libyaml's events gathered into a tree. libyaml counts characters, not bytes;
 * places are turned into byte offsets here.
 */
#include "yaml_tree.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "ballast/base/map.h"
#include "ballast/base/vec.h"

#define YAML_NODES_MAX 8000000
#define TOLD_EVERY ((size_t)64 << 10) /* bytes */

struct level {
    struct yaml_node *node;
    size_t first; /* index of its first item in `items` */
};

struct yaml_reader {
    yaml_parser_t parser;
    const struct yaml_text *source;
    const char *file;
    const char *text;
    size_t length;
    struct arena *arena;
    struct map *anchors; /* of this document: name to node */
    VEC_OF(struct yaml_node *) roots;
    VEC_OF(struct yaml_node *) items; /* of the open collections, innermost last */
    VEC_OF(struct level) levels;
    size_t nodes;
    size_t index, offset; /* last place looked up, in characters and in bytes */
    struct error *err;
};

bool
yaml_fail(struct error *err, const char *file, size_t line, size_t column, const char *message)
{
    return error_set(err, ERROR_PARSE, "%s%s%zu:%zu: %s", file, file[0] != '\0' ? ":" : "", line,
                     column, message);
}

bool
yaml_goes_on(const struct yaml_text *text, struct error *err)
{
    return text->stop == NULL || !*text->stop ||
           error_set(err, ERROR_STOPPED, "stopped by a signal");
}

void
yaml_report(const struct yaml_text *text, size_t done, size_t *told)
{
    if (text->progress != NULL && done >= *told + TOLD_EVERY) {
        *told = done;
        progress_report(text->progress, text->file, done, text->length);
    }
}

/* Returns the byte offset of a character. Lookups come almost in order, so the way is short. */
static size_t
byte_offset(struct yaml_reader *r, size_t index)
{
    while (r->index < index && r->offset < r->length) {
        do {
            r->offset++;
        } while (r->offset < r->length && ((unsigned char)r->text[r->offset] & 0xc0) == 0x80);
        r->index++;
    }
    while (r->index > index) {
        do {
            r->offset--;
        } while (r->offset > 0 && ((unsigned char)r->text[r->offset] & 0xc0) == 0x80);
        r->index--;
    }
    return r->offset;
}

static bool
fail_parser(struct yaml_reader *r)
{
    const yaml_parser_t *p = &r->parser;
    size_t line = p->problem_mark.line + 1;
    size_t column = p->problem_mark.column + 1;
    char message[256];

    if (p->error == YAML_MEMORY_ERROR) {
        out_of_memory();
    }
    if (p->error == YAML_READER_ERROR) {
        const char *text = r->text;

        line = column = 1;
        for (size_t i = 0; i < p->problem_offset && i < r->length; i++) {
            column = text[i] == '\n' ? 1 : column + 1;
            line += text[i] == '\n' ? 1 : 0;
        }
    }
    snprintf(message, sizeof(message), "%s%s%s", p->problem != NULL ? p->problem : "malformed",
             p->context != NULL ? " " : "", p->context != NULL ? p->context : "");
    return yaml_fail(r->err, r->file, line, column, message);
}

static bool
fail_node(struct yaml_reader *r, const struct yaml_node *node, const char *message)
{
    return yaml_fail(r->err, r->file, node->line, node->column, message);
}

static const char *
keep_text(struct yaml_reader *r, const yaml_char_t *text)
{
    const char *chars = (const char *)text;

    return text != NULL ? arena_strndup(r->arena, chars, strlen(chars)) : NULL;
}

static const char *
keep_tag(struct yaml_reader *r, const yaml_char_t *tag)
{
    static const char prefix[] = "tag:yaml.org,2002:";
    const char *text = (const char *)tag;

    if (text != NULL && strncmp(text, prefix, sizeof(prefix) - 1) == 0) {
        text += sizeof(prefix) - 1;
    }
    return text != NULL ? arena_strndup(r->arena, text, strlen(text)) : NULL;
}

static struct yaml_node *
new_node(struct yaml_reader *r, enum yaml_kind kind, const yaml_event_t *event)
{
    struct yaml_node *node = ARENA_NEW(r->arena, struct yaml_node);

    node->kind = kind;
    node->line = event->start_mark.line + 1;
    node->column = event->start_mark.column + 1;
    node->begin = byte_offset(r, event->start_mark.index);
    node->end = byte_offset(r, event->end_mark.index);
    return node;
}

static bool
add_node(struct yaml_reader *r, struct yaml_node *node)
{
    if (++r->nodes > YAML_NODES_MAX) {
        return fail_node(r, node, "more values than can be read from one text");
    }
    if (node->anchor != NULL && node->kind != YAML_ALIAS) {
        bool added;

        *map_put_str(r->anchors, node->anchor, &added) = node;
    }
    if (r->levels.count > 0) {
        vec_add(&r->items, node);
        return true;
    }
    bool is_empty =
        node->kind == YAML_SCALAR && node->is_plain &&
        (node->length == 0 || strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0);

    if (!is_empty) {
        vec_add(&r->roots, node);
    }
    return true;
}

static bool
add_scalar(struct yaml_reader *r, const yaml_event_t *event)
{
    struct yaml_node *node = new_node(r, YAML_SCALAR, event);
    yaml_scalar_style_t style = event->data.scalar.style;

    node->tag = keep_tag(r, event->data.scalar.tag);
    node->anchor = keep_text(r, event->data.scalar.anchor);
    node->length = event->data.scalar.length;
    node->text = arena_strndup(r->arena, (const char *)event->data.scalar.value, node->length);
    node->is_plain = node->tag == NULL && style == YAML_PLAIN_SCALAR_STYLE;
    node->is_block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    node->is_done = true;
    return add_node(r, node);
}

static bool
add_alias(struct yaml_reader *r, const yaml_event_t *event)
{
    struct yaml_node *node = new_node(r, YAML_ALIAS, event);
    void **slot;

    node->anchor = keep_text(r, event->data.alias.anchor);
    slot = map_get_str(r->anchors, node->anchor);
    if (slot == NULL) {
        return fail_node(r, node, "an alias of an anchor that is not known");
    }
    node->target = *slot;
    if (!node->target->is_done) {
        return fail_node(r, node, "an alias within the value of its own anchor");
    }
    node->target->is_aliased = true;
    node->is_done = true;
    return add_node(r, node);
}

static bool
open_collection(struct yaml_reader *r, enum yaml_kind kind, const yaml_event_t *event)
{
    struct yaml_node *node = new_node(r, kind, event);

    if (kind == YAML_MAPPING) {
        node->is_flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
        node->anchor = keep_text(r, event->data.mapping_start.anchor);
        node->tag = keep_tag(r, event->data.mapping_start.tag);
    } else {
        node->is_flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
        node->anchor = keep_text(r, event->data.sequence_start.anchor);
        node->tag = keep_tag(r, event->data.sequence_start.tag);
    }
    if (r->levels.count >= VALUE_DEPTH_MAX) {
        char message[64];

        snprintf(message, sizeof(message), "nested more than %d deep", VALUE_DEPTH_MAX);
        return fail_node(r, node, message);
    }
    if (!add_node(r, node)) {
        return false;
    }
    struct level level = {.node = node, .first = r->items.count};

    vec_add(&r->levels, level);
    return true;
}

static void
close_collection(struct yaml_reader *r, const yaml_event_t *event)
{
    struct level *level = &r->levels.items[--r->levels.count];
    struct yaml_node *node = level->node;

    node->count = r->items.count - level->first;
    if (node->count > 0) {
        node->items = arena_memdup(r->arena, &r->items.items[level->first],
                                   node->count * sizeof(struct yaml_node *));
    }
    r->items.count = level->first;
    node->end = byte_offset(r, event->end_mark.index);
    node->is_done = true;
}

static bool
take_event(struct yaml_reader *r, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return add_scalar(r, event);
    case YAML_ALIAS_EVENT:
        return add_alias(r, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(r, YAML_SEQUENCE, event);
    case YAML_MAPPING_START_EVENT:
        return open_collection(r, YAML_MAPPING, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_collection(r, event);
        return true;
    case YAML_DOCUMENT_START_EVENT:
        map_free(r->anchors);
        r->anchors = map_new();
        return true;
    default:
        return true;
    }
}

static bool
read_events(struct yaml_reader *r)
{
    bool at_end = false;
    size_t told = 0;

    while (!at_end) {
        yaml_event_t event;

        if (!yaml_goes_on(r->source, r->err)) {
            return false;
        }
        if (yaml_parser_parse(&r->parser, &event) == 0) {
            return fail_parser(r);
        }
        bool taken = take_event(r, &event);

        yaml_report(r->source, r->offset / 2, &told);
        at_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (!taken) {
            return false;
        }
    }
    return true;
}

bool
yaml_tree_parse(const struct yaml_text *source, struct yaml_tree *ret, struct error *err)
{
    const char *text = source->text;
    size_t length = source->length;
    struct yaml_reader r = {
        .source = source, .file = source->file, .text = text, .length = length, .err = err};

    if (yaml_parser_initialize(&r.parser) == 0) {
        out_of_memory();
    }
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        r.offset = 3; /* libyaml would count it as a column */
    }
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text + r.offset,
                                 length - r.offset);
    r.arena = arena_new();
    r.anchors = map_new();
    bool done = read_events(&r);

    if (done) {
        ret->count = r.roots.count;
        ret->roots = vec_to_arena(&r.roots, r.arena);
        ret->arena = r.arena;
    } else {
        arena_free(r.arena);
    }
    map_free(r.anchors);
    vec_free(&r.roots);
    vec_free(&r.items);
    vec_free(&r.levels);
    yaml_parser_delete(&r.parser);
    return done;
}

void
yaml_tree_free(struct yaml_tree *tree)
{
    arena_free(tree->arena);
    *tree = (struct yaml_tree){.arena = NULL};
}

const char *
yaml_library_version(void)
{
    return yaml_get_version_string();
}
