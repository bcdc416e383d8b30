/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the estimators, asks them, and makes their answers part of the fleet.
 */
#include "ballast/karmada/estimators.h"
#include "ballast/base/wide.h"

#include <stdlib.h>

#include "ballast/annotations/requirements_key.h"
#include "ballast/base/heap.h"
#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "ballast/kube/kube_list.h"
#include "ballast/kube/kube_text.h"

#define CALLS_MAX 100000

struct site {
    struct estimator_address address;
    const char *failure; /* why it cannot be asked; NULL: it can */
};

struct estimators {
    struct estimators_options options;
    struct arena *arena;   /* of one cycle */
    struct map *sites;     /* by Service; struct site */
    const char *not_found; /* why no estimator can be asked; NULL: they can */
    VEC_OF(const struct estimator_failure *) failures;
    struct map *tallies; /* by member; struct estimator_failure */
    struct estimator_costs stuck, room;
};

static uint64_t
client_bytes(void *context)
{
    struct estimator_statistics statistics = estimator_client_statistics(context);

    return statistics.bytes_sent + statistics.bytes_read;
}

static void
client_perform(void *context, struct estimator_call *calls, uint32_t count)
{
    estimator_perform(context, calls, count);
}

struct estimator_port
estimator_client_port(struct estimator_client *client)
{
    return (struct estimator_port){client, client_perform, client_bytes};
}

struct estimators *
estimators_new(const struct estimators_options *options)
{
    struct estimators *estimators = heap_new(1, sizeof(*estimators));

    estimators->options = *options;
    if (options->calls_max == 0) {
        estimators->options.calls_max = CALLS_MAX;
    }
    estimators->arena = arena_new();
    estimators->sites = map_new();
    estimators->tallies = map_new();
    return estimators;
}

void
estimators_free(struct estimators *estimators)
{
    if (estimators != NULL) {
        vec_free(&estimators->failures);
        map_free(estimators->tallies);
        map_free(estimators->sites);
        arena_free(estimators->arena);
        free(estimators);
    }
}

static const char *
keep(struct estimators *estimators, const char *text)
{
    return arena_strndup(estimators->arena, text, strlen(text));
}

static struct estimator_failure *
tally_of(struct estimators *estimators, const char *member)
{
    void **slot = map_get_str(estimators->tallies, member);

    if (slot == NULL) {
        struct estimator_failure *tally = ARENA_NEW(estimators->arena, struct estimator_failure);

        *tally = (struct estimator_failure){.member = keep(estimators, member)};
        slot = map_put_str(estimators->tallies, tally->member, NULL);
        *slot = tally;
    }
    return *slot;
}

/* Lists each member once, with its first failure. */
static void
note_failure(struct estimators *estimators, struct estimator_failure *tally, const char *message)
{
    if (tally->message == NULL) {
        tally->message = keep(estimators, message);
        vec_add(&estimators->failures, (const struct estimator_failure *)tally);
    }
}

static void
count_question(struct estimators *estimators, const char *member, const char *failure)
{
    struct estimator_failure *tally = tally_of(estimators, member);

    tally->asked++;
    if (failure != NULL) {
        tally->failed++;
        note_failure(estimators, tally, failure);
    }
}

static void
resolve(struct estimators *estimators, const struct value *service, const char *cluster,
        struct site *ret)
{
    struct error err = ERROR_INIT;

    *ret = (struct site){.failure = NULL};
    if (!estimator_resolve(estimators->arena, service, &estimators->options.naming, cluster,
                           &ret->address, &err)) {
        ret->failure = keep(estimators, err.message);
    }
}

static bool
collect_service(void *context, const struct stream_object *object, struct error *err)
{
    struct estimators *estimators = context;
    const char *name = value_text(value_get(object->root, "metadata"), "name");
    const char *prefix = estimator_service_name(estimators->arena, &estimators->options.naming, "");
    size_t length = strlen(prefix);

    (void)err;
    if (strncmp(name, prefix, length) == 0) {
        struct site *site = ARENA_NEW(estimators->arena, struct site);
        const char *service = keep(estimators, name);

        resolve(estimators, object->root, service + length, site);
        *map_put_str(estimators->sites, service, NULL) = site;
    }
    return true;
}

