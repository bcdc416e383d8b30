/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a cycle on a live control plane: takes the Lease, runs the cycle, sends Events, and
 * releases the Lease before the report.
 */
#include <stdio.h>
#include <unistd.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/kube/kube_engine.h"
#include "ballast/kube/kube_lease.h"
#include "cli/options/control_plane_client.h"
#include "cli/options/invocation.h"
#include "cli/run/run.h"
#include "cli/run/run_shards.h"
#include "cli/run/telemetry.h"
#include "live.h"
#include "live_contact.h"
#include "live_estimators.h"
#include "live_events.h"
#include "live_platform.h"

#define RESPONSE_MAX ((size_t)256 << 20)
#define EVENTS_TIME_MAX (10 * NANOS_PER_SECOND)
#define NANOS_PER_MILLISECOND (NANOS_PER_SECOND / 1000)
#define MEMBERS_SHARE 2 /* half of the deadline */
#define ANSWERS_SHARE 4 /* a quarter of --memory-limit: responses in flight */
#define SHOWN_SHARE 2   /* half of --memory-limit: data of members */
#define LANDMARK_MAX 64

struct live {
    const struct invocation *invocation;
    const struct control_plane_settings *settings;
    const struct fleet_use *use;
    bool writes;                   /* not a dry run */
    char holder[LEASE_HOLDER_MAX]; /* names this run */
    struct kube_config *config;    /* shared by all clients, so that the server sees one user */
    struct kube_lease *lease;
    struct byte_budget answers; /* bytes of responses in flight, of control plane and members */
    struct kube_engine *engine; /* shared by control plane and Events, with its connections */
    struct kube_client *client;
    struct live_platform platform;
    struct live_estimators estimators;
    struct live_contact contact;
    struct live_events events;
    struct shards_store store;
    struct member_port summaries; /* source of members with --summaries */
    struct error failure;         /* error of reading the control plane */
    struct kube_statistics of_lease, of_events;
    struct kube_statistics of_reading; /* up to the plan, of control plane and members */
    int64_t begun;     /* monotonic start of the deadline, without waiting for another run */
    bool lost;         /* the Lease was lost during the run */
    bool is_elsewhere; /* the server does not know the platform */
    bool is_counted;   /* log_requests has run */
};

static int64_t
monotonic(const struct live *live)
{
    const struct clock *clock = &live->invocation->cli->clock;

    return clock->monotonic(clock->context);
}

/* Sets "pod_1_1f2e3d4c5b6a7988". The random part tells runs apart where process ids are small. */
static void
name_holder(struct live *live)
{
    const struct clock *clock = &live->invocation->cli->clock;
    char host[128] = "";

    if (gethostname(host, sizeof(host) - 1) != 0) {
        host[0] = '\0';
    }
    snprintf(live->holder, sizeof(live->holder), "%s_%ld_%08x%08x",
             host[0] != '\0' ? host : "unknown", (long)getpid(),
             (unsigned)clock->random(clock->context), (unsigned)clock->random(clock->context));
}

static int64_t
time_left(const struct live *live)
{
    return live->settings->deadline - (monotonic(live) - live->begun);
}

static bool
has_passed(const void *context)
{
    const struct live *live = context;

    return live->settings->deadline > 0 && time_left(live) <= 0;
}

static struct kube_config *
load_config(const struct live *live, struct error *err)
{
    const struct kube_config_options how =
        control_plane_config(live->invocation->cli, live->settings);

    return kube_config_load(&how, err);
}

static struct kube_client_options
client_options(struct live *live)
{
    struct kube_client_options how = control_plane_client(live->invocation->cli, live->settings);

    how.deadline = live->settings->deadline;
    how.max_response_bytes = RESPONSE_MAX;
    how.contact = &live->contact.contact;
    how.watch = &live->contact.watch;
    return how;
}

static void
log_step(const struct live *live, const char *what, const char *of)
{
    char text[256];
    struct progress progress = progress_line_port(live->invocation->progress);

    snprintf(text, sizeof(text), "%s %s", what, of);
    progress_report(&progress, text, 0, 0);
}

