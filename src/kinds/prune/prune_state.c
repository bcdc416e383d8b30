/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes state preservation for a snapshot: see prune_state.h.
 */
#include "prune_state.h"

#include "ballast/base/arena.h"
#include "ballast/base/str.h"
#include "ballast/format/json_path.h"
#include "ballast/format/value_text.h"
#include "kinds/schema/field.h"
#include "redact.h"

#define NEW_PATH_MAX 64

static const char *const behaviors[] = {"application", "cluster"};
enum { N_BEHAVIORS = sizeof(behaviors) / sizeof(behaviors[0]) };

static const struct value *
rules_of(const struct walk *walk, const char *behavior)
{
    static const char *const path[] = {"spec", "failover", NULL, "statePreservation", "rules"};
    const struct value *value = walk->root;

    for (size_t i = 0; value != NULL && i < sizeof(path) / sizeof(path[0]); i++) {
        value = value_get(value, path[i] != NULL ? path[i] : behavior);
    }
    return value;
}

static bool
has_rules(const struct walk *walk)
{
    for (size_t i = 0; i < N_BEHAVIORS; i++) {
        const struct value *rules = rules_of(walk, behaviors[i]);

        if (rules != NULL && value_count(rules) > 0) {
            return true;
        }
    }
    return false;
}

/* NULL: not a text. */
static const char *
template_of(const struct value *rule)
{
    const struct value *path = value_get(rule, "jsonPath");

    return path != NULL && value_type(path) == VALUE_STRING ? value_string(path) : NULL;
}

static void
write_replaced(const struct walk *walk, const char *text, size_t length)
{
    redactor_mark(walk->pruner->redactor, TEXT_UID, "", text, length, walk->out);
}

/* Names the member that holds a rule's result. */
static void
write_found_name(const char *behavior, size_t index, struct buf *out)
{
    buf_printf(out, "%s%zu", behavior, index);
}

/* A template without a path yields itself, whatever the status. */
static void
write_new_template(const struct walk *walk, const char *behavior, size_t index,
                   const char *template)
{
    if (strchr(template, '{') == NULL) {
        write_replaced(walk, template, strlen(template));
        return;
    }
    buf_append_str(walk->out, "\"{.");
    write_found_name(behavior, index, walk->out);
    buf_append_str(walk->out, "}\"");
}

static void
write_found(const struct walk *walk, const char *behavior, const struct value *status,
            size_t *count)
{
    const struct value *rules = rules_of(walk, behavior);
    struct buf name, text;

    buf_init(&name, NEW_PATH_MAX);
    buf_init(&text, JSON_PATH_MAX);
    for (size_t i = 0; rules != NULL && i < value_count(rules); i++) {
        const char *template = template_of(value_at(rules, i));
        struct error ignored = ERROR_INIT;

        buf_clear(&name);
        buf_clear(&text);
        if (template != NULL && strchr(template, '{') != NULL &&
            json_path_print(template, status, &text, &ignored)) {
            write_found_name(behavior, i, &name);
            prune_write_key(walk, buf_text(&name), count);
            write_replaced(walk, buf_text(&text), text.length);
        }
    }
    buf_release(&name);
    buf_release(&text);
}

static void
write_rule(const struct walk *walk, const char *behavior, size_t index, const struct value *rule)
{
    const struct value *alias = value_get(rule, "aliasLabelName");
    const struct value *path = value_get(rule, "jsonPath");
    const char *template = template_of(rule);
    size_t count = 0;

    if (value_type(rule) != VALUE_OBJECT) {
        prune_write_blank(rule, walk->out);
        return;
    }
    buf_append_char(walk->out, '{');
    if (alias != NULL) {
        prune_write_key(walk, "aliasLabelName", &count);
        prune_write_scalar(walk, TEXT_LABEL_KEY, alias);
    }
    if (path != NULL) {
        prune_write_key(walk, "jsonPath", &count);
        if (template != NULL && walk->pruner->redactor != NULL) {
            write_new_template(walk, behavior, index, template);
        } else {
            prune_write_scalar(walk, TEXT_NAME, path);
        }
    }
    buf_append_char(walk->out, '}');
}

void
prune_state_rules(const struct walk *walk, const struct value *rules)
{
    const char *behavior = rules == rules_of(walk, behaviors[0]) ? behaviors[0] : behaviors[1];

    if (value_type(rules) != VALUE_LIST) {
        prune_write_blank(rules, walk->out);
        return;
    }
    buf_append_char(walk->out, '[');
    for (size_t i = 0; i < value_count(rules); i++) {
        if (i > 0) {
            buf_append_char(walk->out, ',');
        }
        write_rule(walk, behavior, i, value_at(rules, i));
    }
    buf_append_char(walk->out, ']');
}

/* Keyed by parent and name or index: equal scalars may share one value. */
struct seen {
    struct arena *arena;
    struct map *places;
    struct buf key;
};

