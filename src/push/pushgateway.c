/* SPDX-License-Identifier: Apache-2.0
 *
 * The client of a Pushgateway.
 */
#include "ballast/push/pushgateway.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ballast/base/secret.h"
#include "ballast/base/str.h"
#include "ballast/base/text.h"
#include "ballast/http/http.h"

#define URL_MAX ((size_t)16 << 10)
#define HEAD_MAX ((size_t)64 << 10)
#define ANSWER_MAX 512 /* bytes kept of a gateway's answer */

struct push {
    struct http_exchange http; /* first: the loop returns it */
    struct buf url;
    struct buf answer; /* beginning of the body */
};

struct pushes {
    const struct pushgateway *gateway;
    struct http_loop *loop;
    bool has_tls;
    char *user, *password; /* NULL: none */
    struct push of[PUSH_GROUPS_MAX];
    size_t count;
    int64_t until;    /* monotonic */
    bool was_stopped; /* before the push began */
};

static int64_t
now_of(const struct pushes *pushes)
{
    return pushes->gateway->clock.monotonic(pushes->gateway->clock.context);
}

static bool
is_stopped(const struct pushgateway *gateway)
{
    return gateway->stop != NULL && *gateway->stop;
}

/* ---- the URL ---- */

static bool
is_url(const char *url)
{
    struct http_url parts;
    bool is_fine = http_url_split(&parts, url);

    http_url_release(&parts);
    return is_fine && strstr(url, ":///") == NULL; /* the path would be read as a host */
}

bool
pushgateway_check_url(const char *url, struct error *err)
{
    const bool begins = strncmp(url, "http://", 7) == 0 || strncmp(url, "https://", 8) == 0;

    if (strchr(url, '@') != NULL) {
        return error_set(err, ERROR_CONFIG,
                         "want it without a user, who belongs in the file of "
                         "--metrics-push-auth-file (metrics.push.authFile)");
    }
    return (begins && strpbrk(url, "?#") == NULL && strlen(url) <= URL_MAX / 2 && is_url(url)) ||
           error_set(err, ERROR_CONFIG,
                     "want a URL such as https://pushgateway:9091, without a query");
}

/* ---- the credentials ---- */

/* Follows links: a Secret of Kubernetes is a link to a file. */
static bool
check_permissions(const char *path, struct error *err)
{
    struct stat info;

    if (stat(path, &info) != 0) {
        return true; /* the reader reports the error */
    }
    return (info.st_mode & (S_IROTH | S_IWOTH)) == 0 ||
           error_set(err, ERROR_FORBIDDEN,
                     "%s: anybody may read or write it (mode %03o): chmod o-rw, or defaultMode: "
                     "0440 of a Secret's volume",
                     path, (unsigned)(info.st_mode & 0777));
}

/* Errors show no text of the file. */
static bool
read_auth(struct pushes *pushes, const char *path, struct error *err)
{
    struct secret text = {.data = NULL};

    if (!check_permissions(path, err) ||
        !secret_read_regular_file(path, PUSH_AUTH_MAX, &text, err)) {
        return false;
    }
    secret_trim(&text);
    const char *colon = text.length > 0 ? memchr(text.data, ':', text.length) : NULL;
    bool is_fine = colon != NULL && colon > text.data && secret_fits_header(text.data, text.length);

    if (is_fine) {
        pushes->user = strndup(text.data, (size_t)(colon - text.data));
        pushes->password = strndup(colon + 1, text.length - (size_t)(colon + 1 - text.data));
        if (pushes->user == NULL || pushes->password == NULL) {
            out_of_memory();
        }
    }
    secret_wipe(&text);
    return is_fine || error_set(err, ERROR_CONFIG, "%s: want one line USER:PASSWORD", path);
}

/* ---- sending ---- */

static bool
on_body(struct http_exchange *http, const char *bytes, size_t length)
{
    struct push *push = (struct push *)http;
    size_t room = push->answer.maximum - push->answer.length;

    buf_append(&push->answer, bytes, length < room ? length : room);
    return true;
}

