/* SPDX-License-Identifier: Apache-2.0
 *
 * The projector: one pass over the text, which keeps or passes each member as
 * it comes to it. Members and items are gathered on stacks and copied to the
 * arena where their object or list ends.
 */
#include "project.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "passed.h"
#include "token.h"
#include "value_node.h"
#include "wanted_table.h"

#define MEMBERS_MAX 256 /* of an object: each name is held against all others */
#define NAME_MAX_ESCAPED 256
#define RECURRING ((size_t)256)
#define RECURRING_TEXT_MAX ((size_t)8 << 10)    /* bytes of one */
#define RECURRING_BYTES_MAX ((size_t)256 << 10) /* of all that are kept */

/* A value that many objects have as their member of the name, and its text. */
struct recurring {
    const char *name;
    const char *text;
    size_t length;
    struct node value;
};

struct projector {
    wanted_chooser *choose;
    void *context;
    wanted_passer *passes; /* NULL: none; and what is wanted of an object then: */
    void *passes_context;
    const struct wanted *nothing;
    struct arena *arena;    /* of the object under way */
    struct token_text text; /* not taken yet */
    size_t depth;
    VEC_OF(uint64_t) marks; /* of the names of all objects that have begun */
    VEC_OF(struct node_member) members;
    VEC_OF(struct node) items;

    struct wanted_of object; /* what is known of it */
    const struct wanted *root;
    bool has_chosen; /* what is wanted of it */
    bool is_whole;   /* all of it is */
    bool is_late;    /* it said of which kind it is when that had been chosen */

    struct arena *lasting; /* of values that recur */
    struct recurring *recurring;
    struct passed_texts *passed;
    uint64_t last_name; /* the mark of the name that was passed last */
};

struct name {
    const char *text;
    size_t length;
    uint64_t mark;
    char unescaped[NAME_MAX_ESCAPED];
};

static const char *pass_value(struct projector *p, const char *at);
static const char *keep_value(struct projector *p, const char *at, const struct wanted *wanted,
                              struct node *ret);

struct projector *
projector_new(wanted_chooser *choose, void *context)
{
    struct projector *projector = heap_new(1, sizeof(*projector));

    projector->choose = choose;
    projector->context = context;
    projector->arena = arena_new();
    projector->lasting = arena_new();
    projector->recurring = heap_new(RECURRING, sizeof(*projector->recurring));
    projector->passed = passed_texts_new();
    return projector;
}

void
projector_pass(struct projector *projector, wanted_passer *passes, void *context)
{
    projector->passes = passes;
    projector->passes_context = context;
    projector->nothing = wanted_new(projector->lasting);
}

void
projector_free(struct projector *projector)
{
    if (projector == NULL) {
        return;
    }
    vec_free(&projector->marks);
    vec_free(&projector->members);
    vec_free(&projector->items);
    arena_free(projector->arena);
    arena_free(projector->lasting);
    free(projector->recurring);
    passed_texts_free(projector->passed);
    free(projector);
}

/* What stands there; NUL, which is no JSON, at the end. */
static char
peek(const struct projector *p, const char *at)
{
    if (at == p->text.end) {
        return '\0';
    }
    return *at;
}

static const char *
pass_space(struct projector *p, const char *at)
{
    return peek(p, at) > ' ' ? at : token_pass_space(&p->text, at);
}

/* Behind the opening bracket, or its closing one where there is nothing. */
static const char *
enter(struct projector *p, const char *at)
{
    return ++p->depth > VALUE_DEPTH_MAX ? NULL : pass_space(p, at + 1);
}

/* Behind a member or item: at the next one, or behind the closing bracket. */
static const char *
next(struct projector *p, const char *at, char close, bool *ret_more)
{
    at = pass_space(p, at);
    *ret_more = peek(p, at) == ',';
    if (*ret_more) {
        return pass_space(p, at + 1);
    }
    p->depth--;
    return peek(p, at) == close ? at + 1 : NULL;
}

/* --- names --- */

