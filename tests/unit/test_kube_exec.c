/* SPDX-License-Identifier: Apache-2.0
 *
 * Exec credential plugins, with shell scripts for plugins: what they are told,
 * what they may answer, and how a bad one ends.
 */
#include "kube/identity/exec.h"

#include <stdlib.h>
#include <time.h>

#include "ballast/base/secret.h"
#include "ballast/base/timestamp.h"
#include "check.h"
#include "temp_dir.h"

#define V1 "client.authentication.k8s.io/v1"
#define ANSWER(status)                                                                             \
    "{\"apiVersion\":\"" V1 "\",\"kind\":\"ExecCredential\",\"status\":" status "}"

/* A config whose plugin is this script. */
static struct kube_config *
make_config(const struct temp_dir *dir, const char *script, const char *more)
{
    struct kube_config *config = calloc(1, sizeof(*config));
    struct error err = ERROR_INIT;
    char text[1024];

    temp_write(dir, "plugin", script, 0700);
    snprintf(text, sizeof(text),
             "{\"apiVersion\":\"" V1 "\",\"interactiveMode\":\"Never\",\"command\":\"./plugin\"%s}",
             more);
    struct document *document = document_parse_json(text, strlen(text), 1, &err);

    config->server = strdup("https://a:6443");
    if (CHECK_OK(document != NULL, err)) {
        config->exec = kube_exec_from(document_root(document), dir->path, &err);
        CHECK_OK(config->exec != NULL, err);
    }
    document_free(document);
    return config;
}

static bool
run(const struct kube_config *config, int64_t timeout, struct kube_credential *ret,
    struct error *err)
{
    struct kube_exec_limits limits = {.timeout = timeout};

    *ret = (struct kube_credential){.expires = TIME_NONE};
    return config->exec != NULL && kube_exec_run(config, &limits, ret, err);
}

static void
test_token(void)
{
    struct error err = ERROR_INIT;
    struct kube_credential got;
    struct temp_dir dir = temp_dir_make();
    int64_t want_expiry = 0;

    struct kube_config *config = make_config(
        &dir,
        "#!/bin/sh\nread x && exit 9\n"
        "printf '{\"apiVersion\":\"" V1 "\",\"kind\":\"ExecCredential\",\"status\":{\"token\":"
        "\"%s-%s-%s\",\"expirationTimestamp\":\"2030-01-01T00:00:00Z\"}}' \"$1\" \"$2\" \"$WHO\"\n",
        ",\"args\":[\"one two\",\"$HOME\"],\"env\":[{\"name\":\"WHO\",\"value\":\"me\"}]");

    CHECK(timestamp_parse("2030-01-01T00:00:00Z", &want_expiry));
    if (CHECK_OK(run(config, 10 * NANOS_PER_SECOND, &got, &err), err)) {
        CHECK_STR(got.token.data, "one two-$HOME-me"); /* no shell took the arguments apart */
        CHECK_INT(got.expires, want_expiry);
    }
    kube_credential_release(&got);
    kube_config_free(config);
    temp_dir_remove(&dir);
}

static void
test_info(void)
{
    struct error err = ERROR_INIT;
    struct kube_credential got;
    struct temp_dir dir = temp_dir_make();

    struct kube_config *config =
        make_config(&dir,
                    "#!/bin/sh\nprintf %s \"$KUBERNETES_EXEC_INFO\" > \"${0%/*}/info\"\n"
                    "echo '" ANSWER("{\"token\":\"t\"}") "'\n",
                    ",\"provideClusterInfo\":true");

    secret_set(&config->ca, "hello", 5);
    config->exec->cluster_config = strdup("{\"audience\":7}");
    CHECK_OK(run(config, 10 * NANOS_PER_SECOND, &got, &err), err);
    CHECK_INT(got.expires, TIME_NONE);
    kube_credential_release(&got);

    struct secret info = {.data = NULL};

    if (CHECK_OK(secret_read_file(temp_path(&dir, "info"), 4096, &info, &err), err)) {
        CHECK_STR(info.data,
                  "{\"apiVersion\":\"" V1 "\",\"kind\":\"ExecCredential\",\"spec\":{"
                  "\"interactive\":false,\"cluster\":{\"server\":\"https://a:6443\","
                  "\"certificate-authority-data\":\"aGVsbG8=\",\"config\":{\"audience\":7}}}}");
    }
    secret_wipe(&info);
    kube_config_free(config);
    temp_dir_remove(&dir);
}

