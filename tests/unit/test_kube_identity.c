/* SPDX-License-Identifier: Apache-2.0
 *
 * Who we are is one thing for all clients of a configuration: how often the
 * exec plugin is run, by how many requests and threads, and whom its failure
 * answers.
 */
#include "kube/identity/identity.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "check.h"
#include "kube_test.h"
#include "temp_dir.h"

#define N_REQUESTS 20
#define N_THREADS 4

/* Counts its runs and gives the count as the token, slowly enough for others to come and wait. From
 * the run on that the file "fails" names it fails; where there is a file "expires", what it says
 * has expired at once by the tests' clock. */
static const char script[] =
    "#!/bin/sh\ncd \"${0%/*}\"\necho x >> runs\nn=$(wc -l < runs)\nsleep 0.1\n"
    "[ -e fails ] && [ \"$n\" -ge \"$(cat fails)\" ] && exit 7\n"
    "[ -e expires ] && more=',\"expirationTimestamp\":\"1970-01-01T00:00:01Z\"'\n"
    "echo '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",'\n"
    "echo \"\\\"status\\\":{\\\"token\\\":\\\"t$n\\\"$more}}\"\n";

/* A server that wants another token than "t1" where `refuses`, and a configuration for it. */
struct world {
    bool refuses;
    struct fault_server *server;
    struct temp_dir dir;
    struct kube_config config;
};

static bool
answer(void *context, struct fault_connection *connection, const struct fault_request *request)
{
    const struct world *world = context;
    bool is_first = strstr(request->head, "Bearer t1\r\n") != NULL;
    const char *text = world->refuses && is_first ? STATUS("401 x", "") : OK;

    return fault_write(connection, text, strlen(text));
}

static void
world_init(struct world *world, bool refuses)
{
    static const char exec[] =
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"interactiveMode\":\"Never\","
        "\"command\":\"./plugin\"}";
    struct fault_options fault = {.is_clear = true, .handler = answer, .context = world};
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(exec, sizeof(exec) - 1, 1, &err);

    *world = (struct world){.refuses = refuses, .dir = temp_dir_make()};
    world->server = fault_server_start(&fault);
    world->config = clear_config(world->server);
    temp_write(&world->dir, "plugin", script, 0700);
    world->config.exec = kube_exec_from(document_root(document), world->dir.path, &err);
    world->config.identity = identity_new(&world->config);
    document_free(document);
}

static void
world_release(struct world *world)
{
    fault_server_stop(world->server);
    identity_free(world->config.identity);
    kube_exec_free(world->config.exec);
    temp_dir_remove(&world->dir);
}

static size_t
count_runs(const struct world *world)
{
    struct secret runs = {.data = NULL};
    struct error err = ERROR_INIT;

    secret_read_file(temp_path(&world->dir, "runs"), 4096, &runs, &err);
    size_t count = runs.length / 2;

    secret_wipe(&runs);
    return count;
}

/* A batch with a client of its own; how many of it failed, with the last one's error. */
static unsigned
perform(const struct kube_config *config, struct error *ret)
{
    struct kube_client_options options = fast_options();
    struct kube_request requests[N_REQUESTS];
    unsigned failed = 0;

    options.deadline = 0; /* a plugin takes the world's time */
    options.request_timeout = 10 * NANOS_PER_SECOND;
    struct kube_client *client = kube_client_new(config, &options, ret);

    if (client == NULL) {
        return N_REQUESTS;
    }
    for (unsigned i = 0; i < N_REQUESTS; i++) {
        requests[i] = (struct kube_request){.method = KUBE_GET, .path = "/x"};
    }
    kube_perform(client, requests, N_REQUESTS);
    for (unsigned i = 0; i < N_REQUESTS; i++) {
        if (requests[i].error.code != ERROR_NONE) {
            *ret = requests[i].error;
            failed++;
        }
        buf_release(&requests[i].reply);
    }
    kube_client_free(client);
    return failed;
}

