/* SPDX-License-Identifier: Apache-2.0
 *
 * The disruption guard over groups of clusters, and clusters that have only
 * just come back.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/plan/plan.h"
#include "check.h"
#include "planner_fixture.h"
#include "small_fleet.h"

#define CLUSTERS_MAX 16

#define MINUTES_A_DAY (24 * 60)

static int
age_of(char state)
{
    return strchr("x.e", state) != NULL ? 30 : state == 'd' ? MINUTES_A_DAY + 1 : 3;
}

/* Clusters a to l: their groups in order, "aab" for two of region a and one of b ('-': it has
 * none), and which are not ready: 'x' past the threshold, '~' not yet, 'd' since more than a day,
 * 'e' past the threshold and empty, '.' ready, '<' ready again since 3 minutes, 'b' likewise and
 * empty, '?' there is no Cluster. A binding has replicas in all that are not empty. */
static void
add_fleet(struct small_fleet *f, const char *regions, const char *down)
{
    char targets[1024] = "";
    size_t length = 0;
    int count = 0;

    small_fleet_open(f);
    for (size_t i = 0; regions[i] != '\0'; i++) {
        char name[2] = {(char)('a' + i), '\0'}, spec[80];

        snprintf(spec, sizeof(spec), ",'region':'%s%c','provider':'p','zones':['z%c','y']",
                 regions[i] == '-' ? "" : "r", regions[i], regions[i]);
        if (regions[i] == '-') {
            snprintf(spec, sizeof(spec), ",'provider':'p'");
        }
        if (down[i] != '?') {
            small_fleet_sick_cluster(f, name, strchr(".<b", down[i]) != NULL ? "True" : "Unknown",
                                     age_of(down[i]), spec);
        }
        if (strchr("eb", down[i]) == NULL) {
            length +=
                (size_t)snprintf(targets + length, sizeof(targets) - length,
                                 "%s{'name':'%s','replicas':1}", count++ > 0 ? "," : "", name);
        }
    }
    small_fleet_binding(f, "web", count, targets, "");
}

