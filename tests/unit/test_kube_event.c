/* SPDX-License-Identifier: Apache-2.0
 *
 * Events: their words, their bound, and their two forms on the wire.
 */
#include "ballast/kube/kube_event.h"

#include "ballast/kube/kube_text.h"
#include "ballast/report/run_events.h"
#include "check.h"
#include "live_fleet.h"

#define CORE_EVENTS "/api/v1/namespaces/shop/events"
#define GROUP_EVENTS "/apis/events.k8s.io/v1/namespaces/shop/events"

static void
test_segments(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"web-1.shop_x~", "web-1.shop_x~"},
        {"a/b?c#d%e f", "a%2Fb%3Fc%23d%25e%20f"},
        {"\xc3\xa4", "%C3%A4"},
        {"..", "%2E%2E%00"},
        {"...a", "...a"},
        {"", "%00"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf path;

        buf_init(&path, 256);
        kube_append_segment(&path, cases[i].text);
        CHECK_STR(buf_text(&path), cases[i].want);
        buf_release(&path);
    }
}

static void
test_paths(void)
{
    static const struct {
        struct kube_place place;
        const char *want;
    } cases[] = {
        {{"/api/v1", NULL, "nodes", NULL}, "/api/v1/nodes"},
        {{"/api/v1", NULL, "nodes", "n"}, "/api/v1/nodes/n"},
        {{"/apis/apps/v1", "shop", "deployments", NULL},
         "/apis/apps/v1/namespaces/shop/deployments"},
        {{"/api/v1", "a/b", "secrets", "?"}, "/api/v1/namespaces/a%2Fb/secrets/%3F"},
        /* never all of them */
        {{"/api/v1", "shop", "secrets", ""}, "/api/v1/namespaces/shop/secrets/%00"},
        {{"/api/v1", "", "secrets", "s"}, "/api/v1/namespaces/%00/secrets/s"},
    };
    struct arena *arena = arena_new();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_STR(kube_path(arena, &cases[i].place), cases[i].want);
    }
    arena_free(arena);
}

static void
test_micro_times(void)
{
    static const struct {
        int64_t nanos;
        const char *want;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000Z"},
        {1714557600123456789, "2024-05-01T10:00:00.123456Z"},
        {1714557600000000999, "2024-05-01T10:00:00.000000Z"},
        {-1, "1969-12-31T23:59:59.999999Z"},
    };
    char text[TIMESTAMP_TEXT_MAX];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_STR(kube_micro_time(cases[i].nanos, text), cases[i].want);
    }
}

/* --- the wire --- */

static const struct kube_event sample = {
    .reason = "DescheduleBindingSucceed",
    .message = "moved \"it\"",
    .about = {"apps/v1", "Deployment", "shop", "web", "u1"},
};

/* How many of them are written. */
static uint32_t
send_all(struct fake_api *api, const struct kube_event *items, uint32_t count, struct error *err)
{
    struct kube_config config;
    struct kube_client *client = live_client(api, &config);
    struct kube_event_writer writer = {.clock = fake_api_clock(), .instance = "host_1"};
    struct kube_events *events = kube_events_open(client, &writer);
    uint32_t sent;

    for (uint32_t i = 0; i < count; i++) {
        kube_events_send(events, &items[i]);
    }
    uint32_t written = kube_events_close(events, 0, &sent, err);

    CHECK_INT(sent, count);
    kube_client_free(client);
    return written;
}

static uint32_t
send_one(struct fake_api *api, const struct kube_event *event, struct error *err)
{
    return send_all(api, event, 1, err);
}

