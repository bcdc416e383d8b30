/* SPDX-License-Identifier: Apache-2.0
 *
 * ballast version.
 */
#include "ballast/estimator/estimator_client.h"
#include "ballast/format/value.h"
#include "ballast/format/yaml.h"
#include "ballast/http/http.h"
#include "ballast/report/emitter.h"
#include "cli/options/invocation.h"
#include "commands.h"

static const struct {
    const char *commit, *date; /* "": unknown */
} built = {
#include "commit.inc"
};

static const struct library {
    const char *name;
    const char *(*version)(void);
} libraries[] = {
    {"libcurl", http_library_version},
    {"jansson", value_library_version},
    {"libyaml", yaml_library_version},
    {"protobuf-c", estimator_library_version},
};

static void
emit_version(FILE *stream, enum emit_style style)
{
    struct emitter out;

    emitter_begin(&out, stream, style);
    emit_object(&out, NULL);
    emit_string(&out, "version", BALLAST_VERSION);
    emit_string(&out, "commit", built.commit);
    emit_string(&out, "date", built.date);
    emit_object(&out, "libraries");
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
        emit_string(&out, libraries[i].name, libraries[i].version());
    }
    emit_end(&out);
    emit_end(&out);
}

enum exit_status
command_version(const struct invocation *invocation)
{
    switch (invocation->settings->format) {
    case REPORT_JSON:
        emit_version(invocation->cli->out, EMIT_JSON);
        return STATUS_DONE;
    case REPORT_YAML:
        emit_version(invocation->cli->out, EMIT_YAML);
        return STATUS_DONE;
    default:
        fprintf(invocation->cli->out, "ballast %s\n", BALLAST_VERSION);
        return STATUS_DONE;
    }
}
