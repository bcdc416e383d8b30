/* SPDX-License-Identifier: Apache-2.0
 *
 * One backend for live fleets of both platforms.
 */
#include "live_platform.h"

#include "ballast/base/str.h"

enum { KARMADA, KUBEFED };

const char *
live_platform_api(enum platform platform)
{
    return platform == PLATFORM_KUBEFED ? "core.kubefed.io/v1beta1" : "cluster.karmada.io/v1alpha1";
}

const char *
live_platform_denial(enum platform platform)
{
    return platform == PLATFORM_KUBEFED ? "no KubeFed host" : "no Karmada control plane";
}

static const struct backend *
chosen(const struct live_platform *live)
{
    return &live->backends[live->platform == PLATFORM_KUBEFED ? KUBEFED : KARMADA];
}

/* RBAC also refuses kinds that the server does not serve. */
static bool
may_be_elsewhere(const struct error *err)
{
    return err->code == ERROR_NOT_FOUND || err->code == ERROR_FORBIDDEN;
}

/* Tries KubeFed after Karmada was not found with `err`. If neither is there, keeps the first error:
 * most users have Karmada. */
static struct fleet *
read_host(struct live_platform *live, struct error *err)
{
    const struct backend *host = &live->backends[KUBEFED];
    const struct error first = *err;

    *err = (struct error)ERROR_INIT;
    struct fleet *fleet = host->read(host->context, err);

    if (fleet != NULL || (first.code == ERROR_NOT_FOUND && err->code != ERROR_NOT_FOUND)) {
        live->platform = PLATFORM_KUBEFED;
    } else {
        *err = first;
    }
    return fleet;
}

/* Reads from the first platform that the server knows. */
static struct fleet *
read_fleet(void *context, struct error *err)
{
    struct live_platform *live = context;
    const struct backend *first = chosen(live);
    struct fleet *fleet = first->read(first->context, err);

    if (live->platform != PLATFORM_AUTO || (fleet == NULL && !may_be_elsewhere(err))) {
        return fleet;
    }
    if (fleet == NULL) {
        return read_host(live, err);
    }
    live->platform = PLATFORM_KARMADA;
    return fleet;
}

static struct fleet *
survey(void *context, struct fleet *fleet, const struct survey *asked, struct error *err)
{
    const struct backend *backend = chosen(context);

    return backend->survey != NULL ? backend->survey(backend->context, fleet, asked, err) : fleet;
}

static void
write_all(void *context, struct write_request *requests, uint32_t count, const atomic_bool *stop)
{
    const struct backend *backend = chosen(context);

    backend->write(backend->context, requests, count, stop);
}

static const struct binding *
read_again(void *context, struct fleet *fleet, const struct binding *binding, struct error *err)
{
    const struct backend *backend = chosen(context);

    return backend->read_again(backend->context, fleet, binding, err);
}

/* Karmada only: the command refuses a fleet of KubeFed's before. */
static bool
rebalance(void *context, const struct rebalancer_request *request, struct arena *arena,
          const char **ret_name, struct error *err)
{
    const struct backend *backend = chosen(context);

    return backend->rebalance(backend->context, request, arena, ret_name, err);
}

void
live_platform_open(struct live_platform *live, struct kube_client *client,
                   const struct control_plane_options *options, const struct settings *settings)
{
    const struct kubefed_host_options of_host = {
        .clock = options->clock,
        .namespace_ = settings->kubefed_namespace,
        .keeps_pods = settings->policy.upstream == UPSTREAM_KUBEFED,
        .page_size = options->page_size,
        .concurrency = options->concurrency,
        .members = options->members,
        .server_dry_run = options->server_dry_run,
        .port = options->port,
        .observes = options->observes,
        .tap = options->tap,
        .progress = options->progress,
    };

    live->plane = control_plane_new(client, options);
    live->host = kubefed_host_new(client, &of_host);
    live->backends[KARMADA] = control_plane_backend(live->plane);
    live->backends[KUBEFED] = kubefed_host_backend(live->host);
}

void
live_platform_close(struct live_platform *live)
{
    control_plane_free(live->plane);
    kubefed_host_free(live->host);
    live->plane = NULL;
    live->host = NULL;
}

struct backend
live_platform_backend(struct live_platform *live)
{
    return (struct backend){
        .context = live,
        .read = read_fleet,
        .survey = survey,
        .write = write_all,
        .read_again = read_again,
        .rebalance = rebalance,
    };
}

/* Both platforms share the control plane's client. */
void
live_platform_statistics(const struct live_platform *live, struct kube_statistics *all,
                         struct kube_statistics *of_members)
{
    *all = *of_members = (struct kube_statistics){.requests = 0};
    if (live->plane == NULL) {
        return;
    }
    struct kube_statistics more = kubefed_host_member_statistics(live->host);

    *of_members = control_plane_member_statistics(live->plane);
    kube_statistics_add(of_members, &more);
    if (live->platform == PLATFORM_KUBEFED) {
        *all = kubefed_host_statistics(live->host);
    } else {
        *all = control_plane_statistics(live->plane);
    }
}

uint32_t
live_platform_costs(const struct live_platform *live, struct source_costs ret[SOURCE_COSTS_MAX])
{
    return live->platform == PLATFORM_KUBEFED ? 0 : control_plane_costs(live->plane, ret);
}