static void
forget_services(struct estimators *estimators)
{
    map_free(estimators->sites);
    estimators->sites = map_new();
}

static void
begin_again(void *context, const struct error *why)
{
    (void)why;
    forget_services(context);
}

static void
forget_all(struct estimators *estimators)
{
    forget_services(estimators);
    map_free(estimators->tallies);
    estimators->tallies = map_new();
    estimators->failures.count = 0;
    estimators->not_found = NULL;
    estimators->stuck = estimators->room = (struct estimator_costs){.calls = 0};
    arena_reset(estimators->arena);
}

bool
estimators_find(struct estimators *estimators, struct kube_client *client, uint32_t page_size,
                struct error *err)
{
    static const struct stream_ops ops = {collect_service, NULL};
    struct error failure = ERROR_INIT;
    const struct kube_place services = {.api = "/api/v1",
                                        .namespace_ = estimators->options.naming.namespace_,
                                        .plural = "services"};

    forget_all(estimators);
    const struct kube_list_options list = {
        .path = kube_path(estimators->arena, &services),
        .page_limit = page_size,
        .ops = &ops,
        .restart = begin_again,
        .context = estimators,
    };
    bool done = kube_list(client, &list, &failure);

    if (!done && failure.code == ERROR_STOPPED) {
        *err = failure;
        return false;
    }
    if (!done && failure.code != ERROR_NOT_FOUND) {
        error_wrap(&failure, "listing services");
        estimators->not_found = keep(estimators, failure.message);
        note_failure(estimators, tally_of(estimators, "*"), failure.message);
    }
    return true;
}

static const struct site *
site_of(struct estimators *estimators, const char *cluster)
{
    const char *service =
        estimator_service_name(estimators->arena, &estimators->options.naming, cluster);
    void **slot = map_put_str(estimators->sites, service, NULL);

    if (*slot == NULL) {
        struct site *site = ARENA_NEW(estimators->arena, struct site);

        resolve(estimators, NULL, cluster, site);
        *slot = site;
    }
    return *slot;
}

struct round {
    struct estimators *estimators;
    const struct fleet *fleet;
    struct estimator_costs *costs;
    const struct site **sites; /* by cluster; NULL: not looked up yet */
    VEC_OF(struct estimator_call) calls;
    VEC_OF(uint32_t) clusters; /* of each call */
};

/* Adds a call to a cluster's estimator; NULL: it cannot be asked. */
static struct estimator_call *
add_call(struct round *round, uint32_t cluster)
{
    const char *name = round->fleet->clusters[cluster].name;
    struct estimators *estimators = round->estimators;

    if (round->sites[cluster] == NULL) {
        round->sites[cluster] = site_of(estimators, name);
    }
    if (round->sites[cluster]->failure != NULL) {
        count_question(estimators, name, round->sites[cluster]->failure);
        return NULL;
    }
    if (round->calls.count >= estimators->options.calls_max) {
        round->costs->left_out++;
        return NULL;
    }
    struct estimator_call *call = vec_push(&round->calls);

    call->cluster = name;
    call->address = &round->sites[cluster]->address;
    vec_add(&round->clusters, cluster);
    return call;
}

static struct round
begin_round(struct estimators *estimators, const struct fleet *fleet, struct estimator_costs *costs)
{
    return (struct round){
        .estimators = estimators,
        .fleet = fleet,
        .costs = costs,
        .sites = ARENA_ARRAY(estimators->arena, const struct site *, fleet->n_clusters),
    };
}

static void
end_round(struct round *round)
{
    vec_free(&round->calls);
    vec_free(&round->clusters);
}

/* An estimator older than component sets cannot answer; this is no failure. */
static bool
does_not_know_sets(const struct estimator_call *call)
{
    return call->method == ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS &&
           call->grpc_status == ESTIMATOR_GRPC_UNIMPLEMENTED;
}

static bool
is_answered(const struct estimator_call *call)
{
    return call->code == ERROR_NONE && !call->abstains && call->answer >= 0;
}

