/* SPDX-License-Identifier: Apache-2.0
 *
 * What is kept of each kind, and what sort of text it is. Private to this room.
 */
#ifndef BALLAST_KINDS_PRUNE_RULE_H
#define BALLAST_KINDS_PRUNE_RULE_H

#include "ballast/kinds/prune.h"

/* What a text may tell somebody who is not to know names. */
enum text_class {
    TEXT_NAME,        /* a name: replaced */
    TEXT_UID,         /* replaced, whole; "" stays */
    TEXT_LABEL_KEY,   /* replaced, unless of Kubernetes, Karmada or our own */
    TEXT_LABEL_VALUE, /* replaced, unless "true", "false", or a number that selectors compare */
    TEXT_KIND,        /* replaced, unless well known */
    TEXT_API,         /* "group/version": as a kind */
    TEXT_RESOURCE,    /* of a container: as a kind */
    TEXT_MESSAGE,     /* left out, but for what is read of it */
    TEXT_WORD,        /* an enumeration: letters; else a name */
    TEXT_FIELD,       /* letters and dots; else a name */
    TEXT_NUMBER,      /* a number, a bool, a quantity; else a name */
    TEXT_TIME,        /* RFC 3339 or a duration; else a name */
    TEXT_PATH,        /* of an override: only whether it is that of the replicas */
    TEXT_SCHEDULER,   /* "default-scheduler"; else a name */
    TEXT_SETTING, /* of our own annotations: a time, a reschedule's mark, yes or no; else a name */
    TEXT_NESTED,  /* an object as text, with marks in it */
};

enum prune_form {
    PRUNE_SCALAR,
    PRUNE_OBJECT,
    PRUNE_LIST, /* of objects where there are members, else of scalars */
    PRUNE_MAP,  /* likewise */
    PRUNE_TEMPLATE,
    PRUNE_ANNOTATIONS, /* of a binding */
    PRUNE_STATE_RULES, /* of statePreservation: see prune_state.h */
    PRUNE_TOLD_STATUS, /* the members, and what those rules read */
    PRUNE_WHOLE,       /* as it is; left out where names are replaced. In the last row: all that no
                          other row names */
};

struct prune_rule {
    const char *name; /* NULL: the end */
    enum prune_form form;
    enum text_class text, key;
    const struct prune_rule *members;
};

struct prune_kind {
    const char *kind; /* NULL: every other */
    const char *list_kind;
    const char *file;
    const struct prune_rule *rules;
};

const struct prune_kind *prune_kind(const char *kind);
extern const struct prune_rule prune_placement[];  /* of an applied placement */
extern const struct prune_rule prune_placed_for[]; /* of the annotation of that name */
extern const struct prune_rule prune_last_move[];  /* of the annotation of the last move */

#endif
