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

/* --- claims --- */

#define DATA "{'persistentVolumeClaim':{'claimName':'data'}}"
#define CLAIM(metadata, spec, phase)                                                               \
    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':'ns','name':"       \
    "'data'" metadata "},'spec':{" spec "},'status':{'phase':'" phase "'}}"
#define DONE ",'annotations':{'pv.kubernetes.io/bind-completed':'yes'}"
#define BOUND CLAIM(DONE, "'volumeName':'v1'", "Bound")
#define WAITING CLAIM("", WANTS, "Pending")
#define WANTS                                                                                      \
    "'storageClassName':'local','accessModes':['ReadWriteMany'],'resources':{'requests':{"         \
    "'storage':'5Gi'}}"
#define VOLUME(name, metadata, spec)                                                               \
    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'" name "'" metadata          \
    "},'spec':{" spec "},'status':{'phase':'Available'}}"
#define ON(key, values)                                                                            \
    "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'" key           \
    "','operator':'In','values':[" values "]}]}]}}"
#define ON_HOST(values) ON("kubernetes.io/hostname", values)
#define FREE(size, more)                                                                           \
    "'storageClassName':'local','accessModes':['ReadWriteOnce','ReadWriteMany'],'capacity':{"      \
    "'storage':'" size "'}," more
#define CLASS(mode, more)                                                                          \
    "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'local'},"         \
    "'volumeBindingMode':'" mode "','provisioner':" more "}"
#define NONE "'kubernetes.io/no-provisioner'"
#define WAITS CLASS("WaitForFirstConsumer", NONE)
#define BETA "failure-domain.beta.kubernetes.io/"
#define LABELS(key, value) ",'labels':{'" key "':'" value "'}"
#define ZONE "topology.kubernetes.io/zone"
#define ANNOTATED(class_) ",'annotations':{'volume.beta.kubernetes.io/storage-class':'" class_ "'}"
#define WANTS_NO_CLASS "'accessModes':['ReadWriteMany'],'resources':{'requests':{'storage':'5Gi'}}"
#define FREE_OF_NO_CLASS "'accessModes':['ReadWriteMany'],'capacity':{'storage':'9Gi'},"
#define ITS_OWN "'claimRef':{'namespace':'ns','name':'data'},"

/* Room where m1 has these, beside nodes a and b of zone z1 and c of z2; its volumes and classes
 * were seen. */
