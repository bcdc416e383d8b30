/* SPDX-License-Identifier: Apache-2.0
 *
 * Words numbers and lists of names.
 */
#include "ballast/base/wording.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "ballast/base/arena.h"

const char *
number_text(struct arena *arena, int64_t number)
{
    const char *digits = arena_printf(arena, "%" PRId64, number);
    size_t length = strlen(digits), at = 0;
    char *text = arena_alloc(arena, 2 * length + 1);

    for (size_t i = 0; i < length; i++) {
        bool digit_before = i > 0 && digits[i - 1] != '-';

        if (digit_before && (length - i) % 3 == 0) {
            text[at++] = ',';
        }
        text[at++] = digits[i];
    }
    return text;
}

const char *
plural(int64_t number, const char *one, const char *many)
{
    return number == 1 ? one : many;
}

const char *
counted(struct arena *arena, int64_t number, const char *one, const char *many)
{
    return arena_printf(arena, "%s %s", number_text(arena, number), plural(number, one, many));
}

struct name_list
name_list_new(struct arena *arena, uint32_t most)
{
    return (struct name_list){.arena = arena, .most = most > 0 ? most : 1, .text = ""};
}

void
name_list_add(struct name_list *list, const char *name)
{
    if (list->count++ < list->most) {
        list->text =
            arena_printf(list->arena, "%s%s%s", list->text, list->count > 1 ? ", " : "", name);
    }
}

const char *
name_list_text(const struct name_list *list, const char *one, const char *many)
{
    if (list->count <= list->most) {
        return list->text;
    }
    const int64_t more = (int64_t)list->count - list->most;

    return arena_printf(list->arena, "%s and %s more%s%s", list->text,
                        number_text(list->arena, more), one[0] == '\0' ? "" : " ",
                        plural(more, one, many));
}