static bool
lock(struct live *live, struct error *err)
{
    const struct control_plane_settings *settings = live->settings;
    struct progress progress = progress_line_port(live->invocation->progress);
    char other[LEASE_HOLDER_MAX], landmark[LANDMARK_MAX];

    snprintf(landmark, sizeof(landmark), "/apis/%s", live_platform_api(live->platform.platform));
    struct kube_lease_options how = {
        .config = live->config,
        .client = client_options(live),
        .namespace_ = settings->lease_namespace,
        .name = settings->lease_name,
        .holder = live->holder,
        .duration = settings->lease_duration,
        .renew_period = settings->lease_duration / 7,
        .wait = settings->lock_wait,
        .stop = live->invocation->cli->stop,
        .statistics = &live->of_lease,
        .halt = live->invocation->cli->stop,
        .landmark = landmark,
        .is_elsewhere = &live->is_elsewhere,
    };

    log_step(live, "taking the Lease at", live->config->server);
    live->lease = kube_lease_acquire(&how, other, err);
    progress_end(&progress);

    int64_t took = monotonic(live) - live->begun;

    live->begun += took < settings->lock_wait ? took : settings->lock_wait;
    return live->lease != NULL;
}

static void
unlock(struct live *live)
{
    if (!kube_lease_release(live->lease)) {
        live->lost = true;
        log_line(&live->invocation->logger, LOG_ERROR, 0,
                 "the Lease %s/%s was lost: nothing more was written",
                 live->settings->lease_namespace, live->settings->lease_name);
    }
    live->lease = NULL;
}

/* Takes the Lease. Without --platform, tries KubeFed if the server does not know Karmada. */
static bool
lock_either(struct live *live, struct error *err)
{
    bool may_be_other = live->platform.platform == PLATFORM_AUTO;
    bool done = lock(live, err);

    if (!done && may_be_other && live->is_elsewhere) {
        struct error other = ERROR_INIT;

        live->platform.platform = PLATFORM_KUBEFED;
        live->is_elsewhere = false;
        done = lock(live, &other);
        if (live->is_elsewhere) {
            live->platform.platform = PLATFORM_AUTO;
        } else if (!done) {
            *err = other;
        }
    }
    return done;
}

static bool
lock_in_time(struct live *live, struct error *err)
{
    telemetry_phase(live->invocation, "lock", true);
    bool done = lock_either(live, err);

    telemetry_phase(live->invocation, "lock", false);
    return done;
}

static bool
open_plane(struct live *live, struct error *err)
{
    const struct control_plane_settings *settings = live->settings;
    struct kube_client_options client = client_options(live);

    if (settings->deadline > 0) {
        int64_t left = time_left(live);

        client.deadline = left > 0 ? left : 1;
    }
    live->answers.limit = (size_t)settings->memory_limit / ANSWERS_SHARE;
    client.budget = &live->answers;
    client.engine = live->engine = kube_engine_new(settings->concurrency);
    if (!live_estimators_open(live->invocation, client.deadline, &live->estimators, err)) {
        return false;
    }
    if (live->use->from_summaries && !shards_open(live->invocation, &live->store, err)) {
        return false;
    }
    live->summaries = shards_port(live->invocation, live->config->server, &live->store);
    struct control_plane_options shape = {
        .clock = client.clock,
        .page_size = settings->page_size,
        .concurrency = settings->concurrency,
        .members = {.access = settings->member_access,
                    .trust = live->invocation->settings->policy.trust,
                    .timeout = settings->member_timeout,
                    .time = settings->deadline / MEMBERS_SHARE,
                    .memory = (size_t)settings->memory_limit / SHOWN_SHARE,
                    .sources = live->invocation->settings->policy.sources,
                    .budgets = live->use->observes != NULL &&
                               policy_takes_running(&live->invocation->settings->policy),
                    .watch = &live->contact.member_watch},
        .estimators = live->estimators.estimators,
        .workload_labels = policy_selects_labels(&live->invocation->settings->policy),
        .server_dry_run = settings->server_dry_run,
        .port = live->use->from_summaries ? &live->summaries : NULL,
        .observes = live->use->observes,
        .tap = live->use->tap,
        .progress = progress_line_port(live->invocation->progress),
    };

    live->client = kube_client_new(live->config, &client, err);
    if (live->client == NULL) {
        return false;
    }
    live_platform_open(&live->platform, live->client, &shape, live->invocation->settings);
    return true;
}

static uint64_t
estimator_calls(const struct live *live)
{
    const struct estimators *estimators = live->estimators.estimators;

    return estimators != NULL
               ? estimators_stuck_costs(estimators).calls + estimators_room_costs(estimators).calls
               : 0;
}

