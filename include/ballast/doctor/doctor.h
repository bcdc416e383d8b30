/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands between an operator and a run: whether the control plane answers,
 * to whom, and what whoever asks may do there. Facts are gathered first, and
 * judged then: judging is pure, and the same facts give the same lines.
 */
#ifndef BALLAST_DOCTOR_DOCTOR_H
#define BALLAST_DOCTOR_DOCTOR_H

#include "ballast/base/arena.h"
#include "ballast/diagnose/coverage.h"
#include "ballast/diagnose/notice.h"
#include "ballast/kube/kube_apis.h"
#include "ballast/kube/kube_client.h"
#include "ballast/members/members.h"

/* ---- what is asked for ---- */

struct doctor_needs {
    const struct kube_config *config; /* NULL: it could not be read */
    const char *kubectl;              /* how to ask the same server: "kubectl --context prod" */
    const char *credential;           /* of the configuration: "the token of user "x"" */
    const char *config_file;          /* "": none is given */
    const struct policy *policy;
    enum platform platform;
    const char *kubefed_namespace; /* "": KUBEFED_NAMESPACE */
    enum member_access access;
    bool writes; /* the rights to run are needed, too */
    const char *lease_namespace, *lease_name;
    int64_t lease_duration;
    const char *estimator_namespace;
};

/* ---- the facts ---- */

struct doctor_reply {
    int status; /* of HTTP; 0: no answer came, or nobody asked */
    struct error error;
};

enum doctor_verdict { DOCTOR_UNASKED, DOCTOR_ALLOWED, DOCTOR_DENIED, DOCTOR_UNTOLD };

struct doctor_lease {
    struct doctor_reply reply;
    const char *holder; /* "": nobody */
    int64_t renewed;    /* TIME_NONE: it does not say */
    int64_t duration;   /* 0: it does not say */
};

struct doctor_cron_job {
    const char *name, *schedule;
    bool is_suspended;
    int64_t created, scheduled, succeeded; /* TIME_NONE: it does not say */
};

#define DOCTOR_RIGHTS_MAX 64

struct doctor_facts {
    struct error unreadable; /* why there is no configuration of the client */
    struct doctor_reply server;
    const char *kubernetes; /* its version; "": it does not say */
    int64_t took;           /* its first answer */
    int64_t ours, theirs;   /* both clocks at one moment; TIME_NONE: theirs is not known */
    struct doctor_reply self;
    const char *user; /* whom the server sees; "": it does not say */
    struct doctor_reply clusters, bindings, kubefed;
    struct doctor_reply host, member; /* signs of the cluster where Karmada's components run, and of
                                         a member */
    enum platform platform;           /* AUTO: neither */
    const char *image;                /* of karmada-controller-manager; "": not seen */
    enum kube_served since_1_14, since_1_10;
    struct doctor_lease lease;
    struct doctor_reply lease_namespace;
    struct doctor_reply cron;
    const struct doctor_cron_job *cron_jobs;
    uint32_t n_cron_jobs;
    enum doctor_verdict rights[DOCTOR_RIGHTS_MAX]; /* by doctor_rights */

    /* The fleet as a plan sees it; NULL: it was not read, with an error where that was tried. */
    const struct fleet *fleet;
    const struct coverage *coverage;
    const struct diagnosis *diagnosis;
    struct notice_list notices;
    struct error unread;
    int64_t now; /* of the fleet */
};

/* Asks the server, in `arena`. The client's deadline bounds it. */
void doctor_gather(struct kube_client *client, const struct doctor_needs *needs,
                   struct arena *arena, struct doctor_facts *facts);
/* Whether there is a fleet that could be read. */
bool doctor_may_read(const struct doctor_facts *facts);

/* ---- what follows ---- */

/* name in documents */
#define DOCTOR_MARKS(X)                                                                            \
    X(OK, "ok")                                                                                    \
    X(WARNING, "warning") /* a run works, but somebody should know */                              \
    X(FAILED, "failed")   /* something has to be done first */                                     \
    X(NOTE, "note")       /* not seen from here, or not needed */

enum doctor_mark {
#define X(id, name) DOCTOR_##id,
    DOCTOR_MARKS(X)
#undef X
};
const char *doctor_mark_name(enum doctor_mark mark);

struct doctor_line {
    const char *check;
    enum doctor_mark mark;
    const char *text;
    const char *advice; /* lines, commands among them; "": nothing is to be done */
};

struct doctor_report {
    const struct doctor_line *lines;
    uint32_t n_lines;
    uint32_t failed, warnings;
};

struct doctor_report doctor_judge(const struct doctor_needs *needs,
                                  const struct doctor_facts *facts, struct arena *arena);

#endif
