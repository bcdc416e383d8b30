/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the credentials that change during a run: the token file's and the exec plugin's.
 */
#include "identity.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "ballast/base/clock.h"
#include "ballast/base/heap.h"
#include "ballast/base/secret.h"
#include "ballast/base/timestamp.h"

#define TOKEN_MAX ((size_t)1 << 20)
#define READ_AGAIN NANOS_PER_MINUTE
#define LOOK_AT_STOP (NANOS_PER_SECOND / 20)

struct kube_identity {
    const struct kube_config *config;
    pthread_mutex_t mutex; /* guards all members below; not held while the plugin runs */
    pthread_cond_t ended;  /* signals the end of the plugin's run */
    struct secret token;   /* from the token file */
    struct timespec modified;
    int64_t read_at; /* monotonic */
    struct kube_credential plugin;
    bool has_plugin; /* `plugin` is set */
    bool is_running;
    uint32_t runs;
    uint32_t failed_run; /* the last run's number if it failed by itself, else 0 */
    struct error failure;
    uint32_t generation;
};

static void
init_mutex(struct kube_identity *identity)
{
    pthread_condattr_t attributes;

    pthread_mutex_init(&identity->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&identity->ended, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct kube_identity *
identity_new(const struct kube_config *config)
{
    struct kube_identity *identity = heap_new(1, sizeof(*identity));

    identity->config = config;
    identity->plugin.expires = TIME_NONE;
    init_mutex(identity);
    return identity;
}

void
identity_free(struct kube_identity *identity)
{
    if (identity == NULL) {
        return;
    }
    secret_wipe(&identity->token);
    kube_credential_release(&identity->plugin);
    pthread_cond_destroy(&identity->ended);
    pthread_mutex_destroy(&identity->mutex);
    free(identity);
}

static bool
read_token(struct kube_identity *identity, struct error *err)
{
    struct secret token = {.data = NULL};
    const char *path = identity->config->token_file;

    if (!secret_read_regular_file(path, TOKEN_MAX, &token, err)) {
        return error_wrap(err, "tokenFile");
    }
    secret_trim(&token);
    bool is_fine = true;

    if (token.length == 0) {
        is_fine = error_set(err, ERROR_CONFIG, "tokenFile: %s: it is empty", path);
    } else if (!secret_fits_header(token.data, token.length)) {
        is_fine = error_set(err, ERROR_CONFIG, "tokenFile: %s: this is no token", path);
    } else {
        secret_move(&identity->token, &token);
    }
    secret_wipe(&token);
    return is_fine;
}

/* Reads the token file again if it changed, after a 401, and every minute in case its time does not
 * change. A known token outlives an unreadable file: the file may be in replacement. */
static bool
refresh_token(struct kube_identity *identity, const struct identity_ask *ask, struct error *err)
{
    int64_t now = ask->clock->monotonic(ask->clock->context);
    struct stat info = {.st_size = 0};
    struct error why = ERROR_INIT;
    bool is_known = identity->token.data != NULL;
    bool is_refused = identity->generation == ask->refused;
    bool is_changed = stat(identity->config->token_file, &info) != 0 ||
                      info.st_mtim.tv_sec != identity->modified.tv_sec ||
                      info.st_mtim.tv_nsec != identity->modified.tv_nsec;

    if (is_known && !is_refused && !is_changed && now - identity->read_at < READ_AGAIN) {
        return true;
    }
    if (read_token(identity, &why)) {
        identity->modified = info.st_mtim;
        identity->read_at = now;
        identity->generation++;
    } else if (!is_known && identity->config->token.data == NULL) {
        *err = why;
        return false;
    }
    return true;
}

static bool
has_good_plugin(const struct kube_identity *identity, const struct identity_ask *ask)
{
    const struct kube_credential *plugin = &identity->plugin;
    bool has_expired =
        plugin->expires != TIME_NONE && plugin->expires <= ask->clock->wall(ask->clock->context);

    return identity->has_plugin && !has_expired && identity->generation != ask->refused;
}

/* Keeps a failure for the waiting threads, unless the caller's own stop or deadline cut the run
 * short. */
static void
note_failure(struct kube_identity *identity, const struct identity_ask *ask,
             const struct error *err)
{
    bool was_hurried = err->code == ERROR_DEADLINE && ask->limits.timeout < EXEC_TIMEOUT;

    if (err->code != ERROR_STOPPED && !was_hurried) {
        identity->failed_run = identity->runs;
        identity->failure = *err;
    }
}

static bool
run_plugin(struct kube_identity *identity, const struct identity_ask *ask, struct error *err)
{
    struct kube_credential fresh = {.expires = TIME_NONE};

    identity->is_running = true;
    pthread_mutex_unlock(&identity->mutex);
    bool is_fine = kube_exec_run(identity->config, &ask->limits, &fresh, err);

    pthread_mutex_lock(&identity->mutex);
    identity->is_running = false;
    identity->runs++;
    identity->failed_run = 0;
    if (is_fine) {
        kube_credential_release(&identity->plugin);
        identity->plugin = fresh;
        identity->has_plugin = true;
        identity->generation++;
    } else {
        note_failure(identity, ask, err);
    }
    pthread_cond_broadcast(&identity->ended);
    return is_fine;
}

static bool
await_plugin(struct kube_identity *identity, const struct identity_ask *ask, struct error *err)
{
    int64_t end = clock_monotonic() + ask->limits.timeout;

    while (identity->is_running) {
        int64_t now = clock_monotonic();

        if (ask->limits.stop != NULL && *ask->limits.stop) {
            return error_set(err, ERROR_STOPPED, "stopped by a signal while the exec plugin ran");
        }
        if (now >= end) {
            return error_set(err, ERROR_DEADLINE, "the exec plugin did not answer in time");
        }
        struct timespec until = clock_deadline(end - now < LOOK_AT_STOP ? end - now : LOOK_AT_STOP);

        pthread_cond_timedwait(&identity->ended, &identity->mutex, &until);
    }
    return true;
}

static bool
refresh_plugin(struct kube_identity *identity, const struct identity_ask *ask, struct error *err)
{
    while (!has_good_plugin(identity, ask)) {
        if (identity->failed_run > ask->since) {
            *err = identity->failure;
            return false;
        }
        if (!identity->is_running) {
            return run_plugin(identity, ask, err);
        }
        if (!await_plugin(identity, ask, err)) {
            return false;
        }
    }
    return true;
}

uint32_t
identity_runs(struct kube_identity *identity)
{
    pthread_mutex_lock(&identity->mutex);
    uint32_t runs = identity->runs;

    pthread_mutex_unlock(&identity->mutex);
    return runs;
}

bool
identity_can_change(const struct kube_identity *identity)
{
    return identity->config->token_file != NULL || identity->config->exec != NULL;
}

static void
copy_first(struct secret *ret, const struct secret *a, const struct secret *b)
{
    const struct secret *first = a->data != NULL ? a : b;

    if (first->data != NULL) {
        secret_set(ret, first->data, first->length);
    }
}

/* The token file precedes `token`, as in client-go. */
static void
copy_all(const struct kube_identity *identity, struct identity_view *ret)
{
    const struct kube_config *config = identity->config;
    const struct kube_credential *plugin = &identity->plugin;

    copy_first(&ret->token, identity->token.data != NULL ? &identity->token : &config->token,
               &plugin->token);
    copy_first(&ret->certificate, &plugin->certificate, &config->client_certificate);
    copy_first(&ret->key, &plugin->key, &config->client_key);
    ret->generation = identity->generation;
}

bool
identity_get(struct kube_identity *identity, const struct identity_ask *ask,
             struct identity_view *ret, struct error *err)
{
    const struct kube_config *config = identity->config;

    *ret = (struct identity_view){.generation = 0};
    pthread_mutex_lock(&identity->mutex);
    bool is_known = (config->token_file == NULL || refresh_token(identity, ask, err)) &&
                    (config->exec == NULL || refresh_plugin(identity, ask, err));

    if (is_known) {
        copy_all(identity, ret);
    }
    pthread_mutex_unlock(&identity->mutex);
    return is_known;
}

void
identity_view_release(struct identity_view *view)
{
    secret_wipe(&view->token);
    secret_wipe(&view->certificate);
    secret_wipe(&view->key);
}