/* The name of a member and its colon; from an opening quote. */
static const char *
pass_name(struct projector *p, const char *at, struct name *ret)
{
    bool is_escaped;
    const char *begin = at + 1;

    if (peek(p, at) != '"') {
        return NULL;
    }
    at = token_pass_string(begin, p->text.end, &is_escaped);
    if (at == NULL) {
        return NULL;
    }
    ret->text = begin;
    ret->length = (size_t)(at - begin) - 1;
    if (is_escaped) {
        if (ret->length > sizeof(ret->unescaped)) {
            return NULL;
        }
        ret->length = token_unescape(begin, ret->length, ret->unescaped);
        ret->text = ret->unescaped;
    }
    ret->mark = p->last_name = token_mark(ret->text, ret->length);
    at = pass_space(p, at);
    return peek(p, at) == ':' ? pass_space(p, at + 1) : NULL;
}

/* False where the object has, or may have, a member of the name already. */
static bool
is_new_name(struct projector *p, size_t first, const struct name *name)
{
    for (size_t i = first; i < p->marks.count; i++) {
        if (p->marks.items[i] == name->mark) {
            return false;
        }
    }
    if (p->marks.count - first == MEMBERS_MAX) {
        return false;
    }
    vec_add(&p->marks, name->mark);
    return true;
}

/* --- what is passed over --- */

static const char *
pass_members(struct projector *p, const char *at)
{
    size_t first = p->marks.count;
    struct name name;
    bool has_more = true;

    at = enter(p, at);
    if (at != NULL && peek(p, at) == '}') {
        p->depth--;
        return at + 1;
    }
    while (at != NULL && has_more) {
        at = pass_name(p, at, &name);
        if (at == NULL || !is_new_name(p, first, &name)) {
            return NULL;
        }
        at = pass_value(p, at);
        at = at != NULL ? next(p, at, '}', &has_more) : NULL;
    }
    p->marks.count = first;
    return at;
}

/* One that stood at the same place of another object is not gone over again. */
static const char *
pass_object(struct projector *p, const char *at)
{
    size_t length = (size_t)(p->text.end - at), lines = p->text.lines, depth = p->depth;

    if (length < PASSED_HEAD) {
        return pass_members(p, at);
    }
    const char *begin = at;
    size_t slot = passed_texts_slot(p->last_name, at);

    length = passed_texts_find(p->passed, slot, begin, length, depth);
    if (length > 0) {
        return at + length;
    }
    at = pass_members(p, at);
    if (at != NULL && lines == p->text.lines) {
        passed_texts_keep(p->passed, slot, begin, (size_t)(at - begin), depth);
    }
    return at;
}

static const char *
pass_list(struct projector *p, const char *at)
{
    bool has_more = true;

    at = enter(p, at);
    if (at != NULL && peek(p, at) == ']') {
        p->depth--;
        return at + 1;
    }
    while (at != NULL && has_more) {
        at = pass_value(p, at);
        at = at != NULL ? next(p, at, ']', &has_more) : NULL;
    }
    return at;
}

static const char *
pass_value(struct projector *p, const char *at)
{
    const char *end = p->text.end;
    bool ignored;
    int64_t integer;

    switch (peek(p, at)) {
    case '{':
        return pass_object(p, at);
    case '[':
        return pass_list(p, at);
    case '"':
        return token_pass_string(at + 1, end, &ignored);
    case 't':
        return token_pass_word(at, end, "true", 4);
    case 'f':
        return token_pass_word(at, end, "false", 5);
    case 'n':
        return token_pass_word(at, end, "null", 4);
    default:
        return token_pass_number(at, end, &ignored, &integer);
    }
}

/* --- what is kept --- */

static const char *
keep_string(struct projector *p, const char *at, struct node *ret)
{
    const char *begin = at + 1;
    bool is_escaped;

    at = token_pass_string(begin, p->text.end, &is_escaped);
    if (at == NULL) {
        return NULL;
    }
    size_t length = (size_t)(at - begin) - 1;
    char *copy = arena_alloc(p->arena, length + 1);

    if (is_escaped) {
        length = token_unescape(begin, length, copy);
    } else if (length > 0) {
        memcpy(copy, begin, length);
    }
    copy[length] = '\0';
    *ret = (struct node){
        .type = NODE_BASE + VALUE_STRING, .count = pin_uint32(length), .as.text = copy};
    return at;
}

