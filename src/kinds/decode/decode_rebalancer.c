/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes WorkloadRebalancer: the workloads it names, and their results.
 */
#include "decoders.h"
#include "kinds/builder/builder.h"
#include "kinds/builder/kind.h"

#include "ballast/base/timestamp.h"

struct workload_reference {
    const char *api_version, *kind, *namespace_, *name;
};

struct observed_workload {
    struct workload_reference workload;
    const char *result, *reason;
};

struct rebalancer {
    const char *name;
    int64_t creation;
    struct {
        const struct workload_reference *items;
        uint32_t count;
    } workloads;
    struct {
        const struct observed_workload *items;
        uint32_t count;
    } observed;
};

static const char *
reference_text(struct arena *scratch, const struct workload_reference *workload)
{
    return arena_printf(scratch, "%s\n%s\n%s\n%s", workload->api_version, workload->kind,
                        workload->namespace_, workload->name);
}

#define REFERENCE_ROWS(type, at)                                                                   \
    FIELD("apiVersion", convert_string, type, at api_version, AS_TEXT(0, TEXT_API)),               \
        FIELD("kind", convert_string, type, at kind, AS_TEXT(0, TEXT_KIND)),                       \
        FIELD("namespace", convert_string, type, at namespace_, AS_TEXT(0, TEXT_NAME)),            \
        FIELD("name", convert_string, type, at name, AS_TEXT(0, TEXT_NAME))

static const struct field reference_table[] = {
    REFERENCE_ROWS(struct workload_reference, ),
    FIELD_END,
};

static const struct field observed_reference_table[] = {
    REFERENCE_ROWS(struct observed_workload, workload.),
    FIELD_END,
};

static const struct field observed_table[] = {
    PART("workload", convert_struct, AS_OBJECT(0, observed_reference_table)),
    FIELD("result", convert_string, struct observed_workload, result, AS_TEXT(0, TEXT_WORD)),
    FIELD("reason", convert_string, struct observed_workload, reason, AS_TEXT(0, TEXT_WORD)),
    FIELD_END,
};

static const struct field metadata_table[] = {
    FIELD("name", convert_string, struct rebalancer, name,
          .flags = FIELD_REQUIRED | FIELD_NON_EMPTY, AS_TEXT(0, TEXT_NAME)),
    FIELD("creationTimestamp", convert_time, struct rebalancer, creation, AS_TIME(0)),
    FIELD_END,
};

static const struct field spec_table[] = {
    FIELD("workloads", convert_list, struct rebalancer, workloads, .flags = OF_CLUSTERS,
          .item_size = sizeof(struct workload_reference), AS_OBJECTS(0, reference_table)),
    FIELD_END,
};

static const struct field status_table[] = {
    FIELD("observedWorkloads", convert_list, struct rebalancer, observed, .flags = OF_CLUSTERS,
          .item_size = sizeof(struct observed_workload), AS_OBJECTS(0, observed_table)),
    FIELD_END,
};

const struct field rebalancer_table[] = {
    PART("metadata", convert_struct, .flags = FIELD_REQUIRED, AS_OBJECT(0, metadata_table)),
    PART("spec", convert_struct, AS_OBJECT(0, spec_table)),
    PART("status", convert_struct, AS_OBJECT(0, status_table)),
    FIELD_END,
};

static const struct {
    const char *text;
    enum rebalance_result result;
} results[] = {{"Successful", REBALANCE_SUCCESSFUL}, {"Failed", REBALANCE_FAILED}};

static enum rebalance_result
result_of(const struct observed_workload *observed)
{
    for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
        if (str_eq(observed->result, results[i].text)) {
            return results[i].result;
        }
    }
    return REBALANCE_OPEN;
}

/* Maps each workload to its observed result. Of several results, an open one counts: the controller
 * goes on with that. */
static struct map *
map_observed(struct arena *scratch, const struct rebalancer *rebalancer)
{
    struct map *map = map_new();

    for (uint32_t i = 0; i < rebalancer->observed.count; i++) {
        const struct observed_workload *observed = &rebalancer->observed.items[i];
        void **slot = map_put_str(map, reference_text(scratch, &observed->workload), NULL);

        if (*slot == NULL || result_of(observed) == REBALANCE_OPEN) {
            *slot = (void *)observed;
        }
    }
    return map;
}

static void
keep_wishes(struct fleet_builder *builder, const struct rebalancer *rebalancer)
{
    struct map *map = map_observed(builder->scratch, rebalancer);

    for (uint32_t i = 0; i < rebalancer->workloads.count; i++) {
        const struct workload_reference *workload = &rebalancer->workloads.items[i];
        void **slot = map_get_str(map, reference_text(builder->scratch, workload));
        struct rebalance_wish wish = {
            .rebalancer = rebalancer->name,
            .requested_at = rebalancer->creation,
            .kind = workload->kind,
            .namespace_ = workload->namespace_,
            .name = workload->name,
            .result = REBALANCE_OPEN,
            .reason = "",
        };

        if (slot != NULL) {
            const struct observed_workload *observed = *slot;

            wish.result = result_of(observed);
            wish.reason = observed->reason;
        }
        vec_add(&builder->wishes, wish);
    }
    map_free(map);
}

static struct object_key
rebalancer_key(const void *items, uint32_t index)
{
    return (struct object_key){"", "", ((const char *const *)items)[index]};
}

enum add_result
take_rebalancer(const struct taking *t)
{
    struct fleet_builder *builder = t->builder;
    struct rebalancer rebalancer = {.creation = TIME_NONE};
    struct error err = ERROR_INIT;

    if (!decode_object(builder_decoder(builder, &err), rebalancer_table, t->value, &rebalancer)) {
        return taking_skip(t, err.message);
    }
    vec_add(&builder->rebalancers, rebalancer.name);
    enum add_result result = taking_keep(t, &builder->rebalancer_places, rebalancer_key,
                                         builder->rebalancers.items, &builder->rebalancers.count);

    if (result == ADD_TAKEN) {
        keep_wishes(builder, &rebalancer);
    }
    return result;
}