static const struct {
    const char *what;
    enum guard_group by;
    const char *regions, *down;
    const char *guarded; /* by cluster: '!' guarded, '.' not */
    bool tripped, all;
    const char *reason, *lost;
} group_cases[] = {
    {"nothing is wrong", GUARD_BY_REGION, "aabb", "....", "....", false, false, "", ""},
    {"a region is lost", GUARD_BY_REGION, "aab", "xx.", "...", false, false, "", "region ra"},
    {"the same without groups", GUARD_BY_NONE, "aab", "xx.", "!!!", true, false,
     "2 of 3 clusters are not ready", ""},
    {"by zone", GUARD_BY_ZONE, "aab", "xx.", "...", false, false, "", "zone za,y"},
    {"all of one provider is no group", GUARD_BY_PROVIDER, "aab", "xx.", "!!!", true, false,
     "2 of 3 clusters are not ready", ""},
    {"a large region is lost", GUARD_BY_REGION, "aaaaaaaabb", "xxxxxxxx..", "..........", false,
     false, "", "region ra (8 clusters)"},
    {"two of three regions", GUARD_BY_REGION, "aabbcc", "xxxx..", "!!!!!!", true, false,
     "2 of 3 regions are lost as a whole", ""},
    {"one of three regions", GUARD_BY_REGION, "aabbcc", "xx....", "......", false, false, "",
     "region ra"},
    {"the rest is doubtful", GUARD_BY_REGION, "aabbb", "xx.xx", "!!!!!", true, false,
     "2 of 3 clusters outside of the lost region are not ready", ""},
    {"a part of a region", GUARD_BY_REGION, "aaaabbbb", "xxx.....", "!!!!....", true, false,
     "region ra: 3 of 4 clusters are not ready", ""},
    {"a small part of a small region", GUARD_BY_REGION, "aaabbb", "xx....", "......", false, false,
     "", ""},
    {"falling one after another", GUARD_BY_REGION, "aaaabbbb", "x~~.....", "!!!!....", true, false,
     "region ra: 3 of 4", ""},
    {"falling, none yet lost", GUARD_BY_REGION, "aab", "~~.", "...", false, false, "", ""},
    {"a lost region beside a half of one", GUARD_BY_REGION, "aabbbbcccc", "xxxx......",
     "..........", false, false, "", "region ra"},
    {"a lost region beside a part of one", GUARD_BY_REGION, "aabbbbcccc", "xxxxx.....",
     "..!!!!....", true, false, "region rb: 3 of 4", "region ra"},
    {"a lost region beside most of one", GUARD_BY_REGION, "aabbbbcccc", "xxxxx~....", "!!!!!!!!!!",
     true, false, "2 of 3 regions", ""},
    {"all of them", GUARD_BY_REGION, "aab", "xxx", "!!!", true, true, "none of 3 clusters is ready",
     ""},
    {"all of them, ungrouped", GUARD_BY_NONE, "aab", "xx~", "!!!", true, true,
     "none of 3 clusters is ready", ""},
    {"back one after another", GUARD_BY_NONE, "aabbc", "<<xx.", "!!!!!", true, false,
     "4 of 5 clusters are not ready or only just back", ""},
    {"one is back", GUARD_BY_NONE, "aabbc", "<x...", ".....", false, false, "", ""},
    {"nothing is lost any more", GUARD_BY_NONE, "aabbc", "<<<<.", ".....", false, false, "", ""},
    {"regions back one after another", GUARD_BY_REGION, "aabbcc", "x<xx..", "!!!!!!", true, false,
     "2 of 3 regions are lost or in doubt as a whole", ""},
    {"regions falling one after another", GUARD_BY_REGION, "aabbcc", "xx~~..", "!!!!!!", true,
     false, "2 of 3 regions are lost or in doubt as a whole", ""},
    {"a region back in part", GUARD_BY_REGION, "aaaabbbb", "x<<.....", "!!!!....", true, false,
     "region ra: 3 of 4 clusters are not ready or only just back", ""},
    {"all of them, none past the threshold", GUARD_BY_NONE, "aab", "~~~", "...", false, false, "",
     ""},
    {"lost since yesterday", GUARD_BY_NONE, "aabbc", "dddx.", ".....", false, false, "", ""},
    {"lost since yesterday, and half of the others", GUARD_BY_NONE, "aabbcc", "dddxx.", "!!!!!!",
     true, false, "2 of 3 clusters are not ready", ""},
    {"all of them since yesterday", GUARD_BY_NONE, "aab", "ddd", "!!!", true, true,
     "none of 3 clusters is ready", ""},
    {"empty ones", GUARD_BY_NONE, "aabbc", "eeex.", ".....", false, false, "", ""},
    {"empty ones just back", GUARD_BY_NONE, "aabbc", "bbbx.", ".....", false, false, "", ""},
    {"only empty ones are ready", GUARD_BY_NONE, "aab", "xx<", "!!!", true, false,
     "3 of 3 clusters are not ready or only just back", ""},
    {"missing ones", GUARD_BY_NONE, "aaaa", ".???", "!", true, false,
     "3 of 4 clusters are not ready", ""},
    {"one missing", GUARD_BY_NONE, "aaaa", "...?", "...", false, false, "", ""},
    {"all but those that are missing are lost", GUARD_BY_REGION, "aabb", "xx??", "!!", true, true,
     "none of 4 clusters is ready", ""},
    {"missing ones are no region", GUARD_BY_REGION, "aabbccdddddddd", "......????????", "!!!!!!",
     true, false, "8 of 14 clusters are not ready", ""},
    {"nor are those that do not say where they are", GUARD_BY_REGION, "abc----", "...xxxx",
     "!!!!!!!", true, false, "4 of 7 clusters are not ready", ""},
    {"two regions by default", GUARD_BY_AUTO, "aab", "xx.", "!!!", true, false,
     "2 of 3 clusters are not ready", ""},
    {"three regions by default", GUARD_BY_AUTO, "aaaabc", "xxxx..", "......", false, false, "",
     "region ra (4 clusters)"},
    {"a part of one of three regions by default", GUARD_BY_AUTO, "aaaabc", "xxx...", "!!!!..", true,
     false, "region ra: 3 of 4", ""},
    {"a region that is dead and one that is lost", GUARD_BY_AUTO, "aabbcc", "ddxx..", "......",
     false, false, "", "region rb"},
};

static void
test_groups(void)
{
    for (size_t i = 0; i < sizeof(group_cases) / sizeof(group_cases[0]); i++) {
        struct small_fleet f;

        add_fleet(&f, group_cases[i].regions, group_cases[i].down);
        f.policy.guard_by = group_cases[i].by;
        if (small_fleet_diagnose(&f)) {
            char guarded[CLUSTERS_MAX + 1] = "";

            for (uint32_t c = 0; c < f.fleet->n_clusters; c++) {
                guarded[c] = f.diagnosis->clusters[c].guarded ? '!' : '.';
            }
            CHECK_MSG(str_eq(guarded, group_cases[i].guarded), "%s: guarded %s",
                      group_cases[i].what, guarded);
            CHECK_MSG(f.diagnosis->guard_tripped == group_cases[i].tripped, "%s",
                      group_cases[i].what);
            CHECK_MSG(f.diagnosis->guards_all == group_cases[i].all, "%s", group_cases[i].what);
            CHECK_CONTAINS(f.diagnosis->guard_reason, group_cases[i].reason);
            CHECK_CONTAINS(f.diagnosis->lost_groups, group_cases[i].lost);
            CHECK(str_is_empty(f.diagnosis->guard_reason) == str_is_empty(group_cases[i].reason));
            CHECK(str_is_empty(f.diagnosis->lost_groups) == str_is_empty(group_cases[i].lost));
            CHECK(str_is_empty(f.diagnosis->guard_verdict) != group_cases[i].tripped);
        }
        small_fleet_close(&f);
    }
}

