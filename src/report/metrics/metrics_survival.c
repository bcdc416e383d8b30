/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of a simulation. There are at most as many losses as clusters.
 */
#include "ballast/model/failure_domain.h"
#include "metrics_samples.h"

static void
sample_homeless(struct sampler *s)
{
    sample_number(s, s->simulated->verdict.most_homeless);
}

static const char *
domain_of(const struct survival *survival)
{
    return survival->by == GUARD_BY_NONE ? "cluster" : failure_domain_word(survival->by, false);
}

static void
sample_each_loss(struct sampler *s, struct quantity (*value)(const struct loss *loss))
{
    const struct survival *survival = s->simulated->survival;

    for (uint32_t i = 0; survival != NULL && i < survival->n_losses; i++) {
        const struct loss *loss = &survival->losses[i];
        const struct sample_label labels[] = {{"by", domain_of(survival)}, {"lost", loss->name}};

        sample_labelled(s, labels, sizeof(labels) / sizeof(labels[0]), value(loss));
    }
}

static struct quantity
loss_replicas(const struct loss *loss)
{
    return quantity_from_int(loss->replicas);
}

static struct quantity
loss_homeless(const struct loss *loss)
{
    return quantity_from_int(loss->homeless);
}

static struct quantity
missing_cpu(const struct loss *loss)
{
    return loss->missing[LEDGER_CPU];
}

static struct quantity
missing_memory(const struct loss *loss)
{
    return loss->missing[LEDGER_MEMORY];
}

static struct quantity
missing_pods(const struct loss *loss)
{
    return loss->missing[LEDGER_PODS];
}

static void
sample_survived(struct sampler *s)
{
    const struct survival *survival = s->simulated->survival;

    if (survival != NULL) {
        sample_of(s, "by", domain_of(survival), survival->n_survived);
    }
}

static void
sample_lost(struct sampler *s)
{
    sample_each_loss(s, loss_replicas);
}

static void
sample_lost_homeless(struct sampler *s)
{
    sample_each_loss(s, loss_homeless);
}

static void
sample_missing_cpu(struct sampler *s)
{
    sample_each_loss(s, missing_cpu);
}

static void
sample_missing_memory(struct sampler *s)
{
    sample_each_loss(s, missing_memory);
}

static void
sample_missing_pods(struct sampler *s)
{
    sample_each_loss(s, missing_pods);
}

const struct metric metrics_of_simulation[] = {
    {"simulation_homeless_replicas", "", "",
     "With simulate: the most homeless replicas, by the changes or any loss.", sample_homeless},
    {"survival_survived", "", "by",
     "With simulate --lose-each: losses that leave no replica homeless.", sample_survived},
    {"survival_lost_replicas", "", "by, lost",
     "With simulate --lose-each: replicas in the lost clusters.", sample_lost},
    {"survival_homeless_replicas", "", "by, lost",
     "With simulate --lose-each: homeless replicas after the loss.", sample_lost_homeless},
    {"survival_missing_cpu", "cores", "by, lost", "CPU that these ask for where room is lacking.",
     sample_missing_cpu},
    {"survival_missing_memory", "bytes", "by, lost",
     "Memory that these ask for where room is lacking.", sample_missing_memory},
    {"survival_missing_pods", "", "by, lost", "Pods that these are, where room is lacking.",
     sample_missing_pods},
    {.name = NULL},
};