static bool
start(struct pushes *pushes, const struct push_group *group, struct error *err)
{
    static const struct http_receiver receiver = {.max_head = HEAD_MAX, .body_part = on_body};
    const struct pushgateway *gateway = pushes->gateway;
    struct push *push = &pushes->of[pushes->count++];
    const struct http_tls tls = {.ca.file =
                                     str_is_empty(gateway->ca_file) ? NULL : gateway->ca_file};
    size_t base = strlen(gateway->url);

    while (base > 0 && gateway->url[base - 1] == '/') {
        base--;
    }
    buf_init(&push->answer, ANSWER_MAX);
    buf_init(&push->url, URL_MAX);
    buf_append(&push->url, gateway->url, base);
    push_append_path(&push->url, group);
    const struct http_request request = {
        .url = buf_text(&push->url),
        .method = "PUT",
        .user_agent = gateway->user_agent,
        .body = group->body,
        .body_length = group->length,
        .user = pushes->user,
        .password = pushes->password,
        .tls = pushes->has_tls ? &tls : NULL,
        .fresh = true,
        .timeout = gateway->timeout,
        .connect_timeout = gateway->timeout,
        .receiver = &receiver,
    };

    http_add_header(&push->http, "Content-Type: text/plain; version=0.0.4; charset=utf-8");
    return http_loop_start(pushes->loop, &push->http, &request, err);
}

static bool
refused(const struct pushes *pushes, const struct push *push, struct error *err)
{
    const int status = http_status(&push->http);

    if (status == 401 || status == 403) {
        return error_set(err, ERROR_FORBIDDEN, "HTTP %d: %s", status,
                         pushes->user != NULL ? "it does not take the user and password of the file"
                                              : "it wants a user and password");
    }
    if (status >= 300 && status < 400) {
        return error_set(err, ERROR_UNAVAILABLE,
                         "HTTP %d: it wants the metrics elsewhere, which is not followed", status);
    }
    char *before = str_print("HTTP %d%s", status, push->answer.length > 0 ? ": " : "");

    http_fail_with(err, ERROR_UNAVAILABLE, before, buf_text(&push->answer));
    free(before);
    return false;
}

static bool
judge(const struct pushes *pushes, struct push *push, struct error *err)
{
    const int status = http_status(&push->http);
    const char *reason = http_connect_reason(&push->http);

    if (push->http.end == HTTP_ANSWERED) {
        return (status >= 200 && status < 300) || refused(pushes, push, err);
    }
    http_fail_with(err, ERROR_UNAVAILABLE, "", push->http.why);
    if (!str_is_empty(reason)) {
        error_set(err, err->code, "%s: %s", err->message, reason);
    }
    return false;
}

static bool
has_time(const struct pushes *pushes, struct error *err)
{
    if (is_stopped(pushes->gateway) && !pushes->was_stopped) {
        return error_set(err, ERROR_STOPPED, "stopped by a signal");
    }
    return now_of(pushes) < pushes->until ||
           error_set(err, ERROR_DEADLINE, "no answer within %.3g s",
                     (double)pushes->gateway->timeout / 1e9);
}

/* Waits until all pushes end or one fails. */
static bool
see_through(struct pushes *pushes, struct error *err)
{
    size_t running = pushes->count;

    while (running > 0) {
        struct http_exchange *exchange = http_loop_take(pushes->loop);

        if (exchange != NULL) {
            struct push *push = (struct push *)exchange;

            running--;
            if (!judge(pushes, push, err)) {
                return false;
            }
        } else if (!has_time(pushes, err)) {
            return false;
        } else {
            http_loop_wait(pushes->loop, pushes->until - now_of(pushes));
        }
    }
    return true;
}

static void
end(struct pushes *pushes)
{
    for (size_t i = 0; i < pushes->count; i++) {
        struct push *push = &pushes->of[i];

        http_loop_end(pushes->loop, &push->http);
        buf_release(&push->answer);
        buf_release(&push->url);
    }
    http_loop_free(pushes->loop);
    free(pushes->user);
    secret_free_text(pushes->password);
}

bool
pushgateway_put(const struct pushgateway *gateway, const struct push_group *groups, size_t count,
                struct error *err)
{
    struct pushes pushes = {.gateway = gateway,
                            .has_tls = strncmp(gateway->url, "https:", 6) == 0,
                            .was_stopped = is_stopped(gateway)};
    bool is_fine = str_is_empty(gateway->auth_file) || read_auth(&pushes, gateway->auth_file, err);

    if (count > PUSH_GROUPS_MAX) {
        BUG("%zu groups at once", count);
    }
    if (is_fine) {
        pushes.loop = http_loop_new(0, 0);
        pushes.until = now_of(&pushes) + gateway->timeout;
    }
    for (size_t i = 0; is_fine && i < count; i++) {
        is_fine = start(&pushes, &groups[i], err);
    }
    is_fine = is_fine && see_through(&pushes, err);
    end(&pushes);
    return is_fine || error_wrap(err, "%s", gateway->url);
}
