/* SPDX-License-Identifier: Apache-2.0
 *
 * Clients of several servers, driven side by side on one engine.
 */
#include "ballast/kube/kube_engine.h"

#include <time.h>

#include "check.h"
#include "kube/request/client_state.h"
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
    kube_request_release(request);
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
    kube_request_release(&request);
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
    kube_request_release(&requests[0]);
    kube_request_release(&requests[1]);
    tear_down(&fixture);
}

/* An answer for which there is no room waits until there is: others hold it for a while. */
struct crowd {
    struct fixture fixture;
    struct byte_budget budget;
    struct kube_request first, second, third;
    unsigned done;
};

static void
second_done(void *context, struct kube_request *request)
{
    struct crowd *crowd = context;

    CHECK_INT(request->error.code, ERROR_NONE);
    CHECK_INT(crowd->done, 1); /* it had to wait */
    CHECK(crowd->budget.used <= crowd->budget.limit);
    CHECK_STR(buf_text(&request->reply), BODY);
    crowd->done++;
    kube_request_release(request);
}

static void
third_done(void *context, struct kube_request *request)
{
    struct crowd *crowd = context;

    CHECK_INT(request->error.code, ERROR_NONE);
    crowd->done++;
    kube_request_release(request);
    kube_request_release(&crowd->first);
}

static void
test_answers_wait_for_room(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &fine, &silent};
    struct kube_client_options options = fast_options();
    struct crowd crowd = {.budget = {.limit = 20},
                          .first = {.method = KUBE_GET, .path = "/a"},
                          .second = {.method = KUBE_GET, .path = "/b"},
                          .third = {.method = KUBE_GET, .path = "/c"}};
    struct byte_budget other = {.limit = 20};
    static const struct step late = {.raw = OK, .manner = DRIP};

    steps[2] = &late;
    options.budget = &crowd.budget;
    options.request_timeout = 100 * NANOS_PER_SECOND;
    set_up(&crowd.fixture, steps, 8, &options);
    kube_perform(crowd.fixture.clients[0], &crowd.first, 1);
    CHECK_INT(crowd.budget.used, 12);
    crowd.third.budget = &other;
    kube_start(crowd.fixture.clients[1], &crowd.second, second_done, &crowd);
    kube_start(crowd.fixture.clients[2], &crowd.third, third_done, &crowd);
    kube_engine_run(crowd.fixture.engine);
    CHECK_INT(crowd.done, 2);
    CHECK_INT(crowd.second.tries, 1); /* what we broke off is no try */
    CHECK_INT(kube_client_statistics(crowd.fixture.clients[1]).requests, 2);
    CHECK_INT(crowd.budget.used, 0);
    CHECK_INT(other.used, 0);
    tear_down(&crowd.fixture);
}

/* It fails by its own size alone. */
static void
test_answers_too_large_for_the_budget(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &fine, &fine};
    struct kube_client_options options = fast_options();
    struct byte_budget budget = {.limit = 20}, part = {.limit = 11, .whole = &budget};
    struct kube_request requests[2] = {{.method = KUBE_GET, .path = "/a", .budget = &part},
                                       {.method = KUBE_POST, .path = "/a", .budget = &part}};
    struct fixture fixture;

    options.budget = &budget;
    set_up(&fixture, steps, 8, &options);
    kube_perform(fixture.clients[0], requests, 2);
    CHECK_INT(requests[0].error.code, ERROR_LIMIT);
    CHECK_CONTAINS(requests[0].error.message, "the answer is larger than 11 bytes");
    CHECK_INT(requests[0].tries, 1);
    CHECK_INT(requests[1].error.code, ERROR_NONE); /* what was written is not asked for twice */
    kube_request_release(&requests[1]);
    CHECK_INT(budget.used, 0);
    tear_down(&fixture);
}

/* All tries of a request together, and the pauses that the server asks for. */
static void
test_patience(void)
{
    static const struct step waits = {.raw = STATUS("503 Unavailable", "Retry-After: 30\r\n")};
    const struct step *steps[N_SERVERS] = {&silent, &waits, &fine};
    struct kube_client_options options = fast_options();
    struct kube_request hangs = {
        .method = KUBE_GET, .path = "/a", .patience = 15 * NANOS_PER_SECOND};
    struct kube_request pauses = {
        .method = KUBE_GET, .path = "/b", .patience = 20 * NANOS_PER_SECOND};
    struct fixture fixture;

    options.request_timeout = 200 * MS; /* of the world; the clock is fifty times as fast */
    set_up(&fixture, steps, 8, &options);
    int64_t begun = options.clock.monotonic(NULL);

    kube_perform(fixture.clients[0], &hangs, 1);
    int64_t took = options.clock.monotonic(NULL) - begun;

    CHECK_MSG(took < 40 * NANOS_PER_SECOND, "it took %lld s", (long long)(took / NANOS_PER_SECOND));
    CHECK(hangs.tries > 0 && hangs.tries < 3);
    CHECK_INT(hangs.error.code, ERROR_DEADLINE);
    kube_perform(fixture.clients[1], &pauses, 1);
    CHECK_INT(pauses.tries, 1);
    CHECK_CONTAINS(pauses.error.message,
                   "no time is left to try again after 1 try, at last: HTTP 503");
    tear_down(&fixture);
}

