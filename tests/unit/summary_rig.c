/* SPDX-License-Identifier: Apache-2.0
 *
 * Each shard writes what it would of a fleet that has all of the members.
 */
#include "summary_rig.h"

const char *const rig_clusters[RIG_CLUSTERS] = {"m1", "m2", "m3", "m4"};
const struct summary_purpose rig_purpose = {"https://x", "c1", "s"};

void
rig_init(struct summary_rig *rig)
{
    *rig = (struct summary_rig){
        .dir = temp_dir_make(),
        .arena = arena_new(),
        .sources = {.order = {SOURCE_PODS, SOURCE_NODES}, .count = 2},
    };
    rig->options = (struct summaries_options){
        .carrier = summary_directory(arena_printf(rig->arena, "%s/summaries", rig->dir.path)),
        .purpose = rig_purpose,
        .sources = &rig->sources,
        .clock = clock_of_system(),
        .max_age = NANOS_PER_MINUTE,
    };
}

void
rig_release(struct summary_rig *rig)
{
    fleet_free(rig->fleet);
    arena_free(rig->arena);
    temp_dir_remove(&rig->dir);
}

void
rig_put(struct summary_rig *rig, struct shard shard, struct summary_purpose of, int64_t time)
{
    struct summary_writer *writer = summary_writer_new(shard, rig->slicing, time);
    struct model_fixture f;
    struct buf text;

    buf_init(&text, SUMMARY_MAX);
    model_begin(&f);
    fleet_builder_expect(f.builder, (struct fleet_expectation){
                                        .choice = share_choice(summary_writer_share(writer))});
    fleet_builder_tap(f.builder, summary_writer_tap(writer));
    summary_writer_is_for(writer, of);
    for (size_t i = 0; i < RIG_CLUSTERS; i++) {
        model_add_cluster(&f, rig_clusters[i]);
        model_add(&f, "n", i, rig_clusters[i],
                  "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}");
        fleet_builder_saw(f.builder, rig_clusters[i], MEMBER_NODES);
    }
    struct fleet *fleet = model_finish(&f);

    fleet->captured_at = TIME_NONE;
    CHECK_OK(summary_writer_finish(writer, fleet, &text, &f.err), f.err);
    const struct summary_carrier *carrier = &rig->options.carrier;

    CHECK_OK(carrier->put(carrier->context, rig->arena, shard, &text, &f.err) != NULL, f.err);
    buf_release(&text);
    fleet_free(fleet);
    model_end(&f);
    summary_writer_free(writer);
}

void
rig_put_all(struct summary_rig *rig, uint32_t count, int64_t time)
{
    for (uint32_t i = count; i > 0; i--) {
        rig_put(rig, (struct shard){i, count}, rig_purpose, time);
    }
}

bool
rig_look(struct summary_rig *rig, struct error *err)
{
    const struct member_port port = summaries_port(&rig->options);
    struct model_fixture f;

    model_begin(&f);
    for (size_t i = 0; i < RIG_CLUSTERS; i++) {
        model_add_cluster(&f, rig_clusters[i]);
    }
    bool done = port.look(port.context, f.builder, RIG_NOW, err);

    fleet_free(rig->fleet);
    rig->fleet = done ? model_finish(&f) : NULL;
    model_end(&f);
    return done;
}

void
rig_check_seen(struct summary_rig *rig, uint32_t count, unsigned seen, const char *why)
{
    struct error err = ERROR_INIT;

    if (!CHECK_OK(rig_look(rig, &err), err)) {
        return;
    }
    for (uint32_t i = 0; i < rig->fleet->n_clusters; i++) {
        const struct member *member = &rig->fleet->members[i];
        bool wanted = ((seen >> shard_of(member->name, count)) & 1) != 0;

        CHECK_MSG(member->has_nodes == wanted && (member->n_nodes == 1) == wanted,
                  "%s: seen %d, want %d (%s)", member->name, member->has_nodes, wanted, why);
        if (wanted) {
            CHECK(member->gap.parts == NULL);
        } else if (CHECK(member->gap.parts != NULL)) {
            CHECK_STR(member->gap.parts, "pods, nodes");
            CHECK_CONTAINS(member->gap.message, why);
        }
    }
}

struct slicing
rig_cut_m1(uint32_t slices)
{
    static const struct sliced_member items[] = {{"m1", 1}, {"m1", 2}, {"m1", 3}, {"m1", 4}};

    if (slices == 0) {
        return (struct slicing){.count = 0};
    }
    return (struct slicing){&items[slices - 1], 1};
}
