/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds out what keeps an operator from a run: whether the control plane answers, which user it
 * sees, and what that user may do. doctor_gather collects facts, doctor_judge judges them. Judging
 * is pure: equal facts give equal lines.
 */
#ifndef BALLAST_DOCTOR_DOCTOR_H
#define BALLAST_DOCTOR_DOCTOR_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/coverage.h"
#include "ballast/diagnose/notice.h"
#include "ballast/kube/kube_apis.h"
#include "ballast/kube/kube_client.h"
#include "ballast/members/members.h"

struct doctor_needs {
    const struct kube_config *config; /* NULL: it could not be read */
    const char *kubectl;     /* the kubectl command for this server: "kubectl --context prod" */
    const char *credential;  /* words for the configuration's credential: "the token of user "x"" */
    const char *config_file; /* "": none is given */
    const struct policy *policy;
    enum platform platform;
    const char *kubefed_namespace; /* "": KUBEFED_NAMESPACE */
    enum member_access access;
    bool writes; /* also check the rights to run */
    const char *lease_namespace, *lease_name;
    int64_t lease_duration;
    const char *estimator_namespace;
};

struct doctor_reply {
    int status; /* HTTP status; 0: no response came, or nothing was asked */
    struct error error;
};

/* In this order: of several namespaces the last verdict counts. */
enum doctor_verdict { DOCTOR_UNASKED, DOCTOR_ALLOWED, DOCTOR_UNTOLD, DOCTOR_DENIED };

struct doctor_lease {
    struct doctor_reply reply;
    const char *holder; /* "": free */
    int64_t renewed;    /* TIME_NONE: not in the Lease */
    int64_t duration;   /* nanoseconds; 0: not in the Lease */
};

struct doctor_cron_job {
    const char *name, *schedule;
    bool is_suspended;
    int64_t created, scheduled, succeeded; /* TIME_NONE: never, or unknown */
};

#define DOCTOR_RIGHTS_MAX 96

struct doctor_facts {
    struct error unreadable; /* why needs->config is NULL */
    struct doctor_reply server;
    const char *kubernetes; /* the server's version; "": unknown */
    int64_t took;           /* nanoseconds to the first response */
    int64_t ours, theirs;   /* both clocks at one moment; theirs TIME_NONE: unknown */
    struct doctor_reply self;
    const char *user; /* the user that the server sees; "": unknown */
    struct doctor_reply clusters, bindings, kubefed;
    struct doctor_reply host, member; /* signs of Karmada's host cluster, and of a member */
    enum platform platform;           /* AUTO: neither */
    const char *image;                /* of karmada-controller-manager; "": not seen */
    enum kube_served since_1_14, since_1_10;
    struct doctor_lease lease;
    struct doctor_reply lease_namespace;
    struct doctor_reply cron;
    const struct doctor_cron_job *cron_jobs;
    uint32_t n_cron_jobs;
    enum doctor_verdict rights[DOCTOR_RIGHTS_MAX]; /* by doctor_rights */
    const char *denied_in[DOCTOR_RIGHTS_MAX];      /* namespaces, if DENIED: "a, b"; "": all */

    /* The fleet as a plan sees it. NULL: not read; `unread` has the error if Ballast tried. */
    const struct fleet *fleet;
    const struct coverage *coverage;
    const struct diagnosis *diagnosis;
    struct notice_list notices;
    struct error unread;
    int64_t now; /* policy->now of the run that read the fleet */
};

/* Asks the server for facts and fills *facts, with texts in `arena`. The caller's defaults stay
 * where the server does not answer. The client's deadline bounds the time. */
void doctor_gather(struct kube_client *client, const struct doctor_needs *needs,
                   struct arena *arena, struct doctor_facts *facts);
/* True if the facts show a fleet that Ballast can read. */
bool doctor_may_read(const struct doctor_facts *facts);

/* name in documents */
#define DOCTOR_MARKS(X)                                                                            \
    X(OK, "ok")                                                                                    \
    X(WARNING, "warning") /* a run works, but see to it */                                         \
    X(FAILED, "failed")   /* fix it before a run */                                                \
    X(NOTE, "note")       /* unknown from here, or not needed */

enum doctor_mark {
#define X(id, name) DOCTOR_##id,
    DOCTOR_MARKS(X)
#undef X
};
/* Returns the name of a mark in documents: "ok", "warning". */
const char *doctor_mark_name(enum doctor_mark mark);

struct doctor_line {
    const char *check;
    enum doctor_mark mark;
    const char *text;
    const char *advice; /* text and commands, by line; "": none */
};

struct doctor_report {
    const struct doctor_line *lines;
    uint32_t n_lines;
    uint32_t failed, warnings;
};

/* Returns a report, in `arena`: lines on each check that was reached, and one note on all others.
 * Its texts live as long as needs and facts. */
struct doctor_report doctor_judge(const struct doctor_needs *needs,
                                  const struct doctor_facts *facts, struct arena *arena);

#endif
