/* SPDX-License-Identifier: Apache-2.0
 *
 * What the judges have in common, private to doctor/.
 */
#ifndef BALLAST_DOCTOR_DOCTOR_INTERNAL_H
#define BALLAST_DOCTOR_DOCTOR_INTERNAL_H

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/vec.h"
#include "ballast/doctor/doctor.h"

/* How far one gets: what a check needs to be asked at all. */
enum doctor_stage {
    STAGE_BEGIN,
    STAGE_CONFIG,   /* the way to the server is known */
    STAGE_CONTACT,  /* it answers */
    STAGE_IDENTITY, /* and takes us for somebody */
    STAGE_PLATFORM, /* it is a control plane */
    STAGE_FLEET,    /* the fleet was read */
};

struct doctor {
    const struct doctor_needs *needs;
    const struct doctor_facts *facts;
    struct arena *arena;
    const char *check; /* whose turn it is */
    enum doctor_stage reached;
    VEC_OF(struct doctor_line) lines;
};

/* Texts are in the arena, or live as long. */
void doctor_say(struct doctor *doctor, enum doctor_mark mark, const char *text, const char *advice);
/* `text` as a shell takes it for one word. */
const char *doctor_word(struct arena *arena, const char *text);
/* "7d20h", "12m": a span as kubectl prints it. */
const char *doctor_span(struct arena *arena, int64_t nanos);
/* When the facts were gathered, by the server's clock if it tells. */
int64_t doctor_now(const struct doctor_facts *facts);
const char *doctor_kubefed_namespace(const struct doctor_needs *needs);

/* ---- rights ---- */

enum right_flags {
    RIGHT_TO_RUN = 1 << 0,      /* plan does without */
    RIGHT_IS_OPTIONAL = 1 << 1, /* without it less is seen */
    RIGHT_IF_SERVED = 1 << 2,   /* of no account where the server has no such kind */
    RIGHT_TO_PROXY = 1 << 3,    /* members are reached so */
    RIGHT_TO_SECRETS = 1 << 4,
    RIGHT_TO_ESTIMATORS = 1 << 5,
    RIGHT_TO_LABELS = 1 << 6, /* a label selector is given */
};

enum right_place { IN_ALL, IN_LEASES, IN_KARMADA, IN_KUBEFED, IN_ESTIMATORS, IN_SECRETS };

/* Who grants it: a directory of manifests, and the role in it. */
struct right_role {
    const char *directory; /* NULL: none does */
    const char *name;
    bool is_of_namespace; /* a Role */
};

struct doctor_right {
    enum platform platform;
    unsigned flags;
    const char *verb, *api, *resource; /* "apps/v1", "deployments"; "v1" of the core */
    const char *subresource, *name;    /* NULL: none, any; a name "": that of our Lease */
    enum right_place place;
    const struct right_role *role;
    const char *why; /* of an optional one */
};
extern const struct doctor_right doctor_rights[];
extern const uint32_t n_doctor_rights;

/* Whether the platform and the configuration need it. */
bool right_is_needed(const struct doctor_right *right, enum platform platform,
                     const struct doctor_needs *needs);
const char *right_namespace(const struct doctor_right *right, const struct doctor_needs *needs);
/* NULL: any. */
const char *right_name(const struct doctor_right *right, const struct doctor_needs *needs);
/* The API group; "" of the core. */
const char *right_group(struct arena *arena, const struct doctor_right *right);

/* ---- checks ---- */

void judge_configuration(struct doctor *doctor);
void judge_kubeconfig(struct doctor *doctor);
void judge_server(struct doctor *doctor);
void judge_identity(struct doctor *doctor);
void judge_clock(struct doctor *doctor);
void judge_platform(struct doctor *doctor);
void judge_version(struct doctor *doctor);
void judge_rights_to_plan(struct doctor *doctor);
void judge_rights_to_run(struct doctor *doctor);
void judge_lease(struct doctor *doctor);
void judge_cron_job(struct doctor *doctor);
void judge_fleet(struct doctor *doctor);
void judge_members(struct doctor *doctor);
void judge_other_writers(struct doctor *doctor);
void judge_failover(struct doctor *doctor);

#endif
