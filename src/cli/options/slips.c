/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of slips.
 */
#include "slips.h"

#include <stddef.h>

#include "ballast/base/str.h"
#include "options.h"

#define IN_KUBECONFIG "the kubeconfig says it: choose one with --kubeconfig, or its --context"
#define IN_FILES "did you mean --fleet, for a fleet in files, or --config?"
#define IS_ONE_CYCLE "a command is one cycle and ends"
#define IS_NO_WRITER "plan is always a dry run: leave it out"
#define IS_NO_WRITER_EITHER "a simulation writes nothing: leave it out"

/* Mostly flags of kubectl, karmadactl, descheduler and terraform. */
static const struct slip {
    const char *name, *advice;
} slips[] = {
    {"as", IN_KUBECONFIG},
    {"auto-approve", "did you mean --yes?"},
    {"cluster", IN_KUBECONFIG},
    {"descheduling-interval", IS_ONE_CYCLE},
    {"field-selector", "did you mean --workload, --kind or --selector?"},
    {"filename", IN_FILES},
    {"force", "did you mean --yes?"},
    {"format", "did you mean --output?"},
    {"json", "did you mean --output=json?"},
    {"karmada-context", "did you mean --context?"},
    {"kube-context", "did you mean --context?"},
    {"label", "did you mean --selector?"},
    {"labels", "did you mean --selector?"},
    {"leader-elect", "a run that writes always takes its Lease: leave it out"},
    {"lock-timeout", "did you mean --lock-wait?"},
    {"log-format", "did you mean --logging-format?"},
    {"master", IN_KUBECONFIG},
    {"names", "did you mean --workload?"},
    {"no-color", "did you mean --color=never?"},
    {"operation-scope", "a plan is about all clusters"},
    {"out", "did you mean --output? A plan is not kept to be applied: run plans anew"},
    {"policy-config-file", "did you mean --config?"},
    {"s", IN_KUBECONFIG},
    {"server", IN_KUBECONFIG},
    {"target", "name workloads as NAMESPACE/NAME, or select with -n, -l or --kind"},
    {"timeout", "did you mean --deadline or --request-timeout?"},
    {"token", IN_KUBECONFIG},
    {"user", IN_KUBECONFIG},
    {"verbose", "did you mean --v=1?"},
    {"w", IS_ONE_CYCLE},
    {"watch", IS_ONE_CYCLE},
};

static const struct misplaced {
    const char *option;
    unsigned command; /* enum command_bit */
    const char *advice;
} misplaced[] = {
    {"dry-run", FOR_PLAN, IS_NO_WRITER},
    {"server-dry-run", FOR_PLAN, "plan asks the server for no write: use run --server-dry-run"},
    {"yes", FOR_PLAN, IS_NO_WRITER},
    {"dry-run", FOR_SIMULATE, IS_NO_WRITER_EITHER},
    {"server-dry-run", FOR_SIMULATE, IS_NO_WRITER_EITHER},
    {"yes", FOR_SIMULATE, IS_NO_WRITER_EITHER},
    {"mode", FOR_SIMULATE, "a simulation plans in mode Place"},
    {"detailed-exitcode", FOR_SIMULATE, "did you mean --max-homeless?"},
    {"dry-run", FOR_SNAPSHOT, "a snapshot writes to its directory alone: leave it out"},
    {"output", FOR_SNAPSHOT, "a snapshot is a directory of files"},
};

const char *
slip_advice(const char *name)
{
    for (size_t i = 0; i < sizeof(slips) / sizeof(slips[0]); i++) {
        if (str_eq(slips[i].name, name)) {
            return slips[i].advice;
        }
    }
    return NULL;
}

const char *
misplaced_advice(const char *option, unsigned command)
{
    for (size_t i = 0; i < sizeof(misplaced) / sizeof(misplaced[0]); i++) {
        if (str_eq(misplaced[i].option, option) && (misplaced[i].command & command) != 0) {
            return misplaced[i].advice;
        }
    }
    return NULL;
}