static void
perform(struct round *round)
{
    const struct estimators_options *options = &round->estimators->options;
    int64_t begun = options->clock.monotonic(options->clock.context);
    uint64_t bytes = options->port.bytes(options->port.context);

    options->port.perform(options->port.context, round->calls.items,
                          pin_uint32(round->calls.count));
    round->costs->nanos += options->clock.monotonic(options->clock.context) - begun;
    round->costs->bytes += options->port.bytes(options->port.context) - bytes;
    round->costs->calls += round->calls.count;
    for (size_t i = 0; i < round->calls.count; i++) {
        const struct estimator_call *call = &round->calls.items[i];

        bool failed = call->code != ERROR_NONE && !does_not_know_sets(call);

        count_question(round->estimators, call->cluster, failed ? call->message : NULL);
        if (failed) {
            round->costs->failures++;
        } else if (!is_answered(call)) {
            round->costs->abstentions++;
        }
    }
}

static uint32_t *
count_answers(const struct round *round)
{
    uint32_t *counts = ARENA_ARRAY(round->estimators->arena, uint32_t, round->fleet->n_clusters);

    for (size_t i = 0; i < round->calls.count; i++) {
        counts[round->clusters.items[i]] += is_answered(&round->calls.items[i]) ? 1 : 0;
    }
    return counts;
}

static struct member *
copy_members(const struct fleet *fleet)
{
    return arena_memdup(fleet->arena, fleet->members, fleet->n_clusters * sizeof(struct member));
}

static const struct member *
members_with_stuck(const struct round *round, int64_t threshold)
{
    const struct fleet *fleet = round->fleet;
    const uint32_t *counts = count_answers(round);
    struct member *members = copy_members(fleet);
    struct stuck_answer **answers =
        ARENA_ARRAY(round->estimators->arena, struct stuck_answer *, fleet->n_clusters);
    uint32_t *filled = ARENA_ARRAY(round->estimators->arena, uint32_t, fleet->n_clusters);

    for (size_t i = 0; i < round->calls.count; i++) {
        const struct estimator_call *call = &round->calls.items[i];
        uint32_t c = round->clusters.items[i];

        if (!is_answered(call)) {
            continue;
        }
        if (answers[c] == NULL) {
            answers[c] = ARENA_ARRAY(fleet->arena, struct stuck_answer, counts[c]);
        }
        answers[c][filled[c]++] = (struct stuck_answer){.api_version = call->resource->api_version,
                                                        .kind = call->resource->kind,
                                                        .namespace_ = call->resource->namespace_,
                                                        .name = call->resource->name,
                                                        .replicas = call->answer};
    }
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        if (filled[c] > 0) {
            members[c].estimator = estimator_answers_of(answers[c], filled[c], threshold, NULL, 0);
        }
    }
    return members;
}

static struct fleet *
with_members(struct fleet *fleet, const struct member *members)
{
    struct fleet *view = arena_memdup(fleet->arena, fleet, sizeof(*fleet));

    view->members = members;
    return view;
}

static struct fleet *
ask_stuck(struct estimators *estimators, struct fleet *fleet, const struct survey *asked)
{
    struct round round = begin_round(estimators, fleet, &estimators->stuck);
    struct fleet *view = fleet;

    for (uint32_t i = 0; i < asked->n_stuck && estimators->not_found == NULL; i++) {
        const struct object_reference *workload = asked->stuck[i].workload;
        struct estimator_call *call = add_call(&round, asked->stuck[i].cluster);

        if (call != NULL) {
            call->method = ESTIMATOR_UNSCHEDULABLE_REPLICAS;
            call->object = arena_printf(estimators->arena, "kind=%s, name=%s/%s", workload->kind,
                                        workload->namespace_, workload->name);
            call->resource = workload;
            call->threshold = asked->unschedulable_threshold;
        }
    }
    if (round.calls.count > 0) {
        perform(&round);
        view = with_members(fleet, members_with_stuck(&round, asked->unschedulable_threshold));
    }
    end_round(&round);
    return view;
}

