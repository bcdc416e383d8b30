/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the text format, and the metrics of the run itself.
 */
#include "ballast/report/metrics.h"
#include "ballast/base/wide.h"

#include <stdlib.h>
#include <string.h>

#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "metrics_samples.h"
#include "report/view/view.h"

#define PREFIX "ballast_"
#define SUCCESS "last_success_timestamp"
#define VALUE_TEXT_MAX 64
#define NANOS_DIGITS 9

/* ---- text ---- */

/* Escapes a label's value for Prometheus. Characters that control a terminal become "\u00XX". */
static void
append_escaped(struct buf *out, const char *value)
{
    const size_t length = strlen(value);
    size_t size;

    for (size_t i = 0; i < length; i += size) {
        uint32_t code_point = text_decode(value + i, length - i, &size);

        if (code_point == '\\' || code_point == '"') {
            buf_printf(out, "\\%c", (char)code_point);
        } else if (code_point == '\n') {
            buf_append_str(out, "\\n");
        } else if (code_point >= ' ' && code_point <= '~') {
            buf_append_char(out, (char)code_point);
        } else {
            char piece[8] = "";
            struct buf shown;

            memcpy(piece, value + i, size);
            buf_init(&shown, VALUE_TEXT_MAX);
            text_append_line(&shown, piece);
            if (buf_text(&shown)[0] == '\\') { /* our escape is plain text to Prometheus */
                buf_append_char(out, '\\');
            }
            buf_append_str(out, buf_text(&shown));
            buf_release(&shown);
        }
    }
}

static void
append_name(struct buf *out, const struct metric *metric)
{
    buf_printf(out, PREFIX "%s%s%s", metric->name, str_is_empty(metric->unit) ? "" : "_",
               metric->unit);
}

static void
append_head(struct sampler *sampler)
{
    buf_append_str(sampler->out, "# HELP ");
    append_name(sampler->out, sampler->metric);
    buf_printf(sampler->out, " %s\n# TYPE ", sampler->metric->help);
    append_name(sampler->out, sampler->metric);
    buf_append_str(sampler->out, " gauge\n");
    sampler->has_head = true;
}

/* Appends a decimal number without trailing zeros. */
static void
append_value(struct buf *out, nanos128 nano)
{
    char digits[VALUE_TEXT_MAX];
    size_t at = sizeof(digits) - 1;
    const bool is_negative = nano < 0;
    bool is_written = false;

    digits[at] = '\0';
    for (int place = 0; nano != 0 || place <= NANOS_DIGITS; place++) {
        int digit = pin_int32(nano % 10);

        nano /= 10;
        is_written |= digit != 0 || place >= NANOS_DIGITS;
        if (place == NANOS_DIGITS && digits[at] != '\0') {
            digits[--at] = '.';
        }
        if (is_written) {
            digits[--at] = (char)('0' + abs(digit));
        }
    }
    buf_printf(out, "%s%s", is_negative ? "-" : "", digits + at);
}

static void
append_label(struct buf *out, const char *before, const char *name, const char *value)
{
    buf_printf(out, "%s%s=\"", before, name);
    append_escaped(out, value);
    buf_append_char(out, '"');
}

void
sample_labelled(struct sampler *sampler, const struct sample_label *labels, size_t count,
                struct quantity value)
{
    if (!sampler->has_head) {
        append_head(sampler);
    }
    append_name(sampler->out, sampler->metric);
    append_label(sampler->out, "{", "command", sampler->labels->command);
    append_label(sampler->out, ",", "control_plane", sampler->labels->control_plane);
    for (size_t i = 0; i < count; i++) {
        append_label(sampler->out, ",", labels[i].name, labels[i].value);
    }
    buf_append_str(sampler->out, "} ");
    append_value(sampler->out, value.nano);
    buf_append_char(sampler->out, '\n');
}

