/* SPDX-License-Identifier: Apache-2.0
 *
 * The projector: one pass over the text, which keeps or passes each member as
 * it comes to it. Members and items are gathered on a stack and copied to the
 * arena where their object or list ends.
 */
#include "project.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_build.h"
#include "passed.h"
#include "token.h"
#include "value_form.h"
#include "wanted_table.h"

#define MEMBERS_MAX 256 /* of an object: each name is compared with all others */
#define NAME_MAX_ESCAPED 256
#define RECURRING ((size_t)256)
#define RECURRING_TEXT_MAX ((size_t)8 << 10)    /* bytes of one text */
#define RECURRING_BYTES_MAX ((size_t)256 << 10) /* bytes of all kept texts */

/* A member value that many objects share, and its text. */
struct recurring {
    const char *name;
    const char *text;
    size_t length;
    const struct value *value;
};

struct projector {
    wanted_chooser *choose;
    void *context;
    wanted_passer *passes; /* NULL: none; if true, only `nothing` is wanted */
    void *passes_context;
    const struct wanted *nothing;
    struct arena *arena;    /* of the current object */
    struct token_text text; /* unread part */
    size_t depth;
    VEC_OF(uint64_t) marks;              /* of the names in all open objects */
    VEC_OF(struct value_member) members; /* of all open objects, and items of open lists */

    struct wanted_of object; /* type as far as read */
    const struct wanted *root;
    bool has_chosen; /* `root` is set */
    bool is_whole;   /* all members are wanted */
    bool is_late;    /* kind or apiVersion came after the choice */

    struct arena *lasting; /* of recurring values */
    struct recurring *recurring;
    struct passed_texts *passed;
    uint64_t last_name; /* mark of the last name */
};

struct name {
    const char *text;
    size_t length;
    uint64_t mark;
    char unescaped[NAME_MAX_ESCAPED];
};

static const char *read_value(struct projector *p, const char *at, const struct wanted *wanted,
                              const struct value **ret);

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
    arena_free(projector->arena);
    arena_free(projector->lasting);
    free(projector->recurring);
    passed_texts_free(projector->passed);
    free(projector);
}

/* Returns NUL, which JSON text never has, at the end. */
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

/* Goes from an opening bracket to the first member or item, or behind the closing bracket. */
static const char *
enter(struct projector *p, const char *at, char close, bool *ret_more)
{
    *ret_more = false;
    if (++p->depth > VALUE_DEPTH_MAX) {
        return NULL;
    }
    at = pass_space(p, at + 1);
    *ret_more = peek(p, at) != close;
    p->depth -= *ret_more ? 0 : 1;
    return *ret_more ? at : at + 1;
}

/* Goes from behind a member or item to the next one, or behind the closing bracket. */
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

/* Passes a name and its colon, from the opening quote. */
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

/* False if the object has, or may have, a member of this name already. */
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

/* --- scalars: each returns the end and, unless `ret` is NULL, sets the value --- */

static const char *
read_string(struct projector *p, const char *at, const struct value **ret)
{
    const char *begin = at + 1;
    bool is_escaped;

    at = token_pass_string(begin, p->text.end, &is_escaped);
    if (at == NULL || ret == NULL) {
        return at;
    }
    struct value *value = value_new(p->arena, VALUE_STRING);
    size_t length = (size_t)(at - begin) - 1;
    char *copy = arena_strndup(p->arena, begin, length);

    if (is_escaped) {
        length = token_unescape(begin, length, copy);
        copy[length] = '\0';
    }
    value->count = pin_uint32(length);
    value->as.text = copy;
    *ret = value;
    return at;
}

/* jansson reads the values of real numbers. */
static const char *
read_number(struct projector *p, const char *at, const struct value **ret)
{
    int64_t integer;
    bool is_real;

    at = token_pass_number(at, p->text.end, &is_real, &integer);
    if (at != NULL && ret != NULL) {
        *ret = value_new_integer(p->arena, integer);
        at = is_real ? NULL : at;
    }
    return at;
}