static void
test_core_form(void)
{
    struct fake_api *api = fake_api_start();
    struct error err = ERROR_INIT;

    fake_api_serve(api, CORE_EVENTS, "v1", "Event");
    CHECK_INT(send_one(api, &sample, &err), 1);
    const char *body = fake_api_body(api, "POST", CORE_EVENTS, 0);

    if (CHECK(body != NULL) && body != NULL) {
        CHECK_CONTAINS(body, "{\"apiVersion\":\"v1\",\"kind\":\"Event\"");
        CHECK_CONTAINS(body, "\"involvedObject\":{\"apiVersion\":\"apps/v1\",\"kind\":"
                             "\"Deployment\",\"namespace\":\"shop\",\"name\":\"web\",\"uid\":"
                             "\"u1\"}");
        CHECK_CONTAINS(body, "\"message\":\"moved \\\"it\\\"\"");
        CHECK_CONTAINS(body, "\"type\":\"Normal\",\"reason\":\"DescheduleBindingSucceed\"");
        CHECK_CONTAINS(body, "\"firstTimestamp\":\"");
        CHECK(strstr(body, "eventTime") == NULL);
    }
    fake_api_stop(api);
}

static void
test_group_form(void)
{
    struct fake_api *api = fake_api_start();
    struct error err = ERROR_INIT;

    fake_api_serve(api, GROUP_EVENTS, "events.k8s.io/v1", "Event");
    CHECK_INT(send_one(api, &sample, &err), 1);
    const char *body = fake_api_body(api, "POST", GROUP_EVENTS, 0);

    if (CHECK(body != NULL) && body != NULL) {
        CHECK_CONTAINS(body, "{\"apiVersion\":\"events.k8s.io/v1\"");
        CHECK_CONTAINS(body, "\"regarding\":{\"apiVersion\":\"apps/v1\"");
        CHECK_CONTAINS(body, "\"note\":\"moved");
        CHECK_CONTAINS(body, "\"eventTime\":\"");
        CHECK_CONTAINS(body, "\"reportingController\":\"ballast\",\"reportingInstance\":"
                             "\"host_1\",\"action\":\"");
    }
    fake_api_stop(api);
}

/* Older API servers refuse those of the group for cluster-wide objects in "default". */
static void
test_form_of_cluster_wide_objects(void)
{
    static const struct kube_event event = {
        .reason = "DisruptionGuard",
        .message = "m",
        .about = {"cluster.karmada.io/v1alpha1", "Cluster", "", "m1", "u1"},
    };
    struct fake_api *api = fake_api_start();
    struct error err = ERROR_INIT;

    fake_api_serve(api, "/api/v1/namespaces/default/events", "v1", "Event");
    CHECK_INT(send_one(api, &event, &err), 1);
    const char *body = fake_api_body(api, "POST", "/api/v1/namespaces/default/events", 0);

    if (CHECK(body != NULL) && body != NULL) {
        CHECK_CONTAINS(body, "{\"apiVersion\":\"v1\"");
        CHECK_CONTAINS(body, "\"involvedObject\":{\"apiVersion\":\"cluster.karmada.io/v1alpha1\"");
        CHECK(strstr(body, "eventTime") == NULL);
    }
    fake_api_stop(api);
}

static void
test_bounds_of_an_event(void)
{
    struct fake_api *api = fake_api_start();
    struct error err = ERROR_INIT;
    char message[3000], name[254];
    struct kube_event event = sample;

    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    name[235] = '.';
    for (size_t i = 0; i < sizeof(message) - 1; i += 2) {
        memcpy(message + i, "\xc3\xa4", 2);
    }
    message[2998] = '\0';
    event.message = message;
    event.about.name = name;
    event.about.namespace_ = "";
    fake_api_serve(api, "/api/v1/namespaces/default/events", "v1", "Event");
    CHECK_INT(send_one(api, &event, &err), 1);
    const char *body = fake_api_body(api, "POST", "/api/v1/namespaces/default/events", 0);
    const char *text = body != NULL ? strstr(body, "\"message\":\"") : NULL;

    if (CHECK(text != NULL) && text != NULL) {
        size_t length = strcspn(text + 11, "\"");

        CHECK_MSG(length <= 1024 && length > 1020, "%zu bytes", length);
        CHECK_CONTAINS(body, "\xc3\xa4...\"");
        CHECK(strstr(body, "nnn..") == NULL); /* cut just behind a point */
    }
    fake_api_stop(api);
}

