/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls the writer of a simulation's format.
 */
#include "ballast/report/simulate_report.h"

#include <errno.h>

#include "report/document/document.h"
#include "report/html/html_simulate.h"
#include "report/text/text_reports.h"
#include "report/view/view.h"

bool
simulation_write(FILE *stream, const struct simulation_report *simulated,
                 const struct report_options *options, struct error *err)
{
    struct report_view shown;

    view_init(&shown, &simulated->report, options);
    const struct simulation_view view = {simulated, &shown};

    if (options->format == REPORT_JSON || options->format == REPORT_YAML) {
        simulation_document(stream, &view);
    } else if (options->format == REPORT_HTML) {
        simulation_html(stream, &view);
    } else {
        simulation_text(stream, &view);
    }
    bool is_stopped = view_is_stopped(&shown);

    view_release(&shown);
    if (is_stopped) {
        return error_set(err, ERROR_STOPPED, "stopped by a signal");
    }
    if (fflush(stream) != 0 || ferror(stream) != 0) {
        return error_set_errno(err, errno, "report");
    }
    return true;
}