static const char *
read_word(struct projector *p, const char *at, const struct value **ret)
{
    const char *word = *at == 't' ? "true" : *at == 'f' ? "false" : "null";

    at = token_pass_word(at, p->text.end, word, strlen(word));
    if (at != NULL && ret != NULL) {
        *ret =
            *word == 'n' ? value_new(p->arena, VALUE_NULL) : value_new_bool(p->arena, *word == 't');
    }
    return at;
}

/* --- lists and objects --- */

static const char *
pass_value(struct projector *p, const char *at)
{
    return read_value(p, at, NULL, NULL);
}

/* Returns the object or list whose members begin at `first` on the stack. */
static const struct value *
pop_members(struct projector *p, enum value_type type, size_t first)
{
    const struct value_member *members = p->members.items;
    uint32_t count = pin_uint32(p->members.count - first);

    p->members.count = first;
    return value_of_members(p->arena, type, count > 0 ? members + first : NULL, count);
}

static const char *
read_list(struct projector *p, const char *at, const struct wanted *wanted,
          const struct value **ret)
{
    size_t first = p->members.count;
    bool has_more;

    at = enter(p, at, ']', &has_more);
    while (at != NULL && has_more) {
        struct value_member item = {.name = NULL};

        at = read_value(p, at, wanted, ret != NULL ? &item.value : NULL);
        if (at == NULL) {
            return NULL;
        }
        if (ret != NULL) {
            vec_add(&p->members, item);
        }
        at = next(p, at, ']', &has_more);
    }
    if (at != NULL && ret != NULL) {
        *ret = pop_members(p, VALUE_LIST, first);
    }
    return at;
}

/* A name from the table needs no copy. */
static void
push_member(struct projector *p, const struct wanted_member *member, const struct name *name,
            const struct value *value)
{
    const char *text =
        member->name != NULL ? member->name : arena_strndup(p->arena, name->text, name->length);

    vec_add(&p->members, ((struct value_member){.name = text, .value = value}));
}

/* Reads a value, or finds it by its text if it came before. */
static const char *
keep_recurring(struct projector *p, const char *at, const struct wanted_member *member,
               const struct value **ret)
{
    const char *begin = at;
    struct arena *arena = p->arena;
    size_t lines = p->text.lines;

    at = pass_value(p, at);
    if (at == NULL) {
        return NULL;
    }
    size_t length = (size_t)(at - begin);
    struct recurring *known =
        &p->recurring[(token_mark(begin, length) ^ member->length) % RECURRING];
    bool is_new = *begin == '{' && length <= RECURRING_TEXT_MAX &&
                  arena_used(p->lasting) <= RECURRING_BYTES_MAX;

    if (known->name == member->name && known->length == length &&
        memcmp(known->text, begin, length) == 0) {
        *ret = known->value;
        return at;
    }
    p->text.lines = lines; /* read_value() counts them again */
    p->arena = is_new ? p->lasting : arena;
    at = read_value(p, begin, member->inside, ret);
    p->arena = arena;
    if (at != NULL && is_new) {
        (*ret)->as.members->memo = ARENA_NEW(p->lasting, struct value_memo);
        *known = (struct recurring){.name = member->name,
                                    .text = arena_memdup(p->lasting, begin, length),
                                    .length = length,
                                    .value = *ret};
    }
    return at;
}

static bool
says_kind(const struct name *name)
{
    return (name->length == 4 && memcmp(name->text, "kind", 4) == 0) ||
           (name->length == 10 && memcmp(name->text, "apiVersion", 10) == 0);
}

/* Chooses by the kind and apiVersion read so far. */
static void
choose(struct projector *p, size_t first)
{
    for (size_t i = first; i < p->members.count; i++) {
        const struct value_member *member = &p->members.items[i];

        if (member->value->type != VALUE_STRING) {
            continue;
        }
        *(strcmp(member->name, "kind") == 0 ? &p->object.kind : &p->object.api_version) =
            member->value->as.text;
    }
    p->root = p->choose(p->context, &p->object);
    p->has_chosen = true;
}

/* Finds a member of the root object. False if kind or apiVersion comes too late. */
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

static void
may_pass(struct projector *p, const struct name *name, const struct value *value)
{
    if (!p->is_whole && name->length == 8 && memcmp(name->text, "metadata", 8) == 0 &&
        p->passes(p->passes_context, &p->object, value)) {
        p->root = p->nothing;
    }
}

