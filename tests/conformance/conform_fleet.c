/* SPDX-License-Identifier: Apache-2.0
 *
 * The way from a vector file to a fleet: the same builder that real input takes.
 */
#include "conform_fleet.h"
#include "../decode_one.h"

#include <string.h>

#include "../finders.h"
#include "ballast/base/timestamp.h"

static const struct object_origin origin = {.file = "", .member = ""};

static const char *
text_at(const struct value *object, const char *key)
{
    const struct value *text = value_get(object, key);

    return text != NULL && value_type(text) == VALUE_STRING ? value_string(text) : "";
}

static bool
add_all(struct fleet_builder *builder, const struct value *list, struct error *err)
{
    for (size_t i = 0; i < value_count(list); i++) {
        if (fleet_builder_add(builder, value_at(list, i), "", "", &origin, err) == ADD_FAILED) {
            return false;
        }
    }
    return true;
}

/* A fleet without clusters is no fleet to the builder, but a case to the scheduler: it has one that
 * is left out again. */
static bool
add_stand_in(struct fleet_builder *builder, struct error *err)
{
    static const char text[] = "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":"
                               "\"Cluster\",\"metadata\":{\"name\":\"stand-in\"}}";
    struct document *document = document_parse_json(text, sizeof(text) - 1, 1, err);
    bool ok = document != NULL && fleet_builder_add(builder, document_root(document), "", "",
                                                    &origin, err) != ADD_FAILED;

    document_free(document);
    return ok;
}

struct visit {
    struct conform *run;
    const struct value *root;
    const struct conform_fleet_visitor *visitor;
    void *context; /* the visitor's */
};

static void
visit(const struct visit *all, const struct value *object, const struct fleet *fleet)
{
    struct conform *run = all->run;
    const struct value *metadata = value_get(object, "metadata");
    const char *namespace_ = text_at(metadata, "namespace");
    const char *name = text_at(metadata, "name");
    const char *key = arena_printf(run->arena, "%s/%s", namespace_, name);
    struct conform_case c = {.name = key, .input = object};
    struct error err = ERROR_INIT;
    const struct binding *binding;

    c.tags = value_get(value_get(all->root, "tags"), key);
    binding = fleet_find_binding(fleet, BINDING_RESOURCE, namespace_, name);
    if (binding == NULL) {
        error_set(&err, ERROR_INVALID, "the binding is not in the fleet");
        conform_broken(run, &c, &err);
        return;
    }
    all->visitor->binding(run, &c, all->context, binding,
                          value_get(value_get(all->root, "expected"), key));
}

static void
visit_all(struct conform *run, const struct value *root,
          const struct conform_fleet_visitor *visitor, const struct fleet *fleet)
{
    const struct value *bindings = value_get(root, "bindings");
    const struct visit all = {run, root, visitor, visitor->begin(run, fleet)};

    for (size_t i = 0; i < value_count(bindings); i++) {
        visit(&all, value_at(bindings, i), fleet);
    }
}

void
conform_fleet(struct conform *run, const struct value *root,
              const struct conform_fleet_visitor *visitor)
{
    const struct value *clusters = value_get(root, "clusters");
    bool has_clusters = value_count(clusters) > 0;
    struct fleet_builder *builder = fleet_builder_new();
    struct conform_case whole = {.name = "(the fleet)"};
    struct error err = ERROR_INIT;
    struct fleet *fleet = NULL;

    if ((has_clusters ? add_all(builder, clusters, &err) : add_stand_in(builder, &err)) &&
        add_all(builder, value_get(root, "bindings"), &err)) {
        fleet = fleet_builder_finish(builder, TIME_NONE, &err);
    }
    if (fleet == NULL) {
        conform_broken(run, &whole, &err);
    } else {
        fleet->n_clusters = has_clusters ? fleet->n_clusters : 0;
        visit_all(run, root, visitor, fleet);
    }
    fleet_free(fleet);
    fleet_builder_free(builder);
}