/* A guard that holds nothing back, and one that only warns. */
static void
test_silence(void)
{
    static const struct {
        const char *what, *regions, *down;
        bool off, left_alone, tripped;
        const char *warning;
    } cases[] = {
        {"failover is on", "aaa", "xx.", false, false, true, ""},
        {"failover is off", "aaa", "xx.", true, false, false, ""},
        {"all are lost, and failover is off", "aaa", "xxx", true, false, false, ""},
        {"all are lost", "aaa", "xxx", false, false, true, ""},
        {"nobody's business", "aaa", "xx.", false, true, false, ""},
        {"two of five", "aaaaa", "xx...", false, false, false,
         "2 of 5 clusters are not ready, 40% or more"},
        {"two of six", "aaaaaa", "xx....", false, false, false, ""},
        {"two of five, and failover is off", "aaaaa", "xx...", true, false, false, ""},
        {"most clusters are in the region that is lost", "aaaabc", "xxxx..", false, false, false,
         "4 of 6 clusters are not ready"},
        {"two of five regions", "aabbccccddddee", "xxxx..........", false, false, false,
         "2 of 5 regions are lost as a whole, 40% or more"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        add_fleet(&f, cases[i].regions, cases[i].down);
        f.policy.triggers[FINDING_UNHEALTHY_CLUSTER] = !cases[i].off;
        f.policy.scheduler_name = cases[i].left_alone ? "another" : "default-scheduler";
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG(f.diagnosis->guard_tripped == cases[i].tripped, "%s", cases[i].what);
            CHECK_CONTAINS(f.diagnosis->guard_warning, cases[i].warning);
            CHECK_MSG(str_is_empty(f.diagnosis->guard_warning) == str_is_empty(cases[i].warning),
                      "%s: %s", cases[i].what, f.diagnosis->guard_warning);
        }
        small_fleet_close(&f);
    }
}

/* Ready for so many seconds, with a stabilization window of a minute. */
static void
test_settling(void)
{
    static const struct {
        const char *ready;
        int age;
        int64_t window;
        bool settling;
    } cases[] = {
        {"True", 2, 3, true},  {"True", 2, 2, false}, {"True", 2, 1, false},
        {"True", 0, 0, false}, {"True", 0, 1, true},  {"False", 2, 3, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_sick_cluster(&f, "m1", cases[i].ready, cases[i].age, "");
        f.policy.cluster_stabilization = cases[i].window * NANOS_PER_MINUTE;
        if (small_fleet_diagnose(&f)) {
            const struct cluster_health *health = &f.diagnosis->clusters[0];
            bool ready = str_eq(cases[i].ready, "True");

            CHECK_MSG(health->settling == cases[i].settling, "case %zu", i);
            CHECK(health->ready == ready && health->healthy);
            CHECK(cluster_may_receive(health) == (ready && !cases[i].settling));
        }
        small_fleet_close(&f);
    }
}

/* Two of three clusters are lost, and the guard has tripped. It holds replicas back where m3 could
 * run some of them, also in a run that is stopped before that is known. */
static void
test_held_back(void)
{
    static const struct {
        int room; /* in m3 */
        bool is_stopped, is_held;
    } cases[] = {{10, false, true}, {10, true, true}, {0, false, false}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;
        const atomic_bool stop = cases[i].is_stopped;

        small_fleet_open(&f);
        add_lost_cluster(&f, "m1");
        add_lost_cluster(&f, "m2");
        add_cluster(&f, "m3", cases[i].room);
        add_web(&f, 4, "{'name':'m1','replicas':2},{'name':'m2','replicas':2}", DYNAMIC, "",
                REPORTED);
        if (small_fleet_diagnose(&f)) {
            CHECK(f.diagnosis->guard_tripped);
            f.policy.stop = &stop;
            const struct diagnosis *settled =
                plan_drop_idle_guard(f.arena, f.fleet, f.diagnosis, &f.policy);

            CHECK_MSG(settled->guard_tripped == cases[i].is_held, "case %zu", i);
        }
        small_fleet_close(&f);
    }
}

void suite_guard(void);

void
suite_guard(void)
{
    check_suite("disruption guard");
    check_test("groups of clusters", test_groups);
    check_test("silence and warning", test_silence);
    check_test("clusters that settle", test_settling);
    check_test("what the guard holds back", test_held_back);
}
