/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole of a cycle with a back end in memory.
 */
#include "run_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explanations.h"
#include "snapshots.h"

#include "ballast/base/timestamp.h"
#include "ballast/cycle/cycle.h"
#include "ballast/kinds/binding_patch.h"
#include "ballast/kinds/decode.h"
#include "ballast/model/federation.h"
#include "ballast/report/run_record.h"
#include "cli/config/config.h"
#include "seams.h"

#define TEXT_MAX ((size_t)1 << 24)
#define OBJECTS_MAX 4096
#define PREFERENCE_KIND "ReplicaSchedulingPreference"

struct undoing {
    const char *record;
    bool ignores_room;
};

static bool
add_text(struct fleet_builder *builder, const char *text, struct error *err)
{
    static const struct object_origin origin = {.file = "world", .member = ""};
    struct document *document = document_parse_json(text, strlen(text), 1, err);
    bool done = document != NULL && fleet_builder_add(builder, document_root(document), "", "",
                                                      &origin, err) != ADD_FAILED;

    document_free(document);
    return done;
}

struct fleet *
world_ports_read(void *context, struct error *err)
{
    struct world_ports *ports = context;
    struct fleet_builder *builder = fleet_builder_new();
    struct fleet *fleet = NULL;
    int count = (int)json_array_size(ports->world->objects), order[OBJECTS_MAX];
    bool done = count <= OBJECTS_MAX;

    for (int i = 0; done && i < count; i++) {
        int other = ports->shuffle != NULL ? random_below(ports->shuffle, i + 1) : i;

        order[i] = i;
        order[i] = order[other];
        order[other] = i;
    }
    for (int i = 0; done && i < count; i++) {
        char *text =
            json_dumps(json_array_get(ports->world->objects, (size_t)order[i]), JSON_COMPACT);

        done = add_text(builder, text, err);
        free(text);
    }
    if (done) {
        fleet = fleet_builder_finish(builder, WORLD_NOW * NANOS_PER_SECOND, err);
    }
    fleet_builder_free(builder);
    return fleet;
}

static struct document *
find_object(const struct world_ports *ports, const char *kind, const struct binding *binding)
{
    size_t index;
    json_t *object;

    json_array_foreach(ports->world->objects, index, object)
    {
        if (is(text_at(object, "kind"), kind) &&
            is(text_at(object, "metadata.namespace"), binding->namespace_) &&
            is(text_at(object, "metadata.name"), binding->name)) {
            struct error err = ERROR_INIT;
            char *text = json_dumps(object, JSON_COMPACT);
            struct document *document = document_parse_json(text, strlen(text), 1, &err);

            free(text);
            return document;
        }
    }
    return NULL;
}

/* NULL is fine: it is so already. Takes the patch. */
static void
keep_patch(struct world_ports *ports, const char *kind, const struct binding *binding,
           struct document *patch)
{
    char name[128];
    struct buf text;

    if (patch == NULL) {
        return;
    }
    snprintf(name, sizeof(name), "%s/%s/%s", kind, binding->namespace_, binding->name);
    buf_init(&text, TEXT_MAX);
    value_write_json(document_root(patch), true, &text);
    json_object_set_new(ports->patches, name, json_loadb(text.data, text.length, 0, NULL));
    buf_release(&text);
    document_free(patch);
}

/* Into two objects, as the back end of files does. */
static void
take_federated(struct world_ports *ports, struct write_request *request)
{
    const struct binding *binding = request->binding;
    const char *kind = binding_kind_name(binding->kind);

    seams_record(false); /* it is parsed anew, to be edited */
    struct document *object = find_object(ports, kind, binding);
    struct document *preference = find_object(ports, PREFERENCE_KIND, binding);
    struct document *patch = NULL;

    if (!federated_object_patch(&request->change, document_root(object), 100, &patch,
                                &request->error)) {
        request->status = WRITE_REFUSED;
    } else {
        keep_patch(ports, kind, binding, patch);
        if (preference != NULL && request->change.n_annotations > 0) {
            keep_patch(ports, PREFERENCE_KIND, binding,
                       preference_patch(&request->change, document_root(preference), 101));
        }
        request->status = WRITE_DONE;
    }
    document_free(object);
    document_free(preference);
}

