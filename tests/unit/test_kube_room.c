/* SPDX-License-Identifier: Apache-2.0
 *
 * What a client asks for while answers that have come wait to be looked at.
 */
#include <time.h>

#include "ballast/kube/kube_engine.h"
#include "check.h"
#include "kube_test.h"

static const struct step fine = {.raw = OK};

struct rig {
    struct script script;
    struct fault_server *server;
    struct kube_config config;
    struct kube_engine *engine;
    struct kube_client *client;
};

static void
set_up(struct rig *rig, struct byte_budget *budget)
{
    struct kube_client_options options = fast_options();
    struct error err = ERROR_INIT;

    *rig = (struct rig){.script = {&fine, 1}, .engine = kube_engine_new(8)};
    rig->server = fault_server_start(
        &(struct fault_options){.is_clear = true, .handler = script_play, .context = &rig->script});
    rig->config = clear_config(rig->server);
    options.engine = rig->engine;
    options.budget = budget;
    rig->client = kube_client_new(&rig->config, &options, &err);
    CHECK_OK(rig->client != NULL, err);
}

static void
tear_down(struct rig *rig)
{
    kube_client_free(rig->client);
    fault_server_stop(rig->server);
    kube_engine_free(rig->engine);
}

static void
release(void *context, struct kube_request *request)
{
    (void)context;
    CHECK_INT(request->error.code, ERROR_NONE);
    kube_request_release(request);
}

/* Takes what comes for a while, and tells nobody. */
static void
poll_for_a_while(struct kube_engine *engine)
{
    for (int i = 0; i < 50; i++) {
        const struct timespec pause = {.tv_nsec = 1000000};

        kube_engine_poll(engine);
        nanosleep(&pause, NULL);
    }
}

/* An answer of 12 bytes is there; whoever asked was told, or not yet. */
static void
have_an_answer(struct rig *rig, const struct byte_budget *budget, struct kube_request *request,
               bool is_told)
{
    if (is_told) {
        kube_perform(rig->client, request, 1);
    } else {
        kube_start(rig->client, request, release, NULL);
        for (int i = 0; i < 100 && budget->used < 12; i++) {
            poll_for_a_while(rig->engine);
        }
    }
    CHECK_INT(budget->used, 12);
}

/* Where what nobody looked at yet is a good part of all the room, more is asked for later, and not
 * only to be broken off. What somebody holds who was told is no reason. */
static void
test_asks_for_no_more_than_it_takes(void)
{
    static const struct {
        size_t limit;
        bool is_told;
        unsigned requests;
    } rows[] = {{40, false, 1}, {48, false, 2}, {40, true, 2}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct byte_budget budget = {.limit = rows[i].limit};
        struct byte_budget part = {.limit = 20, .whole = &budget};
        struct kube_request first = {.method = KUBE_GET, .path = "/a"};
        struct kube_request second = {.method = KUBE_GET, .path = "/b", .budget = &part};
        struct rig rig;

        set_up(&rig, &budget);
        have_an_answer(&rig, &budget, &first, rows[i].is_told);
        kube_start(rig.client, &second, release, NULL);
        poll_for_a_while(rig.engine);
        CHECK_INT(kube_client_statistics(rig.client).requests, rows[i].requests);
        kube_engine_run(rig.engine);
        CHECK_INT(kube_client_statistics(rig.client).requests, 2);
        kube_request_release(&first);
        CHECK_INT(budget.used, 0);
        tear_down(&rig);
    }
}

void suite_kube_room(void);

void
suite_kube_room(void)
{
    check_suite("kube room");
    check_test("asks for no more than it takes", test_asks_for_no_more_than_it_takes);
}