static void
test_failures(void)
{
    static const struct {
        const char *name, *script, *want;
        enum error_code code;
    } cases[] = {
        {"status", "#!/bin/sh\nexit 3\n", "it failed with exit status 3", ERROR_CONFIG},
        {"signal", "#!/bin/sh\nkill -9 $$\n", "it was killed by signal 9", ERROR_CONFIG},
        {"silence", "#!/bin/sh\n", "its output is not one JSON object", ERROR_CONFIG},
        {"endless", "#!/bin/sh\nexec yes secret\n", "its output is larger than", ERROR_LIMIT},
        {"slow", "#!/bin/sh\nsleep 30 & sleep 30\n", "no answer within 1s", ERROR_DEADLINE},
        {"closed", "#!/bin/sh\nexec >&-\nsleep 30\n", "no answer within 1s", ERROR_DEADLINE},
        {"no program", "#!/nonexistent/sh\n", "it cannot be started: No such file", ERROR_CONFIG},
    };
    struct temp_dir dir = temp_dir_make();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct kube_credential got;
        struct kube_config *config =
            make_config(&dir, cases[i].script, ",\"installHint\":\"get it from the shop\"");
        time_t begin = time(NULL);

        CHECK_MSG(!run(config, NANOS_PER_SECOND, &got, &err), "%s succeeded", cases[i].name);
        CHECK_MSG(time(NULL) - begin <= 5, "%s took too long", cases[i].name);
        CHECK_CONTAINS(err.message, cases[i].want);
        CHECK_CONTAINS(err.message, "/plugin: ");
        CHECK_MSG(strstr(err.message, "secret") == NULL, "%s tells a secret", cases[i].name);
        CHECK_INT(err.code, cases[i].code);
        if (strcmp(cases[i].name, "no program") == 0) {
            CHECK_CONTAINS(err.message, ": get it from the shop");
        }
        kube_config_free(config);
    }
    temp_dir_remove(&dir);
}

/* One that leaves a child behind with its stdout is not waited for longer than itself. */
static void
test_left_behind(void)
{
    struct error err = ERROR_INIT;
    struct kube_credential got;
    struct temp_dir dir = temp_dir_make();

    struct kube_config *config =
        make_config(&dir, "#!/bin/sh\nsleep 3 &\necho '" ANSWER("{\"token\":\"t\"}") "'\n", "");
    time_t begin = time(NULL);

    CHECK_OK(run(config, 10 * NANOS_PER_SECOND, &got, &err), err);
    CHECK(time(NULL) - begin <= 2);
    kube_credential_release(&got);
    kube_config_free(config);
    temp_dir_remove(&dir);
}

static void
test_stopped(void)
{
    struct error err = ERROR_INIT;
    struct kube_credential got = {.expires = TIME_NONE};
    struct temp_dir dir = temp_dir_make();
    const atomic_bool stop = true;
    struct kube_exec_limits limits = {.timeout = 30 * NANOS_PER_SECOND, .stop = &stop};

    struct kube_config *config = make_config(&dir, "#!/bin/sh\nsleep 30\n", "");

    CHECK(config->exec != NULL && !kube_exec_run(config, &limits, &got, &err));
    CHECK_INT(err.code, ERROR_STOPPED);
    kube_config_free(config);
    temp_dir_remove(&dir);
}

static void
test_answers(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"{\"secret\"", "its output is not one JSON object"},
        {"[]", "want an ExecCredential of " V1},
        {"{\"apiVersion\":\"" V1 "beta1\",\"kind\":\"ExecCredential\",\"status\":{}}",
         "want an ExecCredential of " V1},
        {"{\"apiVersion\":\"" V1 "\",\"kind\":\"ExecCredential\"}", "status: required"},
        {ANSWER("{}"), "neither a token nor a client certificate"},
        {ANSWER("{\"token\":7}"), "status: token: want string, got integer"},
        {ANSWER("{\"token\":\"secret\\r\\nX: y\"}"), "token: may not hold control characters"},
        {ANSWER("{\"clientKeyData\":\"secret\"}"), "need each other"},
        {ANSWER("{\"token\":\"secret\",\"expirationTimestamp\":\"soon\"}"),
         "expirationTimestamp: want a time"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        struct kube_credential got = {.expires = TIME_NONE};

        CHECK_MSG(!kube_credential_decode(V1, cases[i].text, strlen(cases[i].text), &got, &err),
                  "%s is accepted", cases[i].text);
        CHECK_CONTAINS(err.message, cases[i].want);
        CHECK_MSG(strstr(err.message, "secret") == NULL, "%s: a secret is told", cases[i].text);
        kube_credential_release(&got);
    }
}

void suite_kube_exec(void);

void
suite_kube_exec(void)
{
    check_suite("kube_exec");
    check_test("token, arguments, environment", test_token);
    check_test("what it is told", test_info);
    check_test("failures", test_failures);
    check_test("a child left behind", test_left_behind);
    check_test("stopped", test_stopped);
    check_test("answers", test_answers);
}
