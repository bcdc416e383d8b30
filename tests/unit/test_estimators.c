/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimators in a cycle: where they are looked for, what they are asked, and
 * what becomes of their answers. They are played by a table.
 */
#include "ballast/karmada/estimators.h"

#include "ballast/annotations/requirements_key.h"
#include "ballast/base/timestamp.h"
#include "ballast/capacity/questions.h"
#include "ballast/diagnose/diagnose.h"
#include "ballast/karmada/control_plane.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "live_fleet.h"

#define SERVICES "/api/v1/namespaces/karmada-system/services"
#define CALLS_RECORDED 64
#define ABSTAINS (-1)
#define DEAD (-2)
#define TOO_OLD (-3) /* does not know the method */

/* What one of them answers. */
struct answer {
    const char *cluster;
    const char *workload; /* NULL: about room */
    int32_t replicas;     /* or ABSTAINS, DEAD */
};

/* Estimators that answer by a table, and what they were asked. */
struct play {
    const struct answer *answers; /* ends with a NULL cluster; what is not there is answered 0 */
    char asked[CALLS_RECORDED][160];
    uint32_t n_asked, n_rounds;
    int64_t threshold; /* of the last call */
};

static int32_t
answer_of(const struct play *play, const struct estimator_call *call)
{
    bool is_stuck = call->method == ESTIMATOR_UNSCHEDULABLE_REPLICAS;

    for (const struct answer *a = play->answers; a->cluster != NULL; a++) {
        if (str_eq(a->cluster, call->cluster) && is_stuck == (a->workload != NULL) &&
            (!is_stuck || str_eq(a->workload, call->resource->name))) {
            return a->replicas;
        }
    }
    return 0;
}

static void
play_calls(void *context, struct estimator_call *calls, uint32_t count)
{
    struct play *play = context;

    play->n_rounds++;
    for (uint32_t i = 0; i < count; i++) {
        struct estimator_call *call = &calls[i];
        bool is_stuck = call->method == ESTIMATOR_UNSCHEDULABLE_REPLICAS;
        int32_t answer = answer_of(play, call);

        if (CHECK(play->n_asked < CALLS_RECORDED)) {
            snprintf(play->asked[play->n_asked++], sizeof(play->asked[0]), "%s@%s %s",
                     call->cluster, call->address->hosts[0],
                     call->object != NULL ? call->object : "room");
        }
        play->threshold = is_stuck ? call->threshold : play->threshold;
        call->message = answer == DEAD      ? "connection refused"
                        : answer == TOO_OLD ? "unknown method"
                                            : "";
        call->code = answer == DEAD || answer == TOO_OLD ? ERROR_UNAVAILABLE : ERROR_NONE;
        call->grpc_status = answer == TOO_OLD ? ESTIMATOR_GRPC_UNIMPLEMENTED : 0;
        call->abstains = answer == ABSTAINS;
        call->answer = answer;
    }
}

static uint64_t
play_bytes(void *context)
{
    return (uint64_t)((const struct play *)context)->n_asked * 100;
}

struct rig {
    struct fake_api *api;
    struct kube_config config;
    struct kube_client *client;
    struct policy policy;
    struct play play;
    struct estimators *estimators;
    struct control_plane *plane;
    struct error err;
};

static void
open_rig(struct rig *rig, struct fake_api *api, const struct answer *answers, uint32_t calls_max)
{
    *rig = (struct rig){.api = api, .play = {.answers = answers}, .err = ERROR_INIT};
    policy_init(&rig->policy);
    rig->policy.sources = (struct member_sources){
        {SOURCE_PODS, SOURCE_NODES, SOURCE_ESTIMATOR, SOURCE_STATUS}, N_MEMBER_SOURCES};
    struct estimators_options asking = {
        .port = {&rig->play, play_calls, play_bytes},
        .naming = {ESTIMATOR_PREFIX, ESTIMATOR_NAMESPACE, ESTIMATOR_PORT},
        .clock = fake_api_clock(),
        .calls_max = calls_max,
    };

    rig->client = live_client(api, &rig->config);
    rig->estimators = estimators_new(&asking);
    struct control_plane_options options = {
        .clock = fake_api_clock(),
        .page_size = 2,
        .concurrency = 2,
        .members = {.sources = rig->policy.sources, .time = 10 * NANOS_PER_SECOND},
        .estimators = rig->estimators,
    };

    rig->plane = control_plane_new(rig->client, &options);
}

