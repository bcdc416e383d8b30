/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the flows of replicas between clusters: a drawing of the largest, and a table.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/map.h"
#include "ballast/base/vec.h"
#include "html_parts.h"
#include "report/print/printer.h"
#include "report/view/tally.h"
#include "report/view/view.h"

#define FLOWS_FEW 3 /* the tiles of the clusters show so many */
#define FLOWS_SHOWN_MAX 500
#define NODES_MAX 10 /* clusters on one side of the drawing; others share a node */
#define NODE_GAP 8
#define NODE_LEAST 18    /* pixels, for a line of text */
#define NODES_HEIGHT 160 /* pixels of one side, without the extra height of small nodes */
#define NAME_CUT 24      /* characters of a name in the drawing */

struct flow_sum {
    const char *from, *to; /* NULL: replicas are added, or taken away */
    int64_t replicas;
    uint32_t bindings;
};

struct flow_sums {
    struct arena *arena;
    struct map *by_names;
    VEC_OF(struct flow_sum *) items;
};

static void
add_flow(struct flow_sums *sums, const char *from, const char *to, int64_t replicas)
{
    bool added;
    const char *key =
        arena_printf(sums->arena, "%s\n%s", from != NULL ? from : "", to != NULL ? to : "");
    void **slot = map_put_str(sums->by_names, key, &added);

    if (added) {
        struct flow_sum *fresh = ARENA_NEW(sums->arena, struct flow_sum);

        fresh->from = from;
        fresh->to = to;
        *slot = fresh;
        vec_add(&sums->items, fresh);
    }
    struct flow_sum *sum = *slot;

    sum->replicas += replicas;
    sum->bindings++;
}

/* Returns the next loss (`sign` -1) or gain; 0: the end. */
static int64_t
next_change(struct steps *steps, int sign, const char **ret_name)
{
    struct step step;

    while (steps_next(steps, &step)) {
        int64_t before = step.before > 0 ? step.before : 0, after = step.after > 0 ? step.after : 0;

        if (sign * (after - before) > 0) {
            *ret_name = step.target->name;
            return sign * (after - before);
        }
    }
    return 0;
}

/* Pairs losing and gaining clusters by name. */
static void
add_decision(struct flow_sums *sums, const struct decision *decision)
{
    struct steps losing = steps_of(decision), gaining = steps_of(decision);
    const char *from = NULL, *to = NULL;
    int64_t lost = next_change(&losing, -1, &from), gained = next_change(&gaining, 1, &to);

    while (lost > 0 || gained > 0) {
        int64_t both = lost == 0 ? gained : gained == 0 ? lost : lost < gained ? lost : gained;

        add_flow(sums, lost > 0 ? from : NULL, gained > 0 ? to : NULL, both);
        lost -= lost > 0 ? both : 0;
        gained -= gained > 0 ? both : 0;
        lost = lost > 0 ? lost : next_change(&losing, -1, &from);
        gained = gained > 0 ? gained : next_change(&gaining, 1, &to);
    }
}

static int
name_cmp(const char *a, const char *b)
{
    return a == NULL || b == NULL ? (a == NULL) - (b == NULL) : strcmp(a, b);
}

static int
flow_cmp(const void *a, const void *b)
{
    const struct flow_sum *x = *(struct flow_sum *const *)a;
    const struct flow_sum *y = *(struct flow_sum *const *)b;

    if (x->replicas != y->replicas) {
        return x->replicas > y->replicas ? -1 : 1;
    }
    int order = name_cmp(x->from, y->from);

    return order != 0 ? order : name_cmp(x->to, y->to);
}

/* --- the drawing --- */

/* A cluster on one side. The last node may stand for several. */
struct flow_node {
    const char *name; /* NULL: nowhere */
    int64_t replicas;
    double y, height; /* pixels */
    double used;      /* pixels of its height with bands */
};

struct side {
    struct flow_node nodes[NODES_MAX + 1];
    uint32_t count;
    uint32_t others; /* names in the last node; 0: a single name */
};

static const char *
end_of(const struct flow_sum *flow, bool is_source)
{
    return is_source ? flow->from : flow->to;
}

static int
node_cmp(const void *a, const void *b)
{
    const struct flow_node *x = a;
    const struct flow_node *y = b;

    if (x->replicas != y->replicas) {
        return x->replicas > y->replicas ? -1 : 1;
    }
    return name_cmp(x->name, y->name);
}