/* A real number is jansson's to read. */
static const char *
keep_number(struct projector *p, const char *at, struct node *ret)
{
    bool is_real;

    *ret = (struct node){.type = NODE_BASE + VALUE_INTEGER};
    at = token_pass_number(at, p->text.end, &is_real, &ret->as.integer);
    return at == NULL || is_real ? NULL : at;
}

static const char *
keep_word(struct projector *p, const char *at, struct node *ret)
{
    char c = *at;

    *ret = (struct node){.type = NODE_BASE + (c == 'n' ? VALUE_NULL : VALUE_BOOL),
                         .as.truth = c == 't'};
    return pass_value(p, at);
}

static const char *
keep_list(struct projector *p, const char *at, const struct wanted *wanted, struct node *ret)
{
    size_t first = p->items.count;
    struct node item;
    bool has_more;

    at = enter(p, at);
    has_more = at != NULL && peek(p, at) != ']';
    if (at != NULL && !has_more) {
        p->depth--;
        at++;
    }
    while (at != NULL && has_more) {
        at = keep_value(p, at, wanted, &item);
        if (at == NULL) {
            return NULL;
        }
        vec_add(&p->items, item);
        at = next(p, at, ']', &has_more);
    }
    size_t count = p->items.count - first;

    *ret = (struct node){
        .type = NODE_BASE + VALUE_LIST,
        .count = pin_uint32(count),
        .as.items =
            count > 0 ? arena_memdup(p->arena, p->items.items + first, count * sizeof(struct node))
                      : NULL,
    };
    p->items.count = first;
    return at;
}

/* A member whose name is one of the table's has that for its own. */
static void
push_member(struct projector *p, const struct wanted_member *member, const struct name *name,
            const struct node *value)
{
    const char *text =
        member->name != NULL ? member->name : arena_strndup(p->arena, name->text, name->length);

    vec_add(&p->members, ((struct node_member){text, *value}));
}

/* The value of a member, found again by its text where it came before. */
static const char *
keep_recurring(struct projector *p, const char *at, const struct wanted_member *member,
               struct node *ret)
{
    const char *begin = at;
    struct arena *arena = p->arena;

    at = pass_value(p, at);
    size_t length = at != NULL ? (size_t)(at - begin) : 0;

    if (length == 0 || length > RECURRING_TEXT_MAX || *begin != '{') {
        return at != NULL ? keep_value(p, begin, member->inside, ret) : NULL;
    }
    struct recurring *known =
        &p->recurring[(token_mark(begin, length) ^ member->length) % RECURRING];

    if (known->name == member->name && known->length == length &&
        memcmp(known->text, begin, length) == 0) {
        *ret = known->value;
        return at;
    }
    if (arena_used(p->lasting) > RECURRING_BYTES_MAX) {
        return keep_value(p, begin, member->inside, ret);
    }
    p->arena = p->lasting;
    keep_value(p, begin, member->inside, ret);
    p->arena = arena;
    ret->memo = ARENA_NEW(p->lasting, struct value_memo);
    *known = (struct recurring){.name = member->name,
                                .text = arena_memdup(p->lasting, begin, length),
                                .length = length,
                                .value = *ret};
    return at;
}

static bool
says_kind(const struct name *name)
{
    return (name->length == 4 && memcmp(name->text, "kind", 4) == 0) ||
           (name->length == 10 && memcmp(name->text, "apiVersion", 10) == 0);
}

/* What the object says of itself so far. */
static void
choose(struct projector *p, size_t first)
{
    for (size_t i = first; i < p->members.count; i++) {
        const struct node_member *member = &p->members.items[i];

        if (node_type(&member->value) != VALUE_STRING) {
            continue;
        }
        *(strcmp(member->name, "kind") == 0 ? &p->object.kind : &p->object.api_version) =
            member->value.as.text;
    }
    p->root = p->choose(p->context, &p->object);
    p->has_chosen = true;
}

/* What is wanted of a member of the object itself. False: it says only now of which kind it is. */
static bool
find_in_root(struct projector *p, size_t first, const struct name *name,
             const struct wanted_member **ret)
{
    bool is_kind = !p->is_whole && says_kind(name);

    if (is_kind && p->has_chosen) {
        p->is_late = true;
        return false;
    }
    if (!is_kind && !p->has_chosen) {
        choose(p, first);
    }
    *ret = wanted_find(is_kind ? NULL : p->root, name->text, name->length, name->mark);
    return true;
}

