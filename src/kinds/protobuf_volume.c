/* SPDX-License-Identifier: Apache-2.0
 *
 * Every field of a pod's volumes and of metadata, of core/v1 and meta/v1 as of
 * Kubernetes 1.36: the first part of protobuf_pod_template.c. Metadata's
 * fieldsV1 has no row: its bytes are kept as they are.
 */
#include "protobuf_message.h"

static const struct field owner_reference[] =
    WHOLE_MESSAGE(STRING(1, "kind"), STRING(3, "name"), STRING(4, "uid"), STRING(5, "apiVersion"),
                  BOOL(6, "controller"), BOOL(7, "blockOwnerDeletion"));
static const struct field managed_fields_entry[] =
    WHOLE_MESSAGE(STRING(1, "manager"), STRING(2, "operation"), STRING(3, "apiVersion"),
                  TIME(4, "time"), STRING(6, "fieldsType"), STRING(8, "subresource"));
const struct field protobuf_object_meta[] = WHOLE_MESSAGE(
    STRING(1, "name"), STRING(2, "generateName"), STRING(3, "namespace"), STRING(4, "selfLink"),
    STRING(5, "uid"), STRING(6, "resourceVersion"), INT64(7, "generation"),
    TIME(8, "creationTimestamp"), TIME(9, "deletionTimestamp"),
    INT64(10, "deletionGracePeriodSeconds"), STRING_MAP(11, "labels"),
    STRING_MAP(12, "annotations"), LIST(13, "ownerReferences", owner_reference),
    STRINGS(14, "finalizers"), LIST(17, "managedFields", managed_fields_entry));
static const struct field host_path_source[] = WHOLE_MESSAGE(STRING(1, "path"), STRING(2, "type"));
static const struct field empty_dir_source[] =
    WHOLE_MESSAGE(STRING(1, "medium"), QUANTITY(2, "sizeLimit"), INT32(3, "mode"));
static const struct field gce_persistent_disk_source[] = WHOLE_MESSAGE(
    STRING(1, "pdName"), STRING(2, "fsType"), INT32(3, "partition"), BOOL(4, "readOnly"));
static const struct field aws_elastic_block_store_source[] = WHOLE_MESSAGE(
    STRING(1, "volumeID"), STRING(2, "fsType"), INT32(3, "partition"), BOOL(4, "readOnly"));
static const struct field git_repo_source[] =
    WHOLE_MESSAGE(STRING(1, "repository"), STRING(2, "revision"), STRING(3, "directory"));
static const struct field key_to_path[] =
    WHOLE_MESSAGE(STRING(1, "key"), STRING(2, "path"), INT32(3, "mode"), INT64(4, "user"));
static const struct field secret_source[] =
    WHOLE_MESSAGE(STRING(1, "secretName"), LIST(2, "items", key_to_path), INT32(3, "defaultMode"),
                  BOOL(4, "optional"), INT64(5, "defaultUser"));
static const struct field nfs_source[] =
    WHOLE_MESSAGE(STRING(1, "server"), STRING(2, "path"), BOOL(3, "readOnly"));
static const struct field local_object_reference[] = WHOLE_MESSAGE(STRING(1, "name"));
static const struct field iscsi_source[] = WHOLE_MESSAGE(
    STRING(1, "targetPortal"), STRING(2, "iqn"), INT32(3, "lun"), STRING(4, "iscsiInterface"),
    STRING(5, "fsType"), BOOL(6, "readOnly"), STRINGS(7, "portals"), BOOL(8, "chapAuthDiscovery"),
    ONE(10, "secretRef", local_object_reference), BOOL(11, "chapAuthSession"),
    STRING(12, "initiatorName"));
static const struct field glusterfs_source[] =
    WHOLE_MESSAGE(STRING(1, "endpoints"), STRING(2, "path"), BOOL(3, "readOnly"));
static const struct field persistent_volume_claim_source[] =
    WHOLE_MESSAGE(STRING(1, "claimName"), BOOL(2, "readOnly"));
static const struct field rbd_source[] =
    WHOLE_MESSAGE(STRINGS(1, "monitors"), STRING(2, "image"), STRING(3, "fsType"),
                  STRING(4, "pool"), STRING(5, "user"), STRING(6, "keyring"),
                  ONE(7, "secretRef", local_object_reference), BOOL(8, "readOnly"));
static const struct field flex_source[] = WHOLE_MESSAGE(
    STRING(1, "driver"), STRING(2, "fsType"), ONE(3, "secretRef", local_object_reference),
    BOOL(4, "readOnly"), STRING_MAP(5, "options"));
