/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON texts into the model.
 */
#include "model_fixture.h"

#include <stdlib.h>

void
model_begin(struct model_fixture *f)
{
    *f = (struct model_fixture){.builder = fleet_builder_new(), .err = ERROR_INIT};
}

void
model_end(struct model_fixture *f)
{
    document_free(f->document);
    fleet_builder_free(f->builder);
}

void
model_quote(const char *text, struct buf *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            buf_append_char(out, '"');
        } else {
            buf_append_char(out, *text);
        }
    }
}

const struct value *
model_value(struct model_fixture *f, const char *text)
{
    struct buf json;

    buf_init(&json, SIZE_MAX / 2);
    model_quote(text, &json);
    document_free(f->document);
    f->document = document_parse_json(buf_text(&json), json.length, 1, &f->err);
    buf_release(&json);
    if (!CHECK_MSG(f->document != NULL, "%s: %s", text, f->err.message)) {
        f->document = document_parse_json("{}", 2, 1, &f->err);
    }
    return document_root(f->document);
}

enum add_result
model_add(struct model_fixture *f, const char *file, size_t line, const char *member,
          const char *text)
{
    const struct object_origin origin = {.file = file, .line = line, .member = member, .source = 7};

    return fleet_builder_add(f->builder, model_value(f, text), "", "", &origin, &f->err);
}

void
model_add_cluster(struct model_fixture *f, const char *name)
{
    char text[256];

    snprintf(text, sizeof(text),
             "{'apiVersion':'cluster.karmada.io/v1alpha1','kind':'Cluster','metadata':{'name':"
             "'%s'}}",
             name);
    CHECK_INT(model_add(f, "clusters.yaml", 1, "", text), ADD_TAKEN);
}

struct fleet *
model_finish(struct model_fixture *f)
{
    struct fleet *fleet = fleet_builder_finish(f->builder, 5, &f->err);

    CHECK_MSG(fleet != NULL, "%s", f->err.message);
    return fleet;
}
