/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a run comes to what is right for a drill.
 */
#include "judge.h"

static int
count_after(const json_t *item, const char *cluster)
{
    return (int)integer_at(find_by(at(item, "after"), "name", cluster), "replicas", 0);
}

static void
judge_expected(struct judge *judge, const json_t *item, const json_t *expected)
{
    const char *name = text_at(expected, "binding"), *why = text_at(expected, "why");
    const char *more = text_at(expected, "more"), *finding = text_at(expected, "finding");
    bool is_told = find_by(at(item, "findings"), "type", finding) != NULL;
    const char *cluster;
    json_t *right;

    json_object_foreach(at(expected, "clusters"), cluster, right)
    {
        if (count_after(item, cluster) != json_integer_value(right)) {
            judge_fail(judge, INV_DRILLED, NULL, -1, "%s in %s: %d, where %d are right: %s", name,
                       cluster, count_after(item, cluster), (int)json_integer_value(right), why);
        }
    }
    if (*more != '\0' && count_after(item, more) <= integer_at(expected, "than", 0)) {
        judge_fail(judge, INV_DRILLED, NULL, -1, "%s in %s: %d, where more are right: %s", name,
                   more, count_after(item, more), why);
    }
    if (*finding != '\0' && is_told != truth_at(expected, "told")) {
        judge_fail(judge, INV_DRILLED, NULL, -1, "%s: %s: %s", name, finding, why);
    }
}

void
judge_drill(struct judge *judge, const struct world *world, const struct run *run)
{
    size_t index;
    json_t *expected;

    json_array_foreach(world->expected, index, expected)
    {
        const json_t *item = find_by(at(run->plan, "items"), "name", text_at(expected, "binding"));

        judge_met(judge, INV_DRILLED);
        judge_expected(judge, item, expected);
    }
}
