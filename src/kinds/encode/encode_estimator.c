/* SPDX-License-Identifier: Apache-2.0
 *
 * Encodes estimators' answers as an object.
 */
#include <string.h>

#include "ballast/base/timestamp.h"
#include "ballast/format/value_text.h"
#include "ballast/kinds/encode.h"

#define ANSWERS_API_VERSION "ballast.io/v1alpha1"

static void
write_member(struct buf *out, const char *name, const char *text)
{
    text_write_string(name, strlen(name), out);
    buf_append_char(out, ':');
    text_write_string(text, strlen(text), out);
    buf_append_char(out, ',');
}

static void
write_sets(const struct estimator_answers *answers, struct buf *out)
{
    for (uint32_t i = 0; i < answers->n_sets; i++) {
        buf_append_str(out, i == 0 ? ",\"availableSets\":[{" : ",{");
        buf_append_str(out, answers->sets[i].key);
        buf_printf(out, ",\"sets\":%d}", answers->sets[i].sets);
    }
    buf_append_str(out, answers->n_sets > 0 ? "]" : "");
}

void
estimator_answers_encode(const struct estimator_answers *answers, struct buf *out)
{
    char threshold[DURATION_TEXT_MAX];

    buf_append_str(out,
                   "{\"apiVersion\":\"" ANSWERS_API_VERSION "\",\"kind\":\"EstimatorAnswers\"");
    if (answers->n_stuck > 0) {
        buf_printf(out, ",\"unschedulableThreshold\":\"%s\",\"unschedulable\":[",
                   duration_format(answers->threshold, threshold));
        for (uint32_t i = 0; i < answers->n_stuck; i++) {
            const struct stuck_answer *answer = &answers->stuck[i];

            buf_append_str(out, i == 0 ? "{" : ",{");
            write_member(out, "apiVersion", answer->api_version);
            write_member(out, "kind", answer->kind);
            write_member(out, "namespace", answer->namespace_);
            write_member(out, "name", answer->name);
            buf_printf(out, "\"replicas\":%d}", answer->replicas);
        }
        buf_append_char(out, ']');
    }
    if (answers->n_room > 0) {
        buf_append_str(out, ",\"available\":[");
        for (uint32_t i = 0; i < answers->n_room; i++) {
            const struct room_answer *answer = &answers->room[i];

            buf_append_str(out, i == 0 ? "{" : ",{");
            if (answer->requirements != NULL) {
                buf_append_str(out, "\"requirements\":");
                buf_append_str(out, answer->key);
                buf_append_char(out, ',');
            }
            buf_printf(out, "\"replicas\":%d}", answer->replicas);
        }
        buf_append_char(out, ']');
    }
    write_sets(answers, out);
    buf_append_char(out, '}');
}
