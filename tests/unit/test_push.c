/* SPDX-License-Identifier: Apache-2.0
 *
 * Where metrics are pushed to, and the file with user and password. Pushes to a
 * real Pushgateway, and to servers that misbehave, are in tests/monitoring/.
 */
#include "ballast/push/pushgateway.h"

#include <string.h>
#include <sys/stat.h>

#include "ballast/base/timestamp.h"
#include "check.h"
#include "temp_dir.h"

static void
test_path(void)
{
    static const struct {
        const char *value, *want;
    } cases[] = {
        {"prod", "/metrics/job/ballast/control_plane/prod"},
        {"karmada:5443", "/metrics/job/ballast/control_plane/karmada%3A5443"},
        {"a b+c%", "/metrics/job/ballast/control_plane/a%20b%2Bc%25"},
        {"", "/metrics/job/ballast/control_plane@base64/="},
        {"/", "/metrics/job/ballast/control_plane@base64/Lw"},
        {".", "/metrics/job/ballast/control_plane@base64/Lg"},
        {"..", "/metrics/job/ballast/control_plane@base64/Li4"},
        {"...", "/metrics/job/ballast/control_plane/..."},
        {"/srv/fleet", "/metrics/job/ballast/control_plane@base64/L3Nydi9mbGVldA"},
        {"a/\xC3\xBE?", "/metrics/job/ballast/control_plane@base64/YS_Dvj8"},
        {"a/>>>", "/metrics/job/ballast/control_plane@base64/YS8-Pj4"},
        {"x\x1b[31m", "/metrics/job/ballast/control_plane/x%5Cu001B%5B31m"},
        {"x\ny", "/metrics/job/ballast/control_plane/x%20y"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct push_label labels[] = {{"job", "ballast"}, {"control_plane", cases[i].value}};
        const struct push_group group = {.labels = labels, .n_labels = 2};
        struct buf path;

        buf_init(&path, 1024);
        push_append_path(&path, &group);
        CHECK_STR(buf_text(&path), cases[i].want);
        buf_release(&path);
    }
}

static void
test_urls(void)
{
    static const struct {
        const char *url, *want; /* of the complaint; NULL: it may be one */
    } cases[] = {
        {"http://pushgateway:9091", NULL},
        {"https://push.example/prefix/", NULL},
        {"http://[::1]:9091", NULL},
        {"pushgateway:9091", "want a URL"},
        {"ftp://pushgateway", "want a URL"},
        {"file:///etc/passwd", "want a URL"},
        {"https://", "want a URL"},
        {"https:///x", "want a URL"},
        {"http://pushgateway:notaport", "want a URL"},
        {"http://pushgateway?x=y", "want a URL"},
        {"http://pushgateway/#x", "want a URL"},
        {"", "want a URL"},
        {"https://me:secret@pushgateway", "without a user"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct error err = ERROR_INIT;
        bool is_fine = pushgateway_check_url(cases[i].url, &err);

        CHECK_MSG(is_fine == (cases[i].want == NULL), "%s: %s", cases[i].url, err.message);
        CHECK_CONTAINS(err.message, cases[i].want != NULL ? cases[i].want : "");
        CHECK(strstr(err.message, "secret") == NULL);
    }
}

/* Nothing is sent where the file will not do, and nothing of it is told. */
static void
test_auth_file(void)
{
    static const struct {
        const char *content;
        mode_t mode;
        const char *want;
    } cases[] = {
        {"me:secret\n", 0644, "anybody may read or write it (mode 644)"},
        {"me:secret\n", 0602, "anybody may read or write it (mode 602)"},
        {"secret\n", 0600, "want one line USER:PASSWORD"},
        {":secret\n", 0600, "want one line USER:PASSWORD"},
        {"me:secret\nother:secret", 0600, "want one line USER:PASSWORD"},
        {"", 0600, "want one line USER:PASSWORD"},
        {NULL, 0600, "larger than 4096 bytes"},
        {"me:secret\n", 0640, "Could not"}, /* that will do: what fails is the connection */
    };
    static char large[PUSH_AUTH_MAX + 2];
    struct temp_dir dir = temp_dir_make();

    memset(large, 'x', sizeof(large) - 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *path =
            temp_write(&dir, "auth", cases[i].content != NULL ? cases[i].content : large, 0600);
        const struct pushgateway gateway = {
            .url = "http://no-such-host.invalid:1",
            .auth_file = path,
            .ca_file = "",
            .timeout = 2 * NANOS_PER_SECOND,
            .user_agent = "test",
            .clock = clock_of_system(),
        };
        const struct push_label labels[] = {{"job", "test"}};
        const struct push_group group = {labels, 1, "", 0};
        struct error err = ERROR_INIT;

        CHECK(chmod(path, cases[i].mode) == 0);
        CHECK(!pushgateway_put(&gateway, &group, 1, &err));
        CHECK_CONTAINS(err.message, cases[i].want);
        CHECK_CONTAINS(err.message, "http://no-such-host.invalid:1: ");
        CHECK(strstr(err.message, "secret") == NULL);
    }
    temp_dir_remove(&dir);
}

void suite_push(void);
void
suite_push(void)
{
    check_suite("push");
    check_test("paths of groups", test_path);
    check_test("URLs", test_urls);
    check_test("the file with user and password", test_auth_file);
}
