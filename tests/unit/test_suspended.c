/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters to which a binding's dispatching is suspended.
 */
#include <string.h>

#include "ballast/capacity/questions.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "small_fleet.h"

/* m1 has what is stuck; the others might take it, as far as their estimators say. */
static void
test_room_questions(void)
{
    static const struct {
        const char *clusters; /* of dispatchingOnClusters */
        bool asked[3];
    } cases[] = {
        {"", {true, true, true}},
        {"'m2'", {true, false, true}},
        {"'m3','gone','m2','m3'", {true, false, false}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        char spec[256];

        small_fleet_open(&f);
        f.policy.sources = (struct member_sources){{SOURCE_PODS, SOURCE_ESTIMATOR}, 2};
        small_fleet_cluster(&f, "m1");
        small_fleet_cluster(&f, "m2");
        small_fleet_cluster(&f, "m3");
        small_fleet_web(&f, "m1", 3, 1);
        small_fleet_pods(&f, "m1", "ReplicaSet", "web-v1",
                         (struct small_pods){2, POD_UNSCHEDULABLE, 20});
        snprintf(spec, sizeof(spec),
                 ",'suspension':{'dispatchingOnClusters':{'clusterNames':[%s]}}",
                 cases[i].clusters);
        small_fleet_binding(&f, "web", 3, "{'name':'m1','replicas':3}", spec);
        if (small_fleet_diagnose(&f)) {
            bool asked[3] = {false};
            uint32_t count = 0;
            const struct room_question *questions =
                capacity_room_questions(f.arena, f.fleet, f.diagnosis, &f.policy, NULL, &count);

            for (uint32_t q = 0; q < count; q++) {
                asked[questions[q].cluster] = true;
            }
            for (int m = 0; m < 3; m++) {
                CHECK_MSG(asked[m] == cases[i].asked[m], "case %zu, m%d", i, m + 1);
            }
        }
        small_fleet_close(&f);
    }
}

static void
add_stuck(struct small_fleet *f, const char *name, const char *cluster, const char *suspended)
{
    char clusters[64];

    char spec[256];

    snprintf(spec, sizeof(spec),
             ",'replicaRequirements':{'resourceRequest':{'cpu':'1'}},"
             "'suspension':{'dispatchingOnClusters':{'clusterNames':[%s]}}",
             suspended);
    snprintf(clusters, sizeof(clusters), "{'name':'%s','replicas':2}", cluster);
    small_fleet_binding(f, name, 3, clusters, spec);
}

static bool
is_about(const struct fit_question *question, bool is_there, const uint32_t *clusters,
         uint32_t n_clusters)
{
    return question->is_there == is_there && !question->may_stop &&
           question->n_clusters == n_clusters &&
           memcmp(question->clusters, clusters, n_clusters * sizeof(*clusters)) == 0;
}

/* A binding is one question however many clusters it may go to, and one of those that it is in. */
static void
test_fit_questions(void)
{
    static const uint32_t all[] = {0, 1, 2}, there[] = {1}, open[] = {0, 2};
    struct small_fleet f;

    small_fleet_open(&f);
    small_fleet_cluster(&f, "m1");
    small_fleet_cluster(&f, "m2");
    small_fleet_cluster(&f, "m3");
    add_stuck(&f, "a", "m2", "");
    add_stuck(&f, "b", "m2", "'m2'");
    add_stuck(&f, "c", "m2", "");
    if (small_fleet_diagnose(&f)) {
        uint32_t count = 0;
        const struct fit_question *fit = capacity_fit_questions(
            f.arena, f.fleet, f.diagnosis, &f.policy, (struct fit_wanted){.about = NULL}, &count);

        if (CHECK_INT(count, 6)) {
            for (uint32_t b = 0; b < 3; b++) {
                const struct fit_question *two = &fit[(size_t)2 * b];

                CHECK_INT(two[0].binding, b);
                CHECK_INT(two[1].binding, b);
                CHECK(is_about(&two[0], false, b == 1 ? open : all, b == 1 ? 2 : 3));
                CHECK(is_about(&two[1], true, there, 1));
            }
            CHECK(fit[0].clusters == fit[4].clusters);
            CHECK(fit[1].clusters == fit[3].clusters && fit[3].clusters == fit[5].clusters);
        }
    }
    small_fleet_close(&f);
}

/* Many lists of one length: no binding gets another one's. */
static void
test_many_lists(void)
{
    enum { MANY = 80 };
    struct small_fleet f;
    char name[16];

    small_fleet_open(&f);
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "m%02u", i);
        small_fleet_cluster(&f, name);
    }
    for (unsigned i = 0; i < MANY; i++) {
        char binding[16], suspended[16];

        snprintf(binding, sizeof(binding), "b%02u", i);
        snprintf(suspended, sizeof(suspended), "'m%02u'", i);
        add_stuck(&f, binding, "m02", suspended);
    }
    if (small_fleet_diagnose(&f)) {
        uint32_t count = 0;
        const struct fit_question *fit = capacity_fit_questions(
            f.arena, f.fleet, f.diagnosis, &f.policy, (struct fit_wanted){.about = NULL}, &count);

        if (CHECK_INT(count, 2 * MANY)) {
            for (uint32_t i = 0; i < MANY; i++) {
                const struct fit_question *open = &fit[(size_t)2 * i];

                CHECK_INT(open->binding, i);
                CHECK_INT(open->n_clusters, MANY - 1);
                for (uint32_t c = 0; c < open->n_clusters; c++) {
                    CHECK_INT(open->clusters[c], c < i ? c : c + 1);
                }
            }
        }
    }
    small_fleet_close(&f);
}

void suite_suspended(void);

void
suite_suspended(void)
{
    check_suite("suspended dispatching");
    check_test("nobody is asked for room there", test_room_questions);
    check_test("nor what fits there", test_fit_questions);
    check_test("lists of clusters are not mixed up", test_many_lists);
}