struct worker {
    const struct kube_config *config;
    pthread_t thread;
    unsigned failed;
    struct error err;
};

static void *
work(void *context)
{
    struct worker *worker = context;

    worker->failed = perform(worker->config, &worker->err);
    return NULL;
}

/* The same batch in some threads at once; how many requests failed in all. */
static unsigned
perform_in_threads(const struct world *world, struct error *ret)
{
    struct worker workers[N_THREADS];
    unsigned failed = 0;

    for (int i = 0; i < N_THREADS; i++) {
        workers[i] = (struct worker){.config = &world->config};
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        failed += workers[i].failed;
        *ret = workers[i].err;
    }
    return failed;
}

static void
test_once_for_all_clients(void)
{
    struct error err = ERROR_INIT;
    struct world world;

    world_init(&world, false);
    CHECK_INT(perform_in_threads(&world, &err), 0);
    CHECK_INT(perform(&world.config, &err), 0);
    CHECK_OK(err.code == ERROR_NONE, err);
    CHECK_INT(count_runs(&world), 1);
    CHECK_INT(identity_runs(world.config.identity), 1);
    CHECK_INT(fault_server_requests(world.server), (N_THREADS + 1) * N_REQUESTS);
    world_release(&world);
}

static void
test_once_more_after_401(void)
{
    struct error err = ERROR_INIT;
    struct world world;

    world_init(&world, true);
    CHECK_INT(perform_in_threads(&world, &err), 0);
    CHECK_OK(err.code == ERROR_NONE, err);
    CHECK_INT(count_runs(&world), 2);
    world_release(&world);
}

static void
test_expired_is_asked_again(void)
{
    struct error err = ERROR_INIT;
    struct world world;

    world_init(&world, false);
    temp_write(&world.dir, "expires", "", 0600);
    CHECK_INT(perform(&world.config, &err), 0);
    CHECK(count_runs(&world) > 1);
    world_release(&world);
}

static void
test_one_failure_answers_all(void)
{
    struct error err = ERROR_INIT;
    struct world world;

    world_init(&world, false);
    temp_write(&world.dir, "fails", "1", 0600);
    CHECK_INT(perform_in_threads(&world, &err), N_THREADS * N_REQUESTS);
    CHECK_CONTAINS(err.message, "/plugin: it failed with exit status 7");
    /* a thread that came when the others had their answer asks again */
    CHECK_MSG(count_runs(&world) <= N_THREADS, "%zu runs", count_runs(&world));
    CHECK_INT(fault_server_requests(world.server), 0);

    size_t before = count_runs(&world);

    CHECK_INT(perform(&world.config, &err), N_REQUESTS);
    CHECK_INT(count_runs(&world), before + 1);
    temp_write(&world.dir, "fails", "99", 0600); /* what comes later is not held to it */
    CHECK_INT(perform(&world.config, &err), 0);
    CHECK_INT(count_runs(&world), before + 2);
    world_release(&world);
}

static void
test_one_failure_after_401(void)
{
    struct error err = ERROR_INIT;
    struct world world;

    world_init(&world, true);
    temp_write(&world.dir, "fails", "2", 0600);
    CHECK_INT(perform(&world.config, &err), N_REQUESTS);
    CHECK_CONTAINS(err.message, "/plugin: it failed with exit status 7");
    CHECK_INT(count_runs(&world), 2);
    world_release(&world);
}

/* --- who waits for another's run ----------------------------------------------------------------
 */

struct asker {
    struct kube_identity *identity;
    struct identity_ask ask;
    pthread_t thread;
    struct error err;
    bool is_known;
};

static void *
ask(void *context)
{
    struct asker *asker = context;
    struct identity_view view;

    asker->is_known = identity_get(asker->identity, &asker->ask, &view, &asker->err);
    identity_view_release(&view);
    return NULL;
}