static const struct field cinder_source[] =
    WHOLE_MESSAGE(STRING(1, "volumeID"), STRING(2, "fsType"), BOOL(3, "readOnly"),
                  ONE(4, "secretRef", local_object_reference));
static const struct field ceph_fs_source[] = WHOLE_MESSAGE(
    STRINGS(1, "monitors"), STRING(2, "path"), STRING(3, "user"), STRING(4, "secretFile"),
    ONE(5, "secretRef", local_object_reference), BOOL(6, "readOnly"));
static const struct field flocker_source[] =
    WHOLE_MESSAGE(STRING(1, "datasetName"), STRING(2, "datasetUUID"));
static const struct field object_field_selector[] =
    WHOLE_MESSAGE(STRING(1, "apiVersion"), STRING(2, "fieldPath"));
static const struct field resource_field_selector[] =
    WHOLE_MESSAGE(STRING(1, "containerName"), STRING(2, "resource"), QUANTITY(3, "divisor"));
static const struct field downward_api_volume_file[] = WHOLE_MESSAGE(
    STRING(1, "path"), ONE(2, "fieldRef", object_field_selector),
    ONE(3, "resourceFieldRef", resource_field_selector), INT32(4, "mode"), INT64(5, "user"));
static const struct field downward_api_source[] = WHOLE_MESSAGE(
    LIST(1, "items", downward_api_volume_file), INT32(2, "defaultMode"), INT64(3, "defaultUser"));
static const struct field fc_source[] =
    WHOLE_MESSAGE(STRINGS(1, "targetWWNs"), INT32(2, "lun"), STRING(3, "fsType"),
                  BOOL(4, "readOnly"), STRINGS(5, "wwids"));
static const struct field azure_file_source[] =
    WHOLE_MESSAGE(STRING(1, "secretName"), STRING(2, "shareName"), BOOL(3, "readOnly"));
static const struct field config_map_source[] =
    WHOLE_MESSAGE(INLINE(1, local_object_reference), LIST(2, "items", key_to_path),
                  INT32(3, "defaultMode"), BOOL(4, "optional"), INT64(5, "defaultUser"));
static const struct field vsphere_virtual_disk_source[] =
    WHOLE_MESSAGE(STRING(1, "volumePath"), STRING(2, "fsType"), STRING(3, "storagePolicyName"),
                  STRING(4, "storagePolicyID"));
static const struct field quobyte_source[] =
    WHOLE_MESSAGE(STRING(1, "registry"), STRING(2, "volume"), BOOL(3, "readOnly"),
                  STRING(4, "user"), STRING(5, "group"), STRING(6, "tenant"));
static const struct field azure_disk_source[] =
    WHOLE_MESSAGE(STRING(1, "diskName"), STRING(2, "diskURI"), STRING(3, "cachingMode"),
                  STRING(4, "fsType"), BOOL(5, "readOnly"), STRING(6, "kind"));
static const struct field photon_persistent_disk_source[] =
    WHOLE_MESSAGE(STRING(1, "pdID"), STRING(2, "fsType"));
static const struct field secret_projection[] = WHOLE_MESSAGE(
    INLINE(1, local_object_reference), LIST(2, "items", key_to_path), BOOL(4, "optional"));
static const struct field downward_api_projection[] =
    WHOLE_MESSAGE(LIST(1, "items", downward_api_volume_file));
static const struct field config_map_projection[] = WHOLE_MESSAGE(
    INLINE(1, local_object_reference), LIST(2, "items", key_to_path), BOOL(4, "optional"));
static const struct field service_account_token_projection[] = WHOLE_MESSAGE(
    STRING(1, "audience"), INT64(2, "expirationSeconds"), STRING(3, "path"), INT64(4, "user"));
static const struct field cluster_trust_bundle_projection[] = WHOLE_MESSAGE(
    STRING(1, "name"), STRING(2, "signerName"), ONE(3, "labelSelector", protobuf_label_selector),
    STRING(4, "path"), BOOL(5, "optional"), INT64(6, "user"));
static const struct field pod_certificate_projection[] = WHOLE_MESSAGE(
    STRING(1, "signerName"), STRING(2, "keyType"), INT32(3, "maxExpirationSeconds"),
    STRING(4, "credentialBundlePath"), STRING(5, "keyPath"), STRING(6, "certificateChainPath"),
    STRING_MAP(7, "userAnnotations"), INT64(8, "user"));
static const struct field volume_projection[] = WHOLE_MESSAGE(
    ONE(1, "secret", secret_projection), ONE(2, "downwardAPI", downward_api_projection),
    ONE(3, "configMap", config_map_projection),
    ONE(4, "serviceAccountToken", service_account_token_projection),
    ONE(5, "clusterTrustBundle", cluster_trust_bundle_projection),
    ONE(6, "podCertificate", pod_certificate_projection));