static void
close_rig(struct rig *rig)
{
    control_plane_free(rig->plane);
    estimators_free(rig->estimators);
    kube_client_free(rig->client);
    fake_api_stop(rig->api);
}

static struct fleet *
read_fleet(struct rig *rig)
{
    const struct backend backend = control_plane_backend(rig->plane);
    struct fleet *fleet = backend.read(backend.context, &rig->err);

    CHECK_MSG(fleet != NULL, "no fleet: %s", rig->err.message);
    if (fleet != NULL) {
        struct survey asked = {.unschedulable_threshold = rig->policy.unschedulable_threshold};

        rig->policy.now = fleet->captured_at;
        asked.stuck = diagnose_stuck_questions(fleet->arena, fleet, &rig->policy, &asked.n_stuck);
        fleet->members = backend.survey(backend.context, fleet, &asked, &rig->err)->members;
    }
    return fleet;
}

/* The fleet as a plan sees it. */
static struct fleet *
survey(struct rig *rig, struct arena *arena, struct fleet *fleet)
{
    const struct backend backend = control_plane_backend(rig->plane);
    struct survey *asked = arena_calloc(arena, 1, sizeof *asked);

    asked->is_last = true;
    asked->room = capacity_room_questions(arena, fleet, diagnose(arena, fleet, &rig->policy),
                                          &rig->policy, NULL, &asked->n_room);
    return backend.survey(backend.context, fleet, asked, &rig->err);
}

static int32_t
stuck_in(const struct fleet *fleet, uint32_t member, uint32_t binding)
{
    const struct stuck_answer *answer = estimator_answers_stuck(&fleet->members[member].estimator,
                                                                &fleet->bindings[binding].resource);

    return answer == NULL ? -1 : answer->replicas;
}

static int32_t
room_in(const struct fleet *fleet, uint32_t member)
{
    const struct room_answer *answer =
        estimator_answers_room(&fleet->members[member].estimator, "null");

    return answer == NULL ? -1 : answer->replicas;
}

/* The first failure that was noted, "MEMBER: MESSAGE (FAILED of ASKED)"; "" when there is none. */
static const char *
first_failure(const struct rig *rig, struct arena *arena)
{
    uint32_t count = 0;
    const struct estimator_failure *const *failures = estimators_failures(rig->estimators, &count);

    return count == 0
               ? ""
               : arena_printf(arena, "%s: %s (%d of %d)", failures[0]->member, failures[0]->message,
                              (int)failures[0]->failed, (int)failures[0]->asked);
}

static void
put_service(struct fake_api *api, const char *name, const char *spec)
{
    char path[256], json[512];

    snprintf(path, sizeof(path), SERVICES "/%s", name);
    snprintf(json, sizeof(json), "{\"metadata\":{\"name\":\"%s\"},\"spec\":%s}", name, spec);
    fake_api_put(api, SERVICES, path, json);
}

