/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the backend of a command: a fleet of files, or a live control plane.
 */
#include "ballast/base/timestamp.h"
#include "ballast/directory/fleet_directory.h"
#include "cli/options/invocation.h"
#include "cli/run/run.h"
#include "cli/run/run_shards.h"
#include "cli/run/telemetry.h"
#include "live.h"

static bool
names_files(const struct settings *settings)
{
    return !str_is_empty(settings->fleet);
}

static bool
names_anything(const struct settings *settings)
{
    (void)settings;
    return true;
}

static struct fleet_expectation
fleet_expectation_of(const struct settings *settings)
{
    return (struct fleet_expectation){
        .platform = settings->platform,
        .kubefed_namespace = settings->kubefed_namespace,
        .keeps_pods = settings->policy.upstream == UPSTREAM_KUBEFED,
    };
}

static bool
has_none(const void *context, const char *member)
{
    (void)context;
    (void)member;
    return false;
}

/* Returns the members to read from the files. */
static struct member_choice
choice_of(const struct fleet_use *use)
{
    const struct member_choice from_files = {.has = use->from_summaries ? has_none : NULL};

    return use->observes != NULL ? *use->observes : from_files;
}

/* --deadline for a fleet of files. */
struct file_deadline {
    const struct clock *clock;
    int64_t end;
};

static bool
has_passed(const void *context)
{
    const struct file_deadline *deadline = context;

    return deadline->clock->monotonic(deadline->clock->context) >= deadline->end;
}

static struct file_deadline
deadline_of(const struct invocation *invocation)
{
    const struct clock *clock = &invocation->cli->clock;
    const int64_t time = invocation->settings->control_plane.deadline;

    return (struct file_deadline){
        clock, time > 0 ? timestamp_add(clock->monotonic(clock->context), time) : INT64_MAX};
}

static enum exit_status
use_opened(const struct invocation *invocation, struct fleet_directory *directory,
           const struct fleet_use *use)
{
    const struct fleet_origin origin = {.path = invocation->settings->fleet};
    struct backend backend = fleet_directory_backend(directory);
    const struct file_deadline deadline = deadline_of(invocation);
    const struct fleet_port port = {
        .backend = &backend, .writes = use->writes, .time_limit = {has_passed, &deadline}};
    struct shards_store store = {.config = NULL};
    struct member_port summaries;
    struct error err = ERROR_INIT;

    if (use->from_summaries && !shards_open(invocation, &store, &err)) {
        return cli_fail(invocation, &err);
    }
    summaries = shards_port(invocation, origin.path, &store);
    backend.origin = &origin;
    telemetry_name(invocation->telemetry, invocation->settings->fleet);
    fleet_directory_tap(directory, use->tap);
    fleet_directory_choose(directory, choice_of(use), use->from_summaries ? &summaries : NULL);
    fleet_directory_expect(directory, fleet_expectation_of(invocation->settings));
    fleet_directory_heed(directory, invocation->cli->stop);
    fleet_directory_watch(directory, progress_line_port(invocation->progress));
    enum exit_status status = use->run(invocation, &port, use->context);

    shards_close(&store);
    return status;
}

static enum exit_status
use_directory(const struct invocation *invocation, const struct fleet_use *use)
{
    const struct settings *settings = invocation->settings;
    const struct control_plane_settings *live = &settings->control_plane;
    struct error err = ERROR_INIT;

    if (!str_is_empty(live->kubeconfig) || !str_is_empty(live->context) || live->server_dry_run) {
        return cli_refuse(invocation->cli,
                          "--%s is for a live control plane, leave it out with --fleet and "
                          "BALLAST_FLEET",
                          live->server_dry_run              ? "server-dry-run"
                          : !str_is_empty(live->kubeconfig) ? "kubeconfig"
                                                            : "context");
    }
    if (use->writes && str_eq(settings->fleet, "-")) {
        return cli_refuse(invocation->cli,
                          "standard input cannot be written to: did you mean run --dry-run?");
    }
    struct fleet_directory *directory = fleet_directory_open(settings->fleet, &err);

    if (directory == NULL) {
        return cli_fail(invocation, &err);
    }
    enum exit_status status = use_opened(invocation, directory, use);

    fleet_directory_close(directory);
    return status;
}

/* The first row that fits the settings is used. */
static const struct backend_choice {
    bool (*is_meant)(const struct settings *settings);
    enum exit_status (*use)(const struct invocation *invocation, const struct fleet_use *use);
} choices[] = {
    {names_files, use_directory},
    {names_anything, use_live_fleet},
};

enum exit_status
use_fleet(const struct invocation *invocation, const struct fleet_use *use)
{
    const struct settings *settings = invocation->settings;
    size_t i = 0;

    if (settings->control_plane.server_dry_run && settings->dry_run) {
        return cli_refuse(invocation->cli, "give either --dry-run or --server-dry-run, not both");
    }
    while (!choices[i].is_meant(settings)) {
        i++;
    }
    return choices[i].use(invocation, use);
}