static const struct field projected_source[] = WHOLE_MESSAGE(
    LIST(1, "sources", volume_projection), INT32(2, "defaultMode"), INT64(3, "defaultUser"));
static const struct field portworx_source[] =
    WHOLE_MESSAGE(STRING(1, "volumeID"), STRING(2, "fsType"), BOOL(3, "readOnly"));
static const struct field scale_io_source[] = WHOLE_MESSAGE(
    STRING(1, "gateway"), STRING(2, "system"), ONE(3, "secretRef", local_object_reference),
    BOOL(4, "sslEnabled"), STRING(5, "protectionDomain"), STRING(6, "storagePool"),
    STRING(7, "storageMode"), STRING(8, "volumeName"), STRING(9, "fsType"), BOOL(10, "readOnly"));
static const struct field storage_os_source[] =
    WHOLE_MESSAGE(STRING(1, "volumeName"), STRING(2, "volumeNamespace"), STRING(3, "fsType"),
                  BOOL(4, "readOnly"), ONE(5, "secretRef", local_object_reference));
static const struct field csi_source[] = WHOLE_MESSAGE(
    STRING(1, "driver"), BOOL(2, "readOnly"), STRING(3, "fsType"),
    STRING_MAP(4, "volumeAttributes"), ONE(5, "nodePublishSecretRef", local_object_reference));
static const struct field volume_resource_requirements[] =
    WHOLE_MESSAGE(QUANTITIES(1, "limits"), QUANTITIES(2, "requests"));
static const struct field typed_local_object_reference[] =
    WHOLE_MESSAGE(STRING(1, "apiGroup"), STRING(2, "kind"), STRING(3, "name"));
static const struct field typed_object_reference[] = WHOLE_MESSAGE(
    STRING(1, "apiGroup"), STRING(2, "kind"), STRING(3, "name"), STRING(4, "namespace"));
static const struct field persistent_volume_claim_spec[] = WHOLE_MESSAGE(
    STRINGS(1, "accessModes"), ONE(2, "resources", volume_resource_requirements),
    STRING(3, "volumeName"), ONE(4, "selector", protobuf_label_selector),
    STRING(5, "storageClassName"), STRING(6, "volumeMode"),
    ONE(7, "dataSource", typed_local_object_reference),
    ONE(8, "dataSourceRef", typed_object_reference), STRING(9, "volumeAttributesClassName"));
static const struct field persistent_volume_claim_template[] = WHOLE_MESSAGE(
    ONE(1, "metadata", protobuf_object_meta), ONE(2, "spec", persistent_volume_claim_spec));
static const struct field ephemeral_source[] =
    WHOLE_MESSAGE(ONE(1, "volumeClaimTemplate", persistent_volume_claim_template));
static const struct field image_source[] =
    WHOLE_MESSAGE(STRING(1, "reference"), STRING(2, "pullPolicy"));
static const struct field volume_source[] = WHOLE_MESSAGE(
    ONE(1, "hostPath", host_path_source), ONE(2, "emptyDir", empty_dir_source),
    ONE(3, "gcePersistentDisk", gce_persistent_disk_source),
    ONE(4, "awsElasticBlockStore", aws_elastic_block_store_source),
    ONE(5, "gitRepo", git_repo_source), ONE(6, "secret", secret_source), ONE(7, "nfs", nfs_source),
    ONE(8, "iscsi", iscsi_source), ONE(9, "glusterfs", glusterfs_source),
    ONE(10, "persistentVolumeClaim", persistent_volume_claim_source), ONE(11, "rbd", rbd_source),
    ONE(12, "flexVolume", flex_source), ONE(13, "cinder", cinder_source),
    ONE(14, "cephfs", ceph_fs_source), ONE(15, "flocker", flocker_source),
    ONE(16, "downwardAPI", downward_api_source), ONE(17, "fc", fc_source),
    ONE(18, "azureFile", azure_file_source), ONE(19, "configMap", config_map_source),
    ONE(20, "vsphereVolume", vsphere_virtual_disk_source), ONE(21, "quobyte", quobyte_source),
    ONE(22, "azureDisk", azure_disk_source),
    ONE(23, "photonPersistentDisk", photon_persistent_disk_source),
    ONE(24, "portworxVolume", portworx_source), ONE(25, "scaleIO", scale_io_source),
    ONE(26, "projected", projected_source), ONE(27, "storageos", storage_os_source),
    ONE(28, "csi", csi_source), ONE(29, "ephemeral", ephemeral_source),
    ONE(30, "image", image_source));
const struct field protobuf_volume[] = WHOLE_MESSAGE(STRING(1, "name"), INLINE(2, volume_source));
