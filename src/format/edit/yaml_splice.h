/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the changes that a merge patch makes to a YAML text: pieces to cut out and to put in.
 */
#ifndef BALLAST_FORMAT_YAML_SPLICE_H
#define BALLAST_FORMAT_YAML_SPLICE_H

#include "ballast/base/vec.h"
#include "format/yaml/yaml_tree.h"

/* text[begin..end) becomes `with`. */
struct splice {
    size_t begin, end;
    const char *with; /* with \n as line ends */
    size_t order;     /* among splices at one place */
};

struct splicer {
    const char *text;
    size_t length;
    struct arena *arena;
    int list_offset;        /* columns from a key to the dashes of its list; below 0: unknown */
    int member_offset;      /* columns from a key to its members; below 0: unknown */
    bool writes_lists_anew; /* write a changed list as a whole */
    VEC_OF(struct splice) splices;
    struct error *err;
};

/* Adds the splices for a patch of the mapping `node` with the value `object`. False with err. */
bool splice_object(struct splicer *s, const struct yaml_node *node, const struct value *object,
                   const struct value *patch);
/* Adds the splices that turn a list into another. False without err: write the list as a whole. */
bool splice_list(struct splicer *s, const struct yaml_node *node, const struct value *old,
                 const struct value *now);
/* Finds how the text indents lists and members, for new ones without an example. */
void splice_look(struct splicer *s, const struct yaml_node *node);
/* Fails with "LINE:COLUMN: this value is shared with others through the anchor &x". */
bool splice_fail_shared(struct splicer *s, const struct yaml_node *node);

/* Adds the splice that replaces text[begin..end) with the content of `with`, which it releases. */
void splice_add(struct splicer *s, size_t begin, size_t end, struct buf *with);
/* Adds the splice that removes text[begin..end), which has the value of `node`. False with err if
 * an alias elsewhere refers into the value. */
bool splice_cut(struct splicer *s, const struct yaml_node *node, size_t begin, size_t end);
/* True if an alias elsewhere refers into the value of a node. */
bool splice_has_aliased(const struct yaml_node *node);
/* Returns the end of a node's text, without the comments and blank lines behind it. */
size_t splice_node_end(const struct splicer *s, const struct yaml_node *node);
/* Returns the beginning of the line of `at`. */
size_t splice_line_begin(const struct splicer *s, size_t at);
/* Returns the beginning of the next line, or the end of the text; `at` if a line begins there. */
size_t splice_next_line(const struct splicer *s, size_t at);

#endif
