/* SPDX-License-Identifier: Apache-2.0
 *
 * The completion of words of the command line: a column of the tables of commands and flags.
 */
#ifndef BALLAST_CLI_COMPLETION_H
#define BALLAST_CLI_COMPLETION_H

#include "settings.h"

enum completion_kind {
    COMPLETES_BY_PARSER, /* a flag's choices, true and false; else nothing */
    COMPLETES_NOTHING,   /* free text */
    COMPLETES_WORDS,     /* the list in `words` */
    COMPLETES_FILES,     /* also `words`, once the word has begun */
    COMPLETES_DIRECTORIES,
    COMPLETES_TOPICS,     /* topics of help */
    COMPLETES_CONTEXTS,   /* contexts of the kubeconfig */
    COMPLETES_NAMESPACES, /* from here on: looked up in the fleet */
    COMPLETES_CLUSTERS,
    COMPLETES_WORKLOADS, /* NAMESPACE/NAME, the namespace first */
    COMPLETES_NAMES,     /* names of workloads, without namespace */
};

struct completion {
    enum completion_kind kind;
    const struct setting_word *words;
};

#endif
