/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks karmada-scheduler-estimator, one for each member cluster, over gRPC: how many replicas of a
 * workload cannot be scheduled there, and how many more would fit. Messages, method paths,
 * addresses and the choice between clear text and TLS are upstream's (pkg/estimator,
 * pkg/util/grpcconnection). Requests carry the byte-encoded fields of 1.18 and later and the fields
 * that 1.17 and earlier read, so that either server understands them.
 *
 * The client asks all estimators at once, each over one connection with many calls under way. A
 * dead estimator costs no more than one time limit. Three events end an estimator: no connection
 * opens, all calls of a whole time limit stay unanswered, or it is slow for longer than `patience`.
 * Its other calls then fail at once, in this round and in later ones of the client.
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

/* "host:port"; the client tries them in this order until a connection comes about. */
struct estimator_address {
    const char *hosts[ESTIMATOR_HOSTS_MAX];
    uint32_t count;
};

struct estimator_naming {
    const char *prefix;     /* --scheduler-estimator-service-prefix */
    const char *namespace_; /* --scheduler-estimator-service-namespace */
    int32_t port;           /* --scheduler-estimator-port */
};

/* Returns the name of a cluster's Service, PREFIX-CLUSTER, in `arena`. */
const char *estimator_service_name(struct arena *arena, const struct estimator_naming *naming,
                                   const char *cluster);

/* Finds the address of a cluster's estimator, as resolveCluster of pkg/estimator/client/service.go
 * does. `service` is the control plane's Service: it must be of type ExternalName, and its port
 * `naming->port` must have a number for targetPort. NULL: the Service does not exist, so the names
 * are those that the control plane's host cluster gives it,
 * PREFIX-CLUSTER.NAMESPACE.svc.cluster.local, then without cluster.local. Texts are in `arena`.
 * False with INVALID when the Service or a name cannot be used. */
bool estimator_resolve(struct arena *arena, const struct value *service,
                       const struct estimator_naming *naming, const char *cluster,
                       struct estimator_address *ret, struct error *err);

/* ---- asking ---- */

struct estimator_client;

/* Without ca_file and insecure_skip_verify the client speaks clear-text HTTP/2, as upstream does;
 * else TLS. With cert_file and key_file it shows a certificate. Texts are copied. */
struct estimator_client_options {
    const char *ca_file;       /* --scheduler-estimator-ca-file, NULL or "": none */
    const char *cert_file;     /* --scheduler-estimator-cert-file */
    const char *key_file;      /* --scheduler-estimator-key-file */
    bool insecure_skip_verify; /* --insecure-skip-estimator-verify */
    int64_t dial_timeout;      /* to connect to one host, nanoseconds; 0: 5 s */
    int64_t call_timeout;      /* --scheduler-estimator-timeout, of one call; 0: 3 s */
    int64_t deadline;          /* of all calls, nanoseconds from now; 0: none */
    uint32_t concurrency;      /* calls under way on one connection; 0: 100 */
    int64_t patience; /* nanoseconds of waiting for one estimator in all, by answers that are
                         missing or later than a quarter of call_timeout; 0: no bound */
    size_t max_message_bytes; /* of one reply; 0: 16 KiB, a thousand times the need */
    const char *user_agent;   /* NULL: "ballast" */
    struct clock clock;       /* only `monotonic` is used */
    const atomic_bool *stop;  /* NULL: none. Once true, unanswered calls fail */
    struct progress progress; /* shows how many calls are answered */
};

/* Returns a client, to be freed with estimator_client_free. NULL with CONFIG when a file cannot be
 * read or is no PEM, or only one of certificate and key is given. */
struct estimator_client *estimator_client_new(const struct estimator_client_options *options,
                                              struct error *err);
/* Frees a client and the messages of its calls. NULL is fine. */
void estimator_client_free(struct estimator_client *client);

enum estimator_method {
    ESTIMATOR_UNSCHEDULABLE_REPLICAS,      /* GetUnschedulableReplicas */
    ESTIMATOR_MAX_AVAILABLE_REPLICAS,      /* MaxAvailableReplicas */
    ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS /* MaxAvailableComponentSets */
};

/* The grpc_status of an estimator that does not have the method. */
#define ESTIMATOR_GRPC_UNIMPLEMENTED 12

/* Components that are assigned to the cluster and not seen on its nodes yet (1.19 and later count
 * them). */
struct estimator_assumed {
    const char *namespace_;
    const struct component *components;
    uint32_t n_components;
};

/* In the order of use. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct estimator_call {
    enum estimator_method method;
    const char *cluster; /* name that the estimator was started with */
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
    int32_t answer; /* replicas, or component sets; INT32_MAX: no bound */
    bool abstains;  /* the answer is negative (upstream's UnauthenticReplica, -1): ignore it */
    enum error_code code; /* NONE: answered. DEADLINE and STOPPED: of the run. A call's own time
                             limit is UNAVAILABLE */
    int grpc_status; /* 0: OK; else the server's code, or the code of gRPC's clients for a malformed
                        reply; -1: no reply came */
    const char *message; /* "", or cluster, address, method, gRPC code, text; the client owns it */
    uint32_t tries;      /* requests sent for it */
};

/* Makes all calls and waits until each has its outcome. */
void estimator_perform(struct estimator_client *client, struct estimator_call *calls,
                       uint32_t count);

/* For the report and the tests. */
struct estimator_statistics {
    uint64_t calls, requests,
        failures; /* requests: tries sent; failures: calls without an answer */
    uint64_t connections;
    uint64_t bytes_sent, bytes_read; /* messages with their gRPC prefix */
};
/* Returns what the client has sent and read since it was made. */
struct estimator_statistics estimator_client_statistics(const struct estimator_client *client);

/* Returns the version of protobuf-c that is in use: "1.4.1". */
const char *estimator_library_version(void);

#endif