/* Logs the requests of all clients, once, at the end. */
static void
log_requests(struct live *live)
{
    struct kube_statistics members, all, own;
    const struct kube_statistics of_summaries = shards_statistics(&live->store);
    const char *summaries = "";

    if (live->config == NULL || live->is_counted) {
        return;
    }
    live_platform_statistics(&live->platform, &all, &members);
    own = all;
    kube_statistics_subtract(&own, &members);
    live->is_counted = true;
    telemetry_count(live->invocation->telemetry, "control-plane", &own);
    telemetry_count(live->invocation->telemetry, "members", &members);
    telemetry_count(live->invocation->telemetry, "lease", &live->of_lease);
    telemetry_count(live->invocation->telemetry, "events", &live->of_events);
    kube_statistics_add(&all, &live->of_lease);
    kube_statistics_add(&all, &live->of_events);
    if (live->store.configmaps != NULL) {
        telemetry_count(live->invocation->telemetry, "summaries", &of_summaries);
        kube_statistics_add(&all, &of_summaries);
        summaries = arena_printf(live->invocation->arena, ", summaries %llu",
                                 (unsigned long long)of_summaries.requests);
    }
    log_line(&live->invocation->logger, LOG_INFO, 1,
             "%llu requests (control plane %llu, members %llu, Lease %llu, Events %llu%s), %llu "
             "retries, %llu connections, %llu bytes read; %llu calls of estimators",
             (unsigned long long)all.requests, (unsigned long long)own.requests,
             (unsigned long long)members.requests, (unsigned long long)live->of_lease.requests,
             (unsigned long long)live->of_events.requests, summaries,
             (unsigned long long)all.retries, (unsigned long long)all.connections,
             (unsigned long long)all.bytes_read, (unsigned long long)estimator_calls(live));
}

static void
log_writes(const struct live *live, const struct outcome *outcome)
{
    struct kube_statistics now, of_members;

    live_platform_statistics(&live->platform, &now, &of_members);
    log_line(&live->invocation->logger, LOG_INFO, 1,
             "written: %u of %u bindings, by %llu requests, %llu of them retries",
             (unsigned)outcome->n_done, (unsigned)outcome->n_writes,
             (unsigned long long)(now.requests - live->of_reading.requests),
             (unsigned long long)(now.retries - live->of_reading.retries));
}

static void
log_costs(const struct live *live)
{
    struct source_costs costs[SOURCE_COSTS_MAX];
    uint32_t count = live_platform_costs(&live->platform, costs);
    char span[DURATION_TEXT_MAX];

    for (uint32_t i = 0; i < count; i++) {
        duration_format(costs[i].nanos / NANOS_PER_MILLISECOND * NANOS_PER_MILLISECOND, span);
        log_line(&live->invocation->logger, LOG_INFO, 1,
                 "read from %s: %llu requests, %llu bytes, %s", costs[i].source,
                 (unsigned long long)costs[i].requests, (unsigned long long)costs[i].bytes, span);
    }
}

static int64_t
time_for_events(const struct live *live)
{
    int64_t left = time_left(live);

    return live->settings->deadline == 0 || left > EVENTS_TIME_MAX ? EVENTS_TIME_MAX : left;
}

static void
begin_events(struct live *live, const struct report *report, const char *record)
{
    struct live_events_how how = {
        .config = live->config,
        .client = client_options(live),
        .instance = live->holder,
        .summary =
            {
                .namespace_ = live->settings->lease_namespace,
                .name = live->settings->lease_name,
                .record = record,
                .undone = report->undo != NULL ? undo_records_text(report->undo) : NULL,
            },
    };

    how.client.engine = live->engine;
    how.client.ahead = live->client;
    live_events_begin(&live->events, &how);
}

static void
wrote(void *context, const struct report *report, const char *record,
      const struct write_outcome *write)
{
    struct live *live = context;

    if (!live->writes) {
        return;
    }
    if (!live_events_are_begun(&live->events)) {
        begin_events(live, report, record);
    }
    live_events_send(&live->events, report, write);
}

static void
finish_events(struct live *live, const struct report *report)
{
    if (report->outcome->n_writes == 0 && !report->diagnosis->guard_tripped) {
        return;
    }
    if (!live_events_are_begun(&live->events)) {
        begin_events(live, report, report->record_id);
    }
    telemetry_phase(live->invocation, "events", true);
    live->of_events =
        live_events_finish(&live->events, report, time_for_events(live), &live->invocation->logger);
    telemetry_phase(live->invocation, "events", false);
}

static void
close_cycle(void *context, const struct cycle_result *result)
{
    struct live *live = context;

    if (result->report.outcome != NULL) {
        log_writes(live, result->report.outcome);
    }
    if (live->writes && result->report.outcome != NULL) {
        finish_events(live, &result->report);
    }
    unlock(live);
    log_requests(live);
}

