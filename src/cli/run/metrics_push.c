/* SPDX-License-Identifier: Apache-2.0
 *
 * Pushes the metrics of a run to a Pushgateway. Each run replaces its whole group, so that no
 * stale metric stays. The last success has a group of its own, with one more label, which only a
 * successful run replaces.
 */
#include "metrics_push.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/push/pushgateway.h"

#define SUCCESS_MAX ((size_t)64 << 10)

static struct pushgateway
gateway_of(const struct invocation *invocation)
{
    const struct metrics_policy *policy = &invocation->settings->policy.metrics;

    return (struct pushgateway){
        .url = policy->push.url,
        .auth_file = policy->push.auth_file,
        .ca_file = policy->push.ca_file,
        .timeout = policy->push.timeout,
        .user_agent = "ballast/" BALLAST_VERSION,
        .clock = invocation->cli->clock,
        .stop = invocation->cli->stop,
    };
}

static bool
push(const struct invocation *invocation, const struct metrics_run *run, const struct buf *text,
     struct error *err)
{
    const struct pushgateway gateway = gateway_of(invocation);
    const struct push_label labels[] = {
        {"job", "ballast"},
        {"command", run->labels.command},
        {"control_plane", run->labels.control_plane},
        {"group", "last-success"},
    };
    const bool succeeded = run->last_success != TIME_NONE;
    struct buf success;

    if (str_is_empty(run->labels.control_plane)) {
        return error_set(err, ERROR_CONFIG,
                         "nothing is pushed, for the run ended before it knew which control plane "
                         "that is about (--metrics-control-plane)");
    }
    buf_init(&success, SUCCESS_MAX);
    metrics_append_success(&success, run);
    const struct push_group groups[] = {
        {labels, 3, buf_text(text), text->length},
        {labels, 4, buf_text(&success), success.length},
    };
    bool is_fine = pushgateway_put(&gateway, groups, succeeded ? 2 : 1, err);

    buf_release(&success);
    return is_fine;
}

void
metrics_push(const struct invocation *invocation, const struct metrics_run *run,
             const struct buf *text)
{
    const struct logger *logger = &invocation->logger;
    struct error err = ERROR_INIT;

    if (push(invocation, run, text, &err)) {
        log_line(logger, LOG_INFO, 2, "metrics: pushed to %s",
                 invocation->settings->policy.metrics.push.url);
    } else {
        log_line(logger, LOG_WARNING, 0, "metrics: %s", err.message);
    }
}
