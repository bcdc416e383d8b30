/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking into the members of a control plane: their pods and nodes, and what
 * leads from pods to workloads. All members at once and each for itself; what
 * one does not show stays unknown, and is told.
 *
 * A member is reached directly, or through whatever the control plane's own
 * server has for it: that is the one thing that control planes differ in.
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

/* The way to a member: through the control plane's server, or to its own. */
enum member_access {
    MEMBER_ACCESS_AUTO, /* by proxy, and directly where there is none for it */
    MEMBER_ACCESS_PROXY,
    MEMBER_ACCESS_DIRECT,
};

/* A member, as far as looking into it needs it. */
struct member_address {
    const char *name;
    bool is_ready;
    struct kube_member way; /* there directly */
};

/* How the control plane's server hands requests on to its members. */
struct member_proxy {
    /* Appends what stands before a path of the member's own. */
    void (*append_path)(struct buf *path, const char *member);
    /* Nothing was answered yet, and this is how it was refused: whether there is no proxy for that
     * member, or not for us. */
    bool (*is_missing)(const struct kube_request *refused);
};

struct members_options {
    enum member_access access;
    struct member_trust trust;
    int64_t timeout; /* nanoseconds that one of them may keep us waiting, beside a second for each
                        full page that it gave; 0: a quarter of a minute */
    int64_t time;    /* nanoseconds for all of them together; 0: no bound */
    size_t memory;   /* bytes that what they show may take together, one of them no more than half
                        of it, with something left for each of the others; 0: no bound */
    double qps;      /* requests a second to one of them, directly; 0: as to the control plane */
    int burst;
    struct member_sources sources; /* which of them to read */
    bool budgets; /* PodDisruptionBudgets, too, before anybody knows of whom they matter */
    const struct kube_watch
        *watch; /* of requests to them, in place of the client's; NULL: nobody */
};

/* What is bound, as far as it decides what is looked at. */
struct members_hints {
    const struct map *namespaces; /* of Deployments with replicas: the keys */
    bool has_finishing_kinds; /* Jobs, or kinds that nobody here knows: their pods may succeed */
    bool has_unknown_kinds;   /* whose pods may hang on any builtin workload */
    struct label marked; /* Deployments with it are listed in every member, the others where their
                            pods lead to them; no key: there is no such label */
    bool are_apart; /* what one member shows is of no account for another, and kinds are unknown:
                       few of them at a time, each to its end */
};

struct members_look {
    struct kube_client *client;       /* to the control plane; its settings are those to members */
    const struct member_proxy *proxy; /* NULL: it has none, whatever `access` says */
    const struct members_options *options;
    struct clock clock;
    uint32_t page_size; /* objects of one page of a list */
    struct progress progress;
    const struct member_address *addresses;
    size_t n_addresses;
    bool *direct; /* by address, kept from one looking to the next: it was reached directly; NULL:
                     nobody keeps it */
    struct members_hints hints;
};

/* Looks into all of them; what is not seen is noted in the builder. `requests` grows by what it
 * took. false when the run was stopped. */
bool members_look(const struct members_look *look, struct fleet_builder *builder,
                  struct kube_statistics *requests, struct error *err);

/* Reads what members let pods in by, and have volumes of, as far as the templates in the builder
 * want it in the clusters that are asked about; else asks nothing. In a quarter of the time and
 * memory. What is not seen is noted. false when the run was stopped. */
bool members_look_fit(const struct members_look *look, const struct fleet *fleet,
                      const struct survey *asked, struct fleet_builder *builder,
                      struct kube_statistics *requests, struct error *err);

#endif
