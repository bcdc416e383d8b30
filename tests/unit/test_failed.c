/* SPDX-License-Identifier: Apache-2.0
 *
 * Pods that fail: for how long, how many, and who is to blame.
 */
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "small_fleet.h"

static void
open_two(struct small_fleet *f, const char *more_spec)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_cluster(f, "m2");
    small_fleet_binding(f, "web", 8, "{'name':'m1','replicas':4},{'name':'m2','replicas':4}",
                        more_spec);
}

/* At full back-off Ready turns False anew every five minutes: the back-off tells how long it must
 * have gone on. */
static void
test_crash_loop_age(void)
{
    static const struct {
        const char *message;
        int not_ready_for, created;
        bool found;
    } cases[] = {
        {"back-off 5m0s restarting failed container=c", 2, 60, true},
        {"back-off 2m40s restarting failed container=c", 3, 60, true},
        {"back-off 2m40s restarting failed container=c", 2, 60, false},
        {"back-off 10s restarting failed container=c", 4, 60, false},
        {"back-off 5m0s restarting failed container=c", 2, 4, false}, /* not older than the pod */
        {"back-off nonsense", 4, 60, false},
        {"back-off 99999999999999999999h restarting", 4, 60, false},
        {"", 6, 60, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_two(&f, "");
        small_fleet_web(&f, "m1", 4, 0);
        small_fleet_web(&f, "m2", 4, 4);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'p',"
                        "'uid':'p','creationTimestamp':'%s','ownerReferences':[{'apiVersion':"
                        "'apps/v1','kind':'ReplicaSet','name':'web-v1','uid':'m1/web-v1',"
                        "'controller':true}]},'spec':{},'status':{'phase':'Running','conditions':"
                        "[{'type':'ContainersReady','status':'False','lastTransitionTime':'%s'}],"
                        "'containerStatuses':[{'name':'c','state':{'waiting':{'reason':"
                        "'CrashLoopBackOff','message':'%s'}}}]}}",
                        ago(cases[i].created), ago(cases[i].not_ready_for), cases[i].message);
        if (small_fleet_diagnose(&f)) {
            CHECK_MSG((small_fleet_target(&f, 0)->failed == 1) == cases[i].found,
                      "%s, not ready for %dm", cases[i].message, cases[i].not_ready_for);
        }
        small_fleet_close(&f);
    }
}

void suite_failed(void);

void
suite_failed(void)
{
    check_suite("failed replicas");
    check_test("the age of a crash loop", test_crash_loop_age);
}
