/* SPDX-License-Identifier: Apache-2.0
 *
 * A run by hand shows what it is about to write, and asks.
 */
#ifndef BALLAST_CLI_QUESTION_H
#define BALLAST_CLI_QUESTION_H

#include "cli/options/invocation.h"

/* Somebody sits at a terminal, and what they want would be written without --yes. */
bool question_is_due(const struct cli *cli, const struct settings *settings);

/* What such a run moves at most, unless somebody says otherwise. */
void question_set_limit(struct settings *settings);

struct write_question {
    const struct invocation *invocation;
    int64_t waited; /* out: nanoseconds, for the answer */
};

/* The totals and the question, on standard error; true for a yes within two minutes. */
bool question_ask(struct write_question *question, const struct report *report);

#endif
