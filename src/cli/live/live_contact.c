/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits for the first contact, and reports failed tries and advice.
 */
#include "live_contact.h"
#include "cli/run/progress_line.h"

#include "ballast/base/timestamp.h"
#include "cli/options/control_plane_client.h"
#include "live_access.h"

/* A person hears of a failure within five seconds. */
#define PATIENCE_BY_HAND (4 * NANOS_PER_SECOND)
#define TOLD_MAX 20
#define TOLD_TEXT_MAX ((size_t)8192)
#define TOLD_EVERY (10 * NANOS_PER_SECOND)
#define NANOS_PER_MILLISECOND (NANOS_PER_SECOND / 1000)

/* Logs the first tries, then one per interval: a failing server would fill the log. */
static bool
is_worth_a_line(const struct live_contact *live, struct told_tries *told)
{
    const struct clock *clock = &live->invocation->cli->clock;
    int64_t now = clock->monotonic(clock->context);

    if (told->n_told >= TOLD_MAX && now - told->told_at < TOLD_EVERY) {
        told->n_untold++;
        return false;
    }
    told->n_told++;
    told->told_at = now;
    return true;
}

/* With a person waiting, the first contact ends soon, and its error is enough. */
static int
verbosity_of(const struct live_contact *live)
{
    return live->is_by_hand && !live->contact.is_made ? 1 : 0;
}

static void
write_retry(const struct live_contact *live, const struct kube_retry *retry, int verbosity,
            struct told_tries *told)
{
    char span[DURATION_TEXT_MAX], more[64] = "";

    if (verbosity > live->invocation->logger.verbosity || !is_worth_a_line(live, told)) {
        return;
    }
    if (told->n_untold > 0) {
        snprintf(more, sizeof(more), " (and %llu more since the last such line)",
                 (unsigned long long)told->n_untold);
        told->n_untold = 0;
    }
    duration_format(retry->pause / NANOS_PER_MILLISECOND * NANOS_PER_MILLISECOND, span);
    log_line(&live->invocation->logger, verbosity > 0 ? LOG_INFO : LOG_WARNING, verbosity,
             "%s %s%s: try %u failed: %s; the next one in %s%s", retry->verb, retry->server,
             retry->path, (unsigned)retry->tries, retry->why->message, span, more);
}

static void
on_retry(void *context, const struct kube_retry *retry)
{
    struct live_contact *live = context;

    live->n_failed++;
    write_retry(live, retry, verbosity_of(live), &live->told);
}

/* The report on unseen members names the failure. */
static void
on_member_retry(void *context, const struct kube_retry *retry)
{
    struct live_contact *live = context;

    write_retry(live, retry, 1, &live->told_of_members);
}

static void
on_turn(void *context)
{
    const struct live_contact *live = context;
    struct progress progress = progress_line_port(live->invocation->progress);
    char text[256];

    if (live->contact.is_made) {
        progress_line_draw(live->invocation->progress);
        return;
    }
    snprintf(text, sizeof(text),
             live->n_failed > 0 ? "connecting to %s, tries that failed:" : "connecting to %s",
             live->config->server);
    progress_report(&progress, text, live->n_failed, 0);
}

void
live_contact_init(struct live_contact *live, const struct invocation *invocation,
                  const struct kube_config *config)
{
    const struct cli *cli = invocation->cli;

    live->invocation = invocation;
    live->config = config;
    /* A pod may have a terminal, too, but no person at it. */
    live->is_by_hand =
        (cli->in_is_terminal || cli->err_is_terminal) && !str_is_empty(config->context);
    live->contact.patience = live->is_by_hand ? PATIENCE_BY_HAND : 0;
    live->watch = (struct kube_watch){live, on_retry, on_turn};
    live->member_watch = (struct kube_watch){live, on_member_retry, on_turn};
}

/* Prints `what` the server is or does, `advice`, and other contexts to choose. */
static void
write_contexts(const struct live_contact *live, const char *what, const char *advice)
{
    const char *others = control_plane_others(live->config);
    struct buf name;

    buf_init(&name, TOLD_TEXT_MAX);
    control_plane_append_name(live->config, &name);
    cli_end(live->invocation, "%s %s: %s%s%s", what, buf_text(&name), advice,
            str_is_empty(live->config->context) ? "; for another one, give --kubeconfig"
            : !str_is_empty(others)             ? "; or choose another context with --context: "
                                                : "",
            others);
    buf_release(&name);
}

static void
write_refusal(const struct live_contact *live, const struct error *err)
{
    const struct kube_config *config = live->config;
    struct refused_access access;
    struct buf what, advice;

    if (!refused_access_read(err, config->server, &access)) {
        return;
    }
    buf_init(&what, TOLD_TEXT_MAX);
    buf_init(&advice, TOLD_TEXT_MAX);
    if (access.status == 401) {
        const bool has_any = refused_credential(config, &what);

        buf_append_str(&what, " is not accepted by");
        buf_append_str(&advice, has_any
                                    ? "it has expired, or is of another cluster: renew it or log "
                                      "in again"
                                    : "give that user a token or a client certificate");
    } else {
        const char *as = config->as != NULL ? config->as : "";

        buf_printf(&what, "user \"%s\"%s%s may not %s %s%s%s at",
                   config->user != NULL ? config->user : "", str_is_empty(as) ? "" : " as ", as,
                   access.verb, access.resource, str_is_empty(access.namespace_) ? "" : " in ",
                   access.namespace_);
        buf_append_str(&advice, "ask: ");
        refused_access_command(&access, config,
                               live->invocation->settings->control_plane.kubeconfig, &advice);
        buf_append_str(&advice, "; the roles in cronjob/karmada/rbac grant what Ballast needs");
    }
    write_contexts(live, buf_text(&what), buf_text(&advice));
    buf_release(&advice);
    buf_release(&what);
}

void
live_contact_advise(const struct live_contact *live, const struct error *err)
{
    if (err->code == ERROR_NONE || err->code == ERROR_STOPPED) {
        return;
    }
    if (!live->contact.is_made && err->code != ERROR_CONFIG) {
        write_contexts(live, "nobody answers at",
                       "see whether it runs, whether its address is right, and whether the network "
                       "(or VPN) is up");
    } else if (!live->contact.is_made) {
        write_contexts(live, "nothing was sent to", "correct what the line before says");
    } else if (err->code == ERROR_FORBIDDEN) {
        write_refusal(live, err);
    } else if (err->code == ERROR_NOT_FOUND) {
        write_contexts(live, "this run asked",
                       "give Ballast the kubeconfig of Karmada's own API server");
    }
}