static const struct {
    const char *objects[4];
    int32_t room;
} claims[] = {
    /* what the member does not have may come along */
    {{NULL}, 24},
    /* bound */
    {{BOUND}, 0}, /* to one that is gone */
    {{BOUND, VOLUME("v2", "", "")}, 0},
    {{BOUND, VOLUME("v1", "", ON_HOST("'a','c'"))}, 16},
    {{BOUND, VOLUME("v1", "", "'nodeAffinity':{'required':{'nodeSelectorTerms':[]}}")}, 0},
    {{BOUND, VOLUME("v1", "", "'nodeAffinity':{}")}, 24},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z2"), "")}, 8},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z2__z1"), "")}, 24},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z"), "")}, 0},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z3__z2__z1"), "")}, 24},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z3__z2"), "")}, 8},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z3___z2"), "")}, 0}, /* of z3 and _z2 */
    /* a label with a name that is empty is not looked at */
    {{BOUND, VOLUME("v1", LABELS(ZONE, ""), "")}, 24},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z3____z2"), "")}, 24},
    {{BOUND, VOLUME("v1", LABELS(BETA "region", ""), "")}, 24},
    {{BOUND, VOLUME("v1", LABELS(BETA "zone", "z2"), "")}, 8},
    {{BOUND, VOLUME("v1", LABELS(BETA "region", "z2"), "")}, 0},
    {{BOUND, VOLUME("v1", LABELS("zone", "z2"), "")}, 24},
    {{BOUND, VOLUME("v1", LABELS(ZONE, "z2"), ON_HOST("'a'"))}, 0},
    {{CLAIM(DONE, "'volumeName':'v1'", "Lost"), VOLUME("v1", "", "")}, 0},
    {{CLAIM(DONE ",'deletionTimestamp':'2026-01-01T00:00:00Z'", "'volumeName':'v1'", "Bound")}, 0},
    /* unbound, and nothing to wait for */
    {{CLAIM("", "'volumeName':'v1'", "Pending"), VOLUME("v1", "", "")}, 0},
    {{CLAIM("", "'storageClassName':''", "Pending")}, 0},
    {{CLAIM("", "'accessModes':[]", "Pending")}, 0},
    {{WAITING}, 0},
    {{CLAIM("", "'storageClassName':'other'", "Pending"), WAITS}, 0},
    {{WAITING, CLASS("Immediate", "'csi.example.com'")}, 0},
    /* waiting for a volume of the class: the first replica binds it */
    {{WAITING, WAITS}, 0},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("5Gi", ON_HOST("'b'")))}, 8},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("5Gi", ON_HOST("'b','c'")))}, 16},
    /* its labels say where it is only when it is bound: the first one may come anywhere else */
    {{WAITING, WAITS, VOLUME("v1", LABELS(ZONE, "z2"), FREE("5Gi", ON_HOST("'a','b'")))}, 1},
    {{WAITING, WAITS, VOLUME("v1", LABELS(ZONE, "z1"), FREE("5Gi", ON_HOST("'a','b'")))}, 16},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("4Gi", ON_HOST("'b'")))}, 0},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("9Gi", ON_HOST("'a'"))),
      VOLUME("v2", "", FREE("9Gi", ON_HOST("'b'")))},
     8},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("9Gi", ON_HOST("'a','b','c'"))),
      VOLUME("v2", "", FREE("8Gi", ON_HOST("'a'")))},
     8},
    {{WAITING, WAITS,
      VOLUME("v1", ",'deletionTimestamp':'2026-01-01T00:00:00Z'", FREE("9Gi", ON_HOST("'a'")))},
     0},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("9Gi", "'volumeMode':'Block'"))}, 0},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("9Gi", "'volumeMode':'Filesystem'"))}, 24},
    {{WAITING, WAITS, VOLUME("v1", "", FREE("9Gi", "'claimRef':{'namespace':'ns','name':'x'}"))},
     0},
    {{WAITING, WAITS, VOLUME("v1", "", "'capacity':{'storage':'9Gi'}")}, 0},
    {{WAITING, WAITS,
      VOLUME("v1", "",
             "'storageClassName':'local','accessModes':['ReadWriteOnce'],'capacity':{"
             "'storage':'9Gi'}")},
     0},
    /* set aside for the claim, which no other will do for then */
    {{WAITING, WAITS, VOLUME("v2", "", FREE("9Gi", ITS_OWN ON_HOST("'c'"))),
      VOLUME("v1", "", FREE("5Gi", ON_HOST("'a','b'")))},
     8},
    /* but for one of another class, which is not looked at */
    {{WAITING, WAITS, VOLUME("v2", "", "'capacity':{'storage':'9Gi'}," ITS_OWN ON_HOST("'c'")),
      VOLUME("v1", "", FREE("5Gi", ON_HOST("'a','b'")))},
     16},
    /* of a class by annotation, as they once were; it goes before the other */
    {{CLAIM(ANNOTATED("local"), WANTS_NO_CLASS, "Pending"), WAITS,
      VOLUME("v1", "", FREE("5Gi", ON_HOST("'b','c'")))},
     16},
    {{CLAIM(ANNOTATED("local"), WANTS_NO_CLASS ",'storageClassName':'other'", "Pending"), WAITS,
      VOLUME("v1", "", FREE("5Gi", ON_HOST("'b','c'")))},
     16},
    {{CLAIM(ANNOTATED("other"), WANTS, "Pending"), WAITS,
      VOLUME("v1", "", FREE("5Gi", ON_HOST("'b','c'")))},
     0},
    {{WAITING, WAITS, VOLUME("v1", ANNOTATED("local"), FREE_OF_NO_CLASS ON_HOST("'b','c'"))}, 16},
    {{WAITING, WAITS, VOLUME("v1", ANNOTATED("other"), FREE("5Gi", ON_HOST("'b','c'")))}, 0},
    {{WAITING, WAITS,
      VOLUME("v1", "",
             FREE("9Gi", "'claimRef':{'namespace':'ns','name':'data','uid':'of another'}"))},
     0},
    /* by labels */
    {{CLAIM("", WANTS ",'selector':{'matchLabels':{'a':'b'}}", "Pending"), WAITS,
      VOLUME("v1", "", FREE("9Gi", ON_HOST("'a'"))),
      VOLUME("v2", LABELS("a", "b"), FREE("9Gi", ON_HOST("'b','c'")))},
     16},
    /* one can be made */
    {{WAITING, CLASS("WaitForFirstConsumer", "'csi.example.com'")}, 24},
    {{WAITING, CLASS("WaitForFirstConsumer",
                     "'csi.example.com','allowedTopologies':[{'matchLabelExpressions':[{'key':"
                     "'" ZONE "','values':['z1','z3']}]},{}]")},
     16},
    {{WAITING, CLASS("WaitForFirstConsumer",
                     "'csi.example.com','allowedTopologies':[{'matchLabelExpressions':[{'key':"
                     "'" ZONE "','values':['z1']},{'key':'nowhere','values':['z1']}]}]")},
     0},
};