static void
set_key(struct seen *seen, const struct value *parent, const char *name, size_t index)
{
    buf_clear(&seen->key);
    buf_append(&seen->key, &parent, sizeof(parent));
    if (name != NULL) {
        buf_append_str(&seen->key, name);
    } else {
        buf_append(&seen->key, &index, sizeof(index));
    }
}

static void
see(void *context, const struct value *parent, const char *name, size_t index)
{
    struct seen *seen = context;

    set_key(seen, parent, name, index);
    if (map_get(seen->places, seen->key.data, seen->key.length) == NULL) {
        map_put(seen->places, arena_memdup(seen->arena, seen->key.data, seen->key.length),
                seen->key.length, NULL);
    }
}

static bool
is_seen(struct seen *seen, const struct value *parent, const char *name, size_t index)
{
    set_key(seen, parent, name, index);
    return map_get(seen->places, seen->key.data, seen->key.length) != NULL;
}

static void see_members(struct seen *seen, const struct field *rows, const struct value *object);

static void
see_items(struct seen *seen, const struct field *rows, const struct value *list)
{
    for (size_t i = 0; i < value_count(list); i++) {
        if (value_type(value_at(list, i)) == VALUE_OBJECT) {
            see(seen, list, NULL, i);
            see_members(seen, rows, value_at(list, i));
        }
    }
}

/* Marks the members that a table reads. */
static void
see_members(struct seen *seen, const struct field *rows, const struct value *object)
{
    for (; rows->name != NULL; rows++) {
        const struct value *member = value_get(object, rows->name);

        if (member == NULL) {
            continue;
        }
        see(seen, object, rows->name, 0);
        if ((rows->form == PRUNE_OBJECT || rows->form == PRUNE_WORD_OR_OBJECT) &&
            value_type(member) == VALUE_OBJECT) {
            see_members(seen, rows->table, member);
        } else if (rows->form == PRUNE_LIST && value_type(member) == VALUE_LIST) {
            see_items(seen, rows->table, member);
        }
    }
}

static void
see_all(const struct walk *walk, const struct field *counts, const struct value *status,
        struct seen *seen)
{
    const struct json_path_visitor visitor = {see, seen};

    see_members(seen, counts, status);
    for (size_t b = 0; b < N_BEHAVIORS; b++) {
        const struct value *rules = rules_of(walk, behaviors[b]);

        for (size_t i = 0; rules != NULL && i < value_count(rules); i++) {
            const char *template = template_of(value_at(rules, i));

            if (template != NULL) {
                json_path_visit(template, status, &visitor);
            }
        }
    }
}

static void write_seen(const struct walk *walk, struct seen *seen, const struct value *value);

static void
write_seen_members(const struct walk *walk, struct seen *seen, const struct value *object)
{
    size_t count = 0;

    buf_append_char(walk->out, '{');
    for (struct value_iterator it = VALUE_ITERATOR(object); value_each(&it);) {
        if (is_seen(seen, object, it.key, 0)) {
            prune_write_key(walk, it.key, &count);
            write_seen(walk, seen, it.value);
        }
    }
    buf_append_char(walk->out, '}');
}

/* Null stands for an unread item: an index may count from the end. */
static void
write_seen_items(const struct walk *walk, struct seen *seen, const struct value *list)
{
    buf_append_char(walk->out, '[');
    for (size_t i = 0; i < value_count(list); i++) {
        if (i > 0) {
            buf_append_char(walk->out, ',');
        }
        if (is_seen(seen, list, NULL, i)) {
            write_seen(walk, seen, value_at(list, i));
        } else {
            buf_append_str(walk->out, "null");
        }
    }
    buf_append_char(walk->out, ']');
}

static void
write_seen(const struct walk *walk, struct seen *seen, const struct value *value)
{
    switch (value_type(value)) {
    case VALUE_OBJECT:
        write_seen_members(walk, seen, value);
        break;
    case VALUE_LIST:
        write_seen_items(walk, seen, value);
        break;
    default:
        value_write_json(value, false, walk->out);
    }
}

static void
write_read(const struct walk *walk, const struct field *counts, const struct value *status)
{
    struct seen seen = {.arena = arena_new(), .places = map_new()};

    buf_init(&seen.key, SIZE_MAX / 2);
    see_all(walk, counts, status, &seen);
    write_seen(walk, &seen, status);
    buf_release(&seen.key);
    map_free(seen.places);
    arena_free(seen.arena);
}

void
prune_told_status(const struct walk *walk, const struct field *counts, const struct value *status)
{
    size_t count = 0;

    if (value_type(status) != VALUE_OBJECT) {
        prune_write_blank(status, walk->out);
    } else if (walk->pruner->redactor == NULL && has_rules(walk)) {
        write_read(walk, counts, status);
    } else {
        buf_append_char(walk->out, '{');
        prune_write_members(walk, counts, status, &count);
        for (size_t i = 0; i < N_BEHAVIORS; i++) {
            write_found(walk, behaviors[i], status, &count);
        }
        buf_append_char(walk->out, '}');
    }
}
