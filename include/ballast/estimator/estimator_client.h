/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking karmada-scheduler-estimator, one a member cluster, over gRPC: how many
 * replicas of a workload cannot be scheduled there, and how many more would fit.
 * Messages, method paths, addresses and the choice between clear text and TLS
 * are upstream's (pkg/estimator, pkg/util/grpcconnection); requests carry the
 * byte-encoded fields of 1.18 and later and the fields that 1.17 and earlier
 * read, so that either server understands them.
 *
 * All estimators are asked at once, each over one connection on which many
 * calls are under way. One that is dead costs its own time limit: when no
 * connection comes about, or the calls of a whole time limit go unanswered, its
 * other calls fail at once, in this and in later rounds of the same client. So
 * do those of one that is slow for longer than it may be.
 */
#ifndef BALLAST_ESTIMATOR_ESTIMATOR_CLIENT_H
#define BALLAST_ESTIMATOR_ESTIMATOR_CLIENT_H

#include <stdatomic.h>

#include "ballast/base/arena.h"
#include "ballast/base/clock.h"
#include "ballast/base/error.h"
#include "ballast/base/progress.h"
#include "ballast/format/value.h"
#include "ballast/model/binding.h"
#include "ballast/model/placement.h"

/* ---- where an estimator is ---- */

/* Upstream's defaults. */
#define ESTIMATOR_PORT 10352
#define ESTIMATOR_NAMESPACE "karmada-system"
#define ESTIMATOR_PREFIX "karmada-scheduler-estimator"

#define ESTIMATOR_HOSTS_MAX 2

/* "host:port", tried in this order until a connection comes about. */
struct estimator_address {
    const char *hosts[ESTIMATOR_HOSTS_MAX];
    uint32_t count;
};

struct estimator_naming {
    const char *prefix;     /* --scheduler-estimator-service-prefix */
    const char *namespace_; /* --scheduler-estimator-service-namespace */
    int32_t port;           /* --scheduler-estimator-port */
};

/* The name of a cluster's Service: PREFIX-CLUSTER. */
const char *estimator_service_name(struct arena *arena, const struct estimator_naming *naming,
                                   const char *cluster);

/* resolveCluster of pkg/estimator/client/service.go. `service` is that Service as the control plane
 * has it: it must be of type ExternalName, and its port `naming->port` have a number for
 * targetPort. NULL: the control plane has none, so the names are those that the cluster which hosts
 * the control plane gives it, PREFIX-CLUSTER.NAMESPACE.svc.cluster.local, then without
 * cluster.local. Texts are in `arena`. INVALID when the Service or a name cannot be used. */
bool estimator_resolve(struct arena *arena, const struct value *service,
                       const struct estimator_naming *naming, const char *cluster,
                       struct estimator_address *ret, struct error *err);

/* ---- asking ---- */

struct estimator_client;

/* Without ca_file and insecure_skip_verify it is clear-text HTTP/2, as upstream; else TLS, and with
 * cert_file and key_file the client shows a certificate. Paths are copied. */
struct estimator_client_options {
    const char *ca_file;       /* --scheduler-estimator-ca-file, NULL or "": none */
    const char *cert_file;     /* --scheduler-estimator-cert-file */
    const char *key_file;      /* --scheduler-estimator-key-file */
    bool insecure_skip_verify; /* --insecure-skip-estimator-verify */
    int64_t dial_timeout;      /* to connect to one host, nanoseconds; 0: 5 s */
    int64_t call_timeout;      /* --scheduler-estimator-timeout, of one call; 0: 3 s */
    int64_t deadline;          /* of everything, nanoseconds from now; 0: none */
    uint32_t concurrency;      /* calls under way on one connection; 0: 100 */
    int64_t patience;          /* how long one estimator may keep us waiting in all, by answers that
                                  come after a quarter of call_timeout or not at all; nanoseconds,
                                  0: no bound */
    size_t max_message_bytes;  /* of one reply; 0: 16 KiB, a thousand times what there is to say */
    const char *user_agent;    /* NULL: "ballast" */
    struct clock clock;        /* monotonic is used */
    const atomic_bool *stop;   /* NULL: none. Becomes true: what is not answered fails */
    struct progress progress;  /* told how many calls are answered */
};

/* CONFIG when a file cannot be read or is no PEM. */
struct estimator_client *estimator_client_new(const struct estimator_client_options *options,
                                              struct error *err);
void estimator_client_free(struct estimator_client *client); /* NULL is fine */

enum estimator_method {
    ESTIMATOR_UNSCHEDULABLE_REPLICAS,      /* GetUnschedulableReplicas */
    ESTIMATOR_MAX_AVAILABLE_REPLICAS,      /* MaxAvailableReplicas */
    ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS /* MaxAvailableComponentSets */
};

/* The grpc_status of one that does not have the method. */
#define ESTIMATOR_GRPC_UNIMPLEMENTED 12

/* What is assigned to the cluster and not yet seen on its nodes (1.19 and later heed it). */
struct estimator_assumed {
    const char *namespace_;
    const struct component *components;
    uint32_t n_components;
};

/* In the order of use. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct estimator_call {
    enum estimator_method method;
    const char *cluster; /* as the estimator was started for */
    const struct estimator_address *address;
    const char *object; /* "kind=Deployment, name=shop/web", for the estimator's log; NULL: none */

    /* UNSCHEDULABLE_REPLICAS */
    const struct object_reference *resource;
    int64_t threshold; /* nanoseconds */
    /* MAX_AVAILABLE_REPLICAS */
    const struct requirements *requirements; /* of one replica; NULL: absent */
    /* MAX_AVAILABLE_COMPONENT_SETS */
    const char *namespace_;
    const struct component *components;
    uint32_t n_components;
    /* both MAX_AVAILABLE */
    const struct estimator_assumed *assumed;
    uint32_t n_assumed;

    /* out */
    int32_t answer; /* replicas, or component sets; INT32_MAX is an answer, too: no bound */
    bool abstains;  /* answered, but with nothing to say (upstream's UnauthenticReplica, -1; any
                       negative number here): to be ignored, not 0 */
    enum error_code code; /* NONE: answered. DEADLINE and STOPPED: of the run; a call's own time
                             limit is UNAVAILABLE */
    int grpc_status; /* 0 is OK; what the server said, or what gRPC's clients report for an answer
                        that makes no sense; -1: no answer came */
    const char *message; /* "" or cluster, address, method, gRPC code and text; the client's */
    uint32_t tries;      /* requests sent for it */
};

/* Asks all of them. Each has its own outcome. */
void estimator_perform(struct estimator_client *client, struct estimator_call *calls,
                       uint32_t count);

/* For the report and the tests. */
struct estimator_statistics {
    uint64_t calls, requests, failures; /* requests: tries that were sent */
    uint64_t connections;
    uint64_t bytes_sent, bytes_read; /* messages with their gRPC prefix */
};
struct estimator_statistics estimator_client_statistics(const struct estimator_client *client);

/* Of the protobuf-c that is in use: "1.4.1". */
const char *estimator_library_version(void);

#endif
