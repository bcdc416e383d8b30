/* SPDX-License-Identifier: Apache-2.0
 *
 * Conformance: what upstream's code answered, recorded in vector files, against
 * what ours answers. A format is a file conform_NAME.c that defines one function
 * of type conform_format_function named conform_NAME and is listed in
 * CONFORM_FORMATS; it goes through a file's cases and hands each to
 * conform_compare as two texts.
 *
 *     void
 *     conform_example(struct conform *run, const struct value *root)
 *     {
 *         const struct value *cases = value_get(root, "cases");
 *
 *         for (size_t i = 0; i < value_count(cases); i++) {
 *             const struct value *item = value_at(cases, i);
 *             struct conform_case c = conform_case(item);
 *             ... decode (on an error: conform_broken(run, &c, &err); continue;), compute ...
 *             conform_compare(run, &c, got, conform_json(run, value_get(item, "expected")));
 *         }
 *     }
 */
#ifndef BALLAST_CONFORM_H
#define BALLAST_CONFORM_H

#include "ballast/base/arena.h"
#include "ballast/base/error.h"
#include "ballast/format/value.h"

/* function suffix, dataset name and prefix of the file name */
#define CONFORM_FORMATS(X)                                                                         \
    X(descheduler, "descheduler")                                                                  \
    X(estimate, "estimate")                                                                        \
    X(v08, "karmada-v0.8-divide")                                                                  \
    X(fit, "kube-scheduler-fit")                                                                   \
    X(planner, "kubefed-planner")                                                                  \
    X(kubefed_pods, "kubefed-podstatus")                                                           \
    X(replica_state, "kubefed-replicastate")                                                       \
    X(writeback, "kubefed-writeback")                                                              \
    X(node_estimate, "node-estimate")                                                              \
    X(schedule, "schedule")                                                                        \
    X(trigger, "trigger")                                                                          \
    X(unschedulable, "unschedulable-pods")                                                         \
    X(webster, "webster")

/* One vector file under way. `arena` lives as long as the file. */
struct conform {
    struct arena *arena;
    unsigned agree;
    unsigned differ;
    unsigned exempt;  /* upstream's answer is an accident: counted apart, whatever ours is */
    unsigned planned; /* cases that were answered by a plan, where some of a file are not */
};

/* What to show of a case that disagrees. */
struct conform_case {
    const char *name;
    const struct value *tags;  /* list of strings, NULL: none */
    const struct value *input; /* NULL: none worth showing */
};

typedef void conform_format_function(struct conform *run, const struct value *root);

#define X(function, dataset) conform_format_function conform_##function;
CONFORM_FORMATS(X)
#undef X

/* Of an object with optional `name` and `tags`; the whole object is its input. */
struct conform_case conform_case(const struct value *item);

/* Counts one case; a difference is shown, the first few of each file in full. */
void conform_compare(struct conform *run, const struct conform_case *c, const char *got,
                     const char *want);
/* Counts one case whose input could not be decoded: a difference. */
void conform_broken(struct conform *run, const struct conform_case *c, const struct error *err);

/* Compact JSON with sorted members, in the run's arena; "(absent)" for NULL. */
const char *conform_json(struct conform *run, const struct value *value);

/* A member that is a string, or an integer; else "" and the fallback. */
const char *conform_text(const struct value *object, const char *key);
int64_t conform_integer(const struct value *object, const char *key, int64_t fallback);

/* A name and a count, as most answers are made of. */
struct conform_pair {
    const char *name;
    int64_t count;
};
/* {"a":1,"b":2}, in byte order of the names whatever the order of `pairs`: the form that
 * conform_json gives an object of integers. */
const char *conform_pairs(struct conform *run, const struct conform_pair *pairs, size_t count);
/* The same from a list of objects {"name": ..., <count_key>: ...}; an absent count is 0. */
const char *conform_pairs_of_list(struct conform *run, const struct value *list,
                                  const char *count_key);

#endif
