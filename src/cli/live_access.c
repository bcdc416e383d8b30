/* SPDX-License-Identifier: Apache-2.0
 *
 * Refusals, and the command that asks the server about them.
 */
#include "live_access.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ballast/base/str.h"

#define PATH_SHOWN_MAX 1024

/* A path, part by part. */
struct path_walk {
    char text[PATH_SHOWN_MAX];
    char *rest;
};

static const char *
next_part(struct path_walk *walk)
{
    const char *part = walk->rest != NULL ? strsep(&walk->rest, "/") : NULL;

    return part != NULL ? part : "";
}

/* "/apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME"; the core group is "/api/v1/...". */
static bool
read_path(const char *path, size_t length, struct refused_access *ret, bool *ret_has_name)
{
    struct path_walk walk;

    if (length == 0 || length >= sizeof(walk.text)) {
        return false;
    }
    memcpy(walk.text, path + 1, length - 1);
    walk.text[length - 1] = '\0';
    walk.rest = walk.text;
    const char *group = str_eq(next_part(&walk), "apis") ? next_part(&walk) : "";

    next_part(&walk); /* the version */
    const char *resource = next_part(&walk), *name = next_part(&walk);
    const char *of_namespace = next_part(&walk), *namespace_ = "";

    if (str_eq(resource, "namespaces") && !str_is_empty(of_namespace)) {
        namespace_ = name;
        resource = of_namespace;
        name = next_part(&walk);
    }
    *ret_has_name = !str_is_empty(name);
    snprintf(ret->resource, sizeof(ret->resource), "%s%s%s%s%s", resource,
             str_is_empty(group) ? "" : ".", group, *ret_has_name ? "/" : "", name);
    snprintf(ret->namespace_, sizeof(ret->namespace_), "%s", namespace_);
    return !str_is_empty(resource);
}

static const char *
verb_of(const char *method, size_t length, bool has_name)
{
    static const struct {
        const char *method, *of_all, *of_one;
    } verbs[] = {
        {"GET", "list", "get"},
        {"POST", "create", "create"},
        {"PUT", "update", "update"},
        {"PATCH", "patch", "patch"},
        {"DELETE", "deletecollection", "delete"},
    };

    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        if (strlen(verbs[i].method) == length && strncmp(verbs[i].method, method, length) == 0) {
            return has_name ? verbs[i].of_one : verbs[i].of_all;
        }
    }
    return NULL;
}

bool
refused_access_read(const char *message, const char *server, struct refused_access *ret)
{
    const char *url = strstr(message, server), *method;
    bool has_name = false;

    if (url == NULL || url == message) {
        return false;
    }
    for (method = url - 1; method > message && method[-1] != ' '; method--) {
    }
    const char *path = url + strlen(server), *end = strstr(path, ": HTTP 40");

    if (end == NULL || path[0] != '/' || strcspn(path, " ") < (size_t)(end - path) ||
        !read_path(path, (size_t)(end - path), ret, &has_name)) {
        return false;
    }
    ret->status = strncmp(end, ": HTTP 401", strlen(": HTTP 401")) == 0   ? 401
                  : strncmp(end, ": HTTP 403", strlen(": HTTP 403")) == 0 ? 403
                                                                          : 0;
    ret->verb = verb_of(method, (size_t)(url - 1 - method), has_name);
    return ret->status != 0 && ret->verb != NULL;
}

/* As a shell takes it for one word. */
static void
append_word(struct buf *out, const char *text)
{
    bool is_plain = !str_is_empty(text);

    for (const char *c = text; *c != '\0'; c++) {
        is_plain = is_plain && (isalnum((unsigned char)*c) || strchr("._/@:=+-", *c) != NULL);
    }
    if (is_plain) {
        buf_append_str(out, text);
        return;
    }
    buf_append_char(out, '\'');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            buf_append_str(out, "'\\''");
        } else {
            buf_append_char(out, *c);
        }
    }
    buf_append_char(out, '\'');
}

static void
append_flag(struct buf *out, const char *flag, const char *value)
{
    if (value != NULL && !str_is_empty(value)) {
        buf_printf(out, " %s ", flag);
        append_word(out, value);
    }
}

void
refused_access_command(const struct refused_access *access, const struct kube_config *config,
                       const char *kubeconfig, struct buf *out)
{
    buf_append_str(out, "kubectl");
    append_flag(out, "--kubeconfig", kubeconfig);
    append_flag(out, "--context", config->context);
    buf_printf(out, " auth can-i %s ", access->verb);
    append_word(out, access->resource);
    append_flag(out, "-n", access->namespace_);
    const char *slash = config->user != NULL ? strchr(config->user, '/') : NULL;

    if (str_is_empty(config->context) && slash != NULL) { /* whoever asks is not that pod */
        buf_printf(out, " --as system:serviceaccount:%.*s:%s", (int)(slash - config->user),
                   config->user, slash + 1);
    }
}

bool
refused_credential(const struct kube_config *config, struct buf *out)
{
    bool has_token = config->token.data != NULL || config->token_file != NULL;
    bool has_certificate =
        config->client_certificate.data != NULL || config->client_certificate_file != NULL;
    const char *what = config->exec != NULL       ? "what the exec plugin gave"
                       : has_token                ? "the token"
                       : has_certificate          ? "the client certificate"
                       : config->username != NULL ? "the password"
                                                  : NULL;

    buf_printf(out, "%s of user \"%s\"", what != NULL ? what : "a request without any credential",
               config->user != NULL ? config->user : "");
    return what != NULL;
}
