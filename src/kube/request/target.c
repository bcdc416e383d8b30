/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits the server's URL into TLS name and address, and decides whether secrets may go there.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ballast/base/str.h"
#include "transfer.h"

static bool
is_loopback(const char *host)
{
    struct in_addr address;

    return strcasecmp(host, "localhost") == 0 || str_eq(host, "[::1]") ||
           (inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127);
}

static bool
holds_secrets(const struct kube_config *config)
{
    return config->token.data != NULL || config->token_file != NULL || config->exec != NULL ||
           config->username != NULL || config->password.data != NULL;
}

static void
fill(struct request_target *target, const struct http_url *parts, const struct kube_config *config)
{
    const char *name = config->tls_server_name;
    const char *path = str_eq(parts->path, "/") ? "" : parts->path;

    if (name == NULL || target->is_clear) {
        target->base_url = str_print("%s://%s:%s%s", parts->scheme, parts->host, parts->port, path);
        return;
    }
    target->base_url = str_print("https://%s:%s%s", name, parts->port, path);
    target->connect_to = str_print("%s:%s:%s:%s", name, parts->port, parts->host, parts->port);
    target->host_header = str_print("Host: %s:%s", parts->host, parts->port);
}

bool
target_init(struct request_target *target, const struct kube_config *config, struct error *err)
{
    struct http_url parts;

    *target = (struct request_target){.base_url = NULL};
    if (!http_url_split(&parts, config->server)) {
        http_url_release(&parts);
        return error_set(err, ERROR_CONFIG, "server: want a URL like https://host:6443");
    }
    target->is_clear = strcasecmp(parts.scheme, "http") == 0;
    target->is_loopback = is_loopback(parts.host) && config->proxy_url == NULL;
    bool is_fine = !target->is_clear || target->is_loopback || !holds_secrets(config);

    if (!is_fine) {
        error_set(err, ERROR_CONFIG,
                  "server: credentials would go to %s without encryption: use https://",
                  parts.host);
    } else {
        fill(target, &parts, config);
    }
    http_url_release(&parts);
    return is_fine;
}

void
target_release(struct request_target *target)
{
    free(target->base_url);
    free(target->connect_to);
    free(target->host_header);
    *target = (struct request_target){.base_url = NULL};
}
