/* SPDX-License-Identifier: Apache-2.0
 *
 * Notices under way, private to the files that find them.
 */
#ifndef BALLAST_DIAGNOSE_NOTICES_H
#define BALLAST_DIAGNOSE_NOTICES_H

#include "ballast/diagnose/notice.h"
#include "diagnose/members/observed.h"

struct notices {
    struct arena *arena;
    const struct fleet *fleet;
    const struct diagnosis *diagnosis;
    const struct policy *policy;
    const char *in_scope; /* "3 of 150 bindings in scope" */
    uint32_t n_in_scope;
    const struct label_list **labels; /* of each binding's workload; NULL: not looked up yet */
    VEC_OF(struct notice) found;
};

void notice_add(struct notices *notices, const char *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Distinct names, in the order in which they are met. */
struct known_names {
    struct map *seen; /* NULL: none yet */
    VEC_OF(const char *) items;
};
#define KNOWN_NAMES                                                                                \
    {                                                                                              \
        .seen = NULL                                                                               \
    }

typedef const char *text_of_binding(const struct binding *binding);

/* What the bindings of a fleet have of it; "" is nothing. */
struct known_names known_list(const struct fleet *fleet, text_of_binding *text);
void known_add(struct known_names *known, const char *name);
bool known_has(const struct known_names *known, const char *name);
/* ": did you mean shop?", or "" where none is near. */
const char *known_hint(struct arena *arena, const struct known_names *known, const char *name);
/* The same, or what there is: "; there are shop, pay". */
const char *known_suggest(struct arena *arena, const struct known_names *known, const char *name);
void known_free(struct known_names *known);

/* What of the scope matches nothing. */
void notice_scope(struct notices *notices);
/* The labels that its selector asks for. */
void notice_selector(struct notices *notices);
/* Tells each label that a selector asks for and nothing is known to have: "tier=frontend", or
 * "tier" where nothing has one of that name. */
typedef void missing_label_teller(struct notices *notices, const void *context, const char *label,
                                  const char *hint);
void find_missing_labels(struct notices *notices, const struct label_selector *selector,
                         missing_label_teller *tell, const void *context);
/* Which preferences are for nothing. */
void notice_preferences(struct notices *notices);
/* The scheduler whose bindings are looked at has none. */
void notice_scheduler(struct notices *notices);
/* Objects that are of no use, and whoever else writes. */
void notice_platform(struct notices *notices);
/* Which clusters are named that do not exist. */
void notice_clusters(struct notices *notices);
/* What WorkloadRebalancers ask for in vain. */
void notice_rebalancers(struct notices *notices);
void notice_templates(struct notices *notices);
/* Which members show no pods of a namespace that has some. */
void notice_pods(struct notices *notices);

#endif
