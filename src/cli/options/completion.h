/* SPDX-License-Identifier: Apache-2.0
 *
 * What completes a word of the command line: a column of the tables of commands and flags.
 */
#ifndef BALLAST_CLI_COMPLETION_H
#define BALLAST_CLI_COMPLETION_H

#include "settings.h"

enum completion_kind {
    COMPLETES_BY_PARSER, /* a flag's choices, true and false; else nothing */
    COMPLETES_NOTHING,   /* a text that nobody can guess */
    COMPLETES_WORDS,     /* those of ->words */
    COMPLETES_FILES,     /* and ->words, once one is begun */
    COMPLETES_DIRECTORIES,
    COMPLETES_TOPICS,     /* of help */
    COMPLETES_CONTEXTS,   /* of the kubeconfig */
    COMPLETES_NAMESPACES, /* this and the next are looked up in the fleet */
    COMPLETES_CLUSTERS,
    COMPLETES_WORKLOADS, /* NAMESPACE/NAME, the namespace first */
    COMPLETES_NAMES,     /* of workloads, without their namespace */
};

struct completion {
    enum completion_kind kind;
    const struct setting_word *words;
};

#endif