static void
test_claims(void)
{
    for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, DATA);
        for (size_t j = 0; j < 4 && claims[i].objects[j] != NULL; j++) {
            small_fleet_add(&f, "m1", "%s", claims[i].objects[j]);
        }
        int32_t room = room_in(&f);

        CHECK_MSG(room == claims[i].room, "%zu: %s %s %s: room for %d, not %d", i,
                  claims[i].objects[0], claims[i].objects[1], claims[i].objects[2], (int)room,
                  (int)claims[i].room);
    }
}

/* What of volumes and classes nobody looked at is not known: nothing is refused for it. */
static void
test_unseen(void)
{
    static const struct {
        enum member_part unseen;
        const char *objects[2];
        int32_t room;
    } cases[] = {
        {MEMBER_VOLUMES, {BOUND}, 24},
        {MEMBER_STORAGE_CLASSES, {BOUND}, 0},
        {MEMBER_STORAGE_CLASSES, {WAITING}, 24},
        {MEMBER_VOLUMES, {WAITING}, 0},
        {MEMBER_VOLUMES, {WAITING, WAITS}, 24},
        {MEMBER_STORAGE_CLASSES, {WAITING, WAITS}, 0}, /* there is one, so they were seen */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, DATA);
        fleet_builder_forget(f.builder, "m1", cases[i].unseen);
        for (size_t j = 0; j < 2 && cases[i].objects[j] != NULL; j++) {
            small_fleet_add(&f, "m1", "%s", cases[i].objects[j]);
        }
        int32_t room = room_in(&f);

        CHECK_MSG(room == cases[i].room, "%zu: room for %d, not %d", i, (int)room,
                  (int)cases[i].room);
    }
}

/* Two claims want two volumes, the smaller claim the smaller one, and one claim twice wants one. */
static void
test_two_claims(void)
{
    static const struct {
        const char *volumes;
        int32_t room;
    } cases[] = {{DATA ",{'persistentVolumeClaim':{'claimName':'more'}}", 8},
                 {DATA "," DATA, 16},
                 {"{'persistentVolumeClaim':{'claimName':'more'}}", 16}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        open_fleet(&f, cases[i].volumes);
        small_fleet_add(&f, "m1", "%s", WAITING);
        small_fleet_add(&f, "m1", "%s", WAITS);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                        "'ns','name':'more'},'spec':{'storageClassName':'local','resources':{"
                        "'requests':{'storage':'1Gi'}}}}");
        small_fleet_add(&f, "m1", "%s", VOLUME("v1", "", FREE("1Gi", ON_HOST("'a','b'"))));
        small_fleet_add(&f, "m1", "%s", VOLUME("v2", "", FREE("5Gi", ON_HOST("'a','c'"))));
        CHECK_INT(room_in(&f), cases[i].room);
    }
}

/* A claim of one pod alone. */
static void
test_read_write_once_pod(void)
{
    for (int i = 0; i < 3; i++) {
        struct small_fleet f;

        open_fleet(&f, DATA);
        small_fleet_add(
            &f, "m1", "%s",
            CLAIM(DONE, "'volumeName':'v1','accessModes':['ReadWriteOncePod']", "Bound"));
        small_fleet_add(&f, "m1", "%s", VOLUME("v1", "", ""));
        if (i > 0) {
            small_fleet_add(&f, "m1",
                            "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'%s','name':"
                            "'p'},'spec':{'nodeName':'a','volumes':[" DATA "]},'status':{'phase':"
                            "'Running'}}",
                            i == 1 ? "ns" : "other");
        }
        CHECK_INT(room_in(&f), i == 1 ? 0 : 1);
    }
}

#define CSI(name, driver, handle)                                                                  \
    VOLUME(name, "", "'csi':{'driver':'" driver "','volumeHandle':'" handle "'}")

/* The claim has h1 of driver d, and so have pods on b; those on c have h2. Node a may have no
 * volume of d, b and c as many as is said. */
