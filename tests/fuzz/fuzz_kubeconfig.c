/* SPDX-License-Identifier: Apache-2.0
 *
 * Kubeconfigs, every context of them, and what a plugin may answer.
 */
#include <stdint.h>
#include <stdlib.h>

#include "kube/identity/exec.h"
#include "kube/identity/kubeconfig.h"

static void
resolve(const struct kubeconfig *kubeconfig, const char *context)
{
    struct kube_config *config = calloc(1, sizeof(*config));
    struct error err = ERROR_INIT;

    if (config == NULL) {
        abort();
    }
    if (kubeconfig_resolve(kubeconfig, context, config, &err) && config->server == NULL) {
        abort();
    }
    if (config->server != NULL) {
        kube_config_check(config, &err);
    }
    kube_config_free(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char api_version[] = "client.authentication.k8s.io/v1";
    struct kubeconfig kubeconfig = {.files = NULL};
    struct kube_credential credential;
    struct error err = ERROR_INIT;
    const char *text = size > 0 ? (const char *)data : "";

    if (kubeconfig_add(&kubeconfig, "f", text, size, &err)) {
        resolve(&kubeconfig, NULL);
        resolve(&kubeconfig, "a");
    }
    kubeconfig_release(&kubeconfig);
    if (kube_credential_decode(api_version, text, size, &credential, &err)) {
        kube_credential_release(&credential);
    }
    return 0;
}
