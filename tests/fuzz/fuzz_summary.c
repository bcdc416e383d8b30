/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries: any bytes as one; behind a first line that is right, so that the
 * checksum hides nothing; and as the objects of a member, so that packing hides
 * nothing. What is taken goes into a fleet.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ballast/base/compress.h"
#include "ballast/model/fleet.h"
#include "ballast/shards/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((size_t)1 << 24)

static void
add_cluster(struct fleet_builder *builder)
{
    static const char text[] = "{\"metadata\":{\"name\":\"m1\"}}";
    const struct object_origin origin = {.file = "", .member = ""};
    struct error err = ERROR_INIT;
    struct document *document = document_parse_json(text, strlen(text), 1, &err);

    if (document == NULL ||
        fleet_builder_add(builder, document_root(document), "cluster.karmada.io/v1alpha1",
                          "ClusterList", &origin, &err) != ADD_TAKEN) {
        abort();
    }
    document_free(document);
}

static void
merge(const struct summary *summary)
{
    struct fleet_builder *builder = fleet_builder_new();
    struct error err = ERROR_INIT;

    add_cluster(builder);
    for (uint32_t i = 0; i < summary->n_sections; i++) {
        const struct summary_section *section = &summary->sections[i];

        const struct summary_sections sections = {&section, 1};
        const struct summary_section *bad;

        if ((section->slices &
             ~slices_of_shard(section->member, section->n_slices, summary->head.shard)) != 0) {
            abort(); /* of its own members and slices alone */
        }
        summary_sections_remark(&sections, builder);
        if (!summary_sections_add(&sections, builder, MEMORY, NULL, &bad, &err) &&
            (err.message[0] == '\0' || bad != section)) {
            abort();
        }
    }
    struct fleet *fleet = fleet_builder_finish(builder, 0, &err);

    if (fleet == NULL) {
        abort(); /* whatever a shard says, the others are seen */
    }
    fleet_free(fleet);
    fleet_builder_free(builder);
}

static void
read_as_summary(const char *text, size_t length)
{
    struct arena *arena = arena_new();
    struct error err = ERROR_INIT;
    const struct summary *summary = summary_parse(arena, text, length, &err);

    if (summary != NULL) {
        merge(summary);
    } else if (err.message[0] == '\0') {
        abort();
    }
    arena_free(arena);
}

static void
read_as_objects(const char *text, size_t length)
{
    static const struct summary_head head = {.shard = {1, 1}};
    struct buf packed;

    buf_init(&packed, SUMMARY_MAX);
    compress_append(&packed, text, length);
    const struct summary_piece piece = {buf_text(&packed), packed.length, length};
    const struct summary_section section = {.member = "m1",
                                            .n_slices = 1,
                                            .slices = 1,
                                            .is_known = true,
                                            .pieces = &piece,
                                            .n_pieces = 1};

    merge(&(struct summary){head, &section, 1});
    buf_release(&packed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf sealed;

    read_as_summary((const char *)data, size);
    buf_init(&sealed, SUMMARY_MAX);
    buf_append(&sealed, data, size);
    summary_seal(&sealed);
    read_as_summary(buf_text(&sealed), sealed.length);
    buf_release(&sealed);
    read_as_objects((const char *)data, size);
    return 0;
}
