/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and functions that the judges share. Private to doctor/.
 */
#ifndef BALLAST_DOCTOR_DOCTOR_INTERNAL_H
#define BALLAST_DOCTOR_DOCTOR_INTERNAL_H

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/doctor/doctor.h"

/* How far the checks have come; each check needs one stage. */
enum doctor_stage {
    STAGE_BEGIN,
    STAGE_CONFIG,   /* the kubeconfig was read */
    STAGE_CONTACT,  /* the server answers */
    STAGE_IDENTITY, /* the server accepts the credential */
    STAGE_PLATFORM, /* the server is a control plane */
    STAGE_FLEET,    /* the fleet was read */
};

struct doctor {
    const struct doctor_needs *needs;
    const struct doctor_facts *facts;
    struct arena *arena;
    const char *check; /* name of the current check */
    enum doctor_stage reached;
    VEC_OF(struct doctor_line) lines;
};

/* Adds a line on the current check. `text` and `advice` must live as long as the arena. */
void doctor_say(struct doctor *doctor, enum doctor_mark mark, const char *text, const char *advice);
/* Returns `text` quoted so that a shell takes it for one word, in `arena`. */
const char *doctor_word(struct arena *arena, const char *text);
/* Returns a span in nanoseconds, without its sign, as kubectl prints it: "7d20h". In `arena`. */
const char *doctor_span(struct arena *arena, int64_t nanos);
/* Returns the time of the facts, by the server's clock if known. */
int64_t doctor_now(const struct doctor_facts *facts);
/* Returns the namespace of KubeFed's control plane. */
const char *doctor_kubefed_namespace(const struct doctor_needs *needs);

/* ---- rights ---- */

enum right_flags {
    RIGHT_TO_RUN = 1 << 0,        /* needed by run, not by plan */
    RIGHT_IS_OPTIONAL = 1 << 1,   /* without it, Ballast sees or does less */
    RIGHT_IF_SERVED = 1 << 2,     /* not checked if the server lacks the kind */
    RIGHT_TO_PROXY = 1 << 3,      /* needed if members are reached by the proxy */
    RIGHT_TO_SECRETS = 1 << 4,    /* needed if members are reached directly */
    RIGHT_TO_ESTIMATORS = 1 << 5, /* needed if estimators are asked */
    RIGHT_TO_LABELS = 1 << 6,     /* needed if a label selector is given */
    RIGHT_TO_RECORDS = 1 << 7,    /* needed if records are kept as by the CronJob */
};

enum right_place { IN_ALL, IN_LEASES, IN_KARMADA, IN_KUBEFED, IN_ESTIMATORS, IN_SECRETS };

/* The role that grants a right, and the directory of its manifests. */
struct right_role {
    const char *directory; /* NULL: no manifest grants it */
    const char *name;
    bool is_of_namespace; /* a Role, not a ClusterRole */
};

struct doctor_right {
    enum platform platform;
    unsigned flags;
    const char *verb, *api, *resource; /* "list", "apps/v1", "deployments"; "v1": the core API */
    const char *subresource, *name;    /* NULL: none, any; name "": our Lease's */
    enum right_place place;
    const struct right_role *role;
    const char *why; /* purpose of an optional right */
};
extern const struct doctor_right doctor_rights[];
extern const uint32_t n_doctor_rights;

/* True if the platform and the configuration need the right. */
bool right_is_needed(const struct doctor_right *right, enum platform platform,
                     const struct doctor_needs *needs);
/* Returns in how many namespaces a right is needed; 1 if it is needed in all. */
uint32_t right_count_namespaces(const struct doctor_right *right, const struct doctor_needs *needs);
/* Returns one of the namespaces in which a right is needed, from 0; "": all. */
const char *right_namespace(const struct doctor_right *right, const struct doctor_needs *needs,
                            uint32_t index);
/* Returns the name of the object on which a right is needed; NULL: any. */
const char *right_name(const struct doctor_right *right, const struct doctor_needs *needs);
/* Returns the API group of a right, in `arena`; "": the core group. */
const char *right_group(struct arena *arena, const struct doctor_right *right);

/* Adds the line on the configuration file. */
void judge_configuration(struct doctor *doctor);
/* Adds the line on the kubeconfig. Reaches STAGE_CONFIG if there is one. */
void judge_kubeconfig(struct doctor *doctor);
/* Adds the line on the API server. Reaches STAGE_CONTACT if it answers. */
void judge_server(struct doctor *doctor);
/* Adds the line on the user. Reaches STAGE_IDENTITY if the server accepts the credential. */
void judge_identity(struct doctor *doctor);
/* Adds the line on the local clock against the server's. */
void judge_clock(struct doctor *doctor);
/* Adds the line on the platform. Reaches STAGE_PLATFORM if the server is a control plane. */
void judge_platform(struct doctor *doctor);
/* Adds the line on Karmada's version. */
void judge_version(struct doctor *doctor);
/* Adds the line on the rights that plan needs, with commands that grant the denied ones. */
void judge_rights_to_plan(struct doctor *doctor);
/* Adds the line on the rights that only run needs, with commands that grant the denied ones. */
void judge_rights_to_run(struct doctor *doctor);
/* Adds the line on the Lease: its holder, or that its namespace is missing. */
void judge_lease(struct doctor *doctor);
/* Adds a line on each CronJob of Ballast: if it is suspended, and when it last succeeded. */
void judge_cron_job(struct doctor *doctor);
/* Adds lines on the fleet, malformed objects and notices. Reaches STAGE_FLEET if the fleet was
 * read. */
void judge_fleet(struct doctor *doctor);
/* Adds lines on members: how Ballast reached them, or why not. */
void judge_members(struct doctor *doctor);
/* Adds the line on karmada-descheduler or KubeFed's own scheduler, which also write. */
void judge_other_writers(struct doctor *doctor);
/* Adds the line on who fails lost clusters over. Adds none for KubeFed. */
void judge_failover(struct doctor *doctor);

#endif
