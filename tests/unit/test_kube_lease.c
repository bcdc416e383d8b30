/* SPDX-License-Identifier: Apache-2.0
 *
 * The Lease: when it is free by our own clock, and how it is taken, kept, lost
 * and given up.
 */
#include "ballast/kube/kube_lease.h"

#include <pthread.h>
#include <time.h>

#include "ballast/base/timestamp.h"
#include "check.h"
#include "kube/objects/lease_record.h"
#include "live_fleet.h"

#define LEASE_PATH LEASES_PATH "/ballast"
#define SECOND NANOS_PER_SECOND
#define HELD(renewed)                                                                              \
    "{\"metadata\":{\"name\":\"ballast\",\"labels\":{\"kept\":\"yes\"}},\"spec\":{"                \
    "\"holderIdentity\":\"other\",\"leaseDurationSeconds\":1,\"leaseTransitions\":4,"              \
    "\"renewTime\":\"" renewed "\"}}"
#define LONG_AGO "2001-01-01T00:00:00.000000Z"
#define FAR_OFF "2999-01-01T00:00:00.000000Z"

static void
see(struct lease_view *view, const char *json, int64_t now)
{
    struct error err = ERROR_INIT;
    struct document *lease = document_parse_json(json, strlen(json), 1, &err);

    if (CHECK_OK(lease != NULL, err)) {
        lease_see(view, document_root(lease), now);
    }
    document_free(lease);
}

/* Neither an old nor a future renewTime counts: only that it changes. */
static void
test_by_own_clock(void)
{
    static const char *const times[] = {LONG_AGO, FAR_OFF};

    for (int i = 0; i < 2; i++) {
        struct lease_view view = {.seen = false};

        see(&view, i == 0 ? HELD(LONG_AGO) : HELD(FAR_OFF), 100 * SECOND);
        CHECK_INT(lease_state(&view, 15 * SECOND, 100 * SECOND), LEASE_HELD);
        CHECK_MSG(view.changes == 0, "changed at first sight: %s", times[i]);
        /* its own duration counts, not ours */
        CHECK_INT(lease_state(&view, 15 * SECOND, 101 * SECOND - 1), LEASE_HELD);
        CHECK_INT(lease_state(&view, 15 * SECOND, 101 * SECOND), LEASE_EXPIRED);
    }
}

static void
test_a_change_is_a_sign_of_life(void)
{
    struct lease_view view = {.seen = false};

    see(&view, HELD(LONG_AGO), 100 * SECOND);
    see(&view, HELD(LONG_AGO), 100 * SECOND + SECOND / 2); /* nothing new */
    CHECK_INT(view.changes, 0);
    see(&view, HELD(FAR_OFF), 100 * SECOND + SECOND * 3 / 4);
    CHECK_INT(view.changes, 1);
    CHECK_INT(lease_state(&view, SECOND, 101 * SECOND), LEASE_HELD);
    CHECK_INT(lease_state(&view, SECOND, 102 * SECOND), LEASE_EXPIRED);
}

static void
test_free(void)
{
    struct lease_view view = {.seen = false};

    lease_see(&view, NULL, 0);
    CHECK_INT(lease_state(&view, SECOND, 0), LEASE_FREE);
    see(&view, "{\"spec\":{\"leaseDurationSeconds\":-5}}", 0);
    CHECK_INT(lease_state(&view, SECOND, 0), LEASE_FREE);
    see(&view, "{\"spec\":\"\"}", 0);
    CHECK_INT(lease_state(&view, SECOND, 0), LEASE_FREE);
    see(&view, "{\"spec\":{\"holderIdentity\":\"x\",\"leaseDurationSeconds\":-5}}", 0);
    CHECK_INT(lease_state(&view, SECOND, SECOND - 1), LEASE_HELD);
    CHECK_INT(lease_state(&view, SECOND, SECOND), LEASE_EXPIRED);
}

/* --- against a server --- */

static const atomic_bool no_stop = false;

static struct kube_lease_options
lease_options(const struct fake_api *api, struct kube_config *config)
{
    memset(config, 0, sizeof(*config));
    config->server = (char *)(uintptr_t)fake_api_url(api);
    return (struct kube_lease_options){
        .config = config,
        .client = fake_api_client_options(),
        .namespace_ = "karmada-system",
        .name = "ballast",
        .holder = "me_1",
        .duration = 2 * SECOND,
        .renew_period = SECOND / 20,
        .stop = &no_stop,
    };
}