/* The deadline does not count a person's time to answer. */
static void
grant(void *context, int64_t nanos)
{
    struct live *live = context;

    live->begun += nanos;
    kube_client_grant(live->client, nanos);
}

static void
unread(void *context, const struct error *err)
{
    struct live *live = context;

    live->failure = *err;
}

/* Logs the costs of reading before anything is planned. */
static void
was_surveyed(void *context, const struct fleet *fleet)
{
    struct live *live = context;

    (void)fleet;
    live_estimators_log(&live->estimators, &live->invocation->logger);
    log_costs(live);
    struct kube_statistics of_members;

    live_platform_statistics(&live->platform, &live->of_reading, &of_members);
}

static enum exit_status
run_on_plane(struct live *live)
{
    const struct kube_config *config = live->config;
    const struct fleet_origin origin = {
        .server = config->server,
        .context = config->context,
        .user = config->as != NULL ? config->as : config->user,
    };
    struct backend backend = live_platform_backend(&live->platform);
    struct fleet_port port = {
        .backend = &backend,
        .writes = live->use->writes,
        .time_limit = {has_passed, live},
        .unread = unread,
        .was_surveyed = was_surveyed,
        .wrote = wrote,
        .before_report = close_cycle,
        .waited = grant,
        .context = live,
    };

    backend.origin = &origin;
    log_step(live, "connecting to", live->config->server);
    enum exit_status status = live->use->run(live->invocation, &port, live->use->context);

    unlock(live); /* the cycle failed */
    live_contact_advise(&live->contact, &live->failure);
    return live->lost ? STATUS_BUSY : status;
}

static enum exit_status
explain(const struct live *live, const struct error *err)
{
    enum exit_status status = cli_fail(live->invocation, err);

    return err->code == ERROR_CONFLICT ? STATUS_BUSY : status;
}

/* Reports an error before the cycle. A 404 that is not of the platform means the Lease's namespace,
 * so another context would not help. */
static enum exit_status
fail(struct live *live, struct error *err)
{
    bool is_missing = err->code == ERROR_NOT_FOUND;

    if (live->is_elsewhere) {
        error_wrap(err, "this is %s: it does not serve %s",
                   live_platform_denial(live->platform.platform),
                   live_platform_api(live->platform.platform));
    }
    enum exit_status status = explain(live, err);

    if (!is_missing || live->is_elsewhere) {
        live_contact_advise(&live->contact, err);
    }
    return status;
}

/* Users give a fleet of files without --fleet, which makes its path a workload. */
static void
advise_fleet(const struct invocation *invocation)
{
    const struct scope *scope = &invocation->settings->policy.scope;

    for (uint32_t i = 0; i < scope->n_workloads; i++) {
        const struct workload_name *name = &scope->workloads[i];
        const char *path = arena_printf(invocation->arena, "%s%s%s", name->namespace_,
                                        str_is_empty(name->namespace_) ? "" : "/", name->name);

        if (access(path, F_OK) == 0) {
            cli_end(invocation,
                    "%s is taken for a workload; for the fleet in the files there, give "
                    "--fleet %s",
                    path, path);
        }
    }
}

static enum exit_status
run_live(struct live *live)
{
    struct error err = ERROR_INIT;

    live->config = load_config(live, &err);
    if (live->config == NULL) {
        enum exit_status status = explain(live, &err);

        advise_fleet(live->invocation);
        return status;
    }
    telemetry_name(live->invocation->telemetry, live->config->server);
    live_contact_init(&live->contact, live->invocation, live->config);
    if ((live->writes && !lock_in_time(live, &err)) || !open_plane(live, &err)) {
        return fail(live, &err);
    }
    log_line(&live->invocation->logger, LOG_INFO, 1, "control plane: %s (%s)", live->config->server,
             live->config->origin);
    return run_on_plane(live);
}

enum exit_status
use_live_fleet(const struct invocation *invocation, const struct fleet_use *use)
{
    const struct control_plane_settings *settings = &invocation->settings->control_plane;
    struct live live = {
        .invocation = invocation,
        .settings = settings,
        .use = use,
        .writes = use->writes && !settings->server_dry_run,
        .platform = {.platform = invocation->settings->platform},
    };

    live.begun = monotonic(&live);
    name_holder(&live);
    enum exit_status status = run_live(&live);

    unlock(&live);
    log_requests(&live); /* of a run that failed */
    live_events_free(&live.events);
    live_platform_close(&live.platform);
    shards_close(&live.store);
    live_estimators_close(&live.estimators);
    kube_client_free(live.client);
    kube_engine_free(live.engine);
    kube_config_free(live.config);
    return status;
}
