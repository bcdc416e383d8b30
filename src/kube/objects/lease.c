/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes a Lease, renews it in a thread and gives it up. Every write is a whole Lease with the
 * resourceVersion that was read: the server refuses one of two concurrent writers, and foreign
 * fields stay.
 */
#include "ballast/base/clock.h"
#include "ballast/kube/kube_lease.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ballast/base/heap.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/kube/kube_text.h"
#include "kube/request/client_state.h"
#include "lease_record.h"

#define LEASE_TEXT_MAX ((size_t)1 << 20)
#define AS_MANY_AS_FIT 0u /* only the deadline bounds the tries */
#define POLL_MAX NANOS_PER_SECOND
#define POLL_STEP (NANOS_PER_SECOND / 20)

struct kube_lease {
    struct kube_lease_options options;
    struct kube_client *client;
    struct buf collection, path; /* of all Leases in the namespace, and of this Lease */
    struct document *current;    /* the server's state; NULL: no Lease exists */
    struct lease_view view;
    bool has_looked_around;
    int64_t renewed; /* monotonic, before the last renewal was sent */
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool ended; /* guarded by mutex, like `lost` */
    bool lost;
};

static int64_t
monotonic(const struct kube_lease *lease)
{
    const struct clock *clock = &lease->options.client.clock;

    return clock->monotonic(clock->context);
}

static int64_t
wall(const struct kube_lease *lease)
{
    const struct clock *clock = &lease->options.client.clock;

    return clock->wall(clock->context);
}

/* Short enough that a renewal and the look after a conflict end before the Lease expires. */
static int64_t
try_timeout(const struct kube_lease *lease)
{
    return lease->options.duration / 8;
}

static bool
take_answer(struct kube_lease *lease, struct kube_request *request, struct error *err)
{
    struct document *document = NULL;

    if (request->error.code == ERROR_NONE) {
        document = document_parse_json(buf_text(&request->reply), request->reply.length, 1, err);
    } else {
        *err = request->error;
    }
    kube_request_release(request);
    if (document == NULL) {
        return false;
    }
    document_free(lease->current);
    lease->current = document;
    lease_see(&lease->view, document_root(document), monotonic(lease));
    return true;
}

/* Takes the response to a GET; a 404 is no error. */
static bool
take_look(struct kube_lease *lease, struct kube_request *request, struct error *err)
{
    struct error failure = ERROR_INIT;

    if (take_answer(lease, request, &failure)) {
        return true;
    }
    if (request->status != 404) {
        *err = failure;
        return false;
    }
    document_free(lease->current);
    lease->current = NULL;
    lease_see(&lease->view, NULL, monotonic(lease));
    return true;
}

static bool
look(struct kube_lease *lease, uint32_t tries, int64_t timeout, struct error *err)
{
    struct kube_request request = {
        .method = KUBE_GET, .path = buf_text(&lease->path), .max_tries = tries, .timeout = timeout};

    kube_perform(lease->client, &request, 1);
    return take_look(lease, &request, err);
}

/* Reads the Lease; the first time together with the landmark. */
static bool
look_around(struct kube_lease *lease, struct error *err)
{
    enum { LEASE, LANDMARK };
    struct kube_request requests[] = {
        [LEASE] = {.method = KUBE_GET, .path = buf_text(&lease->path)},
        [LANDMARK] = {.method = KUBE_GET, .path = lease->options.landmark, .max_tries = 1},
    };

    if (lease->options.landmark == NULL || lease->has_looked_around) {
        return look(lease, AS_MANY_AS_FIT, 0, err);
    }
    kube_perform(lease->client, requests, 2);
    lease->has_looked_around = true;
    *lease->options.is_elsewhere = requests[LANDMARK].status == 404;
    if (*lease->options.is_elsewhere) {
        *err = requests[LANDMARK].error;
        kube_request_release(&requests[LEASE]);
    }
    kube_request_release(&requests[LANDMARK]);
    return !*lease->options.is_elsewhere && take_look(lease, &requests[LEASE], err);
}

static bool
send_lease(struct kube_lease *lease, const struct value *root, uint32_t tries, int64_t timeout,
           struct error *err)
{
    bool exists = lease->current != NULL;
    struct buf body;

    buf_init(&body, LEASE_TEXT_MAX);
    value_write_json(root, false, &body);
    struct kube_request request = {
        .method = exists ? KUBE_PUT : KUBE_POST,
        .path = buf_text(exists ? &lease->path : &lease->collection),
        .query = "fieldManager=ballast",
        .body = buf_text(&body),
        .body_length = body.length,
        .repeatable = true, /* a second one is a conflict */
        .max_tries = tries,
        .timeout = timeout,
    };

