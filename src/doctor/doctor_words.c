/* SPDX-License-Identifier: Apache-2.0
 *
 * Words and spans in the checks' lines.
 */
#include "ballast/base/buf.h"
#include "ballast/base/text.h"
#include "ballast/base/timestamp.h"
#include "ballast/base/wide.h"
#include "doctor_internal.h"

#define WORD_TEXT_MAX 4096

const char *
doctor_mark_name(enum doctor_mark mark)
{
    static const char *const names[] = {
#define X(id, name) [DOCTOR_##id] = (name),
        DOCTOR_MARKS(X)
#undef X
    };

    return names[mark];
}

void
doctor_say(struct doctor *doctor, enum doctor_mark mark, const char *text, const char *advice)
{
    vec_add(&doctor->lines, ((struct doctor_line){doctor->check, mark, text, advice}));
}

const char *
doctor_span(struct arena *arena, int64_t nanos)
{
    char text[DURATION_TEXT_MAX];

    return arena_printf(arena, "%s", duration_format_short(nanos < 0 ? -nanos : nanos, text));
}

const char *
doctor_word(struct arena *arena, const char *text)
{
    struct buf out;

    buf_init(&out, WORD_TEXT_MAX);
    text_append_word(&out, text);
    const char *word = arena_strndup(arena, buf_text(&out), out.length);

    buf_release(&out);
    return word;
}

int64_t
doctor_now(const struct doctor_facts *facts)
{
    return facts->theirs != TIME_NONE ? facts->theirs : facts->ours;
}