/* While one thread runs a plugin that never answers, others come whose patience ends sooner; the
 * one that runs it is stopped at last, which is no answer for one that still waits. */
static void
test_waiting_ends(void)
{
    struct kube_client_options options = fast_options();
    atomic_bool stop = false;
    const atomic_bool stopped = true;
    struct world world;
    struct asker askers[4];

    world_init(&world, false);
    temp_write(&world.dir, "plugin",
               "#!/bin/sh\ncd \"${0%/*}\"\necho x >> runs\n"
               "[ $(wc -l < runs) -gt 1 ] && exit 7\nsleep 100\n",
               0700);
    for (int i = 0; i < 4; i++) {
        askers[i] = (struct asker){
            .identity = world.config.identity,
            .ask = {.clock = &options.clock, .limits = {.timeout = 60 * NANOS_PER_SECOND}}};
    }
    askers[0].ask.limits.stop = &stop;
    askers[1].ask.limits.timeout = MS;
    askers[2].ask.limits.stop = &stopped;
    pthread_create(&askers[0].thread, NULL, ask, &askers[0]);
    while (count_runs(&world) == 0) {
        const struct timespec pause = {.tv_nsec = 5000000};

        nanosleep(&pause, NULL);
    }
    ask(&askers[1]);
    CHECK_INT(askers[1].err.code, ERROR_DEADLINE);
    ask(&askers[2]);
    CHECK_INT(askers[2].err.code, ERROR_STOPPED);
    pthread_create(&askers[3].thread, NULL, ask, &askers[3]);
    stop = true;
    pthread_join(askers[0].thread, NULL);
    pthread_join(askers[3].thread, NULL);
    CHECK_INT(askers[0].err.code, ERROR_STOPPED);
    CHECK_CONTAINS(askers[3].err.message, "exit status 7");
    CHECK_INT(count_runs(&world), 2);
    world_release(&world);
}

/* --- a token file -------------------------------------------------------------------------------
 */

static bool
ask_for_token(struct kube_identity *identity, uint32_t refused, struct error *err)
{
    struct kube_client_options options = fast_options();
    struct identity_ask ask = {.clock = &options.clock, .refused = refused};
    struct identity_view view;
    bool is_known = identity_get(identity, &ask, &view, err);

    identity_view_release(&view);
    return is_known;
}

/* Who opens a FIFO that nobody writes to waits for ever, with all others behind it. */
static void
test_token_fifo(void)
{
    struct temp_dir dir = temp_dir_make();
    char *path = str_print("%s", temp_write(&dir, "token", "t1\n", 0600));
    struct kube_config config = {.token_file = path};
    struct error err = ERROR_INIT;

    alarm(60);
    config.identity = identity_new(&config);
    CHECK_OK(ask_for_token(config.identity, 0, &err), err);
    CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
    CHECK_OK(ask_for_token(config.identity, 0, &err), err); /* the token that is known */
    identity_free(config.identity);

    config.identity = identity_new(&config);
    CHECK(!ask_for_token(config.identity, 0, &err));
    CHECK_INT(err.code, ERROR_IO);
    CHECK_CONTAINS(err.message, "token: this is no regular file");
    identity_free(config.identity);
    alarm(0);
    free(path);
    temp_dir_remove(&dir);
}

void suite_kube_identity(void);

void
suite_kube_identity(void)
{
    check_suite("kube_identity");
    check_test("a plugin is run once for all clients", test_once_for_all_clients);
    check_test("and once more after a 401", test_once_more_after_401);
    check_test("and when what it said has expired", test_expired_is_asked_again);
    check_test("one failure answers all that wait", test_one_failure_answers_all);
    check_test("also after a 401", test_one_failure_after_401);
    check_test("waiting for another's run ends", test_waiting_ends);
    check_test("a token file that became a FIFO holds nobody up", test_token_fifo);
}