static struct fake_api *
serve_leases(void)
{
    struct fake_api *api = fake_api_start();

    fake_api_serve(api, LEASES_PATH, "coordination.k8s.io/v1", "Lease");
    return api;
}

static void
sleep_ms(long ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&time, NULL);
}

/* Waits up to ten seconds. */
static bool
becomes(const atomic_bool *flag)
{
    for (int i = 0; i < 1000 && !*flag; i++) {
        sleep_ms(10);
    }
    return *flag;
}

static bool
is_put(struct fake_api *api, unsigned times)
{
    for (int i = 0; i < 1000 && fake_api_count(api, "PUT", LEASE_PATH) < times; i++) {
        sleep_ms(10);
    }
    return fake_api_count(api, "PUT", LEASE_PATH) >= times;
}

static void
test_take_keep_and_give_up(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];

    options.duration = 30 * SECOND; /* a machine that stands still for a moment loses nothing */
    struct kube_lease *lease = kube_lease_acquire(&options, other, &err);

    if (CHECK_OK(lease != NULL, err)) {
        CHECK_CONTAINS(fake_api_get(api, LEASE_PATH), "\"holderIdentity\":\"me_1\"");
        CHECK_CONTAINS(fake_api_get(api, LEASE_PATH), "\"leaseDurationSeconds\":30");
        CHECK(is_put(api, 3));
    }
    CHECK(kube_lease_release(lease));
    CHECK(strstr(fake_api_get(api, LEASE_PATH), "holderIdentity") == NULL);
    fake_api_stop(api);
}

static void
test_expired_is_taken_over(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];

    fake_api_put(api, LEASES_PATH, LEASE_PATH, HELD(FAR_OFF));
    struct kube_lease *lease = kube_lease_acquire(&options, other, &err);

    if (CHECK_OK(lease != NULL, err)) {
        CHECK_CONTAINS(fake_api_get(api, LEASE_PATH), "\"holderIdentity\":\"me_1\"");
        CHECK_CONTAINS(fake_api_get(api, LEASE_PATH), "\"leaseTransitions\":5");
        CHECK_CONTAINS(fake_api_get(api, LEASE_PATH), "\"kept\":\"yes\"");
    }
    kube_lease_release(lease);
    fake_api_stop(api);
}

static void
test_held_by_another(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config, their_config;
    struct kube_lease_options options = lease_options(api, &config);
    struct kube_lease_options theirs = lease_options(api, &their_config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];

    theirs.holder = "them_2";
    struct kube_lease *their_lease = kube_lease_acquire(&theirs, other, &err);

    CHECK_OK(their_lease != NULL, err);
    CHECK(kube_lease_acquire(&options, other, &err) == NULL);
    CHECK_INT(err.code, ERROR_CONFLICT);
    CHECK_STR(err.message, "Lease karmada-system/ballast: another run is under way: them_2");
    CHECK_STR(other, "them_2");
    CHECK(kube_lease_release(their_lease));

    /* what was given up is free at once */
    struct kube_lease *lease = kube_lease_acquire(&options, other, &err);

    CHECK(lease != NULL);
    kube_lease_release(lease);
    fake_api_stop(api);
}

static void
test_somebody_is_quicker(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];

    fake_api_put(api, LEASES_PATH, LEASE_PATH, "{\"metadata\":{\"name\":\"ballast\"},\"spec\":{}}");
    fake_api_interfere(api, "PUT", LEASE_PATH, LEASE_PATH, HELD(LONG_AGO));
    CHECK(kube_lease_acquire(&options, other, &err) == NULL);
    CHECK_INT(err.code, ERROR_CONFLICT);
    CHECK_STR(other, "other");
    fake_api_stop(api);
}

static void
test_taken_away(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];
    atomic_bool halt = false;

    options.halt = &halt;
    fake_api_interfere(api, "PUT", LEASE_PATH, LEASE_PATH, HELD(LONG_AGO));
    struct kube_lease *lease = kube_lease_acquire(&options, other, &err);

    if (CHECK_OK(lease != NULL, err)) {
        CHECK(becomes(&halt));
    }
    CHECK(!kube_lease_release(lease));
    /* it is not ours to give up */
    CHECK_CONTAINS(fake_api_get(api, LEASE_PATH), "\"holderIdentity\":\"other\"");
    fake_api_stop(api);
}

