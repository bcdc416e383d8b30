/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the summaries that a run can use.
 */
#include "run_shards.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "cli/options/control_plane_client.h"

#define PATIENCE_PART 2 /* half of the deadline */
#define PATIENCE_DEFAULT (45 * NANOS_PER_SECOND)
#define ANSWER_MAX ((size_t)16 << 20)

/* Resolves the path, so that different spellings match. */
static const char *
name_of(struct arena *arena, const char *fleet)
{
    char *real = realpath(fleet, NULL);
    const char *name = real != NULL ? arena_strndup(arena, real, strlen(real)) : fleet;

    free(real);
    return name;
}

struct summary_purpose
shards_purpose(const struct invocation *invocation, const char *fleet)
{
    const struct policy *policy = &invocation->settings->policy;
    bool is_live = str_is_empty(invocation->settings->fleet); /* settings do not change files */

    return (struct summary_purpose){
        .fleet = name_of(invocation->arena, fleet),
        .cycle = invocation->settings->shards.cycle,
        .settings = summary_settings(invocation->arena, &policy->sources,
                                     policy->upstream == UPSTREAM_KUBEFED,
                                     is_live && policy_takes_running(policy)),
    };
}

/* A run without --shard cannot know how many shards to wait for, so it does not wait. */
static int64_t
patience(const struct settings *settings)
{
    const int64_t deadline = settings->control_plane.deadline;

    return settings->shards.shard.count == 0 ? 0
           : deadline > 0                    ? deadline / PATIENCE_PART
                                             : PATIENCE_DEFAULT;
}

static const char *
from_environment(const struct invocation *invocation, const char *name)
{
    const struct cli *cli = invocation->cli;
    const char *value = cli->getenv != NULL ? cli->getenv(name) : NULL;

    return value != NULL ? value : "";
}

/* In a pod, the ConfigMaps are in the pod's own cluster, where its Job is, wherever the fleet is.
 * Elsewhere, they are in the fleet's cluster. */
static struct kube_config *
load_config(const struct invocation *invocation, struct error *err)
{
    bool is_pod = !str_is_empty(from_environment(invocation, "KUBERNETES_SERVICE_HOST"));
    struct kube_config_options how =
        control_plane_config(invocation->cli, &invocation->settings->control_plane);

    if (is_pod) {
        how.kubeconfig = how.context = NULL;
    }
    struct kube_config *config = kube_config_load(&how, err);

    if (config == NULL) {
        error_wrap(err, "--summaries");
    }
    return config;
}

/* The other half of the deadline is for reading members, or for waiting for shards that do. */
static struct kube_client_options
client_options(const struct invocation *invocation)
{
    const struct control_plane_settings *settings = &invocation->settings->control_plane;

    struct kube_client_options how = control_plane_client(invocation->cli, settings);

    how.deadline = settings->deadline > 0 ? settings->deadline / PATIENCE_PART : PATIENCE_DEFAULT;
    how.max_response_bytes = ANSWER_MAX;
    return how;
}

/* The owner is the pod's Job, by the downward API. Kubernetes deletes an object whose owner is in
 * another namespace, so these get none. */
static struct configmap_carrier_options
carrier_options(const struct invocation *invocation, const struct kube_config *config)
{
    const char *namespace_ = config->namespace_;
    const char *prefix =
        setting_configmap(invocation->arena, invocation->settings->shards.summaries, &namespace_);
    bool is_home = str_eq(namespace_, config->namespace_);

    return (struct configmap_carrier_options){
        .config = config,
        .client = client_options(invocation),
        .namespace_ = namespace_,
        .prefix = prefix,
        .cycle = invocation->settings->shards.cycle,
        .owner_name = is_home ? from_environment(invocation, "JOB_NAME") : "",
        .owner_uid = is_home ? from_environment(invocation, "JOB_UID") : "",
    };
}

bool
shards_open(const struct invocation *invocation, struct shards_store *store, struct error *err)
{
    const char *where = invocation->settings->shards.summaries;

    *store = (struct shards_store){.config = NULL};
    if (setting_configmap(invocation->arena, where, &(const char *){NULL}) == NULL) {
        store->carrier = summary_directory(where);
        return true;
    }
    store->config = load_config(invocation, err);
    if (store->config == NULL) {
        return false;
    }
    const struct configmap_carrier_options how = carrier_options(invocation, store->config);

    store->configmaps = configmap_carrier_new(&how);
    store->carrier = configmap_carrier_port(store->configmaps);
    return true;
}

void
shards_close(struct shards_store *store)
{
    configmap_carrier_free(store->configmaps);
    kube_config_free(store->config);
    *store = (struct shards_store){.config = NULL};
}

struct kube_statistics
shards_statistics(const struct shards_store *store)
{
    return store->configmaps != NULL ? configmap_carrier_statistics(store->configmaps)
                                     : (struct kube_statistics){.requests = 0};
}

void
shards_check(const struct invocation *invocation, const struct fleet *fleet)
{
    const struct slicing *slicing = &invocation->settings->shards.slicing;

    for (uint32_t i = 0; i < slicing->count; i++) {
        if (fleet_find_cluster(fleet, slicing->items[i].name) == CLUSTER_NONE) {
            log_line(&invocation->logger, LOG_WARNING, 0, "--slice-members: there is no cluster %s",
                     slicing->items[i].name);
        }
    }
}

struct member_port
shards_port(const struct invocation *invocation, const char *fleet, struct shards_store *store)
{
    const struct settings *settings = invocation->settings;

    store->options = (struct summaries_options){
        .carrier = store->carrier,
        .purpose = shards_purpose(invocation, fleet),
        .sources = &settings->policy.sources,
        .clock = invocation->cli->clock,
        .max_age = settings->shards.max_age,
        .count = settings->shards.shard.count,
        .slicing = settings->shards.slicing,
        .patience = patience(settings),
        .stop = invocation->cli->stop,
        .memory = (size_t)settings->control_plane.memory_limit,
    };
    return summaries_port(&store->options);
}