    kube_perform(lease->client, &request, 1);
    buf_release(&body);
    return take_answer(lease, &request, err);
}

/* Writes the Lease with the merge patch `change` applied. */
static bool
put(struct kube_lease *lease, const struct buf *change, uint32_t tries, int64_t timeout,
    struct error *err)
{
    struct document *patch = document_parse_json(buf_text(change), change->length, 1, err);
    struct document *merged = NULL;
    bool done = false;

    if (patch != NULL) {
        merged = document_merge(lease->current != NULL ? document_root(lease->current) : NULL,
                                document_root(patch));
        done = send_lease(lease, document_root(merged), tries, timeout, err);
    }
    document_free(merged);
    document_free(patch);
    return done;
}

static bool
claim(struct kube_lease *lease, struct error *err)
{
    struct buf change;

    buf_init(&change, LEASE_TEXT_MAX);
    lease_write_claim(&lease->options, &lease->view, wall(lease), &change);
    lease->renewed = monotonic(lease);
    bool done = put(lease, &change, AS_MANY_AS_FIT, 0, err);

    buf_release(&change);
    return done;
}

static bool
is_ours(const struct kube_lease *lease)
{
    return lease->current != NULL && str_eq(lease->view.holder, lease->options.holder);
}

static void
pause_for(const struct kube_lease *lease, int64_t span)
{
    for (int64_t slept = 0; slept < span && !*lease->options.stop; slept += POLL_STEP) {
        int64_t step = span - slept < POLL_STEP ? span - slept : POLL_STEP;
        struct timespec time = {.tv_sec = (time_t)(step / NANOS_PER_SECOND),
                                .tv_nsec = (long)(step % NANOS_PER_SECOND)};

        nanosleep(&time, NULL);
    }
}

static bool
await(struct kube_lease *lease, int64_t begun, struct error *err)
{
    int64_t poll = lease->options.renew_period / 2;

    while (!*lease->options.stop) {
        if (!look_around(lease, err)) {
            return false;
        }
        int64_t now = monotonic(lease);

        if (lease_state(&lease->view, lease->options.duration, now) != LEASE_HELD) {
            return true;
        }
        if (lease->view.changes > 0 && now - begun >= lease->options.wait) {
            return error_set(err, ERROR_CONFLICT, "another run is under way: %s",
                             lease->view.holder);
        }
        pause_for(lease, poll < POLL_MAX ? poll : POLL_MAX);
    }
    return error_set(err, ERROR_STOPPED, "stopped while waiting for another run");
}

static bool
acquire(struct kube_lease *lease, struct error *err)
{
    int64_t begun = monotonic(lease);

    for (;;) {
        struct error failure = ERROR_INIT;

        if (!await(lease, begun, err)) {
            return false;
        }
        if (claim(lease, &failure)) {
            return true;
        }
        if (failure.code != ERROR_CONFLICT) {
            *err = failure;
            return false;
        }
        /* another run was quicker, or the response to this claim was lost */
        if (look(lease, AS_MANY_AS_FIT, 0, &failure) && is_ours(lease)) {
            return true;
        }
    }
}

enum renewal { RENEWED, NOT_RENEWED, TAKEN };

static enum renewal
renew(struct kube_lease *lease)
{
    struct error err = ERROR_INIT;
    struct buf change;
    int64_t begun = monotonic(lease);

    buf_init(&change, LEASE_TEXT_MAX);
    lease_write_renewal(wall(lease), &change);
    bool done = put(lease, &change, 1, try_timeout(lease), &err);

    buf_release(&change);
    if (done) {
        lease->renewed = begun;
        return RENEWED;
    }
    /* another run changed it, or an earlier renewal succeeded and its response was lost */
    bool is_stale = err.code == ERROR_CONFLICT || err.code == ERROR_NOT_FOUND;

    return is_stale && look(lease, 1, try_timeout(lease), &err) && !is_ours(lease) ? TAKEN
                                                                                   : NOT_RENEWED;
}

/* False if the run gives the Lease up. */
static bool
sleep_for(struct kube_lease *lease, int64_t span)
{
    struct timespec until = clock_deadline(span);

    pthread_mutex_lock(&lease->mutex);
    while (!lease->ended && pthread_cond_timedwait(&lease->wake, &lease->mutex, &until) == 0) {
    }
    bool ended = lease->ended;

    pthread_mutex_unlock(&lease->mutex);
    return !ended;
}

/* A run that gives the Lease up itself has written everything, and loses nothing. */
static void
lose(struct kube_lease *lease)
{
    pthread_mutex_lock(&lease->mutex);
    if (!lease->ended) {
        lease->lost = true;
        if (lease->options.halt != NULL) {
            *lease->options.halt = true;
        }
    }
    pthread_mutex_unlock(&lease->mutex);
}

