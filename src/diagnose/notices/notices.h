/* SPDX-License-Identifier: Apache-2.0
 *
 * Notices in progress, private to the files that find them.
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
    const struct label_list **labels; /* by binding: workload's labels; NULL: not looked up */
    VEC_OF(struct notice) found;
};

/* Appends a notice about a thing, with a formatted message. Copies both, and cuts long texts. */
void notice_add(struct notices *notices, const char *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Distinct names, in the order in which they were added. The texts are not copied. */
struct known_names {
    struct map *seen; /* NULL: none yet */
    VEC_OF(const char *) items;
};
#define KNOWN_NAMES                                                                                \
    {                                                                                              \
        .seen = NULL                                                                               \
    }

typedef const char *text_of_binding(const struct binding *binding);

/* Returns the distinct texts that `text` gives of a fleet's bindings, without "". Free them with
 * known_free(). */
struct known_names known_list(const struct fleet *fleet, text_of_binding *text);
/* Adds a name unless it is known. It must outlive `known`. */
void known_add(struct known_names *known, const char *name);
/* True if the name is known. */
bool known_has(const struct known_names *known, const char *name);
/* Returns a hint at a similar known name, in `arena`: ": did you mean shop?"; "" if none is
 * similar. */
const char *known_hint(struct arena *arena, const struct known_names *known, const char *name);
/* Returns known_hint(), or else the known names, in `arena`: "; there are shop, pay"; "" if no name
 * is known. */
const char *known_suggest(struct arena *arena, const struct known_names *known, const char *name);
/* Frees the list, but neither `known` nor the names. */
void known_free(struct known_names *known);

/* Appends a notice for each part of the scope that matches nothing. */
void notice_scope(struct notices *notices);
/* Appends a notice for each label that the scope's selector requires and nothing has, and one if
 * labels of workloads are not known. */
void notice_selector(struct notices *notices);
/* Takes a label that a selector requires: "tier=frontend", or "tier" if nothing has a label of that
 * name. `hint`: by known_hint(). */
typedef void missing_label_listener(struct notices *notices, const void *context, const char *label,
                                    const char *hint);
/* Calls `tell` for each label that a selector requires and that no workload or binding is known to
 * have. Passes `context` on. */
void find_missing_labels(struct notices *notices, const struct label_selector *selector,
                         missing_label_listener *tell, const void *context);
/* Appends a notice for each preference of the policy that applies to nothing. */
void notice_preferences(struct notices *notices);
/* Appends a notice if no binding belongs to the policy's scheduler. */
void notice_scheduler(struct notices *notices);
/* Appends notices about objects that Ballast left out, and about another writer of bindings. */
void notice_platform(struct notices *notices);
/* Appends a notice for each name of a cluster that does not exist. */
void notice_clusters(struct notices *notices);
/* Appends a notice for each request of a WorkloadRebalancer that cannot be met. */
void notice_rebalancers(struct notices *notices);
/* Appends a notice for each kind of which some pod templates could not be read. */
void notice_templates(struct notices *notices);
/* Appends a notice for each member that shows no pods of a namespace that has ready pods there. */
void notice_pods(struct notices *notices);

#endif
