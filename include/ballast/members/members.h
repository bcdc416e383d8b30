/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the members of a control plane: their pods and nodes, and the objects that lead from pods
 * to workloads. Reads all members at once and each for itself. Parts that a member does not show
 * stay unknown, and are reported.
 *
 * Ballast reaches a member directly, or through the control plane's proxy: only this differs
 * between control planes.
 */
#ifndef BALLAST_MEMBERS_MEMBERS_H
#define BALLAST_MEMBERS_MEMBERS_H

#include "ballast/base/map.h"
#include "ballast/base/progress.h"
#include "ballast/kinds/decode.h"
#include "ballast/kube/kube_client.h"
#include "ballast/kube/kube_member.h"
#include "ballast/model/policy.h"
#include "ballast/model/sources.h"
#include "ballast/model/survey.h"

/* The way to a member. */
enum member_access {
    MEMBER_ACCESS_AUTO, /* by proxy; directly if the member has none */
    MEMBER_ACCESS_PROXY,
    MEMBER_ACCESS_DIRECT,
};

/* The name, state and address of a member. */
struct member_address {
    const char *name;
    bool is_ready;
    struct kube_member way; /* for direct access */
};

/* The proxy of a control plane to its members. */
struct member_proxy {
    /* Appends the prefix of a member's own paths. */
    void (*append_path)(struct buf *path, const char *member);
    /* True if this refusal of a first request shows that there is no proxy for the member, or none
     * for this user. */
    bool (*is_missing)(const struct kube_request *refused);
};

struct members_options {
    enum member_access access;
    struct member_trust trust;
    int64_t timeout; /* nanoseconds of waiting for one member, plus a second for each full page; 0:
                        15 s */
    int64_t time;    /* nanoseconds for all members together; 0: no bound */
    size_t memory;   /* bytes for the objects of all members: half for one member at most, with a
                        share reserved for each; 0: no bound */
    double qps; /* requests a second to one member, directly; 0: the rate to the control plane */
    int burst;
    struct member_sources sources; /* parts to read */
    bool budgets; /* reads PodDisruptionBudgets, too, before a survey asks for them */
    const struct kube_watch
        *watch; /* of requests to members, in place of the client's; NULL: none */
};

/* Facts about bound workloads that decide which lists to read. */
struct members_hints {
    const struct map *namespaces; /* keys: namespaces of Deployments with replicas */
    bool has_finishing_kinds;     /* Jobs or unknown kinds are bound: their pods may succeed */
    bool has_unknown_kinds;       /* their pods may belong to any builtin workload */
    struct label marked; /* Deployments with this label are listed in every member, others where
                            their pods lead to them; key NULL: no label */
    bool are_apart; /* members do not explain each other, and kinds are unknown: read a few members
                       at a time, each to its end */
};

struct members_look {
    struct kube_client *client;       /* to the control plane; members get its settings */
    const struct member_proxy *proxy; /* NULL: none, whatever `access` is */
    const struct members_options *options;
    struct clock clock;
    uint32_t page_size; /* objects of one page of a list */
    struct progress progress;
    const struct member_address *addresses;
    size_t n_addresses;
    bool *direct; /* by address: reached directly; kept from one look to the next; NULL: not kept */
    struct members_hints hints;
};

/* Reads all members into the builder, and notes unknown parts there. Adds its requests to
 * `requests`. False with err if the run was stopped, or the control plane cannot be asked. */
bool members_look(const struct members_look *look, struct fleet_builder *builder,
                  struct kube_statistics *requests, struct error *err);

/* Reads the members' limits on pods (quotas, limits, volumes, budgets) into the builder, as its
 * templates need them in the clusters that `asked` names. Uses a quarter of the time and memory.
 * Notes unknown parts in the builder. False with err if the run was stopped, or the control plane
 * cannot be asked. */
bool members_look_fit(const struct members_look *look, const struct fleet *fleet,
                      const struct survey *asked, struct fleet_builder *builder,
                      struct kube_statistics *requests, struct error *err);

#endif
