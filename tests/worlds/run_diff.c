/* SPDX-License-Identifier: Apache-2.0
 *
 * Two worlds, looked at one after the other and compared.
 */
#include <stdlib.h>
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/cycle/cycle.h"
#include "ballast/report/compare_report.h"
#include "run_parts.h"

/* One look; what it is made of lives as long. */
struct look {
    struct world_ports ports;
    struct policy policy;
    struct cycle_result result;
};

static bool
look_at(const struct world *world, struct arena *arena, struct interner *strings, struct look *ret)
{
    static const struct fleet_origin origin = {.path = "world"};
    static const atomic_bool stop = false;
    struct error err = ERROR_INIT;

    ret->ports = (struct world_ports){.world = world};
    const struct backend backend = {
        .context = &ret->ports, .origin = &origin, .read = world_ports_read};
    const struct cycle cycle = {.backend = &backend, .policy = &ret->policy, .stop = &stop};

    if (!world_policy(world, arena, strings, &ret->policy, &err)) {
        return false;
    }
    ret->policy.now = WORLD_NOW * NANOS_PER_SECOND;
    return cycle_observe(&cycle, &ret->result, &err);
}

static struct compared_look
compared(const struct look *look)
{
    const struct report *report = &look->result.report;

    return (struct compared_look){report->fleet, report->diagnosis, report->coverage,
                                  report->policy};
}

static const struct record *
read_record(struct arena *arena, const char *text)
{
    struct error err = ERROR_INIT;
    const struct record *record = record_decode(arena, text, strlen(text), &err);

    if (record == NULL) {
        fprintf(stderr, "a record cannot be read again: %s\n%s\n", err.message, text);
        abort();
    }
    return record;
}

static json_t *
print(struct arena *arena, const struct look *before, const struct look *after,
      const struct record *record)
{
    const struct comparison_request request = {
        .before = compared(before),
        .after = compared(after),
        .records = &record,
        .n_records = record != NULL ? 1 : 0,
    };
    const struct report_options options = {.format = REPORT_JSON};
    struct error err = ERROR_INIT;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const struct comparison_report report = {compare(arena, &request, &err), &before->result.report,
                                             &after->result.report};

    if (report.comparison != NULL) {
        report_write_comparison(stream, &report, &options, &err);
    }
    fclose(stream);
    json_t *ret = json_loads(text, 0, NULL);

    free(text);
    return ret;
}

json_t *
run_diff(const struct world *before, const struct world *after, const char *record)
{
    struct arena *arena = arena_new();
    struct interner *strings = interner_new();
    struct look looks[2];
    json_t *ret = NULL;

    memset(looks, 0, sizeof(looks));
    if (look_at(before, arena, strings, &looks[0]) && look_at(after, arena, strings, &looks[1])) {
        ret =
            print(arena, &looks[0], &looks[1], record != NULL ? read_record(arena, record) : NULL);
    }
    cycle_result_release(&looks[0].result);
    cycle_result_release(&looks[1].result);
    interner_free(strings);
    arena_free(arena);
    return ret;
}
