/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls the writer of a format.
 */
#include "ballast/report/report.h"

#include <errno.h>

#include "report/document/document.h"
#include "report/html/html.h"
#include "report/html/html_history.h"
#include "report/print/printer.h"
#include "report/text/compare_page.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

static const struct {
    void (*write)(FILE *stream, const struct report_view *view);
    uint32_t limit;
} formats[N_REPORT_FORMATS] = {
#define X(id, name, writer, limit, text) {writer, limit},
    REPORT_FORMATS(X)
#undef X
};

uint32_t
report_format_limit(enum report_format format)
{
    return format == REPORT_TEXT ? REPORT_LIMIT_TERMINAL : formats[format].limit;
}

void
report_write_totals(FILE *stream, const struct report *report, const struct report_options *options)
{
    const struct printer printer = {
        .stream = stream, .colour = options->colour, .width = options->text_width};
    struct report_view view;

    view_init(&view, report, options);
    print_totals(&printer, &view);
    print_cluster_table(&printer, &view);
    print_namespace_table(&printer, &view);
    view_release(&view);
}

bool
report_write(FILE *stream, const struct report *report, const struct report_options *options,
             struct error *err)
{
    struct report_view view;

    view_init(&view, report, options);
    formats[options->format].write(stream, &view);
    view_release(&view);
    if (view_is_stopped(&view)) {
        return error_set(err, ERROR_STOPPED, "stopped by a signal");
    }
    if (fflush(stream) != 0 || ferror(stream) != 0) {
        return error_set_errno(err, errno, "report");
    }
    return true;
}

bool
report_write_explanations(FILE *stream, const struct explanations *explanations,
                          const struct report_options *options, struct error *err)
{
    if (options->format == REPORT_JSON || options->format == REPORT_YAML) {
        explain_document(stream, explanations, options);
    } else if (options->format == REPORT_HTML) {
        explain_html(stream, explanations, options);
    } else {
        explain_text(stream, explanations, options);
    }
    if (fflush(stream) != 0 || ferror(stream) != 0) {
        return error_set_errno(err, errno, "explanation");
    }
    return true;
}

bool
report_write_history(FILE *stream, const struct history_report *history,
                     const struct report_options *options, struct error *err)
{
    if (options->format == REPORT_JSON || options->format == REPORT_YAML) {
        history_document(stream, history, options);
    } else if (options->format == REPORT_HTML) {
        history_html(stream, history, options);
    } else {
        history_text(stream, history, options);
    }
    if (fflush(stream) != 0 || ferror(stream) != 0) {
        return error_set_errno(err, errno, "history");
    }
    return true;
}

bool
report_write_comparison(FILE *stream, const struct comparison_report *compared,
                        const struct report_options *options, struct error *err)
{
    if (options->format == REPORT_JSON || options->format == REPORT_YAML) {
        comparison_document(stream, compared, options);
    } else {
        comparison_text(stream, compared, options);
    }
    if (fflush(stream) != 0 || ferror(stream) != 0) {
        return error_set_errno(err, errno, "comparison");
    }
    return true;
}
