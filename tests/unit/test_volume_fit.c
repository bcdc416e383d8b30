/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas of templates with volumes: on which nodes of a member a ledger has room
 * for them.
 */
#include "ballast/base/str.h"
#include "ballast/plan/ledger.h"
#include "check.h"
#include "model_fixture.h"
#include "small_fleet.h"

#define CONTAINERS "'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]"

/* A lost cluster of ns/web, and m1 with nodes a, b and c, for eight of it each. */
static void
open_fleet(struct small_fleet *f, const char *volumes)
{
    small_fleet_open(f);
    small_fleet_cluster(f, "m1");
    small_fleet_sick_cluster(f, "gone", "False", 30, "");
    for (int i = 0; i < 3; i++) {
        small_fleet_add(f, "m1",
                        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%c','labels':{"
                        "'kubernetes.io/hostname':'%c','topology.kubernetes.io/zone':'%s'}},"
                        "'status':{'allocatable':{'cpu':'8','pods':'110'}}}",
                        'a' + i, 'a' + i, i < 2 ? "z1" : "z2");
    }
    small_fleet_binding(f, "web", 30, "{'name':'gone','replicas':30}",
                        ",'replicaRequirements':{'resourceRequest':{'cpu':'1'}}");
    small_fleet_add(f, "",
                    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                    "'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns',"
                    "'name':'web'},'spec':{'template':{'spec':{" CONTAINERS ",'volumes':[%s]}}}}",
                    volumes);
}

static void
add_pod(struct small_fleet *f, const char *name, const char *node, const char *volumes)
{
    small_fleet_add(f, "m1",
                    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ns','name':'%s'},"
                    "'spec':{'nodeName':'%s','containers':[{'name':'c'}],'volumes':[%s]},"
                    "'status':{'phase':'Running'}}",
                    name, node, volumes);
}

/* Closes the fleet. */
static int32_t
room_in(struct small_fleet *f)
{
    int32_t room = -1;

    if (CHECK(small_fleet_diagnose(f))) {
        struct ledger *ledger = ledger_new(f->arena, f->fleet, f->diagnosis, &f->policy);

        room = ledger_available(ledger, fleet_find_cluster(f->fleet, "m1"),
                                f->fleet->bindings[0].requirements);
    }
    small_fleet_close(f);
    return room;
}

/* --- disks --- */

#define EBS(id) "{'awsElasticBlockStore':{'volumeID':'" id "','readOnly':true}}"
#define GCE(id, read_only) "{'gcePersistentDisk':{'pdName':'" id "','readOnly':" read_only "}}"
#define ISCSI(id, read_only) "{'iscsi':{'iqn':'" id "','readOnly':" read_only "}}"
#define RBD(monitors, pool, id, read_only)                                                         \
    "{'rbd':{'monitors':[" monitors "],'pool':'" pool "','image':'" id "','readOnly':" read_only   \
    "}}"

/* One replica a node where they share no disk, and none beside a pod that has it already. */
static const struct {
    const char *volumes, *on_a;
    int32_t room;
} disks[] = {
    {"{'emptyDir':{}}", "{'emptyDir':{}}", 24},
    {EBS("x"), "", 3},
    {EBS("x"), EBS("x"), 2},
    {EBS("x"), EBS("y"), 3},
    {EBS("x"), GCE("x", "false"), 3},
    {GCE("x", "true"), "", 24},
    {GCE("x", "true"), GCE("x", "true"), 24},
    {GCE("x", "true"), GCE("x", "false"), 16},
    {GCE("x", "false"), GCE("x", "true"), 2},
    {GCE("x", "true") "," GCE("x", "false"), "", 3},
    {ISCSI("x", "true"), ISCSI("x", "false"), 16},
    {ISCSI("x", "false"), "", 3},
    {RBD("'m1','m2'", "p", "x", "true"), RBD("'m2','m3'", "p", "x", "false"), 16},
    {RBD("'m1','m2'", "p", "x", "false"), RBD("'m3'", "p", "x", "false"), 3},
    {RBD("'m1'", "p", "x", "false"), RBD("'m1'", "q", "x", "false"), 3},
    {RBD("'m1'", "p", "x", "false"), RBD("'m1'", "p", "x", "true"), 2},
    {RBD("", "p", "x", "false"), "", 24},
};

static void
test_disks(void)
{
    for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, disks[i].volumes);
        add_pod(&f, "there", "a", disks[i].on_a);
        int32_t room = room_in(&f);

        CHECK_MSG(room == disks[i].room, "%s beside %s: room for %d, not %d", disks[i].volumes,
                  disks[i].on_a, (int)room, (int)disks[i].room);
    }
}

/* A pod that is done has no disk any more, one that is on its way has. */
static void
test_whose_disks_count(void)
{
    static const struct {
        const char *metadata, *phase;
        int32_t room;
    } cases[] = {{"", "Pending", 2},
                 {"", "Failed", 3},
                 {"", "Succeeded", 3},
                 {",'deletionTimestamp':'2026-01-01T00:00:00Z'", "Running", 2}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, EBS("x"));
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'other','name':"
                        "'p'%s},'spec':{'nodeName':'a','volumes':[" EBS("x") "]},'status':{"
                                                                             "'phase':'%s'}}",
                        cases[i].metadata, cases[i].phase);
        CHECK_INT(room_in(&f), cases[i].room);
    }
}

static void
test_too_many_volumes(void)
{
    struct model_fixture f;
    struct buf text;

    model_begin(&f);
    buf_init(&text, 1 << 16);
    buf_append_str(&text, "{'metadata':{'name':'p'},'spec':{'volumes':[{}");
    for (int i = 0; i < 1000; i++) {
        buf_append_str(&text, ",{}");
    }
    buf_append_str(&text, "]}}");
    CHECK(decode_pod(f.builder, model_value(&f, buf_text(&text)), &f.err) == NULL);
    CHECK_STR(f.err.message, "spec.volumes: want at most 1000 entries, got 1001");
    buf_release(&text);
    model_end(&f);
}

void suite_volume_fit(void);

void
suite_volume_fit(void)
{
    check_suite("volume_fit");
    check_test("disks", test_disks);
    check_test("whose disks count", test_whose_disks_count);
    check_test("too many volumes", test_too_many_volumes);
}
