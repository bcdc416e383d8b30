/* SPDX-License-Identifier: Apache-2.0
 *
 * How many volumes of a driver a node can have (NodeVolumeLimits), and whose count.
 */
#include "check.h"
#include "small_fleet.h"
#include "volume_fleet.h"

#define CSI(name, driver, handle)                                                                  \
    VOLUME(name, "", "'csi':{'driver':'" driver "','volumeHandle':'" handle "'}")

/* The claim has h1 of driver d, and so have pods on b; those on c have h2. Node a may have no
 * volume of d, b and c as many as is said. */
static int32_t
room_by_limits(const char *limit_b, const char *limit_c, const char *driver)
{
    struct small_fleet f;

    volume_fleet_open(&f, DATA);
    small_fleet_add(&f, "m1", "%s", BOUND);
    small_fleet_add(&f, "m1", "%s", CSI("v1", "d", "h1"));
    small_fleet_add(&f, "m1", "%s", CSI("v2", "d", "h2"));
    small_fleet_add(&f, "m1", "%s", CSI("v3", "e", "h3"));
    for (int i = 2; i < 4; i++) {
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                        "'ns','name':'c%d'" DONE "},'spec':{'volumeName':'v%d'}}",
                        i, i);
    }
    volume_fleet_pod(&f, "p1", "b", DATA);
    volume_fleet_pod(&f, "p2", "c", "{'persistentVolumeClaim':{'claimName':'c2'}}");
    volume_fleet_pod(
        &f, "p3", "c",
        "{'persistentVolumeClaim':{'claimName':'c2'}},{'persistentVolumeClaim':{'claimName':"
        "'c3'}}");
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'a'},"
                    "'spec':{'drivers':[{'name':'d','allocatable':{'count':0}}]}}");
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'b'},"
                    "'spec':{'drivers':[{'name':'d','allocatable':{%s}}]}}",
                    limit_b);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'c'},"
                    "'spec':{'drivers':[{'name':'e','allocatable':{'count':0}},{'name':'%s',"
                    "'allocatable':{%s}}]}}",
                    driver, limit_c);
    return volume_fleet_room(&f);
}

static void
test_attach_limits(void)
{
    CHECK_INT(room_by_limits("'count':1", "'count':2", "d"), 16);
    CHECK_INT(room_by_limits("'count':0", "'count':1", "d"), 8); /* b has it already */
    CHECK_INT(room_by_limits("", "", "d"), 16);
    CHECK_INT(room_by_limits("'count':9", "'count':0", "other"), 16);
}

/* One that is yet to be made counts for its class' driver. */
static void
test_attach_limits_of_waiting(void)
{
    struct small_fleet f;

    volume_fleet_open(&f, DATA);
    small_fleet_add(&f, "m1", "%s", WAITING);
    small_fleet_add(&f, "m1", "%s", CLASS("WaitForFirstConsumer", "'d'"));
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'a'},"
                    "'spec':{'drivers':[{'name':'d','allocatable':{'count':0}}]}}");
    CHECK_INT(volume_fleet_room(&f), 16);
}

/* So does one that its claim names and does not have yet, or no longer. */
static void
test_attach_limits_of_unbound(void)
{
    static const char *const ends[] = {"},'spec':{'volumeName':'v2'}",
                                       "},'spec':{'volumeName':'v2'},'status':{'phase':'Lost'}",
                                       DONE "},'spec':{'volumeName':'v2'}"};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct small_fleet f;

        volume_fleet_open(&f, DATA);
        small_fleet_add(&f, "m1", "%s", BOUND);
        small_fleet_add(&f, "m1", "%s", CSI("v1", "d", "h1"));
        small_fleet_add(&f, "m1", "%s", CSI("v2", "d", "h2"));
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                        "'ns','name':'c2'%s}",
                        ends[i]);
        volume_fleet_pod(&f, "p1", "a", "{'persistentVolumeClaim':{'claimName':'c2'}}");
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':"
                        "'a'},'spec':{'drivers':[{'name':'d','allocatable':{'count':1}}]}}");
        CHECK_INT(volume_fleet_room(&f), 16);
    }
}

/* What has no handle is attached nowhere. */
static void
test_attach_limits_without_handle(void)
{
    struct small_fleet f;

    volume_fleet_open(&f, DATA);
    small_fleet_add(&f, "m1", "%s", BOUND);
    small_fleet_add(&f, "m1", "%s", CSI("v1", "d", ""));
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'a'},"
                    "'spec':{'drivers':[{'name':'d','allocatable':{'count':0}}]}}");
    CHECK_INT(volume_fleet_room(&f), 24);
}

#define OWN(class_)                                                                                \
    "{'ephemeral':{'volumeClaimTemplate':{'spec':{'storageClassName':'" class_ "'}}}}"

