/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes PersistentVolumeClaim, PersistentVolume, StorageClass and CSINode of a member.
 */
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include "ballast/base/str.h"
#include "ballast/model/volumes.h"

#define BOUND_ANNOTATION "pv.kubernetes.io/bind-completed"
#define CLASS_ANNOTATION "volume.beta.kubernetes.io/storage-class"
#define REPLACED_ANNOTATION "storage.alpha.kubernetes.io/migrated-plugins"

/* A claim or volume under way: the annotation's class takes precedence over the spec's. */
struct read_claim {
    struct persistent_volume_claim claim;
    const char *annotated_class; /* "": none */
};

struct read_volume {
    struct persistent_volume volume;
    const char *annotated_class;
    const char *aws_disk, *azure_disk, *cinder, *gce_disk, *portworx; /* at most one is set */
};

static const struct field claim_annotations_table[] = {
    FIELD(BOUND_ANNOTATION, convert_presence, struct persistent_volume_claim, is_bound,
          AS_TEXT(0, TEXT_SETTING)),
    FIELD(CLASS_ANNOTATION, convert_string, struct read_claim, annotated_class,
          AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field claim_metadata_table[] = {
    FIELD("namespace", convert_string, struct persistent_volume_claim, namespace_,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct persistent_volume_claim, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("uid", convert_string, struct persistent_volume_claim, uid, AS_TEXT(0, TEXT_UID)),
    FIELD("deletionTimestamp", convert_presence, struct persistent_volume_claim, is_leaving,
          AS_TIME(0)),
    PART("annotations", convert_struct, AS_CHOSEN(0, claim_annotations_table)),
    FIELD_END,
};

static const struct field claim_resources_table[] = {
    FIELD("requests", convert_resource_list, struct persistent_volume_claim, requests,
          AS_AMOUNTS(0)),
    FIELD_END,
};

static const struct field claim_spec_table[] = {
    FIELD("volumeName", convert_string, struct persistent_volume_claim, volume_name,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("storageClassName", convert_string, struct persistent_volume_claim, storage_class,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("volumeMode", convert_string, struct persistent_volume_claim, volume_mode,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("accessModes", convert_string_list, struct persistent_volume_claim, access_modes,
          .flags = OF_RULES, AS_TEXTS(0, TEXT_WORD)),
    FIELD("selector", convert_struct_pointer, struct persistent_volume_claim, selector,
          .item_size = sizeof(struct label_selector), AS_OBJECT(0, label_selector_table)),
    PART("resources", convert_struct, AS_OBJECT(0, claim_resources_table)),
    FIELD_END,
};

static const struct field claim_status_table[] = {
    FIELD("phase", convert_string, struct persistent_volume_claim, phase, AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

/* Target: struct read_claim. */
const struct field persistent_volume_claim_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, claim_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, claim_spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, claim_status_table)),
    FIELD_END,
};

static struct object_key
claim_key(const void *items, uint32_t index)
{
    const struct persistent_volume_claim *claim =
        (const struct persistent_volume_claim *)items + index;

    return (struct object_key){claim->namespace_, "PersistentVolumeClaim", claim->name};
}

enum add_result
take_persistent_volume_claim(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct read_claim read = {
        .claim = {.volume_name = "", .storage_class = "", .volume_mode = "", .phase = ""},
        .annotated_class = ""};
    struct error err = ERROR_INIT;

    member->has[MEMBER_CLAIMS] = true;
    if (!decode_object(builder_decoder(t->builder, &err), persistent_volume_claim_table, t->value,
                       &read)) {
        return taking_skip(t, err.message);
    }
    if (!str_is_empty(read.annotated_class)) {
        read.claim.storage_class = read.annotated_class;
    }
    vec_add(&member->claims, read.claim);
    return taking_keep(t, &member->places_of[MEMBER_CLAIMS], claim_key, member->claims.items,
                       &member->claims.count);
}

static const struct field volume_annotations_table[] = {
    FIELD(CLASS_ANNOTATION, convert_string, struct read_volume, annotated_class,
          AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

static const struct field volume_metadata_table[] = {
    FIELD("name", convert_string, struct persistent_volume, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("labels", convert_shared_map, struct persistent_volume, labels, AS_LABELS(0)),
    FIELD("deletionTimestamp", convert_presence, struct persistent_volume, is_leaving, AS_TIME(0)),
    PART("annotations", convert_struct, AS_CHOSEN(0, volume_annotations_table)),
    FIELD_END,
};

static const struct field claim_ref_table[] = {
    FIELD("namespace", convert_string, struct persistent_volume, claim_namespace,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("name", convert_string, struct persistent_volume, claim_name, AS_TEXT(0, TEXT_NAME)),
    FIELD("uid", convert_string, struct persistent_volume, claim_uid, AS_TEXT(0, TEXT_UID)),
    FIELD_END,
};

static const struct field node_affinity_table[] = {
    FIELD("required", convert_presence, struct persistent_volume, node_affinity.present),
    FIELD("required", convert_struct, struct persistent_volume, node_affinity,
          AS_OBJECT(0, node_selector_table)),
    FIELD_END,
};

static const struct field csi_table[] = {
    FIELD("driver", convert_string, struct persistent_volume, csi_driver,
          AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD("volumeHandle", convert_string, struct persistent_volume, csi_handle,
          AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

#define SOURCE_TABLE(name, id_key, member)                                                         \
    static const struct field name[] = {                                                           \
        FIELD(id_key, convert_string, struct read_volume, member, AS_TEXT(0, TEXT_NAME)),          \
        FIELD_END,                                                                                 \
    }

SOURCE_TABLE(aws_table, "volumeID", aws_disk);
SOURCE_TABLE(azure_table, "diskURI", azure_disk);
SOURCE_TABLE(cinder_table, "volumeID", cinder);
SOURCE_TABLE(gce_table, "pdName", gce_disk);
SOURCE_TABLE(portworx_table, "volumeID", portworx);

static const struct field volume_spec_table[] = {
    FIELD("storageClassName", convert_string, struct persistent_volume, storage_class,
          AS_TEXT(0, TEXT_NAME)),
    FIELD("volumeMode", convert_string, struct persistent_volume, volume_mode,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("accessModes", convert_string_list, struct persistent_volume, access_modes,
          .flags = OF_RULES, AS_TEXTS(0, TEXT_WORD)),
    FIELD("capacity", convert_resource_list, struct persistent_volume, capacity, AS_AMOUNTS(0)),
    PART("claimRef", convert_struct, AS_OBJECT(0, claim_ref_table)),
    PART("nodeAffinity", convert_struct, AS_OBJECT(0, node_affinity_table)),
    PART("csi", convert_struct, AS_OBJECT(0, csi_table)),
    PART("awsElasticBlockStore", convert_struct, AS_OBJECT(0, aws_table)),
    PART("azureDisk", convert_struct, AS_OBJECT(0, azure_table)),
    PART("cinder", convert_struct, AS_OBJECT(0, cinder_table)),
    PART("gcePersistentDisk", convert_struct, AS_OBJECT(0, gce_table)),
    PART("portworxVolume", convert_struct, AS_OBJECT(0, portworx_table)),
    FIELD_END,
};

static const struct field volume_status_table[] = {
    FIELD("phase", convert_string, struct persistent_volume, phase, AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

/* Target: struct read_volume. */
const struct field persistent_volume_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, volume_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, volume_spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, volume_status_table)),
    FIELD_END,
};

static struct object_key
volume_key(const void *items, uint32_t index)
{
    const struct persistent_volume *volume = (const struct persistent_volume *)items + index;

    return (struct object_key){"", "PersistentVolume", volume->name};
}

/* Without a driver, the volume may be of an in-tree plugin that a driver has replaced. */
static void
find_replaced(struct interner *strings, struct read_volume *read)
{
    struct persistent_volume *volume = &read->volume;
    const struct {
        const char *source, *id;
    } all[] = {
        {"awsElasticBlockStore", read->aws_disk},
        {"azureDisk", read->azure_disk},
        {"cinder", read->cinder},
        {"gcePersistentDisk", read->gce_disk},
        {"portworxVolume", read->portworx},
    };

    for (size_t i = 0; str_is_empty(volume->csi_driver) && i < sizeof(all) / sizeof(all[0]); i++) {
        if (!str_is_empty(all[i].id)) {
            volume->plugin = replaced_plugin_of(all[i].source);
            volume->csi_driver = intern_cstr(strings, volume->plugin->driver);
            volume->csi_handle =
                replaced_source_handle(strings, all[i].source, all[i].id, &volume->labels);
        }
    }
}

enum add_result
take_persistent_volume(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct read_volume read = {.volume = {.claim_namespace = "",
                                          .claim_name = "",
                                          .claim_uid = "",
                                          .csi_driver = "",
                                          .csi_handle = "",
                                          .storage_class = "",
                                          .volume_mode = "",
                                          .phase = ""},
                               .annotated_class = "",
                               .aws_disk = "",
                               .azure_disk = "",
                               .cinder = "",
                               .gce_disk = "",
                               .portworx = ""};
    struct error err = ERROR_INIT;

    member->has[MEMBER_VOLUMES] = true;
    if (!decode_object(builder_decoder(t->builder, &err), persistent_volume_table, t->value,
                       &read)) {
        return taking_skip(t, err.message);
    }
    if (!str_is_empty(read.annotated_class)) {
        read.volume.storage_class = read.annotated_class;
    }
    find_replaced(t->builder->fleet->strings, &read);
    vec_add(&member->volumes, read.volume);
    return taking_keep(t, &member->places_of[MEMBER_VOLUMES], volume_key, member->volumes.items,
                       &member->volumes.count);
}

static const struct field topology_requirement_table[] = {
    FIELD("key", convert_string, struct topology_requirement, key, AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD("values", convert_string_list, struct topology_requirement, values, .flags = OF_RULES,
          AS_TEXTS(0, TEXT_LABEL_VALUE)),
    FIELD_END,
};

CHECK_LIST(struct topology_term, items, count);
CHECK_LIST(struct storage_class, topologies, n_topologies);

static const struct field topology_term_table[] = {
    PART("matchLabelExpressions", convert_list, .flags = OF_RULES,
         .item_size = sizeof(struct topology_requirement),
         AS_OBJECTS(0, topology_requirement_table)),
    FIELD_END,
};

static const struct field class_metadata_table[] = {
    FIELD("name", convert_string, struct storage_class, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD_END,
};

const struct field storage_class_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, class_metadata_table)),
    FIELD("provisioner", convert_string, struct storage_class, provisioner,
          AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD("volumeBindingMode", convert_string, struct storage_class, binding_mode,
          AS_TEXT(0, TEXT_WORD)),
    FIELD("allowedTopologies", convert_list, struct storage_class, topologies, .flags = OF_RULES,
          .item_size = sizeof(struct topology_term), AS_OBJECTS(0, topology_term_table)),
    FIELD_END,
};

static struct object_key
class_key(const void *items, uint32_t index)
{
    return (struct object_key){"", "StorageClass",
                               ((const struct storage_class *)items + index)->name};
}

enum add_result
take_storage_class(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct storage_class read = {.name = ""};
    struct error err = ERROR_INIT;

    member->has[MEMBER_STORAGE_CLASSES] = true;
    if (!decode_object(builder_decoder(t->builder, &err), storage_class_table, t->value, &read)) {
        return taking_skip(t, err.message);
    }
    vec_add(&member->storage_classes, read);
    return taking_keep(t, &member->places_of[MEMBER_STORAGE_CLASSES], class_key,
                       member->storage_classes.items, &member->storage_classes.count);
}

static const struct field allocatable_table[] = {
    FIELD("count", convert_presence, struct csi_driver, is_limited),
    FIELD("count", convert_count64, struct csi_driver, most, AS_INT32(0)),
    FIELD_END,
};

static const struct field driver_table[] = {
    FIELD("name", convert_string, struct csi_driver, name, AS_TEXT(0, TEXT_LABEL_KEY)),
    PART("allocatable", convert_struct, AS_OBJECT(0, allocatable_table)),
    FIELD_END,
};

CHECK_LIST(struct csi_node, drivers, n_drivers);

static const struct field csi_node_spec_table[] = {
    FIELD("drivers", convert_list, struct csi_node, drivers, .flags = OF_RULES,
          .item_size = sizeof(struct csi_driver), AS_OBJECTS(0, driver_table)),
    FIELD_END,
};

static const struct field csi_node_annotations_table[] = {
    FIELD(REPLACED_ANNOTATION, convert_string, struct csi_node, replaced,
          AS_TEXT(0, TEXT_LABEL_KEY)),
    FIELD_END,
};

static const struct field csi_node_metadata_table[] = {
    FIELD("name", convert_string, struct csi_node, name, .flags = FIELD_REQUIRED | FIELD_NON_EMPTY,
          AS_TEXT(0, TEXT_NAME)),
    PART("annotations", convert_struct, AS_CHOSEN(0, csi_node_annotations_table)),
    FIELD_END,
};

const struct field csi_node_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED,
         AS_OBJECT(0, csi_node_metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, csi_node_spec_table)),
    FIELD_END,
};

static struct object_key
csi_node_key(const void *items, uint32_t index)
{
    return (struct object_key){"", "CSINode", ((const struct csi_node *)items + index)->name};
}

enum add_result
take_csi_node(const struct taking *t)
{
    struct member_builder *member = builder_member(t->builder, t->member);
    struct csi_node read = {.name = "", .replaced = ""};
    struct error err = ERROR_INIT;

    member->has[MEMBER_CSI_NODES] = true;
    if (!decode_object(builder_decoder(t->builder, &err), csi_node_table, t->value, &read)) {
        return taking_skip(t, err.message);
    }
    vec_add(&member->csi_nodes, read);
    return taking_keep(t, &member->places_of[MEMBER_CSI_NODES], csi_node_key,
                       member->csi_nodes.items, &member->csi_nodes.count);
}