void
sample_number(struct sampler *sampler, int64_t value)
{
    sample_labelled(sampler, NULL, 0, quantity_from_int(value));
}

/* In seconds. */
static void
sample_nanos(struct sampler *sampler, int64_t nanos)
{
    sample_labelled(sampler, NULL, 0, (struct quantity){.nano = nanos});
}

void
sample_of(struct sampler *sampler, const char *name, const char *label, int64_t value)
{
    sample_labelled(sampler, &(struct sample_label){name, label}, 1, quantity_from_int(value));
}

static void
append_all(struct sampler *sampler, const struct metric *metrics)
{
    for (const struct metric *metric = metrics; metric->name != NULL; metric++) {
        sampler->metric = metric;
        sampler->has_head = false;
        metric->sample(sampler);
    }
}

/* ---- the run ---- */

static void
sample_success(struct sampler *s)
{
    if (s->run->last_success != TIME_NONE) {
        sample_nanos(s, s->run->last_success);
    }
}

static void
sample_build(struct sampler *s)
{
    sample_of(s, "version", s->run->version, 1);
}

static void
sample_ended(struct sampler *s)
{
    sample_nanos(s, s->run->ended);
}

static void
sample_status(struct sampler *s)
{
    sample_number(s, s->run->status);
}

static void
sample_dry(struct sampler *s)
{
    sample_number(s, s->run->is_dry ? 1 : 0);
}

static void
sample_took(struct sampler *s)
{
    sample_nanos(s, s->run->took);
}

static void
sample_phases(struct sampler *s)
{
    for (size_t i = 0; i < s->run->n_phases; i++) {
        const struct metrics_phase *phase = &s->run->phases[i];

        sample_labelled(s, &(struct sample_label){"phase", phase->name}, 1,
                        (struct quantity){.nano = phase->nanos});
    }
}

static const char *
code_text(int status, char buffer[VALUE_TEXT_MAX])
{
    if (status == 0 || status == KUBE_CODE_OTHER) {
        return status == 0 ? "none" : "other";
    }
    text_print(buffer, VALUE_TEXT_MAX, "%d", status);
    return buffer;
}

static void
sample_requests(struct sampler *s)
{
    char code[VALUE_TEXT_MAX];

    for (size_t i = 0; i < s->run->n_clients; i++) {
        const struct metrics_client *client = &s->run->clients[i];

        for (uint32_t j = 0; j < client->statistics.n_codes; j++) {
            const struct kube_code_count *count = &client->statistics.codes[j];
            const struct sample_label labels[] = {{"client", client->name},
                                                  {"code", code_text(count->status, code)}};

            sample_labelled(s, labels, 2, quantity_from_int((int64_t)count->tries));
        }
    }
}

static void
sample_retries(struct sampler *s)
{
    for (size_t i = 0; i < s->run->n_clients; i++) {
        sample_of(s, "client", s->run->clients[i].name,
                  (int64_t)s->run->clients[i].statistics.retries);
    }
}

static void
sample_bytes(struct sampler *s)
{
    for (size_t i = 0; i < s->run->n_clients; i++) {
        sample_of(s, "client", s->run->clients[i].name,
                  (int64_t)s->run->clients[i].statistics.bytes_read);
    }
}

static const struct metric metrics_of_success[] = {
    {SUCCESS, "seconds", "", "When the last run ended with status 0 or 2; kept while runs fail.",
     sample_success},
    {.name = NULL},
};

static const struct metric metrics_of_run[] = {
    {"build_info", "", "version", "1, with the version of Ballast.", sample_build},
    {"last_run_timestamp", "seconds", "", "When the last run ended, however it ended.",
     sample_ended},
    {"last_run_status", "", "", "The exit status of the last run.", sample_status},
    {"last_run_dry_run", "", "", "1 when the last run was to write nothing.", sample_dry},
    {"last_run_duration", "seconds", "", "How long the last run took.", sample_took},
    {"phase_duration", "seconds", "phase", "How long a phase of the last run took.", sample_phases},
    {"requests", "", "client, code",
     "Tries of requests of the last run by status of HTTP; none: no answer came.", sample_requests},
    {"request_retries", "", "client", "Tries beyond the first of the last run.", sample_retries},
    {"response", "bytes", "client", "Bytes of bodies read in the last run, as they came.",
     sample_bytes},
    {.name = NULL},
};