static void
forget_other(void *context, struct kube_request *request)
{
    struct crowd *crowd = context;

    crowd->done++;
    kube_request_release(request);
    kube_forget(crowd->fixture.clients[1], &crowd->second);
    kube_forget(crowd->fixture.clients[2], &crowd->third); /* its answer may be there already */
}

static void
not_to_be_told(void *context, struct kube_request *request)
{
    (void)context;
    CHECK_MSG(false, "%s was forgotten", request->path);
}

static void
test_forgotten(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &silent, &fine};
    struct kube_client_options options = fast_options();
    struct crowd crowd = {.budget = {.limit = 100},
                          .first = {.method = KUBE_GET, .path = "/a"},
                          .second = {.method = KUBE_GET, .path = "/b"},
                          .third = {.method = KUBE_GET, .path = "/c"}};

    options.budget = &crowd.budget;
    set_up(&crowd.fixture, steps, 8, &options);
    kube_start(crowd.fixture.clients[0], &crowd.first, forget_other, &crowd);
    kube_start(crowd.fixture.clients[1], &crowd.second, not_to_be_told, &crowd);
    kube_engine_run(crowd.fixture.engine);
    CHECK_INT(crowd.done, 1);
    CHECK_INT(crowd.budget.used, 0);
    tear_down(&crowd.fixture);
}

/* A forgotten answer that has come gives back what it held. */
static void
test_forgotten_answer(void)
{
    const struct step *steps[N_SERVERS] = {&fine, &fine, &fine};
    struct kube_client_options options = fast_options();
    struct byte_budget budget = {.limit = 100};
    struct kube_request request = {.method = KUBE_GET, .path = "/a"};
    struct fixture fixture;

    options.budget = &budget;
    set_up(&fixture, steps, 8, &options);
    kube_start(fixture.clients[0], &request, not_to_be_told, NULL);
    for (int i = 0; i < 2000 && budget.used == 0; i++) {
        const struct timespec pause = {.tv_nsec = 1000000};

        kube_engine_poll(fixture.engine); /* takes it, and tells nobody */
        nanosleep(&pause, NULL);
    }
    CHECK_INT(budget.used, 12);
    kube_forget(fixture.clients[0], &request);
    CHECK_INT(budget.used, 0);
    kube_engine_run(fixture.engine);
    tear_down(&fixture);
}

/* --- a server that has too much to do --- */

struct busy {
    struct clock clock;
    int64_t turned_away, next; /* when the first one came, and the one after it */
    int retry_after;           /* seconds */
};

static bool
turn_first_away(void *context, struct fault_connection *connection,
                const struct fault_request *request)
{
    static const char answer[] = HEAD("200 OK", "application/json", "12") "\r\n" BODY;
    struct busy *busy = context;
    int64_t now = busy->clock.monotonic(busy->clock.context);
    char busy_answer[96];

    if (request->number == 1) {
        busy->turned_away = now;
        snprintf(busy_answer, sizeof(busy_answer),
                 "HTTP/1.1 429 x\r\nRetry-After: %d\r\nContent-Length: 0\r\n\r\n",
                 busy->retry_after);
        return fault_write(connection, busy_answer, strlen(busy_answer));
    }
    busy->next = busy->next == 0 ? now : busy->next;
    return fault_write(connection, answer, strlen(answer));
}

/* The others wait as long as the one that was turned away; where another server said so through
 * this one, they do not. */