/* A second one of an object comes on top of the first. */
static void
take_patch(struct world_ports *ports, const char *name, json_t *patch)
{
    json_t *first = json_object_get(ports->patches, name);

    if (first == NULL) {
        json_object_set_new(ports->patches, name, patch);
    } else {
        merge(first, patch);
        json_decref(patch);
    }
}

static void
take_patches(void *context, struct write_request *requests, uint32_t count, const atomic_bool *stop)
{
    struct world_ports *ports = context;

    (void)stop;
    for (uint32_t i = 0; i < count; i++) {
        const struct binding *binding = requests[i].binding;
        struct buf text;

        if (binding->federated != NULL) {
            take_federated(ports, &requests[i]);
            continue;
        }
        buf_init(&text, TEXT_MAX);
        encode_binding_patch(binding, &requests[i].change, &text);
        take_patch(ports, binding->name, json_loadb(text.data, text.length, 0, NULL));
        buf_release(&text);
        requests[i].status = WRITE_DONE;
    }
}

static const struct binding *
read_nothing(void *context, struct fleet *fleet, const struct binding *binding, struct error *err)
{
    (void)context;
    (void)fleet;
    (void)binding;
    error_set(err, ERROR_NOT_FOUND, "gone");
    return NULL;
}

bool
world_policy(const struct world *world, struct arena *arena, struct interner *strings,
             struct policy *policy, struct error *err)
{
    char *text = json_dumps(world->config, JSON_COMPACT);

    policy_init(policy);
    policy->reschedule_all = world->reschedule_all;
    if (world->as_karmada08) {
        policy_stand_in_for(policy, UPSTREAM_KARMADA_0_8);
    }
    policy->kubefed_takeover = world->takeover;
    bool done = config_parse(&(struct config_text){"config", text, strlen(text)}, arena, strings,
                             policy, NULL, err);

    free(text);
    return done;
}

static void
write_report(const struct cycle_result *result, struct run *ret)
{
    struct report_options options = {.format = REPORT_JSON, .all = true, .dry_run = true};
    struct error err = ERROR_INIT;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    report_write(stream, &result->report, &options, &err);
    fclose(stream);
    ret->plan = json_loads(text, 0, NULL);
    free(text);
}

static void
write_record(const struct cycle_result *result, struct run *ret)
{
    struct record record = {.id = "20260301T120000Z-0123456789abcdef",
                            .command = "run",
                            .version = "0",
                            .configuration = "",
                            .written = WORLD_NOW * NANOS_PER_SECOND,
                            .host = ""};
    struct buf text;

    run_record_fill(result->arena, &result->report, &record);
    if (record.n_items > 0) {
        buf_init(&text, TEXT_MAX);
        record_encode(&record, &text);
        ret->record = strdup(buf_text(&text));
        buf_release(&text);
    }
}

/* A command of its own: it knows neither the mode of runs, nor other schedulers. */
static const struct undo *
read_undo(struct arena *arena, const struct undoing *undoing, struct policy *policy,
          struct error *err)
{
    const struct record *record =
        record_decode(arena, undoing->record, strlen(undoing->record), err);

    policy->mode = MODE_PLACE;
    policy->reschedule_all = false;
    policy->undo_ignores_room = undoing->ignores_room;
    const struct undo *undo = record != NULL ? undo_new(arena, &record, 1) : NULL;

    policy->undo_stands_in = undo != NULL && undo_stands_in(undo);
    return undo;
}

static void
run_and_tell(struct cycle *cycle, struct run *ret, struct error *err)
{
    struct cycle_result result;

    if (cycle_run(cycle, &result, err)) {
        write_report(&result, ret);
        write_record(&result, ret);
    } else {
        ret->problem = strdup(err->message);
        ret->is_usage = err->code == ERROR_USAGE;
    }
    cycle_result_release(&result);
}

