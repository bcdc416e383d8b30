/* SPDX-License-Identifier: Apache-2.0
 *
 * An estimator's replies. The three have one number each, so what one of them
 * says of some bytes, the others say, too.
 */
#include <stdint.h>

#include "estimator/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
require(bool condition, const char *what)
{
    if (!condition) {
        BUG("%s", what);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum estimator_method others[] = {ESTIMATOR_MAX_AVAILABLE_REPLICAS,
                                                   ESTIMATOR_MAX_AVAILABLE_COMPONENT_SETS};
    struct error err = ERROR_INIT;
    int32_t answer = 0;
    bool is_fine = message_read_reply(ESTIMATOR_UNSCHEDULABLE_REPLICAS, data, size, &answer, &err);

    require(is_fine == (err.code == ERROR_NONE), "refused without a reason");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct error other_error = ERROR_INIT;
        int32_t other = 0;

        require(message_read_reply(others[i], data, size, &other, &other_error) == is_fine &&
                    other == answer,
                "replies differ");
    }
    return 0;
}