static void
test_changed_but_still_ours(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];

    fake_api_interfere(api, "PUT", LEASE_PATH, LEASE_PATH,
                       "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    struct kube_lease *lease = kube_lease_acquire(&options, other, &err);

    if (CHECK_OK(lease != NULL, err)) {
        CHECK(is_put(api, 3));
        CHECK_CONTAINS(fake_api_get(api, LEASE_PATH), "\"labels\":{\"a\":\"b\"}");
    }
    CHECK(kube_lease_release(lease));
    fake_api_stop(api);
}

static void
test_cannot_be_renewed(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];
    struct clock clock = fake_api_clock();
    atomic_bool halt = false;

    options.halt = &halt;
    fake_api_fail(api, "PUT", LEASE_PATH, 503, "later", 1000);
    int64_t begun = clock.monotonic(NULL);
    struct kube_lease *lease = kube_lease_acquire(&options, other, &err);

    if (CHECK_OK(lease != NULL, err)) {
        CHECK(becomes(&halt));
        /* before anybody else may take it */
        CHECK_MSG(clock.monotonic(NULL) - begun < options.duration, "lost after %lld ms",
                  (long long)(clock.monotonic(NULL) - begun) / 1000000);
    }
    CHECK(!kube_lease_release(lease));
    fake_api_stop(api);
}

/* A clock on which the thread that renews stands still from `hold` to `go`; then much time has
 * passed. */
static struct {
    struct clock real;
    pthread_t of_test;
    atomic_bool hold, waits, go;
} held_clock;

static int64_t
held_monotonic(void *context)
{
    const int64_t now = held_clock.real.monotonic(context);

    if (!held_clock.hold || pthread_equal(pthread_self(), held_clock.of_test)) {
        return now;
    }
    held_clock.waits = true;
    while (!held_clock.go) {
        sleep_ms(1);
    }
    sleep_ms(50); /* until the Lease is being given up */
    return now + 100 * SECOND;
}

/* A renewal that fails too late, while all is written and the Lease is given up. */
static void
test_not_lost_while_given_up(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];
    atomic_bool halt = false;

    held_clock.real = options.client.clock;
    held_clock.of_test = pthread_self();
    options.client.clock.monotonic = held_monotonic;
    options.halt = &halt;
    struct kube_lease *lease = kube_lease_acquire(&options, other, &err);

    if (CHECK_OK(lease != NULL, err)) {
        held_clock.hold = true;
        CHECK(becomes(&held_clock.waits));
        fake_api_fail(api, "PUT", LEASE_PATH, 503, "later", 1000);
        held_clock.go = true;
    }
    CHECK(kube_lease_release(lease));
    CHECK(!halt);
    fake_api_stop(api);
}

static void
test_no_right(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];

    fake_api_fail(api, "GET", LEASE_PATH, 403, "no Leases for you", 10);
    CHECK(kube_lease_acquire(&options, other, &err) == NULL);
    CHECK_INT(err.code, ERROR_FORBIDDEN);
    CHECK_CONTAINS(err.message, "no Leases for you");
    fake_api_stop(api);
}

/* The deadline counts for taking it, whatever its server asks for. */
static void
test_no_time(void)
{
    struct fake_api *api = serve_leases();
    struct kube_config config;
    struct kube_lease_options options = lease_options(api, &config);
    struct error err = ERROR_INIT;
    char other[LEASE_HOLDER_MAX];

    options.client.deadline = SECOND / 2;
    fake_api_fail(api, "GET", LEASE_PATH, 429, "come back later", 1000);
    CHECK(kube_lease_acquire(&options, other, &err) == NULL);
    CHECK_INT(err.code, ERROR_DEADLINE);
    CHECK_CONTAINS(err.message, "come back later");
    CHECK(fake_api_count(api, "GET", LEASE_PATH) < 20);
    fake_api_stop(api);
}

void suite_kube_lease(void);

void
suite_kube_lease(void)
{
    check_suite("kube lease");
    check_test("expiry is by our own clock", test_by_own_clock);
    check_test("a change is a sign of life", test_a_change_is_a_sign_of_life);
    check_test("free Leases", test_free);
    check_test("taken, kept, given up", test_take_keep_and_give_up);
    check_test("an expired one is taken over", test_expired_is_taken_over);
    check_test("held by another", test_held_by_another);
    check_test("somebody is quicker", test_somebody_is_quicker);
    check_test("taken away", test_taken_away);
    check_test("changed, but still ours", test_changed_but_still_ours);
    check_test("cannot be renewed", test_cannot_be_renewed);
    check_test("not lost while it is given up", test_not_lost_while_given_up);
    check_test("no right to it", test_no_right);
    check_test("no time for it", test_no_time);
}