static int32_t
room_by_limits(const char *limit_b, const char *limit_c, const char *driver)
{
    struct small_fleet f;

    open_fleet(&f, DATA);
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
    add_pod(&f, "p1", "b", DATA);
    add_pod(&f, "p2", "c", "{'persistentVolumeClaim':{'claimName':'c2'}}");
    add_pod(&f, "p3", "c",
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
    return room_in(&f);
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

    open_fleet(&f, DATA);
    small_fleet_add(&f, "m1", "%s", WAITING);
    small_fleet_add(&f, "m1", "%s", CLASS("WaitForFirstConsumer", "'d'"));
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'a'},"
                    "'spec':{'drivers':[{'name':'d','allocatable':{'count':0}}]}}");
    CHECK_INT(room_in(&f), 16);
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

        open_fleet(&f, DATA);
        small_fleet_add(&f, "m1", "%s", BOUND);
        small_fleet_add(&f, "m1", "%s", CSI("v1", "d", "h1"));
        small_fleet_add(&f, "m1", "%s", CSI("v2", "d", "h2"));
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                        "'ns','name':'c2'%s}",
                        ends[i]);
        add_pod(&f, "p1", "a", "{'persistentVolumeClaim':{'claimName':'c2'}}");
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':"
                        "'a'},'spec':{'drivers':[{'name':'d','allocatable':{'count':1}}]}}");
        CHECK_INT(room_in(&f), 16);
    }
}

/* What a replica that a run places binds is no other's, until it is given back. */
static void
test_volumes_are_promised_once(void)
{
    struct small_fleet f;

    open_fleet(&f, DATA);
    small_fleet_binding(&f, "api", 30, "{'name':'gone','replicas':30}",
                        ",'replicaRequirements':{'resourceRequest':{'cpu':'1'}}");
    small_fleet_add(&f, "",
                    "{'apiVersion':'ballast.io/v1alpha1','kind':'WorkloadTemplate','resource':{"
                    "'apiVersion':'apps/v1','kind':'Deployment'},'metadata':{'namespace':'ns',"
                    "'name':'api'},'spec':{'template':{'spec':{" CONTAINERS ",'volumes':[{"
                    "'persistentVolumeClaim':{'claimName':'api'}}]}}}}");
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                    "'ns','name':'api'},'spec':{" WANTS "}}");
    small_fleet_add(&f, "m1", "%s", WAITING);
    small_fleet_add(&f, "m1", "%s", WAITS);
    small_fleet_add(&f, "m1", "%s", VOLUME("v1", "", FREE("5Gi", ON_HOST("'a'"))));
    small_fleet_add(&f, "m1", "%s", VOLUME("v2", "", FREE("6Gi", ON_HOST("'b','c'"))));
    if (CHECK(small_fleet_diagnose(&f))) {
        struct ledger *ledger = ledger_new(f.arena, f.fleet, f.diagnosis, &f.policy);
        uint32_t m1 = fleet_find_cluster(f.fleet, "m1");
        const struct requirements *api = f.fleet->bindings[0].requirements;
        const struct requirements *web = f.fleet->bindings[1].requirements;

        CHECK_INT(ledger_available(ledger, m1, api), 8);
        CHECK_INT(ledger_available(ledger, m1, web), 8);
        struct ledger_receipt *receipt = ledger_take(ledger, m1, api, 3);

        CHECK_INT(ledger_available(ledger, m1, api), 5); /* on a, where its volume is */
        CHECK_INT(ledger_available(ledger, m1, web), 16);
        struct ledger_receipt *other = ledger_take(ledger, m1, web, 1);

        CHECK_INT(ledger_available(ledger, m1, web), 15);
        ledger_give_back(ledger, receipt);
        ledger_give_back(ledger, other);
        CHECK_INT(ledger_available(ledger, m1, web), 8);
    }
    small_fleet_close(&f);
}

void suite_volume_fit(void);

void
suite_volume_fit(void)
{
    check_suite("volume_fit");
    check_test("disks", test_disks);
    check_test("whose disks count", test_whose_disks_count);
    check_test("too many volumes", test_too_many_volumes);
    check_test("claims", test_claims);
    check_test("unseen", test_unseen);
    check_test("two claims", test_two_claims);
    check_test("ReadWriteOncePod", test_read_write_once_pod);
    check_test("attach limits", test_attach_limits);
    check_test("attach limits of waiting", test_attach_limits_of_waiting);
    check_test("attach limits of unbound claims", test_attach_limits_of_unbound);
    check_test("volumes are promised once", test_volumes_are_promised_once);
}
