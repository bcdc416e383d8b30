/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast rebalance: creates a WorkloadRebalancer, so that Karmada divides workloads anew.
 */
#include "ballast/base/text.h"
#include "ballast/format/value.h"
#include "ballast/format/yaml.h"
#include "cli/options/invocation.h"
#include "cli/run/run.h"
#include "commands.h"

static bool
find_bindings(const struct invocation *invocation, const struct fleet *fleet,
              struct rebalancer_request *ret, struct error *err)
{
    uint32_t *named = ARENA_ARRAY(invocation->arena, uint32_t, fleet->n_bindings);
    const struct binding **bindings =
        ARENA_ARRAY(invocation->arena, const struct binding *, fleet->n_bindings);

    ret->bindings = bindings;
    if (!find_named_bindings(invocation, fleet, named, &ret->n_bindings, err)) {
        return false;
    }
    for (uint32_t i = 0; i < ret->n_bindings; i++) {
        bindings[i] = &fleet->bindings[named[i]];
    }
    return true;
}

/* Prints the object for kubectl create -f -. */
static bool
print_object(const struct invocation *invocation, const struct rebalancer_request *request,
             struct error *err)
{
    struct buf json, text;

    buf_init(&json, SIZE_MAX);
    buf_init(&text, SIZE_MAX);
    rebalancer_encode(request, &json);
    struct document *document = document_parse_json(buf_text(&json), json.length, 1, err);

    if (document != NULL && invocation->settings->format == REPORT_JSON) {
        buf_printf(&text, "%s\n", buf_text(&json));
    } else if (document != NULL) {
        yaml_print(document_root(document), &text);
    }
    bool done = document != NULL &&
                (fwrite(buf_text(&text), 1, text.length, invocation->cli->out) == text.length ||
                 cli_reader_is_gone(invocation->cli) ||
                 error_set(err, ERROR_IO, "writing to standard output failed"));

    document_free(document);
    buf_release(&json);
    buf_release(&text);
    return done;
}

static bool
make_object(const struct invocation *invocation, const struct backend *backend,
            const struct rebalancer_request *request, struct error *err)
{
    const char *name = "";
    struct buf line;

    if (!backend->rebalance(backend->context, request, invocation->arena, &name, err)) {
        return error_wrap(err, "creating a WorkloadRebalancer");
    }
    buf_init(&line, SIZE_MAX);
    text_append_line(&line, name); /* a server may answer anything */
    fprintf(invocation->cli->out, "workloadrebalancer.apps.karmada.io/%s created%s\n",
            buf_text(&line),
            invocation->settings->control_plane.server_dry_run ? " (server dry run)" : "");
    buf_release(&line);
    return true;
}

static enum exit_status
rebalance_on_port(const struct invocation *invocation, const struct fleet_port *port, void *context)
{
    const struct settings *settings = invocation->settings;
    const struct backend *backend = port->backend;
    struct rebalancer_request request = {.name = settings->rebalancer.name,
                                         .ttl = settings->rebalancer.ttl};
    struct error err = ERROR_INIT;
    struct fleet *fleet = backend->read(backend->context, &err);
    bool done = fleet != NULL && find_bindings(invocation, fleet, &request, &err);

    (void)context;
    if (fleet == NULL && port->unread != NULL) {
        port->unread(port->context, &err);
    }
    if (done && fleet->federation != NULL) {
        done = error_set(&err, ERROR_USAGE, "KubeFed has no WorkloadRebalancer");
    } else if (done) {
        done = settings->dry_run || backend->rebalance == NULL
                   ? print_object(invocation, &request, &err)
                   : make_object(invocation, backend, &request, &err);
    }
    fleet_free(fleet);
    return done ? STATUS_DONE : cli_fail(invocation, &err);
}

enum exit_status
command_rebalance(const struct invocation *invocation)
{
    struct settings *settings = invocation->settings;

    if (invocation->n_arguments == 0) {
        return cli_refuse(invocation->cli,
                          "rebalance: which workload? (ballast rebalance NAMESPACE/NAME)");
    }
    settings->policy.sources = (struct member_sources){.count = 0}; /* only names are needed */
    return use_fleet(invocation, &(struct fleet_use){.run = rebalance_on_port});
}