static void
run_at(const struct world *world, int64_t later, struct random *shuffle,
       const struct undoing *undoing, struct run *ret)
{
    struct world_ports ports = {.world = world, .shuffle = shuffle, .patches = json_object()};
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    static const atomic_bool stop = false; /* the policy keeps it */
    struct policy policy;
    const struct fleet_origin origin = {.path = "world"};
    const struct backend backend = {
        .context = &ports,
        .origin = &origin,
        .read = world_ports_read,
        .write = take_patches,
        .read_again = read_nothing,
    };
    struct cycle cycle = {
        .backend = &backend,
        .writes = true,
        .policy = &policy,
        .stop = &stop,
    };
    struct error err = ERROR_INIT;

    *ret = (struct run){.patches = ports.patches};
    bool done = world_policy(world, arena, strings, &policy, &err);

    if (done && undoing != NULL) {
        cycle.undo = read_undo(arena, undoing, &policy, &err);
        done = cycle.undo != NULL;
    }
    if (done) {
        policy.now = (WORLD_NOW + later) * NANOS_PER_SECOND;
        run_and_tell(&cycle, ret, &err);
    } else {
        ret->problem = strdup(err.message);
    }
    interner_free(strings);
    arena_free(arena);
}

void
run_world(const struct world *world, int64_t later, struct random *shuffle, struct run *ret)
{
    run_at(world, later, shuffle, NULL, ret);
}

void
run_undo(const struct world *world, const char *record, bool ignores_room, struct run *ret)
{
    const struct undoing undoing = {record, ignores_room};

    run_at(world, 0, NULL, &undoing, ret);
}

void
run_release(struct run *run)
{
    json_decref(run->plan);
    json_decref(run->patches);
    free(run->problem);
    free(run->record);
}

/* Names that preferences and scopes of a configuration use are not replaced in it. */
static bool
names_something(const json_t *config)
{
    static const char *const keys[] = {"preferences",  "scope",          "growth",
                                       "movableKinds", "divisibleKinds", "movableStorageClasses",
                                       "schedulerName"};
    bool names = false;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        names = names || at(config, keys[i]) != NULL;
    }
    return names;
}

char *
run_compare_snapshot(const struct world *world, int64_t later, bool crowd)
{
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    struct buf objects, complaints;
    struct policy policy;
    struct error err = ERROR_INIT;
    size_t index;
    json_t *object;

    buf_init(&objects, TEXT_MAX);
    buf_init(&complaints, TEXT_MAX);
    json_array_foreach(world->objects, index, object)
    {
        char *text = json_dumps(object, JSON_COMPACT);

        buf_append(&objects, text, strlen(text) + 1);
        free(text);
    }
    /* KubeFed divides what is left over by a digest of names */
    const bool may_redact = !world->is_kubefed && !names_something(world->config);

    if (world_policy(world, arena, strings, &policy, &err)) {
        policy.now = (WORLD_NOW + later) * NANOS_PER_SECOND;
        snapshots_check(&objects, &policy, may_redact, &complaints);
        summaries_check(&objects, &policy, crowd, &complaints);
    }
    char *found = complaints.length > 0 ? strdup(buf_text(&complaints)) : NULL;

    buf_release(&objects);
    buf_release(&complaints);
    interner_free(strings);
    arena_free(arena);
    return found;
}

/* What another scheduler would do is not explained. */
char *
run_explained(const struct world *world, unsigned *ret_met)
{
    struct world_ports ports = {.world = world};
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    static const atomic_bool stop = false; /* the policy keeps it */
    struct policy policy;
    const struct fleet_origin origin = {.path = "world"};
    const struct backend backend = {.context = &ports, .origin = &origin, .read = world_ports_read};
    const struct cycle cycle = {.backend = &backend, .policy = &policy, .stop = &stop};
    struct cycle_result result = {.fleet = NULL};
    struct error err = ERROR_INIT;
    struct buf complaints;

    buf_init(&complaints, TEXT_MAX);
    *ret_met = 0;
    if (world_policy(world, arena, strings, &policy, &err) && !policy.reschedule_all) {
        policy.now = WORLD_NOW * NANOS_PER_SECOND;
        if (cycle_run(&cycle, &result, &err)) {
            const struct planned_fleet planned = {result.report.fleet, result.report.diagnosis,
                                                  &policy, result.report.plan};

            *ret_met = explained_check(&planned, &complaints);
        }
        cycle_result_release(&result);
    }
    char *found = complaints.length > 0 ? strdup(buf_text(&complaints)) : NULL;

    buf_release(&complaints);
    interner_free(strings);
    arena_free(arena);
    return found;
}