/* Members that cannot be looked into: their estimators tell. */
static void
test_asked_and_answered(void)
{
    static const struct answer answers[] = {{"m1", "web-0", 2},        {"m1", "web-1", 0},
                                            {"m1", "web-2", ABSTAINS}, {"m1", NULL, INT32_MAX},
                                            {"m2", NULL, 7},           {NULL, NULL, 0}};
    struct arena *arena = arena_new();
    struct fake_api *api = live_fleet(4, 2);
    struct rig rig;

    fake_api_serve(api, SERVICES, "v1", "Service");
    put_service(api, "karmada-scheduler-estimator-m2",
                "{\"type\":\"ExternalName\",\"externalName\":\"m2.example\",\"ports\":["
                "{\"port\":10352,\"targetPort\":443}]}");
    put_service(api, "karmada-webhook", "{\"type\":\"ClusterIP\"}");
    open_rig(&rig, api, answers, 0);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        CHECK_INT(rig.play.n_asked, 4); /* web-0 to web-3 in m1; none is in m2 */
        CHECK_STR(rig.play.asked[1], "m1@karmada-scheduler-estimator-m1.karmada-system.svc."
                                     "cluster.local:10352 kind=Deployment, name=shop/web-1");
        CHECK_INT(rig.play.threshold, 5 * NANOS_PER_MINUTE);
        CHECK_INT(stuck_in(fleet, 0, 0), 2);
        CHECK_INT(stuck_in(fleet, 0, 1), 0);
        CHECK_INT(stuck_in(fleet, 0, 2), -1);
        CHECK_INT(fleet->members[0].estimator.threshold, 5 * NANOS_PER_MINUTE);
        CHECK_INT(room_in(fleet, 0), -1);

        struct fleet *view = survey(&rig, arena, fleet);

        CHECK_INT(rig.play.n_asked, 6); /* they all ask for the same, in m1 and in m2 */
        CHECK_STR(rig.play.asked[5], "m2@m2.example:443 room");
        CHECK(view != fleet);
        CHECK_INT(room_in(fleet, 1), -1); /* what was read stays as it is */
        CHECK_INT(room_in(view, 0), INT32_MAX);
        CHECK_INT(room_in(view, 1), 7);
        CHECK_INT(stuck_in(view, 0, 0), 2);
        CHECK(view->bindings == fleet->bindings);
    }
    struct source_costs costs[SOURCE_COSTS_MAX];
    struct estimator_costs stuck = estimators_stuck_costs(rig.estimators);

    CHECK_INT(stuck.abstentions, 1);
    CHECK_INT(stuck.failures, 0);
    CHECK_STR(first_failure(&rig, arena), "");
    CHECK_INT(control_plane_costs(rig.plane, costs), 4);
    CHECK_STR(costs[0].source, "control plane");
    CHECK(costs[0].requests >= 5 && costs[0].bytes > 0);
    CHECK_INT(costs[2].requests, 4);
    CHECK_INT(costs[2].bytes, 400);
    CHECK_INT(costs[3].requests, 2);
    CHECK_INT(fake_api_count(api, "GET", SERVICES), 1);
    fleet_free(fleet);
    arena_free(arena);
    close_rig(&rig);
}

static int32_t
sets_in(const struct fleet *fleet, uint32_t member, const struct binding *set)
{
    struct arena *arena = arena_new();
    const struct set_answer *answer =
        estimator_answers_sets(&fleet->members[member].estimator,
                               component_set_key(arena, "shop", binding_rare(set)->components,
                                                 binding_rare(set)->n_components));
    int32_t sets = answer == NULL ? -1 : answer->sets;

    arena_free(arena);
    return sets;
}

/* Whole sets of components are asked for; one from before them is well all the same. */
static void
test_sets(void)
{
    static const struct answer answers[] = {
        {"m1", NULL, TOO_OLD}, {"m2", NULL, 3}, {NULL, NULL, 0}};
    struct arena *arena = arena_new();
    struct fake_api *api = live_fleet(0, 2);
    struct rig rig;

    fake_api_put(api, BINDINGS_PATH, SHOP_BINDINGS_PATH "/ray",
                 "{\"metadata\":{\"namespace\":\"shop\",\"name\":\"ray\",\"labels\":{"
                 "\"propagationpolicy.karmada.io/permanent-id\":\"p\"}},\"spec\":{\"resource\":"
                 "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":\"shop\","
                 "\"name\":\"ray\"},\"components\":[{\"name\":\"h\",\"replicas\":1},{\"name\":"
                 "\"w\",\"replicas\":2}],\"placement\":{},\"clusters\":[{\"name\":\"gone\"}]}}");
    open_rig(&rig, api, answers, 0);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        uint32_t asked = rig.play.n_asked;
        const struct fleet *view = survey(&rig, arena, fleet);

        CHECK_INT(rig.play.n_asked, asked + 2);
        CHECK_STR(rig.play.asked[asked + 1],
                  "m2@karmada-scheduler-estimator-m2.karmada-system.svc.cluster.local:10352 "
                  "kind=Deployment, name=shop/ray");
        CHECK_INT(sets_in(view, 0, &fleet->bindings[0]), -1);
        CHECK_INT(sets_in(view, 1, &fleet->bindings[0]), 3);
        CHECK_INT(view->members[1].estimator.n_room, 0);
        CHECK_INT(estimators_room_costs(rig.estimators).failures, 0);
        CHECK_INT(estimators_room_costs(rig.estimators).abstentions, 1);
        CHECK_STR(first_failure(&rig, arena), "");
    }
    fleet_free(fleet);
    arena_free(arena);
    close_rig(&rig);
}

