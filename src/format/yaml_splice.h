/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a merge patch changes a YAML text: pieces to be cut out and put in.
 */
#ifndef BALLAST_FORMAT_YAML_SPLICE_H
#define BALLAST_FORMAT_YAML_SPLICE_H

#include "ballast/base/vec.h"
#include "yaml_tree.h"

/* text[begin..end) becomes `with`. */
struct splice {
    size_t begin, end;
    const char *with; /* line ends are \n */
    size_t order;     /* of splices at the same place */
};

struct splicer {
    const char *text;
    size_t length;
    struct arena *arena;
    int list_offset;   /* from a key to the dashes of its list, as the text has it elsewhere */
    int member_offset; /* from a key to its members */
    VEC_OF(struct splice) splices;
    struct error *err;
};

/* The splices for a patch of the object at a mapping node; `object` is its value. */
bool splice_object(struct splicer *s, const struct yaml_node *node, const struct value *object,
                   const struct value *patch);
/* How the text indents, for members that have no example of their own. */
void splice_look(struct splicer *s, const struct yaml_node *node);
/* "LINE:COLUMN: this value is shared with others through the anchor &x" */
bool splice_fail_shared(struct splicer *s, const struct yaml_node *node);

#endif