void
metrics_append_run(struct buf *out, const struct metrics_run *run)
{
    struct sampler sampler = {.out = out, .labels = &run->labels, .run = run};

    append_all(&sampler, metrics_of_run);
}

void
metrics_append_success(struct buf *out, const struct metrics_run *run)
{
    struct sampler sampler = {.out = out, .labels = &run->labels, .run = run};

    append_all(&sampler, metrics_of_success);
}

void
metrics_append_report(struct buf *out, const struct metrics_labels *labels,
                      const struct report *report, bool bindings)
{
    const struct report_options options = {.format = REPORT_JSON};
    struct report_view view;

    view_init(&view, report, &options);
    struct sampler sampler = {.out = out, .labels = labels, .view = &view};

    append_all(&sampler, metrics_of_report);
    if (bindings) {
        append_all(&sampler, metrics_of_bindings);
    }
    view_release(&view);
}

void
metrics_append_simulation(struct buf *out, const struct metrics_labels *labels,
                          const struct simulation_report *simulated)
{
    struct sampler sampler = {.out = out, .labels = labels, .simulated = simulated};

    append_all(&sampler, metrics_of_simulation);
}

/* ---- an earlier run ---- */

/* Reads "1777629600" or "1777629600.25" up to the end of the line. */
static int64_t
read_seconds(const char *text)
{
    char *end;
    const size_t whole = strspn(text, "0123456789");

    if (whole == 0 || whole > 11) {
        return TIME_NONE;
    }
    int64_t nanos = span_of_seconds(strtoll(text, &end, 10));
    int64_t unit = NANOS_PER_SECOND;

    if (*end == '.') {
        for (end++; *end >= '0' && *end <= '9' && unit > 1; end++) {
            unit /= 10;
            nanos = timestamp_add(nanos, (*end - '0') * unit);
        }
    }
    return *end == '\n' ? nanos : TIME_NONE;
}

int64_t
metrics_read_success(const char *text, size_t length, const char *command, int64_t now)
{
    char *prefix = str_print("\n" PREFIX SUCCESS "_seconds{command=\"%s\",", command);
    const char *line = memmem(text, length, prefix, strlen(prefix));
    int64_t success = TIME_NONE;

    if (line != NULL) {
        const char *end = memchr(line + 1, '\n', length - (size_t)(line + 1 - text));
        const char *value = end != NULL ? memrchr(line, ' ', (size_t)(end - line)) : NULL;

        success = value != NULL ? read_seconds(value + 1) : TIME_NONE;
    }
    free(prefix);
    return success <= now ? success : TIME_NONE;
}

/* ---- reference ---- */

static void
print_rows(FILE *out, const struct metric *metrics)
{
    for (const struct metric *metric = metrics; metric->name != NULL; metric++) {
        fprintf(out, "| `" PREFIX "%s%s%s` | %s | %s | %s |\n", metric->name,
                str_is_empty(metric->unit) ? "" : "_", metric->unit,
                str_is_empty(metric->unit) ? "-" : metric->unit,
                str_is_empty(metric->labels) ? "-" : metric->labels, metric->help);
    }
}

void
metrics_reference(FILE *out)
{
    fputs("| metric | unit | labels | what it says |\n|---|---|---|---|\n", out);
    print_rows(out, metrics_of_success);
    print_rows(out, metrics_of_run);
    print_rows(out, metrics_of_report);
    print_rows(out, metrics_of_bindings);
    print_rows(out, metrics_of_simulation);
}