static void *
keep(void *context)
{
    struct kube_lease *lease = context;
    int64_t renew_deadline = lease->options.duration / 3 * 2;
    enum renewal renewal = RENEWED;

    while (sleep_for(lease, renewal == RENEWED ? lease->options.renew_period
                                               : lease->options.renew_period / 4)) {
        renewal = renew(lease);
        if (renewal == TAKEN || monotonic(lease) - lease->renewed >= renew_deadline) {
            lose(lease);
            break;
        }
    }
    return NULL;
}

/* Blocks all signals in the thread: they are for the main thread. */
static bool
start_thread(struct kube_lease *lease, struct error *err)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&lease->thread, NULL, keep, lease);

    pthread_sigmask(SIG_SETMASK, &before, NULL);
    lease->has_thread = failure == 0;
    return lease->has_thread || error_set_errno(err, failure, "renewing the Lease");
}

static struct kube_lease *
lease_new(const struct kube_lease_options *options)
{
    struct kube_lease *lease = heap_new(1, sizeof(*lease));
    pthread_condattr_t attributes;

    lease->options = *options;
    if (options->client.deadline > 0) {
        lease->options.client.deadline = timestamp_add(options->client.deadline, options->wait);
    }
    lease->options.client.stop = NULL;
    lease->options.client.concurrency = 2; /* the first look is two requests */
    lease->options.client.plugin_timeout = options->duration / 2; /* before the Lease expires */
    buf_init(&lease->collection, KUBE_PATH_MAX);
    buf_append_str(&lease->collection, "/apis/coordination.k8s.io/v1/namespaces/");
    kube_append_segment(&lease->collection, options->namespace_);
    buf_append_str(&lease->collection, "/leases");
    buf_init(&lease->path, KUBE_PATH_MAX);
    buf_printf(&lease->path, "%s/", buf_text(&lease->collection));
    kube_append_segment(&lease->path, options->name);
    pthread_mutex_init(&lease->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&lease->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    return lease;
}

static void
lease_free(struct kube_lease *lease)
{
    if (lease->options.statistics != NULL && lease->client != NULL) {
        struct kube_statistics cost = kube_client_statistics(lease->client);

        kube_statistics_add(lease->options.statistics, &cost);
    }
    pthread_cond_destroy(&lease->wake);
    pthread_mutex_destroy(&lease->mutex);
    document_free(lease->current);
    buf_release(&lease->collection);
    buf_release(&lease->path);
    kube_client_free(lease->client);
    free(lease);
}

struct kube_lease *
kube_lease_acquire(const struct kube_lease_options *options, char ret_holder[LEASE_HOLDER_MAX],
                   struct error *err)
{
    struct kube_lease *lease = lease_new(options);

    ret_holder[0] = '\0';
    lease->client = kube_client_new(options->config, &lease->options.client, err);
    if (lease->client == NULL || !acquire(lease, err)) {
        snprintf(ret_holder, LEASE_HOLDER_MAX, "%s", lease->view.holder);
        if (options->is_elsewhere == NULL || !*options->is_elsewhere) {
            error_wrap(err, "Lease %s/%s", options->namespace_, options->name);
        }
        lease_free(lease);
        return NULL;
    }
    client_set_deadline(lease->client, 0); /* each renewal has its own timeout */
    lease->client->options.watch = NULL;   /* renewals run in another thread */
    if (!start_thread(lease, err)) {
        kube_lease_release(lease);
        return NULL;
    }
    return lease;
}

static void
end_thread(struct kube_lease *lease)
{
    pthread_mutex_lock(&lease->mutex);
    lease->ended = true;
    pthread_cond_signal(&lease->wake);
    pthread_mutex_unlock(&lease->mutex);
    pthread_join(lease->thread, NULL);
}

bool
kube_lease_release(struct kube_lease *lease)
{
    struct error err = ERROR_INIT; /* ignored: the next run waits until the Lease expires */
    struct buf change;

    if (lease == NULL) {
        return true;
    }
    if (lease->has_thread) {
        end_thread(lease);
    }
    const bool was_held = !lease->lost;

    if (was_held) {
        client_set_deadline(lease->client, lease->options.duration / 2);
        buf_init(&change, LEASE_TEXT_MAX);
        lease_write_release(wall(lease), &change);
        if (!put(lease, &change, 2, try_timeout(lease), &err) && err.code == ERROR_CONFLICT &&
            look(lease, 1, try_timeout(lease), &err) && is_ours(lease)) {
            put(lease, &change, 1, try_timeout(lease), &err);
        }
        buf_release(&change);
    }
    lease_free(lease);
    return was_held;
}
