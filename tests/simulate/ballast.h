/* SPDX-License-Identifier: Apache-2.0
 *
 * Ballast as a policy: the program's own cycle, with the model as back end
 * and the model's clock. Its configuration is text, as an operator writes it.
 */
#ifndef BALLAST_SIMULATE_BALLAST_H
#define BALLAST_SIMULATE_BALLAST_H

#include "model.h"

struct ballast;

/* `config` is what stands below apiVersion and kind. */
struct ballast *ballast_new(const char *config);
void ballast_free(struct ballast *ballast); /* NULL is fine */

/* One run, and, when it is checked, a second one at once that writes nothing. */
void ballast_run(struct ballast *ballast, struct sim *sim);

#endif