static void
test_busy_server(void)
{
    for (unsigned is_relayed = 0; is_relayed < 2; is_relayed++) {
        struct kube_client_options options = fast_options();
        struct busy busy = {.clock = options.clock, .retry_after = 2};
        struct fault_server *server = fault_server_start(&(struct fault_options){
            .is_clear = true, .handler = turn_first_away, .context = &busy});
        struct kube_config config = clear_config(server);
        struct kube_request requests[4];
        struct error err = ERROR_INIT;

        options.concurrency = 1;
        struct kube_client *client = kube_client_new(&config, &options, &err);

        CHECK_OK(client != NULL, err);
        for (unsigned i = 0; i < 4; i++) {
            requests[i] = (struct kube_request){
                .method = KUBE_GET, .path = "/x", .is_relayed = is_relayed != 0};
        }
        kube_perform(client, requests, 4);
        for (unsigned i = 0; i < 4; i++) {
            CHECK_INT(requests[i].error.code, ERROR_NONE);
            CHECK_INT(requests[i].tries, i == 0 ? 2 : 1);
            kube_request_release(&requests[i]);
        }
        CHECK_INT(fault_server_requests(server), 5);
        CHECK_MSG(is_relayed != 0 || busy.next - busy.turned_away >= 2 * NANOS_PER_SECOND,
                  "%lld ns later", (long long)(busy.next - busy.turned_away));
        kube_client_free(client);
        fault_server_stop(server);
    }
}

/* --- who goes ahead --- */

/* Requests that come behind take a quarter of the places at most, and leave half of the burst:
 * whoever is ahead is not held up, however long they last. At the end all of them are sent. */
static void
test_ahead(void)
{
    static const struct {
        uint32_t concurrency, n_behind, n_hurried;
        int burst;
    } cases[] = {
        {4, 1, 4, 100}, {16, 4, 6, 100}, {64, 6, 6, 100},
        {64, 2, 4, 4},  {64, 0, 3, 3},   {2, 0, 2, 100},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct step *steps[N_SERVERS] = {&silent, &fine, &fine};
        struct kube_client_options options = fast_options();
        struct kube_request behind[6];
        struct error err = ERROR_INIT;
        struct fixture fixture;

        options.concurrency = cases[i].concurrency;
        options.qps = 0.0001;
        options.burst = cases[i].burst;
        set_up(&fixture, steps, cases[i].concurrency, &options);
        options.engine = fixture.engine;
        options.ahead = fixture.clients[0];
        options.burst = 100;
        struct kube_client *second = kube_client_new(&fixture.configs[0], &options, &err);

        CHECK_OK(second != NULL, err);
        for (unsigned r = 0; r < 6; r++) {
            behind[r] = (struct kube_request){.method = KUBE_GET, .path = "/slow"};
            kube_start(second, &behind[r], not_to_be_told, NULL);
        }
        kube_engine_poll(fixture.engine);
        CHECK_INT(second->queue.running, cases[i].n_behind);
        client_hurry(second);
        kube_engine_poll(fixture.engine);
        CHECK_INT(second->queue.running, cases[i].n_hurried);
        kube_client_free(second);
        tear_down(&fixture);
    }
}

/* Whoever is turned away behind does not slow down those ahead. */
static void
test_turned_away_behind(void)
{
    struct kube_client_options options = fast_options();
    struct busy busy = {.clock = options.clock, .retry_after = 60};
    struct fault_server *server = fault_server_start(
        &(struct fault_options){.is_clear = true, .handler = turn_first_away, .context = &busy});
    struct kube_config config = clear_config(server);
    struct kube_request behind = {.method = KUBE_GET, .path = "/x", .max_tries = 1};
    struct kube_request ahead = {.method = KUBE_GET, .path = "/x"};
    struct error err = ERROR_INIT;

    options.engine = kube_engine_new(2);
    options.concurrency = 8;
    options.request_timeout = 100 * NANOS_PER_SECOND;
    struct kube_client *first = kube_client_new(&config, &options, &err);

    options.ahead = first;
    struct kube_client *second = kube_client_new(&config, &options, &err);

    CHECK_OK(first != NULL && second != NULL, err);
    kube_perform(second, &behind, 1);
    CHECK_INT(behind.error.code, ERROR_UNAVAILABLE);
    int64_t begun = options.clock.monotonic(options.clock.context);

    kube_perform(first, &ahead, 1);
    int64_t took = options.clock.monotonic(options.clock.context) - begun;

    CHECK_INT(ahead.error.code, ERROR_NONE);
    CHECK_MSG(took < 30 * NANOS_PER_SECOND, "%lld ns", (long long)took);
    kube_request_release(&ahead);
    kube_request_release(&behind);
    kube_client_free(second);
    kube_client_free(first);
    kube_engine_free(options.engine);
    fault_server_stop(server);
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
    check_test("answers wait for room", test_answers_wait_for_room);
    check_test("answers larger than all the room", test_answers_too_large_for_the_budget);
    check_test("a request's patience", test_patience);
    check_test("requests that are forgotten", test_forgotten);
    check_test("answers that are forgotten", test_forgotten_answer);
    check_test("a server that has too much to do", test_busy_server);
    check_test("who goes ahead", test_ahead);
    check_test("who is turned away behind", test_turned_away_behind);
}