static void
put_room(const struct round *round, const uint32_t *counts, struct member *members)
{
    const struct fleet *fleet = round->fleet;
    struct room_answer **answers =
        ARENA_ARRAY(round->estimators->arena, struct room_answer *, fleet->n_clusters);
    uint32_t *filled = ARENA_ARRAY(round->estimators->arena, uint32_t, fleet->n_clusters);
    const struct requirements *last = NULL; /* equal ones follow each other */
    const char *key = requirements_key(fleet->arena, last);

    for (size_t i = 0; i < round->calls.count; i++) {
        const struct estimator_call *call = &round->calls.items[i];
        uint32_t c = round->clusters.items[i];

        if (call->method != ESTIMATOR_MAX_AVAILABLE_REPLICAS || !is_answered(call)) {
            continue;
        }
        if (call->requirements != last) {
            last = call->requirements;
            key = requirements_key(fleet->arena, last);
        }
        if (answers[c] == NULL) {
            answers[c] = ARENA_ARRAY(fleet->arena, struct room_answer, counts[c]);
        }
        answers[c][filled[c]++] = (struct room_answer){last, key, call->answer};
    }
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        if (filled[c] > 0) {
            struct estimator_answers of_room =
                estimator_answers_of(NULL, 0, 0, answers[c], filled[c]);

            members[c].estimator.room = of_room.room;
            members[c].estimator.n_room = of_room.n_room;
        }
    }
}

static void
put_sets(const struct round *round, const uint32_t *counts, struct member *members)
{
    const struct fleet *fleet = round->fleet;
    struct set_answer **answers =
        ARENA_ARRAY(round->estimators->arena, struct set_answer *, fleet->n_clusters);
    uint32_t *filled = ARENA_ARRAY(round->estimators->arena, uint32_t, fleet->n_clusters);
    const struct component *last = NULL; /* equal ones follow each other */
    const char *key = "";

    for (size_t i = 0; i < round->calls.count; i++) {
        const struct estimator_call *call = &round->calls.items[i];
        uint32_t c = round->clusters.items[i];

        if (call->method != ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS || !is_answered(call)) {
            continue;
        }
        if (call->components != last) {
            last = call->components;
            key = component_set_key(fleet->arena, call->namespace_, last, call->n_components);
        }
        if (answers[c] == NULL) {
            answers[c] = ARENA_ARRAY(fleet->arena, struct set_answer, counts[c]);
        }
        answers[c][filled[c]++] =
            (struct set_answer){call->namespace_, last, call->n_components, key, call->answer};
    }
    for (uint32_t c = 0; c < fleet->n_clusters; c++) {
        if (filled[c] > 0) {
            estimator_answers_put_sets(&members[c].estimator, answers[c], filled[c]);
        }
    }
}

static const struct member *
members_with_room(const struct round *round)
{
    const uint32_t *counts = count_answers(round);
    struct member *members = copy_members(round->fleet);

    put_room(round, counts, members);
    put_sets(round, counts, members);
    return members;
}

static void
ask_question(struct round *round, const struct room_question *question)
{
    struct estimator_call *call = add_call(round, question->cluster);
    const struct binding *set = question->set;

    if (call == NULL) {
        return;
    }
    if (set == NULL) {
        call->method = ESTIMATOR_MAX_AVAILABLE_REPLICAS;
        call->requirements = question->requirements;
        return;
    }
    call->method = ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS;
    call->object = arena_printf(round->estimators->arena, "kind=%s, name=%s/%s", set->resource.kind,
                                set->resource.namespace_, set->resource.name);
    call->namespace_ = set->resource.namespace_;
    call->components = binding_rare(set)->components;
    call->n_components = binding_rare(set)->n_components;
}

static struct fleet *
ask_room(struct estimators *estimators, struct fleet *fleet, const struct survey *asked)
{
    struct round round = begin_round(estimators, fleet, &estimators->room);
    struct fleet *view = fleet;

    for (uint32_t i = 0; i < asked->n_room && estimators->not_found == NULL; i++) {
        ask_question(&round, &asked->room[i]);
    }
    if (round.calls.count > 0) {
        perform(&round);
        view = with_members(fleet, members_with_room(&round));
    }
    end_round(&round);
    return view;
}

struct fleet *
estimators_ask(struct estimators *estimators, struct fleet *fleet, const struct survey *asked)
{
    return ask_room(estimators, ask_stuck(estimators, fleet, asked), asked);
}

const struct estimator_failure *const *
estimators_failures(const struct estimators *estimators, uint32_t *ret_count)
{
    *ret_count = pin_uint32(estimators->failures.count);
    return estimators->failures.items;
}

struct estimator_costs
estimators_stuck_costs(const struct estimators *estimators)
{
    return estimators->stuck;
}

struct estimator_costs
estimators_room_costs(const struct estimators *estimators)
{
    return estimators->room;
}