/* Generic ephemeral volumes are each pod's own. Nodes a and b may have so many volumes of d, c has
 * no limit. */
static const struct {
    const char *volumes, *on_a, *count;
    int32_t room;
} own_volumes[] = {
    {OWN("local"), "", "0", 8},
    {OWN("local"), "", "3", 14},
    {OWN("local") "," OWN("local"), "", "3", 10},
    {OWN("local"), OWN("local"), "3", 13},
    {OWN("local"), OWN("other"), "3", 14}, /* of a class that nobody knows */
    {OWN("other"), "", "0", 24},
    {OWN("local"), DATA, "3", 13},
    {OWN("local") "," DATA, "", "3", 12}, /* the claim's once a node */
    {OWN("local") "," DATA, DATA, "3", 12},
    {DATA, OWN("local"), "1", 16},
    {DATA, OWN("local"), "2", 24},
};

static void
limit_driver(struct small_fleet *f, char node, const char *count)
{
    small_fleet_add(f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'%c'},"
                    "'spec':{'drivers':[{'name':'d','allocatable':{'count':%s}}]}}",
                    node, count);
}

static void
test_attach_limits_of_own(void)
{
    for (size_t i = 0; i < sizeof(own_volumes) / sizeof(own_volumes[0]); i++) {
        struct small_fleet f;

        volume_fleet_open(&f, own_volumes[i].volumes);
        small_fleet_add(&f, "m1", "%s", BOUND);
        small_fleet_add(&f, "m1", "%s", CSI("v1", "d", "h1"));
        small_fleet_add(&f, "m1", "%s", CLASS("WaitForFirstConsumer", "'d'"));
        limit_driver(&f, 'a', own_volumes[i].count);
        limit_driver(&f, 'b', own_volumes[i].count);
        volume_fleet_pod(&f, "there", "a", own_volumes[i].on_a);
        int32_t room = volume_fleet_room(&f);

        CHECK_MSG(room == own_volumes[i].room, "%zu: %s beside %s: room for %d, not %d", i,
                  own_volumes[i].volumes, own_volumes[i].on_a, (int)room, (int)own_volumes[i].room);
    }
}

/* Two claims of each replica, by a StatefulSet's templates; of other kinds they are no matter. */
static void
test_attach_limits_of_sets(void)
{
    static const struct {
        const char *kind;
        int32_t room;
    } cases[] = {{"StatefulSet", 18}, {"Deployment", 24}};

    for (size_t i = 0; i < 2; i++) {
        struct small_fleet f;

        small_fleet_open(&f);
        small_fleet_cluster(&f, "m1");
        small_fleet_sick_cluster(&f, "gone", "False", 30, "");
        for (int n = 0; n < 3; n++) {
            small_fleet_add(&f, "m1",
                            "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%c'},'status':{"
                            "'allocatable':{'cpu':'8','pods':'110'}}}",
                            'a' + n);
        }
        small_fleet_add(&f, "",
                        "{'apiVersion':'work.karmada.io/v1alpha2','kind':'ResourceBinding',"
                        "'metadata':{'namespace':'ns','name':'web'},'spec':{'resource':{"
                        "'apiVersion':'apps/v1','kind':'%s','namespace':'ns','name':'web'},"
                        "'replicas':30,'clusters':[{'name':'gone','replicas':30}],"
                        "'replicaRequirements':{'resourceRequest':{'cpu':'1'}}}}",
                        cases[i].kind);
        small_fleet_add(&f, "",
                        "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                        "'apiVersion':'apps/v1','kind':'%s'},'metadata':{'namespace':'ns','name':"
                        "'web'},'spec':{'volumeClaimTemplates':[{'metadata':{'name':'x'},'spec':{"
                        "'storageClassName':'local'}},{'metadata':{'name':'y'},'spec':{"
                        "'storageClassName':'local'}},{'metadata':{'name':'z'}}],'template':{"
                        "'spec':{" CONTAINERS "}}}}",
                        cases[i].kind);
        small_fleet_add(&f, "m1", "%s", CLASS("WaitForFirstConsumer", "'d'"));
        limit_driver(&f, 'a', "5");
        volume_fleet_pod(&f, "there", "a", OWN("local"));
        CHECK_INT(volume_fleet_room(&f), cases[i].room);
    }
}

void suite_volume_limits(void);

void
suite_volume_limits(void)
{
    check_suite("volume_limits");
    check_test("of claims", test_attach_limits);
    check_test("of waiting", test_attach_limits_of_waiting);
    check_test("of unbound claims", test_attach_limits_of_unbound);
    check_test("without a handle", test_attach_limits_without_handle);
    check_test("of what pods have alone", test_attach_limits_of_own);
    check_test("of StatefulSets", test_attach_limits_of_sets);
}
