/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a merge patch changes a YAML text: pieces to be cut out and put in.
 */
#ifndef BALLAST_FORMAT_YAML_SPLICE_H
#define BALLAST_FORMAT_YAML_SPLICE_H

#include "ballast/base/vec.h"
#include "format/yaml/yaml_tree.h"

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
    int list_offset;        /* from a key to the dashes of its list, as the text has it elsewhere */
    int member_offset;      /* from a key to its members */
    bool writes_lists_anew; /* a list that changes is written as a whole */
    VEC_OF(struct splice) splices;
    struct error *err;
};

/* The splices for a patch of the object at a mapping node; `object` is its value. */
bool splice_object(struct splicer *s, const struct yaml_node *node, const struct value *object,
                   const struct value *patch);
/* The splices by which a list becomes another one; false, and none are added: it has to be written
 * anew. */
bool splice_list(struct splicer *s, const struct yaml_node *node, const struct value *old,
                 const struct value *now);
/* How the text indents, for members that have no example of their own. */
void splice_look(struct splicer *s, const struct yaml_node *node);
/* "LINE:COLUMN: this value is shared with others through the anchor &x" */
bool splice_fail_shared(struct splicer *s, const struct yaml_node *node);

/* Takes a copy of what is in the buffer, and releases it. */
void splice_add(struct splicer *s, size_t begin, size_t end, struct buf *with);
/* Nothing in place of the text of a node; false with err where an alias elsewhere means it. */
bool splice_cut(struct splicer *s, const struct yaml_node *node, size_t begin, size_t end);
/* Whether an alias elsewhere means something in this value. */
bool splice_has_aliased(const struct yaml_node *node);
size_t splice_node_end(const struct splicer *s, const struct yaml_node *node);
size_t splice_line_begin(const struct splicer *s, size_t at);
/* Behind the line end that follows, or the end of the text. */
size_t splice_next_line(const struct splicer *s, size_t at);

#endif
