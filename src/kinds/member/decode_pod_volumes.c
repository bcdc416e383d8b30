/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes spec.volumes: claims, ephemeral claims, and the disks that kube-scheduler's
 * volumerestrictions and nodevolumelimits check.
 */
#include "kinds/builder/builder.h"
#include "kinds/decode/decoders.h"
#include "member_decoders.h"

#include "ballast/base/wide.h"

/* One volume under way: at most one source is set. */
struct volume {
    const char *claim, *own_class, *disk, *gce_disk, *target, *image, *pool;
    const char *azure_disk, *cinder, *portworx;
    struct str_list monitors;
    bool reads_gce_disk, reads_target, reads_image;
};

struct volumes {
    const struct volume *items;
    uint32_t count;
};
CHECK_LIST(struct volumes, items, count);

static const struct field claim_table[] = {
    FIELD("claimName", convert_string, struct volume, claim, AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

static const struct field own_claim_spec_table[] = {
    FIELD("storageClassName", convert_string, struct volume, own_class, AS_TEXT(5, TEXT_NAME)),
    FIELD_END,
};

static const struct field own_claim_table[] = {
    PART("spec", convert_struct, AS_OBJECT(2, own_claim_spec_table)),
    FIELD_END,
};

static const struct field ephemeral_table[] = {
    PART("volumeClaimTemplate", convert_struct, AS_OBJECT(1, own_claim_table)),
    FIELD_END,
};

static const struct field gce_table[] = {
    FIELD("pdName", convert_string, struct volume, gce_disk, AS_TEXT(1, TEXT_NAME)),
    FIELD("readOnly", convert_bool, struct volume, reads_gce_disk, AS_BOOL(4)),
    FIELD_END,
};

static const struct field ebs_table[] = {
    FIELD("volumeID", convert_string, struct volume, disk, AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

static const struct field azure_table[] = {
    FIELD("diskURI", convert_string, struct volume, azure_disk, AS_TEXT(2, TEXT_NAME)),
    FIELD_END,
};

static const struct field cinder_table[] = {
    FIELD("volumeID", convert_string, struct volume, cinder, AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

static const struct field portworx_table[] = {
    FIELD("volumeID", convert_string, struct volume, portworx, AS_TEXT(1, TEXT_NAME)),
    FIELD_END,
};

static const struct field iscsi_table[] = {
    FIELD("iqn", convert_string, struct volume, target, AS_TEXT(2, TEXT_NAME)),
    FIELD("readOnly", convert_bool, struct volume, reads_target, AS_BOOL(6)),
    FIELD_END,
};

static const struct field rbd_table[] = {
    FIELD("monitors", convert_string_list, struct volume, monitors, .flags = OF_RULES,
          AS_TEXTS(1, TEXT_NAME)),
    FIELD("image", convert_string, struct volume, image, AS_TEXT(2, TEXT_NAME)),
    FIELD("pool", convert_string, struct volume, pool, AS_TEXT(4, TEXT_NAME)),
    FIELD("readOnly", convert_bool, struct volume, reads_image, AS_BOOL(8)),
    FIELD_END,
};

/* The numbers are those of VolumeSource, whose members JSON has in the Volume. */
#define SOURCES(is_message)                                                                        \
    PART("gcePersistentDisk", convert_struct, AS_OBJECT((is_message) ? 3 : 0, gce_table)),         \
        PART("awsElasticBlockStore", convert_struct, AS_OBJECT((is_message) ? 4 : 0, ebs_table)),  \
        PART("iscsi", convert_struct, AS_OBJECT((is_message) ? 8 : 0, iscsi_table)),               \
        PART("persistentVolumeClaim", convert_struct,                                              \
             AS_OBJECT((is_message) ? 10 : 0, claim_table)),                                       \
        PART("rbd", convert_struct, AS_OBJECT((is_message) ? 11 : 0, rbd_table)),                  \
        PART("cinder", convert_struct, AS_OBJECT((is_message) ? 13 : 0, cinder_table)),            \
        PART("azureDisk", convert_struct, AS_OBJECT((is_message) ? 22 : 0, azure_table)),          \
        PART("portworxVolume", convert_struct, AS_OBJECT((is_message) ? 24 : 0, portworx_table)),  \
        PART("ephemeral", convert_struct, AS_OBJECT((is_message) ? 29 : 0, ephemeral_table))

static const struct field source_table[] = {SOURCES(true), FIELD_END};

const struct field volume_table[] = {INLINE(2, source_table), SOURCES(false), FIELD_END};

struct found {
    struct fleet_builder *builder;
    VEC_OF(const char *) claims;
    VEC_OF(const char *) own_classes;
    VEC_OF(struct pod_disk) disks;
};

/* One node holds an AWS disk even if all pods only read. Any number of pods may write an Azure,
 * Cinder or Portworx disk. kube-apiserver defaults the pool of a Ceph disk to "rbd". */
static void
add_disks(struct found *found, const struct volume *volume)
{
    struct interner *strings = found->builder->fleet->strings;
    const char *none = intern_cstr(strings, ""), *rbd = intern_cstr(strings, "rbd");
    const struct {
        const char *type, *id;
        bool read_only;
    } plain[] = {
        {"awsElasticBlockStore", volume->disk, false},
        {"gcePersistentDisk", volume->gce_disk, volume->reads_gce_disk},
        {"iscsi", volume->target, volume->reads_target},
        {"azureDisk", volume->azure_disk, true},
        {"cinder", volume->cinder, true},
        {"portworxVolume", volume->portworx, true},
    };

    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        if (!str_is_empty(plain[i].id)) {
            vec_add(&found->disks,
                    ((struct pod_disk){
                        intern_cstr(strings, plain[i].type), plain[i].id, none, none,
                        replaced_source_handle(strings, plain[i].type, plain[i].id, NULL),
                        plain[i].read_only ? 1 : 0}));
        }
    }
    for (uint32_t i = 0; i < volume->monitors.count && !str_is_empty(volume->image); i++) {
        vec_add(
            &found->disks,
            ((struct pod_disk){rbd, volume->image, str_is_empty(volume->pool) ? rbd : volume->pool,
                               volume->monitors.items[i], none, volume->reads_image ? 1 : 0}));
    }
}

static const struct pod_volumes *
keep(struct found *found)
{
    const struct pod_volumes kept = {
        .claims = builder_share(found->builder, found->claims.items,
                                found->claims.count * sizeof(*found->claims.items)),
        .disks = builder_share(found->builder, found->disks.items,
                               found->disks.count * sizeof(*found->disks.items)),
        .own_classes = builder_share(found->builder, found->own_classes.items,
                                     found->own_classes.count * sizeof(*found->own_classes.items)),
        .n_claims = pin_uint32(found->claims.count),
        .n_disks = pin_uint32(found->disks.count),
        .n_own_classes = found->own_classes.count,
    };

    return kept.n_claims + kept.n_disks + kept.n_own_classes > 0
               ? builder_share(found->builder, &kept, sizeof(kept))
               : NULL;
}

bool
convert_pod_volumes(struct decoder *decoder, const struct field *field, const struct value *value,
                    void *target)
{
    struct field list = *field;
    struct volumes volumes = {.count = 0};
    struct found found = {.builder = builder_of(decoder)};

    list.item_size = sizeof(struct volume);
    bool done = convert_in_scratch(decoder, convert_list, &list, value, &volumes);

    for (uint32_t i = 0; i < volumes.count && done; i++) {
        if (!str_is_empty(volumes.items[i].claim)) {
            vec_add(&found.claims, volumes.items[i].claim);
        }
        if (!str_is_empty(volumes.items[i].own_class)) {
            vec_add(&found.own_classes, volumes.items[i].own_class);
        }
        add_disks(&found, &volumes.items[i]);
    }
    if (done) {
        const struct pod_volumes *kept = keep(&found);

        memcpy(target, &kept, sizeof(kept));
    }
    vec_free(&found.claims);
    vec_free(&found.own_classes);
    vec_free(&found.disks);
    return done;
}

const struct pod_volumes *
pod_volumes_add_made(struct fleet_builder *builder, const struct pod_volumes *volumes,
                     const struct claim_template_list *made)
{
    struct pod_volumes all = {.n_own_classes = 0};
    VEC_OF(const char *) classes = {.count = 0};

    if (volumes != NULL) {
        all = *volumes;
    }
    for (size_t i = 0; i < all.n_own_classes; i++) {
        vec_add(&classes, all.own_classes[i]);
    }
    for (uint32_t i = 0; i < made->count; i++) {
        if (!str_is_empty(made->items[i].storage_class)) {
            vec_add(&classes, made->items[i].storage_class);
        }
    }
    if (classes.count > all.n_own_classes) {
        all.own_classes =
            builder_share(builder, classes.items, classes.count * sizeof(*classes.items));
        all.n_own_classes = classes.count;
        volumes = builder_share(builder, &all, sizeof(all));
    }
    vec_free(&classes);
    return volumes;
}