static const char *
take_member(struct projector *p, const char *at, size_t first, const struct name *name,
            const struct wanted *wanted)
{
    const struct wanted_member *member;
    const struct value *value;

    if (p->depth > 1) {
        member = wanted_find(wanted, name->text, name->length, name->mark);
    } else if (!find_in_root(p, first, name, &member)) {
        return NULL;
    }
    if (member == NULL) {
        return pass_value(p, at);
    }
    at = (member->flags & WANTED_RECURS) != 0 ? keep_recurring(p, at, member, &value)
                                              : read_value(p, at, member->inside, &value);
    if (at != NULL) {
        push_member(p, member, name, value);
        if (p->passes != NULL && p->depth == 1) {
            may_pass(p, name, value);
        }
    }
    return at;
}

static const char *
read_object(struct projector *p, const char *at, const struct wanted *wanted,
            const struct value **ret)
{
    size_t first = p->members.count, first_mark = p->marks.count;
    struct name name;
    bool has_more;

    at = enter(p, at, '}', &has_more);
    while (at != NULL && has_more) {
        at = pass_name(p, at, &name);
        if (at == NULL || !is_new_name(p, first_mark, &name)) {
            return NULL;
        }
        at = ret != NULL ? take_member(p, at, first, &name, wanted) : pass_value(p, at);
        at = at != NULL ? next(p, at, '}', &has_more) : NULL;
    }
    p->marks.count = first_mark;
    if (at != NULL && ret != NULL) {
        *ret = pop_members(p, VALUE_OBJECT, first);
    }
    return at;
}

/* Does not check an equal object behind the same name twice. */
static const char *
pass_object(struct projector *p, const char *at)
{
    size_t length = (size_t)(p->text.end - at), lines = p->text.lines, depth = p->depth;

    if (length < PASSED_HEAD) {
        return read_object(p, at, NULL, NULL);
    }
    const char *begin = at;
    size_t slot = passed_texts_slot(p->last_name, at);

    length = passed_texts_find(p->passed, slot, begin, length, depth);
    if (length > 0) {
        return at + length;
    }
    at = read_object(p, at, NULL, NULL);
    if (at != NULL && lines == p->text.lines) {
        passed_texts_keep(p->passed, slot, begin, (size_t)(at - begin), depth);
    }
    return at;
}

/* Returns the end and, unless `ret` is NULL, sets the wanted part of the value. */
static const char *
read_value(struct projector *p, const char *at, const struct wanted *wanted,
           const struct value **ret)
{
    switch (peek(p, at)) {
    case '{':
        return ret != NULL ? read_object(p, at, wanted, ret) : pass_object(p, at);
    case '[':
        return read_list(p, at, wanted, ret);
    case '"':
        return read_string(p, at, ret);
    case 't':
    case 'f':
    case 'n':
        return read_word(p, at, ret);
    default:
        return read_number(p, at, ret);
    }
}

/* --- the root object --- */

static bool
read_item(struct projector *p, const char *bytes, size_t length, bool is_whole,
          struct projected *ret)
{
    const struct value *root;

    arena_reset(p->arena);
    p->text = (struct token_text){.end = bytes + length};
    p->depth = 0;
    p->marks.count = p->members.count = 0;
    p->is_whole = p->has_chosen = is_whole;
    p->is_late = false;
    p->root = NULL;
    const char *at = read_value(p, bytes, NULL, &root);

    if (at == NULL) {
        return false;
    }
    *ret = (struct projected){
        .root = root,
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
    return read_item(projector, bytes, length, false, ret) ||
           (projector->is_late && read_item(projector, bytes, length, true, ret));
}

const struct value *
project_whole(struct arena *arena, const char *bytes, size_t length)
{
    struct projector p = {
        .arena = arena, .text.end = bytes + length, .is_whole = true, .has_chosen = true};
    const struct value *root = NULL;
    const char *at = read_value(&p, pass_space(&p, bytes), NULL, &root);

    at = at != NULL ? pass_space(&p, at) : NULL;
    vec_free(&p.marks);
    vec_free(&p.members);
    return at == p.text.end ? root : NULL;
}
