/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotation of the last move: its text, and what it says.
 */
#include "ballast/annotations/last_move.h"

#include "ballast/base/hash.h"
#include "ballast/base/str.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "ballast/format/value_text.h"
#include "ballast/model/finding.h"

/* Later runs compare marks, so the key is constant. */
static const struct hash_key mark_key = {0x6c6d, UINT64_C(0x62616c6c61737421)};

static void
write_clusters(const char *key, const struct target_list *list, struct buf *out)
{
    buf_printf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < list->count && i < LAST_MOVE_CLUSTERS_MAX; i++) {
        buf_append_str(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        text_write_string(list->items[i].name, strlen(list->items[i].name), out);
        buf_printf(out, ",\"replicas\":%d}", list->items[i].replicas);
    }
    buf_append_char(out, ']');
}

static void
write_names(const char *key, const struct str_list *names, struct buf *out)
{
    for (uint32_t i = 0; i < names->count && i < LAST_MOVE_CLUSTERS_MAX; i++) {
        if (i == 0) {
            buf_printf(out, ",\"%s\":[", key);
        } else {
            buf_append_char(out, ',');
        }
        text_write_string(names->items[i], strlen(names->items[i]), out);
    }
    buf_append_str(out, names->count > 0 ? "]" : "");
}

static void
write_past_move(const struct past_move *move, struct buf *out)
{
    char time[TIMESTAMP_TEXT_MAX];

    buf_printf(out, "{\"time\":\"%s\"", timestamp_format(move->time, time));
    write_clusters("from", &move->from, out);
    write_clusters("to", &move->to, out);
    if (move->left.count > 0) {
        write_clusters("left", &move->left, out);
    }
    if (move->tells_ready) {
        buf_printf(out, ",\"ready\":%d", move->ready);
    }
    buf_append_str(out, ",\"reason\":");
    text_write_string(move->reason, strlen(move->reason), out);
    write_names("lost", &move->lost, out);
    write_names("refusedByNamespace", &move->refused, out);
    write_names("failures", &move->failures, out);
}

/* False if the text is too long with `n_earlier` earlier moves. */
static bool
write_last_move(const struct last_move *move, uint32_t n_earlier, struct buf *out)
{
    buf_clear(out);
    out->overflowed = false;
    write_past_move(&move->last, out);
    buf_printf(out, ",\"attempt\":%d,\"workload\":%u", move->attempt, move->workload);
    if (move->deferred > 0) {
        buf_printf(out, ",\"deferred\":%d", move->deferred);
    }
    for (uint32_t i = 0; i < n_earlier; i++) {
        buf_append_str(out, i == 0 ? ",\"earlier\":[" : ",");
        write_past_move(&move->earlier.items[i], out);
        buf_append_char(out, '}');
    }
    buf_append_str(out, n_earlier > 0 ? "]}" : "}");
    return !out->overflowed;
}

const char *
last_move_text(struct arena *arena, const struct last_move *move)
{
    uint32_t n_earlier = move->earlier.count;
    struct buf text;

    buf_init(&text, LAST_MOVE_TEXT_MAX);
    n_earlier = n_earlier < LAST_MOVE_EARLIER_MAX ? n_earlier : LAST_MOVE_EARLIER_MAX;
    while (!write_last_move(move, n_earlier, &text) && n_earlier > 0) {
        n_earlier--;
    }
    const char *kept = text.overflowed ? "{}" : arena_strndup(arena, buf_text(&text), text.length);

    buf_release(&text);
    return kept;
}

bool
past_move_left_lost(const struct past_move *move, const char *cluster)
{
    if (!str_eq(move->reason, finding_type_name(FINDING_UNHEALTHY_CLUSTER)) ||
        target_list_find(&move->from, cluster) == NULL) {
        return false;
    }
    bool is_lost = move->lost.count == 0;

    for (uint32_t i = 0; i < move->lost.count; i++) {
        is_lost = is_lost || str_eq(move->lost.items[i], cluster);
    }
    return is_lost;
}

static bool
asks_for_nothing(const struct requirements *requirements)
{
    return requirements->request.count == 0 &&
           requirements->node_claim.hard_node_affinity.count == 0 &&
           requirements->node_claim.node_selector.count == 0 &&
           requirements->node_claim.tolerations.count == 0;
}

/* Ballast gives a binding empty requirements once it has read the template or pods. A later run may
 * not read them, so empty requirements count as none. */
static uint64_t
mark_of(const struct requirements *requirements)
{
    uint64_t mark = 0;

    if (requirements == NULL || asks_for_nothing(requirements)) {
        return 0;
    }
    for (uint32_t i = 0; i < requirements->request.count; i++) {
        const struct quantity *amount = &requirements->request.items[i].amount;

        mark += digest_bytes(&mark_key, &amount->nano, sizeof(amount->nano)).low;
    }
    const uint32_t counts[] = {requirements->node_claim.hard_node_affinity.count,
                               requirements->node_claim.node_selector.count,
                               requirements->node_claim.tolerations.count};

    return mark + digest_bytes(&mark_key, counts, sizeof(counts)).low;
}

uint32_t
workload_mark(const struct binding *binding)
{
    uint64_t mark = mark_of(binding->requirements);

    for (uint32_t i = 0; binding_is_set(binding) && i < binding_rare(binding)->n_components; i++) {
        const struct component *component = &binding_rare(binding)->components[i];
        uint64_t parts[] = {mark, mark_of(component->requirements), (uint32_t)component->replicas};

        mark = digest_bytes(&mark_key, parts, sizeof(parts)).low;
    }
    return low_uint32(mark);
}

int64_t
binding_placed_at(const struct binding *binding)
{
    const char *text = label_list_find(&binding->annotations, ANNOTATION_PLACED_AT);
    int64_t time;

    return text != NULL && timestamp_parse(text, &time) ? time : TIME_NONE;
}
