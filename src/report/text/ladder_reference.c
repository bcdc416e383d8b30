/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the reference page of the ladder.
 */
#include "ballast/report/ladder_reference.h"

#include "ballast/base/str.h"
#include "ballast/plan/ladder_rows.h"

static const char introduction[] =
    "# The ladder\n"
    "\n"
    "How a decision is searched for in mode Place. The questions are asked one under the other: "
    "each\n"
    "under every answer to the one before, so that an attempt stands on one rung of each "
    "question.\n"
    "The rungs of a question are tried from the first on, and the first attempt that is not "
    "refused\n"
    "is its answer. `ballast explain WORKLOAD` lists the attempts that were made, by these names.\n"
    "\n"
    "`ballast help ladder` prints this page from the table in `ladder_table.c`.\n";

void
ladder_reference(FILE *out)
{
    struct arena *arena = arena_new();
    struct ladder_row row;
    const char *question = "";

    fputs(introduction, out);
    for (size_t i = 0; ladder_row_at(arena, i, &row); i++) {
        if (!str_eq(row.question, question)) {
            fprintf(out, "\n## %s\n\n| what is assumed | tried only where | refused where |\n",
                    row.question);
            fputs("|---|---|---|\n", out);
            question = row.question;
        }
        fprintf(out, "| %s | %s | %s |\n", row.assumed, row.when, row.refused);
    }
    arena_free(arena);
}
