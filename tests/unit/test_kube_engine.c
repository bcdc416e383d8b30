/* SPDX-License-Identifier: Apache-2.0
 *
 * Clients of several servers, driven side by side on one engine.
 */
#include "ballast/kube_engine.h"

#include "check.h"
#include "kube_test.h"

#define N_SERVERS 3
#define DATED                                                                                      \
    HEAD("200 OK", "application/json", "12")                                                       \
    "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n" BODY

/* Some servers with a script each, and a client of each. */
struct fixture {
    struct script scripts[N_SERVERS];
    struct fault_server *servers[N_SERVERS];
    struct kube_config configs[N_SERVERS];
    struct kube_client *clients[N_SERVERS];
    struct kube_engine *engine;
};

static void
set_up(struct fixture *fixture, const struct step *const steps[N_SERVERS], uint32_t concurrency,
       const struct kube_client_options *options)
{
    struct error err = ERROR_INIT;

    *fixture = (struct fixture){.engine = kube_engine_new(concurrency)};
    for (unsigned i = 0; i < N_SERVERS; i++) {
        struct kube_client_options own = *options;

        own.engine = fixture->engine;
        fixture->scripts[i] = (struct script){steps[i], 1};
        fixture->servers[i] = fault_server_start(&(struct fault_options){
            .is_clear = true, .handler = script_play, .context = &fixture->scripts[i]});
        fixture->configs[i] = clear_config(fixture->servers[i]);
        fixture->clients[i] = kube_client_new(&fixture->configs[i], &own, &err);
        CHECK_OK(fixture->clients[i] != NULL, err);
    }
}

static void
tear_down(struct fixture *fixture)
{
    for (unsigned i = 0; i < N_SERVERS; i++) {
        kube_client_free(fixture->clients[i]);
        fault_server_stop(fixture->servers[i]);
    }
    kube_engine_free(fixture->engine);
}

/* A chain of requests to one server: each is started when the one before has its outcome. */
struct chain {
    struct kube_client *client;
    struct kube_request request;
    unsigned left, done, failed;
    unsigned *order; /* a clock of completions */
    unsigned ended_at;
};

static void
go_on(void *context, struct kube_request *request)
{
    struct chain *chain = context;

    chain->done++;
    chain->failed += request->error.code != ERROR_NONE ? 1 : 0;
    chain->ended_at = ++*chain->order;
    buf_release(&request->reply);
    if (--chain->left > 0) {
        kube_start(chain->client, request, go_on, chain);
    }
}

static void
start_chains(struct fixture *fixture, struct chain chains[N_SERVERS], unsigned length,
             unsigned *order)
{
    *order = 0;
    for (unsigned i = 0; i < N_SERVERS; i++) {
        chains[i] = (struct chain){
            .client = fixture->clients[i],
            .request = {.method = KUBE_GET, .path = "/apis/a", .max_tries = 1},
            .left = length,
            .order = order,
        };
        kube_start(fixture->clients[i], &chains[i].request, go_on, &chains[i]);
    }
}

static const struct step fine = {.raw = OK}, silent = {.raw = "", .manner = SILENT},
                         dated = {.raw = DATED};

static void
test_side_by_side(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &silent, &fine};
    struct kube_client_options options = fast_options();
    struct chain chains[N_SERVERS];
    struct fixture fixture;
    unsigned order;

    options.request_timeout = 300 * MS;
    set_up(&fixture, steps, 8, &options);
    start_chains(&fixture, chains, 5, &order);
    chains[1].left = 1;
    CHECK_INT(chains[0].done, 0); /* never out of kube_start */
    kube_engine_run(fixture.engine);
    CHECK_INT(chains[0].done, 5);
    CHECK_INT(chains[2].done, 5);
    CHECK_INT(chains[0].failed + chains[2].failed, 0);
    /* who is silent holds nobody up: all others are through before it is given up */
    CHECK_INT(chains[1].failed, 1);
    CHECK_INT(chains[1].ended_at, 11);
    CHECK(chains[1].request.took > 0);
    tear_down(&fixture);
}

