/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports by name.
 */
#include "ballast/report/report.h"

#include <errno.h>

#include "printer.h"
#include "view.h"

void
report_write_totals(FILE *stream, const struct report *report, const struct report_options *options)
{
    const struct printer printer = {stream, options->colour, options->text_width};
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
    static void (*const writers[N_REPORT_FORMATS])(FILE *, const struct report_view *) = {
        [REPORT_DIFF] = report_diff,     [REPORT_TABLE] = report_table,
        [REPORT_WIDE] = report_table,    [REPORT_JSON] = report_document,
        [REPORT_YAML] = report_document,
    };
    struct report_view view;

    view_init(&view, report, options);
    writers[options->format](stream, &view);
    view_release(&view);
    if (view_is_stopped(&view)) {
        return error_set(err, ERROR_STOPPED, "stopped by a signal");
    }
    if (fflush(stream) != 0 || ferror(stream) != 0) {
        return error_set_errno(err, errno, "report");
    }
    return true;
}
