/* SPDX-License-Identifier: Apache-2.0
 *
 * Credentials that change while we run.
 */
#include "identity.h"

#include <errno.h>
#include <sys/stat.h>

#include "ballast/timestamp.h"
#include "secret.h"

#define TOKEN_MAX ((size_t)1 << 20)
#define READ_AGAIN NANOS_PER_MINUTE

void
identity_release(struct identity *identity)
{
    secret_wipe(&identity->token);
    kube_credential_release(&identity->plugin);
}

static bool
read_token(struct identity *identity, struct error *err)
{
    struct kube_blob token = {.data = NULL};
    const char *path = identity->config->token_file;

    if (!secret_read_file(path, TOKEN_MAX, &token, err)) {
        return error_wrap(err, "tokenFile");
    }
    secret_trim(&token);
    bool is_fine = true;

    if (token.length == 0) {
        is_fine = error_set(err, ERROR_CONFIG, "tokenFile: %s: it is empty", path);
    } else if (!secret_fits_header(token.data, token.length)) {
        is_fine = error_set(err, ERROR_CONFIG, "tokenFile: %s: this is no token", path);
    } else {
        secret_move(&identity->token, &token);
    }
    secret_wipe(&token);
    return is_fine;
}

/* Reads the file again when it changed, and now and then in case its time does not tell. A file
 * that is gone for a moment, while it is replaced, is no reason to stop. */
static bool
refresh_token(struct identity *identity, int64_t now, bool force, struct error *err)
{
    struct stat info = {.st_size = 0};
    struct error why = ERROR_INIT;
    bool is_known = identity->token.data != NULL;
    bool is_changed = stat(identity->config->token_file, &info) != 0 ||
                      info.st_mtim.tv_sec != identity->modified.tv_sec ||
                      info.st_mtim.tv_nsec != identity->modified.tv_nsec;

    if (is_known && !force && !is_changed && now - identity->read_at < READ_AGAIN) {
        return true;
    }
    if (read_token(identity, &why)) {
        identity->modified = info.st_mtim;
        identity->read_at = now;
        identity->generation++;
    } else if (!is_known && identity->config->token.data == NULL) {
        *err = why;
        return false;
    }
    return true;
}

static bool
refresh_plugin(struct identity *identity, int64_t wall_now, bool force,
               const struct kube_exec_limits *limits, struct error *err)
{
    struct kube_credential fresh = {.expires = TIME_NONE};
    bool has_expired =
        identity->plugin.expires != TIME_NONE && identity->plugin.expires <= wall_now;

    if (identity->has_plugin && !force && !has_expired) {
        return true;
    }
    if (!kube_exec_run(identity->config, limits, &fresh, err)) {
        return false;
    }
    kube_credential_release(&identity->plugin);
    identity->plugin = fresh;
    identity->has_plugin = true;
    identity->generation++;
    return true;
}

bool
identity_refresh(struct identity *identity, const struct kube_clock *clock, bool force,
                 const struct kube_exec_limits *limits, struct error *err)
{
    const struct kube_config *config = identity->config;

    if (config->token_file != NULL &&
        !refresh_token(identity, clock->monotonic(clock->context), force, err)) {
        return false;
    }
    return config->exec == NULL ||
           refresh_plugin(identity, clock->wall(clock->context), force, limits, err);
}

bool
identity_can_change(const struct identity *identity)
{
    return identity->config->token_file != NULL || identity->config->exec != NULL;
}

static const struct kube_blob *
first_of(const struct kube_blob *a, const struct kube_blob *b)
{
    return a->data != NULL ? a : b->data != NULL ? b : NULL;
}

/* The file before the text, as client-go has it: the text is what the file was. */
const struct kube_blob *
identity_token(const struct identity *identity)
{
    const struct kube_blob *own = first_of(&identity->token, &identity->config->token);

    return own != NULL ? own : first_of(&identity->plugin.token, &identity->plugin.token);
}

const struct kube_blob *
identity_certificate(const struct identity *identity)
{
    return first_of(&identity->plugin.certificate, &identity->config->client_certificate);
}

const struct kube_blob *
identity_key(const struct identity *identity)
{
    return first_of(&identity->plugin.key, &identity->config->client_key);
}