/* Sums up replicas by name, in the arena. */
static struct flow_node *
collect_nodes(const struct flow_sums *sums, bool is_source, uint32_t *ret_count)
{
    struct flow_node *nodes = ARENA_ARRAY(sums->arena, struct flow_node, sums->items.count);
    struct map *by_name = map_new();
    uint32_t count = 0;

    for (size_t i = 0; i < sums->items.count; i++) {
        const char *name = end_of(sums->items.items[i], is_source);
        bool added;
        void **slot = map_put_str(by_name, name != NULL ? name : "", &added);

        if (added) {
            *slot = (void *)(uintptr_t)count;
            nodes[count++].name = name;
        }
        nodes[(uintptr_t)*slot].replicas += sums->items.items[i]->replicas;
    }
    map_free(by_name);
    *ret_count = count;
    return nodes;
}

static void
choose_nodes(const struct flow_sums *sums, bool is_source, struct side *ret)
{
    uint32_t count;
    struct flow_node *nodes = collect_nodes(sums, is_source, &count);

    if (count > 1) {
        qsort(nodes, count, sizeof(*nodes), node_cmp);
    }
    *ret = (struct side){.count = count <= NODES_MAX ? count : NODES_MAX + 1,
                         .others = count <= NODES_MAX ? 0 : count - NODES_MAX};
    for (uint32_t i = 0; i < count; i++) {
        struct flow_node *node = &ret->nodes[i < NODES_MAX ? i : NODES_MAX];

        node->name = nodes[i].name;
        node->replicas += nodes[i].replicas;
    }
}

/* Returns the height in pixels. */
static double
lay_out(struct side *side, int64_t whole)
{
    double y = 0;

    for (uint32_t i = 0; i < side->count; i++) {
        struct flow_node *node = &side->nodes[i];

        node->y = y;
        node->height = NODES_HEIGHT * (double)node->replicas / (double)whole;
        node->height = node->height > NODE_LEAST ? node->height : NODE_LEAST;
        y += node->height + NODE_GAP;
    }
    return y;
}

