/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks before a run by hand writes.
 */
#ifndef BALLAST_CLI_QUESTION_H
#define BALLAST_CLI_QUESTION_H

#include "cli/options/invocation.h"

/* True if a person sits at a terminal and the run would write without --yes. */
bool question_is_due(const struct cli *cli, const struct settings *settings);

/* Sets the limit of replicas for these runs; the configuration and flags override it. */
void question_set_limit(struct settings *settings);

struct write_question {
    const struct invocation *invocation;
    int64_t waited; /* out: nanoseconds until the answer */
};

/* Prints the totals and the question on standard error. True: yes within two minutes. */
bool question_ask(struct write_question *question, const struct report *report);

#endif
