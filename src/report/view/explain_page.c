/* SPDX-License-Identifier: Apache-2.0
 *
 * What each format is given to write one explanation.
 */
#include "view.h"

struct explain_page
explain_page_of(struct arena *arena, const struct printer *printer,
                const struct explanations *explanations, uint32_t index,
                const struct report_options *options)
{
    return (struct explain_page){
        .arena = arena,
        .printer = printer,
        .of = explanations->items[index],
        .headline = explained_headline(arena, explanations, index),
        .options = options,
        .history = explanations->histories != NULL ? explanations->histories[index] : NULL,
        .undo_flags = explanations->undo_flags,
    };
}