/* Returns the node of a name. Names without a node share the last one. */
static uint32_t
find_node(const struct side *side, const char *name)
{
    uint32_t i = 0;

    while (i + 1 < side->count && name_cmp(side->nodes[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* Writes a band, as thick as its share of each node. The drawing is 100 wide. */
static void
write_band(struct html *html, struct flow_node *from, struct flow_node *to, int64_t replicas)
{
    const double out = from->height * (double)replicas / (double)from->replicas;
    const double in = to->height * (double)replicas / (double)to->replicas;
    const double y0 = from->y + from->used, y1 = to->y + to->used;

    html_print(html, "<path d=\"M0 %.2fC50 %.2f 50 %.2f 100 %.2f", y0, y0, y1, y1);
    html_print(html, "V%.2fC50 %.2f 50 %.2f 0 %.2fZ\"/>", y1 + in, y1 + in, y0 + out, y0 + out);
    from->used += out;
    to->used += in;
}

/* The order of both sides keeps crossings few. */
static void
write_bands(struct html *html, const struct flow_sums *sums, struct side *from, struct side *to)
{
    int64_t replicas[NODES_MAX + 1][NODES_MAX + 1] = {{0}};

    for (size_t i = 0; i < sums->items.count; i++) {
        const struct flow_sum *flow = sums->items.items[i];

        replicas[find_node(from, flow->from)][find_node(to, flow->to)] += flow->replicas;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        for (uint32_t j = 0; j < to->count; j++) {
            if (replicas[i][j] > 0) {
                write_band(html, &from->nodes[i], &to->nodes[j], replicas[i][j]);
            }
        }
    }
}

static const char *
node_text(struct arena *arena, const struct side *side, uint32_t index, bool is_source)
{
    const struct flow_node *node = &side->nodes[index];
    const char *name = node->name;
    struct buf cut;

    if (side->others > 0 && index + 1 == side->count) {
        return arena_printf(arena, "%u others", side->others);
    }
    if (name == NULL) {
        return is_source ? "added" : "taken away";
    }
    buf_init(&cut, NAME_CUT + sizeof(TEXT_CUT_MARK));
    text_append_cut(&cut, safe_text(arena, name), NAME_CUT);
    name = arena_printf(arena, "%s", buf_text(&cut));
    buf_release(&cut);
    return name;
}

static void
write_nodes(struct html *html, struct arena *arena, const struct side *side, bool is_source)
{
    for (uint32_t i = 0; i < side->count; i++) {
        const struct flow_node *node = &side->nodes[i];
        const double middle = node->y + node->height / 2 + 4;

        html_print(html, "<rect x=\"%s\" y=\"%.2f\" width=\"%s\" height=\"%.2f\"/>",
                   is_source ? "0" : "99%", node->y, "1%", node->height);
        html_print(html, "<text x=\"%s\" y=\"%.2f\" text-anchor=\"%s\">", is_source ? "2%" : "98%",
                   middle, is_source ? "start" : "end");
        html_print(html, "%s: %s</text>", node_text(arena, side, i, is_source),
                   number_text(arena, node->replicas));
    }
}

static void
write_drawing(struct html *html, const struct flow_sums *sums, int64_t whole)
{
    struct side from, to;

    choose_nodes(sums, true, &from);
    choose_nodes(sums, false, &to);
    double left = lay_out(&from, whole), right = lay_out(&to, whole);
    double height = left > right ? left : right;

    html_print(
        html,
        "<svg class=\"flow\" role=\"img\" aria-label=\"Flows of replicas between clusters, as "
        "in the table below\" width=\"100%%\" height=\"%.2f\">\n",
        height);
    html_print(html,
               "<svg viewBox=\"0 0 100 %.2f\" width=\"100%%\" height=\"%.2f\" "
               "preserveAspectRatio=\"none\">",
               height, height);
    write_bands(html, sums, &from, &to);
    html_print(html, "</svg>\n");
    write_nodes(html, sums->arena, &from, true);
    write_nodes(html, sums->arena, &to, false);
    html_print(html, "\n</svg>\n");
}

/* --- the table --- */

static void
write_end(struct html *html, const char *name, const char *nowhere)
{
    html_print(html, "<td>");
    if (name != NULL) {
        html_cluster_link(html, name);
    } else {
        html_print(html, "(%s)", nowhere);
    }
    html_print(html, "</td>");
}

static void
write_table(struct html *html, const struct flow_sums *sums)
{
    const size_t count = sums->items.count;
    const size_t shown = count < FLOWS_SHOWN_MAX ? count : FLOWS_SHOWN_MAX;

    html_print(html, "<details class=\"numbers\"><summary>All %s</summary>\n",
               counted(sums->arena, (int64_t)count, "flow", "flows"));
    html_table_begin(html, "plain", "Replicas that go from one cluster to another");
    html_print(html, "<thead><tr><th scope=\"col\">From</th><th scope=\"col\">To</th>"
                     "<th scope=\"col\" class=\"number\">Replicas</th>"
                     "<th scope=\"col\" class=\"number\">Workloads</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < shown; i++) {
        const struct flow_sum *flow = sums->items.items[i];

        html_print(html, "<tr>");
        write_end(html, flow->from, "added");
        write_end(html, flow->to, "taken away");
        html_print(html, "<td class=\"number\">%s</td>", number_text(sums->arena, flow->replicas));
        html_print(html, "<td class=\"number\">%s</td></tr>\n",
                   number_text(sums->arena, flow->bindings));
    }
    html_table_end(html);
    if (shown < count) {
        html_print(html, "<p>... and %s more flows.</p>\n",
                   number_text(sums->arena, (int64_t)(count - shown)));
    }
    html_print(html, "</details>\n");
}

static void
collect(const struct report_view *view, struct flow_sums *sums)
{
    for (uint32_t i = 0; i < view->report->plan->n_decisions && !view_is_stopped(view); i++) {
        struct row row = view_row(view, i);

        if (row_takes_effect(&row)) {
            add_decision(sums, row.decision);
        }
    }
    if (sums->items.count > 1) {
        qsort(sums->items.items, sums->items.count, sizeof(struct flow_sum *), flow_cmp);
    }
}

bool
has_flows(const struct report_view *view)
{
    struct flow_sums sums = {.arena = view->arena, .by_names = map_new()};

    collect(view, &sums);
    const bool ret = sums.items.count > FLOWS_FEW;

    map_free(sums.by_names);
    vec_free(&sums.items);
    return ret;
}

void
html_flows(struct html *html, const struct report_view *view)
{
    struct flow_sums sums = {.arena = view->arena, .by_names = map_new()};
    int64_t whole = 0;

    collect(view, &sums);
    for (size_t i = 0; i < sums.items.count; i++) {
        whole += sums.items.items[i]->replicas;
    }
    html_section_begin(html, "flows", "Flows");
    html_print(html, "<p>From (left) → to (right). If a workload leaves several clusters for "
                     "several others, the page pairs them by name.</p>\n");
    write_drawing(html, &sums, whole);
    write_table(html, &sums);
    html_section_end(html);
    map_free(sums.by_names);
    vec_free(&sums.items);
}
