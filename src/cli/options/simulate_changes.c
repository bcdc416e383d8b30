/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses changes such as region=eu, m1=cpu+20% and shop/web=12, and reads new clusters from files.
 */
#include "simulate_changes.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/vec.h"
#include "ballast/base/wide.h"
#include "ballast/directory/fleet_directory.h"

#define PERCENT_MAX 1000000

struct reading {
    const struct invocation *invocation;
    struct arena *arena;
    VEC_OF(struct change) changes;
    struct added_fleets *added;
};

/* Returns the text before the first `at`, and sets *ret_behind to the text after it. NULL: one of
 * these is empty, or there is no `at`. */
static const char *
split(struct reading *reading, const char *text, char at, const char **ret_behind)
{
    const char *found = strchr(text, at);

    if (found == NULL || found == text || found[1] == '\0') {
        return NULL;
    }
    *ret_behind = found + 1;
    return arena_strndup(reading->arena, text, (size_t)(found - text));
}

static bool
read_clusters(struct reading *reading, enum change_type type, const char *text, struct error *err)
{
    static const struct {
        const char *word;
        enum guard_group by;
    } groups[] = {
        {"region", GUARD_BY_REGION}, {"provider", GUARD_BY_PROVIDER}, {"zone", GUARD_BY_ZONE}};
    struct change change = {.type = type, .text = text, .by = GUARD_BY_NONE, .name = text};

    if (strchr(text, '=') == NULL) {
        vec_add(&reading->changes, change);
        return true;
    }
    const char *word = split(reading, text, '=', &change.name);

    for (size_t i = 0; word != NULL && i < sizeof(groups) / sizeof(groups[0]); i++) {
        if (str_eq(word, groups[i].word)) {
            change.by = groups[i].by;
            vec_add(&reading->changes, change);
            return true;
        }
    }
    return error_set(err, ERROR_USAGE,
                     "want a cluster, region=NAME, provider=NAME or zone=NAME, got \"%s\"", text);
}

static bool
read_lost(struct reading *reading, const char *text, struct error *err)
{
    return read_clusters(reading, CHANGE_LOSE, text, err);
}

static bool
read_drained(struct reading *reading, const char *text, struct error *err)
{
    return read_clusters(reading, CHANGE_DRAIN, text, err);
}

static bool
read_added(struct reading *reading, const char *text, struct error *err)
{
    struct added_fleets *added = reading->added;
    struct fleet_directory *directory = fleet_directory_open(text, err);
    struct fleet *fleet = directory != NULL ? fleet_directory_read(directory, err) : NULL;

    fleet_directory_close(directory);
    if (fleet == NULL) {
        return false;
    }
    added->items[added->count++] = fleet;
    if (fleet->n_problems > 0) {
        return error_set(err, ERROR_INVALID, "%s: %s", fleet->problems[0].object,
                         fleet->problems[0].message);
    }
    for (uint32_t i = 0; i < fleet->n_clusters; i++) {
        vec_add(&reading->changes, ((struct change){.type = CHANGE_ADD,
                                                    .text = fleet->clusters[i].name,
                                                    .cluster = &fleet->clusters[i],
                                                    .member = &fleet->members[i]}));
    }
    return true;
}

static bool
read_like(struct reading *reading, const char *text, struct error *err)
{
    struct change change = {.type = CHANGE_ADD, .text = text};

    change.name = split(reading, text, '=', &change.new_name);
    if (change.name == NULL || strchr(change.new_name, '=') != NULL) {
        return error_set(err, ERROR_USAGE, "want CLUSTER=NAME, got \"%s\"", text);
    }
    vec_add(&reading->changes, change);
    return true;
}

/* Parses "+20%", "-64Gi" and "=500". */
static bool
read_amount(const char *text, struct change *change, struct error *err)
{
    struct error why = ERROR_INIT;
    size_t length = strlen(text);

    if (length < 2) {
        return error_set(err, ERROR_USAGE, "by how much? (+20%%, -64Gi, =500)");
    }
    const bool is_percent = text[length - 1] == '%';

    if (is_percent && text[0] != '=') {
        char *end;
        long long percent = strtoll(text, &end, 10);

        change->how = RESIZE_BY_PERCENT;
        change->percent = percent;
        return (end == text + length - 1 && end[-1] >= '0' && end[-1] <= '9' && percent >= -100 &&
                percent <= PERCENT_MAX) ||
               error_set(err, ERROR_USAGE, "want a percentage from -100%% to +%d%%, got \"%s\"",
                         PERCENT_MAX, text);
    }
    if (!quantity_parse(text + 1, length - 1, &change->amount, &why) || change->amount.nano < 0) {
        return error_set(err, ERROR_USAGE,
                         "want an amount such as +20%%, -64Gi or =500, got \"%s\"", text);
    }
    change->how = text[0] == '=' ? RESIZE_TO : RESIZE_BY;
    if (text[0] == '-') {
        change->amount.nano = -change->amount.nano;
    }
    return true;
}