/* One that is dead leaves no answer, and hides nobody else's. */
static void
test_dead_one(void)
{
    static const struct answer answers[] = {
        {"m1", "web-0", DEAD}, {"m1", NULL, DEAD}, {"m2", NULL, 3}, {NULL, NULL, 0}};
    struct arena *arena = arena_new();
    struct rig rig;

    open_rig(&rig, live_fleet(1, 2), answers, 0);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        const struct fleet *view = survey(&rig, arena, fleet);
        uint32_t count = 0;

        CHECK_INT(stuck_in(view, 0, 0), -1);
        CHECK_INT(room_in(view, 0), -1);
        CHECK_INT(room_in(view, 1), 3);
        CHECK_STR(first_failure(&rig, arena), "m1: connection refused (2 of 2)");
        estimators_failures(rig.estimators, &count);
        CHECK_INT(count, 1); /* said once */
        CHECK_INT(estimators_room_costs(rig.estimators).failures, 1);
    }
    fleet_free(fleet);
    arena_free(arena);
    close_rig(&rig);
}

/* One that does not know a workload answers the rest. */
static void
test_unknown_workload(void)
{
    static const struct answer answers[] = {
        {"m1", "web-1", DEAD}, {"m1", "web-2", 1}, {"m2", NULL, 3}, {NULL, NULL, 0}};
    struct arena *arena = arena_new();
    struct rig rig;

    open_rig(&rig, live_fleet(3, 2), answers, 0);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        const struct fleet *view = survey(&rig, arena, fleet);

        CHECK_INT(stuck_in(view, 0, 1), -1);
        CHECK_INT(stuck_in(view, 0, 2), 1);
        CHECK_INT(room_in(view, 1), 3);
        /* three workloads, and room for the one that is stuck */
        CHECK_STR(first_failure(&rig, arena), "m1: connection refused (1 of 4)");
    }
    fleet_free(fleet);
    arena_free(arena);
    close_rig(&rig);
}

/* Where pods and nodes tell, nobody is asked; nor where nothing is wrong. */
static void
test_not_asked(void)
{
    static const struct answer answers[] = {{NULL, NULL, 0}};
    struct arena *arena = arena_new();

    for (int well = 0; well < 2; well++) {
        struct fake_api *api = live_fleet(2, well == 1 ? 3 : 2);
        struct rig rig;

        live_members(api);
        open_rig(&rig, api, answers, 0);
        if (well == 1) { /* the estimator first: it is asked, but nothing needs room */
            rig.policy.sources = (struct member_sources){{SOURCE_ESTIMATOR, SOURCE_PODS}, 2};
        }
        struct fleet *fleet = read_fleet(&rig);

        if (fleet != NULL) {
            CHECK_INT(rig.play.n_asked, well == 1 ? 2 : 0);
            CHECK(survey(&rig, arena, fleet) == fleet);
            CHECK_INT(rig.play.n_asked, well == 1 ? 2 : 0);
        }
        fleet_free(fleet);
        close_rig(&rig);
    }
    arena_free(arena);
}

/* Of a member's parts, only what is missing is asked for. */
static void
test_nodes_unknown(void)
{
    static const struct answer answers[] = {{"m2", NULL, 9}, {NULL, NULL, 0}};
    struct arena *arena = arena_new();
    struct fake_api *api = live_fleet(1, 2);
    struct rig rig;

    live_members(api);
    fake_api_fail(api, "GET", MEMBER("m2", "api/v1/nodes"), 403, "no", 100);
    open_rig(&rig, api, answers, 0);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        const struct fleet *view = survey(&rig, arena, fleet);

        CHECK_INT(rig.play.n_asked, 1);
        CHECK_CONTAINS(rig.play.asked[0], "m2@");
        CHECK_INT(room_in(view, 1), 9);
    }
    fleet_free(fleet);
    arena_free(arena);
    close_rig(&rig);
}