static void
test_bound_is_shared(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &fine, &fine};
    struct kube_client_options options = fast_options();
    struct chain chains[N_SERVERS];
    struct fixture fixture;
    unsigned order;

    set_up(&fixture, steps, 1, &options);
    start_chains(&fixture, chains, 4, &order);
    kube_engine_run(fixture.engine);
    CHECK_INT(order, 12);
    for (unsigned i = 0; i < N_SERVERS; i++) {
        CHECK_INT(chains[i].failed, 0);
    }
    tear_down(&fixture);
}

/* One client's deadline, and one request's own, end nothing else. */
static void
test_deadlines(void)
{
    const struct step *steps[N_SERVERS] = {&silent, &fine, &silent};
    struct kube_client_options options = fast_options();
    struct chain chains[N_SERVERS];
    struct fixture fixture;
    unsigned order;

    options.request_timeout = 5 * NANOS_PER_SECOND;
    set_up(&fixture, steps, 8, &options);
    start_chains(&fixture, chains, 1, &order);
    chains[0].request.until = options.clock.monotonic(NULL) + 10 * NANOS_PER_SECOND; /* 0.2 s */
    chains[2].request.timeout = 200 * MS;
    kube_engine_run(fixture.engine);
    CHECK_INT(chains[0].request.error.code, ERROR_DEADLINE);
    CHECK_INT(chains[1].request.error.code, ERROR_NONE);
    CHECK_INT(chains[2].request.error.code, ERROR_UNAVAILABLE);
    tear_down(&fixture);
}

static void
test_perform_among_others(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &silent, &dated};
    struct kube_client_options options = fast_options();
    struct kube_request request = {.method = KUBE_GET, .path = "/b"};
    struct chain chains[N_SERVERS];
    struct fixture fixture;
    unsigned order;

    options.request_timeout = 300 * MS;
    set_up(&fixture, steps, 8, &options);
    start_chains(&fixture, chains, 1, &order);
    kube_perform(fixture.clients[2], &request, 1);
    CHECK_INT(request.error.code, ERROR_NONE);
    CHECK_INT(request.date / NANOS_PER_SECOND, 784111777);
    buf_release(&request.reply);
    kube_engine_run(fixture.engine);
    CHECK_INT(chains[1].done, 1);
    tear_down(&fixture);
}

static void
test_freed_with_requests(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &silent, &fine};
    struct kube_client_options options = fast_options();
    struct chain chains[N_SERVERS];
    struct fixture fixture;
    unsigned order;

    set_up(&fixture, steps, 8, &options);
    start_chains(&fixture, chains, 1, &order);
    kube_client_free(fixture.clients[1]);
    fixture.clients[1] = NULL;
    kube_engine_run(fixture.engine);
    CHECK_INT(order, 2);
    CHECK_INT(chains[1].done, 0);
    tear_down(&fixture);
}

static void
test_small_answers_only(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &fine, &fine};
    struct kube_client_options options = fast_options();
    struct kube_request requests[2] = {
        {.method = KUBE_GET, .path = "/a", .max_reply = 11},
        {.method = KUBE_GET, .path = "/a", .max_reply = 12},
    };
    struct fixture fixture;

    set_up(&fixture, steps, 8, &options);
    kube_perform(fixture.clients[0], requests, 2);
    CHECK_INT(requests[0].error.code, ERROR_LIMIT);
    CHECK_INT(requests[1].error.code, ERROR_NONE);
    CHECK_INT(requests[1].date, TIME_NONE);
    buf_release(&requests[0].reply);
    buf_release(&requests[1].reply);
    tear_down(&fixture);
}

void suite_kube_engine(void);

void
suite_kube_engine(void)
{
    check_suite("kube engine");
    check_test("servers are asked side by side", test_side_by_side);
    check_test("what is in flight is bounded over all", test_bound_is_shared);
    check_test("deadlines are each one's own", test_deadlines);
    check_test("performing waits for its own requests", test_perform_among_others);
    check_test("a client may end with requests under way", test_freed_with_requests);
    check_test("a request's own bound on the answer; no Date", test_small_answers_only);
}
