/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges the way in: configuration, kubeconfig, server, identity and clock.
 */
#include <string.h>

#include "doctor_internal.h"

#define SKEW_MAX (30 * NANOS_PER_SECOND) /* tokens and certificates tolerate less */

void
judge_configuration(struct doctor *doctor)
{
    const char *file = doctor->needs->config_file;

    doctor_say(doctor, DOCTOR_OK,
               str_is_empty(file) ? "the defaults: no --config is given"
                                  : arena_printf(doctor->arena, "%s is valid", file),
               "");
}

void
judge_kubeconfig(struct doctor *doctor)
{
    const struct kube_config *config = doctor->needs->config;

    if (config == NULL) {
        doctor_say(doctor, DOCTOR_FAILED, doctor->facts->unreadable.message,
                   "name the kubeconfig of Karmada's own API server: --kubeconfig FILE, and "
                   "--context NAME where it has several");
        return;
    }
    doctor->reached = STAGE_CONFIG;
    doctor_say(doctor, DOCTOR_OK, config->origin, "");
}

static const char *
other_contexts(const struct doctor *doctor)
{
    const struct kube_config *config = doctor->needs->config;

    return config->contexts != NULL && strchr(config->contexts, ',') != NULL
               ? arena_printf(doctor->arena, "\nor choose another context with --context: %s",
                              config->contexts)
               : "";
}

/* Without a response, the advice depends on how far the request got. */
static const char *
advice_on_silence(const struct doctor *doctor)
{
    switch (doctor->facts->server.error.code) {
    case ERROR_CONFIG: /* certificate, key or plugin: Ballast sent nothing */
        return "correct what the message names in the kubeconfig: certificate-authority is the "
               "CA that signed this server's certificate";
    case ERROR_FORBIDDEN:
        return "log in again: the kubeconfig's exec plugin gave no credential";
    default:
        return "see whether the server runs, whether its address is right, and whether the network "
               "(or VPN) is up";
    }
}

void
judge_server(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;
    const char *server = doctor->needs->config->server;

    if (facts->server.status == 0) {
        doctor_say(
            doctor, DOCTOR_FAILED, facts->server.error.message,
            arena_printf(doctor->arena, "%s%s", advice_on_silence(doctor), other_contexts(doctor)));
        return;
    }
    doctor->reached = STAGE_CONTACT;
    doctor_say(doctor, DOCTOR_OK,
               arena_printf(doctor->arena, "%s answers in %lldms%s%s", server,
                            (long long)(facts->took / (NANOS_PER_SECOND / 1000)),
                            str_is_empty(facts->kubernetes) ? "" : ", Kubernetes ",
                            facts->kubernetes),
               "");
}

static bool
is_nobody(const struct doctor_facts *facts)
{
    return str_eq(facts->user, "system:anonymous");
}

static bool
is_refused(const struct doctor_facts *facts)
{
    return facts->server.status == 401 || facts->self.status == 401 ||
           facts->clusters.status == 401;
}

void
judge_identity(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;
    const struct kube_config *config = doctor->needs->config;
    const char *name = config->as != NULL ? config->as : config->user;

    if (is_refused(facts) || is_nobody(facts)) {
        doctor_say(doctor, DOCTOR_FAILED,
                   arena_printf(doctor->arena, "%s is not accepted%s", doctor->needs->credential,
                                is_nobody(facts) ? ": the server takes it for nobody's "
                                                   "(system:anonymous)"
                                                 : " (HTTP 401)"),
                   arena_printf(doctor->arena,
                                "renew it or log in again: it has expired, or it is for another "
                                "cluster%s",
                                other_contexts(doctor)));
        return;
    }
    doctor->reached = STAGE_IDENTITY;
    doctor_say(doctor, DOCTOR_OK,
               !str_is_empty(facts->user)
                   ? facts->user
                   : arena_printf(doctor->arena,
                                  "user \"%s\" of the kubeconfig (this server does not say whom it "
                                  "sees)",
                                  name != NULL ? name : ""),
               "");
}

void
judge_clock(struct doctor *doctor)
{
    const struct doctor_facts *facts = doctor->facts;

    if (facts->theirs == TIME_NONE) {
        doctor_say(doctor, DOCTOR_NOTE, "the server does not tell its time", "");
        return;
    }
    int64_t ahead = timestamp_span(facts->theirs, facts->ours);
    bool is_off = ahead > SKEW_MAX || ahead < -SKEW_MAX;
    /* the server's time is in whole seconds */
    const char *text =
        ahead < 2 * NANOS_PER_SECOND && ahead > -2 * NANOS_PER_SECOND
            ? "the same as the server's"
            : arena_printf(doctor->arena, "this machine's is %s %s the server's",
                           doctor_span(doctor->arena, ahead), ahead > 0 ? "ahead of" : "behind");

    doctor_say(doctor, is_off ? DOCTOR_WARNING : DOCTOR_OK, text,
               is_off ? "set the clock (timedatectl set-ntp true): Ballast decides by the server's "
                        "time, but tokens and certificates expire by yours"
                      : "");
}