static void
test_services_forbidden(void)
{
    static const struct answer answers[] = {{NULL, NULL, 0}};
    struct arena *arena = arena_new();
    struct fake_api *api = live_fleet(2, 2);
    struct rig rig;

    fake_api_serve(api, SERVICES, "v1", "Service");
    fake_api_fail(api, "GET", SERVICES, 403, "services is forbidden", 1);
    open_rig(&rig, api, answers, 0);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        const struct fleet *view = survey(&rig, arena, fleet);

        CHECK_INT(rig.play.n_asked, 0);
        for (uint32_t i = 0; i < view->n_clusters; i++) {
            CHECK_CONTAINS(view->members[i].gap.parts, "nodes, estimator");
        }
        CHECK_CONTAINS(first_failure(&rig, arena), "*: listing services: ");
        CHECK_CONTAINS(first_failure(&rig, arena), "services is forbidden");
    }
    fleet_free(fleet);
    arena_free(arena);
    close_rig(&rig);
}

/* A Service that names no address is that member's trouble alone. */
static void
test_bad_service(void)
{
    static const struct answer answers[] = {{"m2", NULL, 4}, {NULL, NULL, 0}};
    struct arena *arena = arena_new();
    struct fake_api *api = live_fleet(1, 2);
    struct rig rig;

    fake_api_serve(api, SERVICES, "v1", "Service");
    put_service(api, "karmada-scheduler-estimator-m1", "{\"type\":\"ClusterIP\"}");
    open_rig(&rig, api, answers, 0);
    struct fleet *fleet = read_fleet(&rig);

    if (fleet != NULL) {
        const struct fleet *view = survey(&rig, arena, fleet);

        CHECK_INT(rig.play.n_asked, 1);
        CHECK_INT(room_in(view, 1), 4);
        CHECK_CONTAINS(first_failure(&rig, arena), "m1: ");
        CHECK_CONTAINS(first_failure(&rig, arena), "ClusterIP");
    }
    fleet_free(fleet);
    arena_free(arena);
    close_rig(&rig);
}

static void
test_too_many(void)
{
    static const struct answer answers[] = {{NULL, NULL, 0}};
    struct rig rig;

    open_rig(&rig, live_fleet(5, 2), answers, 3);
    struct fleet *fleet = read_fleet(&rig);

    CHECK_INT(rig.play.n_asked, 3);
    CHECK_INT(estimators_stuck_costs(rig.estimators).left_out, 2);
    fleet_free(fleet);
    close_rig(&rig);
}

/* What nobody would act on or look at is not asked about. */
static void
test_scope(void)
{
    static const struct answer answers[] = {{NULL, NULL, 0}};
    static const char *const other[] = {"elsewhere"};
    struct arena *arena = arena_new();

    for (int evict = 0; evict < 2; evict++) {
        struct rig rig;

        open_rig(&rig, live_fleet(2, 2), answers, 0);
        if (evict == 1) {
            rig.policy.mode = MODE_EVICT; /* needs no room */
        } else {
            rig.policy.scope.namespaces =
                (struct str_list){.items = other, .count = 1, .present = true};
        }
        struct fleet *fleet = read_fleet(&rig);

        if (fleet != NULL) {
            CHECK(survey(&rig, arena, fleet) == fleet);
            CHECK_INT(rig.play.n_asked, evict == 1 ? 2 : 0);
        }
        fleet_free(fleet);
        close_rig(&rig);
    }
    arena_free(arena);
}

void suite_estimators(void);

void
suite_estimators(void)
{
    check_suite("estimators");
    check_test("asked and answered", test_asked_and_answered);
    check_test("sets of components are asked for", test_sets);
    check_test("a dead one", test_dead_one);
    check_test("a workload that it does not know", test_unknown_workload);
    check_test("not asked where others tell", test_not_asked);
    check_test("asked for what is missing", test_nodes_unknown);
    check_test("Services that may not be listed", test_services_forbidden);
    check_test("a Service of the wrong type", test_bad_service);
    check_test("too many questions", test_too_many);
    check_test("only what is in scope", test_scope);
}
