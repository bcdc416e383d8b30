/* SPDX-License-Identifier: Apache-2.0
 *
 * What vector files hold of a member.
 */
#include "conform_member.h"
#include "../decode_one.h"

bool
conform_pods(struct conform *run, struct fleet_builder *builder, const struct value *list,
             struct member *member, struct error *err)
{
    uint32_t count = (uint32_t)value_count(list);
    struct pod *pods = ARENA_ARRAY(run->arena, struct pod, count);

    for (uint32_t i = 0; i < count; i++) {
        const struct pod *pod = decode_pod(builder, value_at(list, i), err);

        if (pod == NULL) {
            return error_wrap(err, "pods[%u]", i);
        }
        pods[i] = *pod;
    }
    member->pods = pods;
    member->n_pods = count;
    member->has_pods = true;
    return true;
}
