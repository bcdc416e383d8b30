/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts of requests: one client's, and sums over clients.
 */
#include "client_state.h"

void
statistics_count_code(struct kube_statistics *statistics, int status, uint64_t tries)
{
    struct kube_code_count *codes = statistics->codes;
    uint32_t at = 0;

    while (at < statistics->n_codes && codes[at].status != status) {
        at++;
    }
    if (at == KUBE_CODES_MAX) {
        at--;
        codes[at].status = KUBE_CODE_OTHER;
    } else if (at == statistics->n_codes) {
        codes[statistics->n_codes++] = (struct kube_code_count){status, 0};
    }
    codes[at].tries += tries;
}

void
kube_statistics_add(struct kube_statistics *sum, const struct kube_statistics *more)
{
    sum->requests += more->requests;
    sum->retries += more->retries;
    sum->bytes_read += more->bytes_read;
    sum->connections += more->connections;
    for (uint32_t i = 0; i < more->n_codes; i++) {
        statistics_count_code(sum, more->codes[i].status, more->codes[i].tries);
    }
}

void
kube_statistics_subtract(struct kube_statistics *sum, const struct kube_statistics *part)
{
    sum->requests -= part->requests;
    sum->retries -= part->retries;
    sum->bytes_read -= part->bytes_read;
    sum->connections -= part->connections;
    for (uint32_t i = 0; i < part->n_codes; i++) {
        for (uint32_t j = 0; j < sum->n_codes; j++) {
            struct kube_code_count *of_sum = &sum->codes[j];

            if (of_sum->status == part->codes[i].status) {
                of_sum->tries -=
                    part->codes[i].tries < of_sum->tries ? part->codes[i].tries : of_sum->tries;
            }
        }
    }
}