/* Once a member of the object itself is read. */
static void
may_pass(struct projector *p, const struct name *name, const struct node *value)
{
    if (!p->is_whole && name->length == 8 && memcmp(name->text, "metadata", 8) == 0 &&
        p->passes(p->passes_context, &p->object, node_value(value))) {
        p->root = p->nothing;
    }
}

/* A member of the object whose members begin at `first` on the stack. */
static const char *
take_member(struct projector *p, const char *at, size_t first, const struct name *name,
            const struct wanted *wanted)
{
    const struct wanted_member *member;
    struct node value;

    if (p->depth > 1) {
        member = wanted_find(wanted, name->text, name->length, name->mark);
    } else if (!find_in_root(p, first, name, &member)) {
        return NULL;
    }
    if (member == NULL) {
        return pass_value(p, at);
    }
    at = (member->flags & WANTED_RECURS) != 0 ? keep_recurring(p, at, member, &value)
                                              : keep_value(p, at, member->inside, &value);
    if (at != NULL) {
        push_member(p, member, name, &value);
        if (p->passes != NULL && p->depth == 1) {
            may_pass(p, name, &value);
        }
    }
    return at;
}

static const char *
keep_object(struct projector *p, const char *at, const struct wanted *wanted, struct node *ret)
{
    size_t first = p->members.count, first_mark = p->marks.count;
    struct name name;
    bool has_more;

    at = enter(p, at);
    has_more = at != NULL && peek(p, at) != '}';
    if (at != NULL && !has_more) {
        p->depth--;
        at++;
    }
    while (at != NULL && has_more) {
        at = pass_name(p, at, &name);
        if (at == NULL || !is_new_name(p, first_mark, &name)) {
            return NULL;
        }
        at = take_member(p, at, first, &name, wanted);
        at = at != NULL ? next(p, at, '}', &has_more) : NULL;
    }
    size_t count = p->members.count - first;

    *ret = (struct node){
        .type = NODE_BASE + VALUE_OBJECT,
        .count = pin_uint32(count),
        .as.members = count > 0 ? arena_memdup(p->arena, p->members.items + first,
                                               count * sizeof(struct node_member))
                                : NULL,
    };
    p->members.count = first;
    p->marks.count = first_mark;
    return at;
}

static const char *
keep_value(struct projector *p, const char *at, const struct wanted *wanted, struct node *ret)
{
    switch (peek(p, at)) {
    case '{':
        return keep_object(p, at, wanted, ret);
    case '[':
        return keep_list(p, at, wanted, ret);
    case '"':
        return keep_string(p, at, ret);
    case 't':
    case 'f':
    case 'n':
        return keep_word(p, at, ret);
    default:
        return keep_number(p, at, ret);
    }
}

/* --- the object --- */

static bool
read_object(struct projector *p, const char *bytes, size_t length, bool is_whole,
            struct projected *ret)
{
    struct node *root;

    arena_reset(p->arena);
    p->text = (struct token_text){.end = bytes + length};
    p->depth = 0;
    p->marks.count = p->members.count = p->items.count = 0;
    p->is_whole = p->has_chosen = is_whole;
    p->is_late = false;
    p->root = NULL;
    root = ARENA_NEW(p->arena, struct node);
    const char *at = keep_value(p, bytes, NULL, root);

    if (at == NULL) {
        return false;
    }
    *ret = (struct projected){
        .root = node_value(root),
        .length = (size_t)(at - bytes),
        .lines = p->text.lines,
        .line_start = p->text.lines > 0 ? (size_t)(p->text.line_start - bytes) : 0,
    };
    return true;
}

bool
projector_read(struct projector *projector, const char *bytes, size_t length,
               const struct wanted_of *list, struct projected *ret)
{
    projector->object = *list;
    projector->object.api_version = projector->object.kind = "";
    return read_object(projector, bytes, length, false, ret) ||
           (projector->is_late && read_object(projector, bytes, length, true, ret));
}

struct value_memo *
value_memo(const struct value *value)
{
    return value_is_node(value) ? as_node(value)->memo : NULL;
}
