/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens estimators as the flags describe them.
 */
#include "live_estimators.h"
#include "cli/run/progress_line.h"

#define FAILURES_LOGGED_MAX 20

/* Estimators get three quarters of the deadline: the writes need the rest. */
static int64_t
time_to_ask(int64_t deadline)
{
    return deadline - deadline / 4;
}

bool
live_estimators_open(const struct invocation *invocation, int64_t deadline,
                     struct live_estimators *ret, struct error *err)
{
    const struct settings *settings = invocation->settings;
    const struct estimator_settings *how = &settings->estimator;
    struct estimator_client_options client = {
        .ca_file = how->ca_file,
        .cert_file = how->cert_file,
        .key_file = how->key_file,
        .insecure_skip_verify = how->insecure_skip_verify,
        .call_timeout = how->timeout,
        .deadline = time_to_ask(deadline),
        .patience = settings->control_plane.member_timeout,
        .user_agent = "ballast/" BALLAST_VERSION,
        .clock = invocation->cli->clock,
        .stop = invocation->cli->stop,
        .progress = progress_line_port(invocation->progress),
    };

    if (!sources_have(&settings->policy.sources, SOURCE_ESTIMATOR)) {
        return true;
    }
    ret->client = estimator_client_new(&client, err);
    if (ret->client == NULL) {
        return error_wrap(err, "scheduler-estimator");
    }
    struct estimators_options asking = {
        .port = estimator_client_port(ret->client),
        .naming = {how->service_prefix, how->service_namespace, how->port},
        .clock = invocation->cli->clock,
    };

    ret->estimators = estimators_new(&asking);
    return true;
}

void
live_estimators_close(struct live_estimators *live)
{
    estimators_free(live->estimators);
    estimator_client_free(live->client);
    *live = (struct live_estimators){.client = NULL};
}

static void
log_left_out(const struct logger *logger, const char *what, uint64_t left_out)
{
    if (left_out > 0) {
        log_line(logger, LOG_WARNING, 0, "estimators: %llu questions about %s were too many to ask",
                 (unsigned long long)left_out, what);
    }
}

static void
log_failure(const struct logger *logger, const struct estimator_failure *failure)
{
    if (failure->failed == failure->asked) {
        log_line(logger, LOG_WARNING, 0, "member %s: its estimator does not tell: %s",
                 failure->member, failure->message);
    } else {
        log_line(logger, LOG_WARNING, 0,
                 "member %s: its estimator does not answer %llu of %llu questions: %s",
                 failure->member, (unsigned long long)failure->failed,
                 (unsigned long long)failure->asked, failure->message);
    }
}

void
live_estimators_log(const struct live_estimators *live, const struct logger *logger)
{
    if (live->estimators == NULL) {
        return;
    }
    uint32_t count;
    const struct estimator_failure *const *failures = estimators_failures(live->estimators, &count);
    struct estimator_costs stuck = estimators_stuck_costs(live->estimators);
    struct estimator_costs room = estimators_room_costs(live->estimators);

    for (uint32_t i = 0; i < count && i < FAILURES_LOGGED_MAX; i++) {
        log_failure(logger, failures[i]);
    }
    if (count > FAILURES_LOGGED_MAX) {
        log_line(logger, LOG_WARNING, 0, "... and %u more estimators that do not tell",
                 (unsigned)(count - FAILURES_LOGGED_MAX));
    }
    log_left_out(logger, "unschedulable replicas", stuck.left_out);
    log_left_out(logger, "room", room.left_out);
    log_line(logger, LOG_INFO, 1, "estimators: %llu calls, %llu failed, %llu abstained",
             (unsigned long long)(stuck.calls + room.calls),
             (unsigned long long)(stuck.failures + room.failures),
             (unsigned long long)(stuck.abstentions + room.abstentions));
}
