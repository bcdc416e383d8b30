/* SPDX-License-Identifier: Apache-2.0
 *
 * Judges the user's rights against those that plan and run need.
 */
#include <string.h>

#include "doctor_internal.h"

#define RIGHTS_TEXT_MAX ((size_t)16 << 10)
#define ROLES_MAX 16
#define OUR_ACCOUNT "system:serviceaccount:karmada-system:ballast"

struct rights_tally {
    uint32_t asked, denied, lacking, untold; /* lacking: denied and not optional */
    struct buf text;
    const struct right_role *roles[ROLES_MAX]; /* roles that grant denied rights, each once */
    const char *namespaces[ROLES_MAX];
    uint32_t n_roles;
};

static void
note_role(struct rights_tally *tally, const struct right_role *role, const char *namespace_)
{
    for (uint32_t i = 0; i < tally->n_roles; i++) {
        if (tally->roles[i] == role) {
            return;
        }
    }
    if (tally->n_roles < ROLES_MAX) {
        tally->namespaces[tally->n_roles] = namespace_;
        tally->roles[tally->n_roles++] = role;
    }
}

/* Appends a right as `kubectl auth can-i` takes it: "list overridepolicies.policy.karmada.io". */
static void
append_right(struct doctor *doctor, const struct doctor_right *right, const char *namespaces,
             struct buf *out)
{
    const char *group = right_group(doctor->arena, right);
    const char *name = right_name(right, doctor->needs);

    buf_printf(out, "%s%s %s%s%s%s%s%s%s", out->length > 0 ? ", " : "", right->verb,
               right->resource, str_is_empty(group) ? "" : ".", group,
               right->subresource != NULL ? "/" : "",
               right->subresource != NULL ? right->subresource : "", name != NULL ? "/" : "",
               name != NULL ? name : "");
    if (!str_is_empty(namespaces)) {
        buf_printf(out, " in %s", namespaces);
    }
    if ((right->flags & RIGHT_IS_OPTIONAL) != 0) {
        buf_printf(out, " (%s)", right->why);
    }
}

static void
count_right(struct doctor *doctor, uint32_t index, struct rights_tally *tally)
{
    const struct doctor_right *right = &doctor_rights[index];
    const enum doctor_verdict verdict = doctor->facts->rights[index];

    tally->asked += verdict != DOCTOR_UNASKED ? 1 : 0;
    tally->untold += verdict == DOCTOR_UNTOLD ? 1 : 0;
    if (verdict == DOCTOR_DENIED) {
        tally->denied++;
        tally->lacking += (right->flags & RIGHT_IS_OPTIONAL) == 0 ? 1 : 0;
        append_right(doctor, right, doctor->facts->denied_in[index], &tally->text);
        note_role(tally, right->role, right_namespace(right, doctor->needs, 0));
    }
}

/* Returns the command that binds the role to the user. "": the manifests bind the account. */
static const char *
binding_of(struct doctor *doctor, const struct right_role *role, const char *namespace_)
{
    static const char account[] = "system:serviceaccount:";
    struct arena *arena = doctor->arena;
    const char *user = doctor->facts->user;
    const bool is_account = strncmp(user, account, strlen(account)) == 0;
    const char *kind = role->is_of_namespace ? "role" : "clusterrole";

    if (strncmp(user, OUR_ACCOUNT, strlen(OUR_ACCOUNT)) == 0) {
        return "";
    }
    return arena_printf(arena, "\n%s%s%s create %sbinding %s-by-hand --%s=%s --%s=%s",
                        doctor->needs->kubectl, role->is_of_namespace ? " -n " : "",
                        role->is_of_namespace ? doctor_word(arena, namespace_) : "", kind,
                        role->name, kind, role->name, is_account ? "serviceaccount" : "user",
                        str_is_empty(user)
                            ? "USER"
                            : doctor_word(arena, is_account ? user + strlen(account) : user));
}

static const char *
advice_of(struct doctor *doctor, const struct rights_tally *tally)
{
    struct buf out;

    buf_init(&out, RIGHTS_TEXT_MAX);
    for (uint32_t i = 0; i < tally->n_roles; i++) {
        const char *directory = tally->roles[i]->directory;
        bool is_new = directory != NULL;

        for (uint32_t j = 0; j < i; j++) {
            is_new = is_new && tally->roles[j]->directory != NULL &&
                     !str_eq(tally->roles[j]->directory, directory);
        }
        if (is_new) {
            buf_printf(&out, "%s%s apply -k %s", out.length > 0 ? "\n" : "", doctor->needs->kubectl,
                       directory);
        }
    }
    for (uint32_t i = 0; i < tally->n_roles; i++) {
        if (tally->roles[i]->directory != NULL) {
            buf_append_str(&out, binding_of(doctor, tally->roles[i], tally->namespaces[i]));
        } else {
            buf_printf(&out,
                       "%sgrant get on these Secrets, or reach members by "
                       "--member-access=proxy",
                       out.length > 0 ? "\n" : "");
        }
    }
    const char *text = arena_strndup(doctor->arena, buf_text(&out), out.length);

    buf_release(&out);
    return text;
}

static void
judge_rights(struct doctor *doctor, bool to_run)
{
    struct rights_tally tally = {.asked = 0};
    struct arena *arena = doctor->arena;

    buf_init(&tally.text, RIGHTS_TEXT_MAX);
    for (uint32_t i = 0; i < n_doctor_rights; i++) {
        if (((doctor_rights[i].flags & RIGHT_TO_RUN) != 0) == to_run) {
            count_right(doctor, i, &tally);
        }
    }
    if (tally.denied > 0) {
        doctor_say(doctor, tally.lacking > 0 ? DOCTOR_FAILED : DOCTOR_WARNING,
                   arena_printf(arena, "you may not %s", buf_text(&tally.text)),
                   advice_of(doctor, &tally));
    } else if (tally.untold > 0) {
        doctor_say(doctor, DOCTOR_NOTE,
                   arena_printf(arena, "the server does not say of %u rights whether you have them",
                                (unsigned)tally.untold),
                   "");
    } else if (tally.asked > 0) {
        doctor_say(doctor, DOCTOR_OK, arena_printf(arena, "all %u", (unsigned)tally.asked), "");
    } else {
        doctor_say(doctor, DOCTOR_NOTE, "not asked for: a dry run writes nothing", "");
    }
    buf_release(&tally.text);
}

void
judge_rights_to_plan(struct doctor *doctor)
{
    judge_rights(doctor, false);
}

void
judge_rights_to_run(struct doctor *doctor)
{
    judge_rights(doctor, true);
}
