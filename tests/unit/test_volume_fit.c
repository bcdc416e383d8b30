/* SPDX-License-Identifier: Apache-2.0
 *
 * Replicas of templates with volumes: on which nodes of a member a ledger has room
 * for them.
 */
#include "ballast/base/str.h"
#include "ballast/capacity/ledger.h"
#include "check.h"
#include "model_fixture.h"
#include "small_fleet.h"
#include "volume_fleet.h"

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
    {RBD("'m1'", "", "x", "false"), RBD("'m1'", "rbd", "x", "false"), 2}, /* by default */
};

static void
test_disks(void)
{
    for (size_t i = 0; i < sizeof(disks) / sizeof(disks[0]); i++) {
        struct small_fleet f;

        volume_fleet_open(&f, disks[i].volumes);
        volume_fleet_pod(&f, "there", "a", disks[i].on_a);
        int32_t room = volume_fleet_room(&f);

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

        volume_fleet_open(&f, EBS("x"));
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'other','name':"
                        "'p'%s},'spec':{'nodeName':'a','volumes':[" EBS("x") "]},'status':{"
                                                                             "'phase':'%s'}}",
                        cases[i].metadata, cases[i].phase);
        CHECK_INT(volume_fleet_room(&f), cases[i].room);
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

        volume_fleet_open(&f, DATA);
        for (size_t j = 0; j < 4 && claims[i].objects[j] != NULL; j++) {
            small_fleet_add(&f, "m1", "%s", claims[i].objects[j]);
        }
        int32_t room = volume_fleet_room(&f);

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

        volume_fleet_open(&f, DATA);
        fleet_builder_forget(f.builder, "m1", cases[i].unseen);
        for (size_t j = 0; j < 2 && cases[i].objects[j] != NULL; j++) {
            small_fleet_add(&f, "m1", "%s", cases[i].objects[j]);
        }
        int32_t room = volume_fleet_room(&f);

        CHECK_MSG(room == cases[i].room, "%zu: room for %d, not %d", i, (int)room,
                  (int)cases[i].room);
    }
}

#define OF_PHASE(phase)                                                                            \
    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'v1'},'spec':{"               \
    "'storageClassName':'local'},'status':{'phase':'" phase "'}}"
#define BAD_CLASS                                                                                  \
    "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'local'},"         \
    "'provisioner':7}"

/* Nor does anybody make a volume for a pod of a class that does not exist, or is not understood. */
static void
test_own_of_no_class(void)
{
    static const struct {
        const char *object, *bad;
        enum member_part unseen;
        int32_t room;
    } cases[] = {
        {"", "", N_MEMBER_PARTS, 0},
        {"", BAD_CLASS, N_MEMBER_PARTS, 0},
        {CLASS("WaitForFirstConsumer", "'csi.example.com'"), "", N_MEMBER_PARTS, 24},
        {OF_PHASE("Available"), "", N_MEMBER_PARTS, 24}, /* one may be prepared for it */
        {OF_PHASE("Available"), BAD_CLASS, N_MEMBER_PARTS, 24},
        {OF_PHASE("Bound"), BAD_CLASS, N_MEMBER_PARTS, 0},
        {VOLUME("v1", "", "'storageClassName':'other'"), "", N_MEMBER_PARTS, 0},
        {"", "", MEMBER_VOLUMES, 24},
        {"", "", MEMBER_STORAGE_CLASSES, 24},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        volume_fleet_open(&f, OWN("local"));
        if (cases[i].unseen != N_MEMBER_PARTS) {
            fleet_builder_forget(f.builder, "m1", cases[i].unseen);
        }
        if (!str_is_empty(cases[i].object)) {
            small_fleet_add(&f, "m1", "%s", cases[i].object);
        }
        if (!str_is_empty(cases[i].bad)) {
            small_fleet_add_bad(&f, "m1", "%s", cases[i].bad);
        }
        int32_t room = volume_fleet_room(&f);

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

        volume_fleet_open(&f, cases[i].volumes);
        small_fleet_add(&f, "m1", "%s", WAITING);
        small_fleet_add(&f, "m1", "%s", WAITS);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                        "'ns','name':'more'},'spec':{'storageClassName':'local','resources':{"
                        "'requests':{'storage':'1Gi'}}}}");
        small_fleet_add(&f, "m1", "%s", VOLUME("v1", "", FREE("1Gi", ON_HOST("'a','b'"))));
        small_fleet_add(&f, "m1", "%s", VOLUME("v2", "", FREE("5Gi", ON_HOST("'a','c'"))));
        CHECK_INT(volume_fleet_room(&f), cases[i].room);
    }
}

/* A claim of one pod alone. */
static void
test_read_write_once_pod(void)
{
    for (int i = 0; i < 3; i++) {
        struct small_fleet f;

        volume_fleet_open(&f, DATA);
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
        CHECK_INT(volume_fleet_room(&f), i == 1 ? 0 : 1);
    }
}

/* What a replica that a run places binds is no other's, until it is given back. */
static void
test_volumes_are_promised_once(void)
{
    struct small_fleet f;

    volume_fleet_open(&f, DATA);
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
    check_test("of no class", test_own_of_no_class);
    check_test("two claims", test_two_claims);
    check_test("ReadWriteOncePod", test_read_write_once_pod);
    check_test("volumes are promised once", test_volumes_are_promised_once);
}
