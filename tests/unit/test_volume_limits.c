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
    {OWN("other"), "", "0", 0},
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

#define EBS "'awsElasticBlockStore':{'volumeID':'v'}"
#define GCE "'gcePersistentDisk':{'pdName':'v'}"

/* What of a replica is of a plugin that was part of Kubernetes counts for the driver that has
 * replaced it, on nodes that say so. Node a may have so many volumes of the driver, and has a pod
 * with these. */
static const struct {
    const char *provisioner, *driver, *annotated, *volume, *volumes, *on_a, *count;
    int32_t room;
} replaced[] = {
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", EBS, DATA, "", "0", 16},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/cinder,kubernetes.io/aws-ebs", EBS,
     DATA, "", "0", 16},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs2,kubernetes.io/cinder", EBS,
     DATA, "", "0", 24},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "", EBS, DATA, "", "0", 24},
    {"kubernetes.io/aws-ebs", "other.csi", "kubernetes.io/aws-ebs", EBS, DATA, "", "0", 24},
    {"kubernetes.io/azure-disk", "disk.csi.azure.com", "kubernetes.io/azure-disk",
     "'azureDisk':{'diskURI':'v','diskName':'n'}", DATA, "", "0", 16},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org", "kubernetes.io/cinder",
     "'cinder':{'volumeID':'v'}", DATA, "", "0", 16},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "kubernetes.io/gce-pd", GCE, DATA, "", "0",
     16},
    {"kubernetes.io/portworx-volume", "pxd.portworx.com", "kubernetes.io/portworx-volume",
     "'portworxVolume':{'volumeID':'v'}", DATA, "", "0", 16},
    /* kube-scheduler counts none of these */
    {"kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "kubernetes.io/vsphere-volume",
     "'vsphereVolume':{'volumePath':'v'}", DATA, "", "0", 24},
    /* a volume is one, however it is named */
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", EBS, DATA, DATA, "1", 24},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", EBS, DATA,
     "{'persistentVolumeClaim':{'claimName':'csi'}}", "1", 24},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org", "kubernetes.io/cinder",
     "'cinder':{'volumeID':'v'}", DATA, "{'cinder':{'volumeID':'v'}}", "1", 24},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "kubernetes.io/gce-pd", GCE, DATA,
     "{" GCE "}", "1", 24},
    {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "kubernetes.io/gce-pd", GCE, DATA,
     "{'gcePersistentDisk':{'pdName':'w','readOnly':true}}", "2", 24},
    /* what the pod names itself */
    {"kubernetes.io/azure-disk", "disk.csi.azure.com", "kubernetes.io/azure-disk", "",
     "{'azureDisk':{'diskURI':'v'}}", "", "0", 16},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org", "kubernetes.io/cinder", "",
     "{'cinder':{'volumeID':'v'}}", "", "0", 16},
    {"kubernetes.io/cinder", "cinder.csi.openstack.org", "kubernetes.io/cinder", "",
     "{'cinder':{'volumeID':'v'}}", "", "1", 24}, /* any number of pods may */
    {"kubernetes.io/cinder", "cinder.csi.openstack.org", "", "", "{'cinder':{'volumeID':'v'}}", "",
     "0", 24},
    {"kubernetes.io/portworx-volume", "pxd.portworx.com", "kubernetes.io/portworx-volume", "",
     "{'portworxVolume':{'volumeID':'v'}}", "", "0", 16},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", "", "{" EBS "}", "", "0",
     2},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", "", "{" EBS "}", "", "1",
     3},
    /* what is made for it alone */
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", "", OWN("local"), "", "3",
     19},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", "", OWN("local"),
     OWN("local"), "3", 18},
    {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "", "", OWN("local"), "", "3", 24},
    {"ebs.csi.aws.com", "ebs.csi.aws.com", "kubernetes.io/aws-ebs", "", OWN("local"), "", "3", 19},
};

static int32_t
room_of_replaced(size_t i)
{
    struct small_fleet f;

    volume_fleet_open(&f, replaced[i].volumes);
    small_fleet_add(&f, "m1", "%s", BOUND);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'v1'"
                    "},'spec':{%s},'status':{'phase':'Bound'}}",
                    replaced[i].volume);
    small_fleet_add(&f, "m1", "%s", CSI("v2", "ebs.csi.aws.com", "v"));
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                    "'ns','name':'csi'" DONE "},'spec':{'volumeName':'v2'}}");
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':"
                    "'local'},'volumeBindingMode':'WaitForFirstConsumer','provisioner':"
                    "'%s'}",
                    replaced[i].provisioner);
    small_fleet_add(&f, "m1",
                    "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'a',"
                    "'annotations':{'storage.alpha.kubernetes.io/migrated-plugins':'%s'}},'spec':{"
                    "'drivers':[{'name':'%s','allocatable':{'count':%s}}]}}",
                    replaced[i].annotated, replaced[i].driver, replaced[i].count);
    volume_fleet_pod(&f, "there", "a", replaced[i].on_a);
    return volume_fleet_room(&f);
}

static void
test_attach_limits_of_replaced(void)
{
    for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++) {
        int32_t room = room_of_replaced(i);

        CHECK_MSG(room == replaced[i].room, "%zu: %s beside %s: room for %d, not %d", i,
                  replaced[i].volumes, replaced[i].on_a, (int)room, (int)replaced[i].room);
    }
}

/* Disks of Google's may have the same name in two zones. Nodes a and b are in z1; a may have one,
 * and has that of its pod. */
static void
test_attach_limits_by_zone(void)
{
    static const struct {
        const char *labels; /* of what the pod has; the template's is of z1 */
        int32_t room;
    } cases[] = {{LABELS("topology.kubernetes.io/zone", "z1"), 16},
                 {LABELS("failure-domain.beta.kubernetes.io/zone", "z1"), 16},
                 {LABELS("topology.kubernetes.io/zone", "z2"), 8},
                 {"", 8}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct small_fleet f;

        volume_fleet_open(&f, DATA);
        small_fleet_add(&f, "m1", "%s", BOUND);
        small_fleet_add(&f, "m1", "%s",
                        VOLUME("v1", LABELS("topology.kubernetes.io/zone", "z1"), GCE));
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'v2'%s},"
                        "'spec':{" GCE "}}",
                        cases[i].labels);
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':"
                        "'ns','name':'c2'" DONE "},'spec':{'volumeName':'v2'}}");
        small_fleet_add(&f, "m1",
                        "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'a',"
                        "'annotations':{'storage.alpha.kubernetes.io/migrated-plugins':"
                        "'kubernetes.io/gce-pd'}},'spec':{'drivers':[{'name':"
                        "'pd.csi.storage.gke.io','allocatable':{'count':1}}]}}");
        volume_fleet_pod(&f, "there", "a", "{'persistentVolumeClaim':{'claimName':'c2'}}");
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
    check_test("of what a driver has replaced", test_attach_limits_of_replaced);
    check_test("of disks in zones", test_attach_limits_by_zone);
}
