/* SPDX-License-Identifier: Apache-2.0
 *
 * Two small fleets as two looks at one.
 */
#include "compare_fixture.h"

#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "check.h"

void
looks_open(struct looks *looks)
{
    memset(looks, 0, sizeof(*looks));
    small_fleet_open(&looks->before);
    small_fleet_open(&looks->after);
}

void
looks_close(struct looks *looks)
{
    small_fleet_close(&looks->before);
    small_fleet_close(&looks->after);
}

struct compared_look
look_of(struct small_fleet *f, int age)
{
    if (f->fleet == NULL) {
        small_fleet_diagnose(f);
    }
    f->fleet->captured_at = timestamp_add(small_fleet_now(), -age * NANOS_PER_MINUTE);
    return (struct compared_look){f->fleet, f->diagnosis,
                                  coverage_of(f->arena, f->fleet, f->diagnosis, &f->policy),
                                  &f->policy};
}

const struct comparison *
compare_looks(struct looks *looks)
{
    const struct comparison_request request = {
        .before = look_of(&looks->before, EARLIER),
        .after = look_of(&looks->after, 0),
        .records = looks->records,
        .n_records = looks->n_records,
        .any_fleet = looks->any_fleet,
    };

    return compare(looks->after.arena, &request, &looks->err);
}

const struct compared_cluster *
cluster_of(const struct comparison *comparison, const char *name)
{
    static const struct compared_cluster none = {.name = ""};

    for (uint32_t i = 0; i < comparison->n_clusters; i++) {
        if (str_eq(comparison->clusters[i].name, name)) {
            return &comparison->clusters[i];
        }
    }
    CHECK_MSG(false, "cluster %s is as it was", name);
    return &none;
}