static bool
read_resized(struct reading *reading, const char *text, struct error *err)
{
    struct change change = {.type = CHANGE_RESIZE, .text = text};
    const char *rest = NULL;

    change.name = split(reading, text, '=', &rest);
    size_t length = change.name != NULL ? strcspn(rest, "+=") : 0;

    /* a resource's name may contain a minus, but not before a digit */
    for (size_t i = 1; change.name != NULL && i < length; i++) {
        if (rest[i] == '-' && rest[i + 1] >= '0' && rest[i + 1] <= '9') {
            length = i;
        }
    }
    if (change.name == NULL || length == 0 || rest[length] == '\0') {
        return error_set(err, ERROR_USAGE,
                         "want CLUSTER=RESOURCE+N%%, such as m1=cpu+20%%, m1=memory-64Gi or "
                         "m1=pods=500, got \"%s\"",
                         text);
    }
    change.resource = arena_strndup(reading->arena, rest, length);
    if (!read_amount(rest + length, &change, err)) {
        return false;
    }
    vec_add(&reading->changes, change);
    return true;
}

static bool
read_scaled(struct reading *reading, const char *text, struct error *err)
{
    struct change change = {.type = CHANGE_SCALE, .text = text};
    const char *count = NULL;
    const char *name = split(reading, text, '=', &count);
    char *end = NULL;
    long long replicas =
        name != NULL && count[0] >= '0' && count[0] <= '9' ? strtoll(count, &end, 10) : -1;

    if (replicas < 0 || replicas > INT32_MAX || *end != '\0') {
        return error_set(err, ERROR_USAGE, "want NAMESPACE/NAME=N, such as shop/web=12, got \"%s\"",
                         text);
    }
    change.replicas = pin_int32(replicas);
    change.namespace_ =
        strchr(name, '/') != NULL ? split(reading, name, '/', &change.workload) : "";
    if (strchr(name, '/') == NULL) {
        change.workload = name; /* cluster-scoped */
    }
    if (change.namespace_ == NULL) {
        return error_set(err, ERROR_USAGE, "want NAMESPACE/NAME=N, got \"%s\"", text);
    }
    vec_add(&reading->changes, change);
    return true;
}

bool
simulate_changes(const struct invocation *invocation, struct change_list *ret,
                 struct added_fleets *ret_added, struct error *err)
{
    const struct simulate_settings *asked = &invocation->settings->simulate;
    const struct {
        const char *flag;
        const struct str_list *texts;
        bool (*read)(struct reading *reading, const char *text, struct error *err);
    } flags[] = {
        {"add", &asked->add, read_added},         {"like", &asked->like, read_like},
        {"resize", &asked->resize, read_resized}, {"scale", &asked->scale, read_scaled},
        {"lose", &asked->lose, read_lost},        {"drain", &asked->drain, read_drained},
    };
    struct reading reading = {.invocation = invocation, .arena = invocation->arena};

    *ret_added = (struct added_fleets){
        .items = ARENA_ARRAY(invocation->arena, struct fleet *, asked->add.count)};
    reading.added = ret_added;
    bool made = true;

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        for (uint32_t j = 0; made && j < flags[i].texts->count; j++) {
            made = flags[i].read(&reading, flags[i].texts->items[j], err) ||
                   error_wrap(err, "flag --%s", flags[i].flag);
        }
    }
    ret->items = vec_to_arena(&reading.changes, invocation->arena);
    ret->count = pin_uint32(reading.changes.count);
    vec_free(&reading.changes);
    return made;
}

void
added_fleets_release(struct added_fleets *added)
{
    for (uint32_t i = 0; i < added->count; i++) {
        fleet_free(added->items[i]);
    }
    added->count = 0;
}