/* Only the first one is tried as one of a group that is not there. */
static void
test_first_one_tells(void)
{
    static const struct {
        const char *served;
        unsigned group, core;
    } cases[] = {{GROUP_EVENTS, 5, 0}, {CORE_EVENTS, 1, 5}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = fake_api_start();
        struct kube_event events[] = {sample, sample, sample, sample, sample, sample};
        struct error err = ERROR_INIT;

        events[0].about.namespace_ = "";
        fake_api_serve(api, cases[i].served, "v1", "Event");
        fake_api_serve(api, "/api/v1/namespaces/default/events", "v1", "Event");
        CHECK_INT(send_all(api, events, 6, &err), 6);
        CHECK_INT(fake_api_count(api, "POST", GROUP_EVENTS), cases[i].group);
        CHECK_INT(fake_api_count(api, "POST", CORE_EVENTS), cases[i].core);
        CHECK_INT(fake_api_count(api, "GET", ""), 0);
        fake_api_stop(api);
    }
}

/* What stands for several is a series; of one alone there is none. */
static void
test_series(void)
{
    static const struct {
        const char *served;
        uint32_t count;
        const char *want, *unwanted;
    } cases[] = {
        {GROUP_EVENTS, 7, "\"series\":{\"count\":7,\"lastObservedTime\":\"20", "lastTimestamp"},
        {GROUP_EVENTS, 1, "\"eventTime\":\"", "series"},
        {CORE_EVENTS, 7, "\"count\":7", "series"},
        {CORE_EVENTS, 0, "\"count\":1", "series"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fake_api *api = fake_api_start();
        struct kube_event event = sample;
        struct error err = ERROR_INIT;

        event.count = cases[i].count;
        fake_api_serve(api, cases[i].served, "v1", "Event");
        CHECK_INT(send_one(api, &event, &err), 1);
        const char *body = fake_api_body(api, "POST", cases[i].served, 0);

        if (CHECK(body != NULL) && body != NULL) {
            CHECK_CONTAINS(body, cases[i].want);
            CHECK(strstr(body, cases[i].unwanted) == NULL);
        }
        fake_api_stop(api);
    }
}

static void
test_refused_event(void)
{
    struct fake_api *api = fake_api_start();
    struct error err = ERROR_INIT;

    fake_api_serve(api, CORE_EVENTS, "v1", "Event");
    fake_api_fail(api, "POST", CORE_EVENTS, 403, "no Events", 10);
    CHECK_INT(send_one(api, &sample, &err), 0);
    CHECK_CONTAINS(err.message, "no Events");
    fake_api_stop(api);
}

/* --- the words --- */

#define N_BINDINGS 150

static const struct target before[] = {{.name = "m1", .replicas = 4},
                                       {.name = "m2", .replicas = 1}};
static const struct target after[] = {
    {.name = "m1", .replicas = 1}, {.name = "m2", .replicas = 2}, {.name = "m3", .replicas = 2}};
static const struct decision move = {.changes = true,
                                     .moved = 3,
                                     .before = {.items = before, .count = 2},
                                     .after = {.items = after, .count = 3}};
static const struct decision placing = {
    .changes = true, .before = {.items = NULL, .count = 0}, .after = {.items = before, .count = 2}};
static const struct decision eviction = {
    .changes = true, .before = {.items = before, .count = 2}, .after = {.items = NULL, .count = 0}};
static const struct decision annotation = {.changes = true,
                                           .before = {.items = before, .count = 2},
                                           .after = {.items = before, .count = 2}};
static const struct decision no_change = {.before = {.items = before, .count = 2},
                                          .after = {.items = before, .count = 2}};
static const struct finding finding = {.type = FINDING_UNSCHEDULABLE_REPLICAS,
                                       .cluster = "m1",
                                       .triggers = true,
                                       .message = "3 unschedulable since 8m"};

#define EVENTS_MAX 400

struct told {
    struct kube_event events[EVENTS_MAX];
    uint32_t count;
};

static void
keep(void *context, const struct kube_event *event)
{
    struct told *told = context;

    if (CHECK(told->count < EVENTS_MAX)) {
        told->events[told->count++] = *event;
    }
}

/* The Events of `count` writes, each of a binding of its own with one finding; the first `n_early`
 * are told while the others are under way. */
static const struct kube_event *
tell_some(struct arena *arena, const struct write_outcome *writes, uint32_t count, uint32_t n_early,
          uint32_t *ret_count)
{
    struct told *told = ARENA_NEW(arena, struct told);
    struct binding *bindings = ARENA_ARRAY(arena, struct binding, N_BINDINGS);
    struct binding_state *states = ARENA_ARRAY(arena, struct binding_state, N_BINDINGS);
    struct fleet fleet = {.bindings = bindings, .n_bindings = N_BINDINGS};
    struct diagnosis diagnosis = {.findings = &finding, .n_findings = 1, .bindings = states};
    struct outcome outcome = {.writes = writes, .n_writes = count};
    struct run_summary summary = {"karmada-system", "ballast", NULL, NULL};

    for (uint32_t i = 0; i < N_BINDINGS; i++) {
        states[i].n_findings = 1;
        bindings[i] = (struct binding){
            .namespace_ = "shop",
            .name = "web-deployment",
            .uid = uid_of("u1"),
            .resource = {"apps/v1", "Deployment", "shop", "web", uid_of("u2")},
        };
    }
    struct run_events *teller =
        run_events_new(arena, &summary, (struct run_event_sink){told, keep});

    for (uint32_t i = 0; i < n_early; i++) {
        run_events_send(teller, &fleet, &diagnosis, &writes[i]);
    }
    run_events_finish(teller, &fleet, &diagnosis, &outcome);
    *ret_count = told->count;
    return told->events;
}

static const struct kube_event *
tell(struct arena *arena, const struct write_outcome *writes, uint32_t count, uint32_t *ret_count)
{
    return tell_some(arena, writes, count, 0, ret_count);
}

static void
test_words(void)
{
    static const struct {
        struct write_outcome write;
        const char *message; /* NULL: no Event */
    } cases[] = {
        {{.status = WRITE_DONE, .decision = &move, .message = ""},
         "moved 3 replicas from m1 (3) to m2 (1), m3 (2): UnschedulableReplicas in m1: "
         "3 unschedulable since 8m"},
        {{.status = WRITE_DONE, .decision = &placing, .message = ""},
         "placed 5 replicas in m1 (4), m2 (1): UnschedulableReplicas in m1: 3 unschedulable since "
         "8m"},
        {{.status = WRITE_DONE, .decision = &eviction, .message = ""},
         "took 5 replicas from m1 (4), m2 (1): UnschedulableReplicas in m1: 3 unschedulable since "
         "8m"},
        {{.status = WRITE_DONE, .decision = &annotation, .message = ""}, NULL},
        {{.status = WRITE_NEEDLESS, .decision = &no_change, .message = "nothing left to do"}, NULL},
        {{.status = WRITE_BLOCKED, .decision = &no_change, .message = "Suspended: ..."}, NULL},
        {{.status = WRITE_PENDING, .decision = &move, .message = ""}, NULL},
        {{.status = WRITE_GONE, .decision = &move, .message = "gone"}, NULL},
        {{.status = WRITE_REFUSED, .decision = &move, .message = "quota is used up"},
         "failed to move 3 replicas from m1 (3) to m2 (1), m3 (2): quota is used up: "
         "UnschedulableReplicas in m1: 3 unschedulable since 8m"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        uint32_t count;
        const struct kube_event *events = tell(arena, &cases[i].write, 1, &count);

        if (cases[i].message == NULL) {
            CHECK_INT(count, 0);
        } else if (CHECK_INT(count, 2)) {
            bool failed = cases[i].write.status != WRITE_DONE;

            CHECK_STR(events[0].message, cases[i].message);
            CHECK_STR(events[0].reason,
                      failed ? "DescheduleBindingFailed" : "DescheduleBindingSucceed");
            CHECK(events[0].warning == failed);
            CHECK_STR(events[0].about.kind, "ResourceBinding");
            CHECK_STR(events[0].about.name, "web-deployment");
            CHECK_STR(events[1].about.kind, "Deployment");
            CHECK_STR(events[1].about.uid, "u2");
        }
        arena_free(arena);
    }
}

static void
test_bound_of_a_run(void)
{
    struct arena *arena = arena_new();
    struct write_outcome writes[N_BINDINGS];
    uint32_t count;

    for (uint32_t i = 0; i < N_BINDINGS; i++) {
        writes[i] = (struct write_outcome){
            .binding = i, .status = WRITE_DONE, .decision = &move, .message = ""};
    }
    writes[N_BINDINGS - 1].status = WRITE_FAILED;
    writes[N_BINDINGS - 1].message = "it broke";
    const struct kube_event *events = tell(arena, writes, N_BINDINGS, &count);

    CHECK_INT(count, 2 + RUN_EVENTS_DONE_MAX + 1);
    CHECK(events[0].warning); /* what failed is told first */
    const struct kube_event *sum = &events[count - 1];

    CHECK_STR(sum->reason, "DescheduleSummary");
    CHECK_STR(sum->about.kind, "Lease");
    CHECK(!sum->warning && sum->count == 69);
    CHECK_CONTAINS(sum->message, "69 more bindings changed, 207 replicas: UnschedulableReplicas in "
                                 "m1: shop/web-deployment, shop/web-deployment, ");
    CHECK_CONTAINS(sum->message, " and more");
    arena_free(arena);
}

/* What is put together takes no memory, however many there are. */
static void
test_memory_of_many(void)
{
    enum { COUNT = 5000, ENOUGH = 1000 };
    struct arena *arena = arena_new();
    struct told *told = ARENA_NEW(arena, struct told);
    struct binding *bindings = ARENA_ARRAY(arena, struct binding, COUNT);
    struct binding_state *states = ARENA_ARRAY(arena, struct binding_state, COUNT);
    struct fleet fleet = {.bindings = bindings, .n_bindings = COUNT};
    struct diagnosis diagnosis = {.bindings = states};
    struct run_summary summary = {"karmada-system", "ballast", NULL, NULL};
    struct run_events *teller =
        run_events_new(arena, &summary, (struct run_event_sink){told, keep});
    size_t used = 0;

    for (uint32_t i = 0; i < COUNT; i++) {
        bindings[i] = (struct binding){.namespace_ = "shop", .name = "web"};
        bindings[i].resource.name = "";
        used = i == ENOUGH ? arena_used(arena) : used;
        run_events_send(teller, &fleet, &diagnosis,
                        &(struct write_outcome){.binding = i,
                                                .status = i % 2 == 0 ? WRITE_DONE : WRITE_REFUSED,
                                                .decision = &move,
                                                .message = ""});
    }
    CHECK_INT(told->count, RUN_EVENTS_DONE_MAX / 2 + RUN_EVENTS_ALIKE_MAX);
    CHECK_INT((int64_t)arena_used(arena), (int64_t)used);
    arena_free(arena);
}

/* What failed alike is told of a few, and put together of all others. */
static void
test_failed_alike(void)
{
    struct arena *arena = arena_new();
    struct write_outcome writes[N_BINDINGS];
    uint32_t count;

    for (uint32_t i = 0; i < N_BINDINGS; i++) {
        writes[i] =
            (struct write_outcome){.binding = i,
                                   .status = i % 2 == 0 ? WRITE_REFUSED : WRITE_FAILED,
                                   .decision = &move,
                                   .message = i % 2 == 0 ? "the webhook is down" : "it broke"};
    }
    const struct kube_event *events = tell(arena, writes, N_BINDINGS, &count);

    if (CHECK_INT(count, 2 * (2 * RUN_EVENTS_ALIKE_MAX + 1))) {
        CHECK(events[count - 2].warning && events[count - 2].count == 69);
        CHECK_CONTAINS(events[count - 2].message, "69 more bindings failed (Refused): shop/web");
        CHECK_CONTAINS(events[count - 2].message, "; the last: the webhook is down");
        CHECK_CONTAINS(events[count - 1].message, "69 more bindings failed (Failed): shop/web");
    }
    arena_free(arena);
}

/* Nothing is told twice, whenever it is told. */
static void
test_told_early(void)
{
    struct arena *arena = arena_new();
    struct write_outcome writes[3];
    uint32_t count;

    for (uint32_t i = 0; i < 3; i++) {
        writes[i] = (struct write_outcome){
            .binding = i, .status = WRITE_DONE, .decision = &move, .message = ""};
    }
    writes[2].status = WRITE_FAILED;
    writes[2].message = "it broke";
    const struct kube_event *events = tell_some(arena, writes, 3, 2, &count);

    if (CHECK_INT(count, 6)) {
        CHECK(!events[0].warning && !events[3].warning && events[4].warning);
    }
    arena_free(arena);
}

/* The guard is told on the Lease and on the clusters that it kept from being left. */
static void
test_guard_is_told(void)
{
    static const struct cluster clusters[] = {
        {.name = "m1", .uid = "c1"}, {.name = "m2", .uid = "c2"}, {.name = "m3", .uid = "c3"}};
    static const struct cluster_health health[] = {
        {.guarded = true}, {.guarded = true, .healthy = true}, {.guarded = false}};
    struct fleet fleet = {.clusters = clusters, .n_clusters = 3};
    struct diagnosis diagnosis = {.clusters = health,
                                  .guard_tripped = true,
                                  .guard_verdict = "no cluster failover",
                                  .guard_reason = "2 of 3",
                                  .guard_warning = ""};
    struct outcome outcome = {.n_writes = 0};
    struct run_summary summary = {"karmada-system", "ballast", NULL, NULL};
    struct arena *arena = arena_new();
    struct told *told = ARENA_NEW(arena, struct told);
    struct run_events *teller =
        run_events_new(arena, &summary, (struct run_event_sink){told, keep});

    run_events_finish(teller, &fleet, &diagnosis, &outcome);
    const struct kube_event *events = told->events;

    if (CHECK_INT(told->count, 2)) {
        CHECK(events[0].warning && events[1].warning);
        CHECK_STR(events[0].reason, "DisruptionGuard");
        CHECK_STR(events[0].message, "no cluster failover in this run: 2 of 3");
        CHECK_STR(events[0].about.kind, "Lease");
        CHECK_STR(events[1].about.kind, "Cluster");
        CHECK_STR(events[1].about.name, "m1");
        CHECK_STR(events[1].about.uid, "c1");
    }
    diagnosis.guard_tripped = false;
    told->count = 0;
    run_events_finish(teller, &fleet, &diagnosis, &outcome);
    CHECK_INT(told->count, 0);
    arena_free(arena);
}

void suite_kube_event(void);

void
suite_kube_event(void)
{
    check_suite("kube event");
    check_test("path segments", test_segments);
    check_test("paths", test_paths);
    check_test("times with microseconds", test_micro_times);
    check_test("core/v1", test_core_form);
    check_test("events.k8s.io/v1", test_group_form);
    check_test("cluster-wide objects", test_form_of_cluster_wide_objects);
    check_test("lengths", test_bounds_of_an_event);
    check_test("the first one tells where they go", test_first_one_tells);
    check_test("a series", test_series);
    check_test("a refused Event", test_refused_event);
    check_test("words", test_words);
    check_test("the bound of a run", test_bound_of_a_run);
    check_test("the memory of many", test_memory_of_many);
    check_test("what failed alike", test_failed_alike);
    check_test("what is told early", test_told_early);
    check_test("the disruption guard", test_guard_is_told);
}
