/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers over jansson, and the few texts of Kubernetes that have a grammar:
 * times, durations, quantities. Written anew: the checker shares no parser with
 * the program.
 */
#include "json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEY_MAX 128

json_t *
pack(const char *format, ...)
{
    json_error_t error;
    va_list args;

    va_start(args, format);
    json_t *made = json_vpack_ex(&error, 0, format, args);

    va_end(args);
    if (made == NULL) {
        fprintf(stderr, "pack: %s in \"%s\"\n", error.text, format);
        abort();
    }
    return made;
}

/* The first name of a path; *ret_rest is what follows, NULL at the end. */
static void
split_path(const char *path, char key[KEY_MAX], const char **ret_rest)
{
    const char *dot = strchr(path, '.');
    size_t length = dot == NULL ? strlen(path) : (size_t)(dot - path);

    if (length >= KEY_MAX) {
        abort();
    }
    memcpy(key, path, length);
    key[length] = '\0';
    *ret_rest = dot == NULL ? NULL : dot + 1;
}

json_t *
at(const json_t *value, const char *path)
{
    char key[KEY_MAX];
    json_t *found = NULL;

    while (path != NULL && json_is_object(value)) {
        split_path(path, key, &path);
        found = json_object_get(value, key);
        value = found;
    }
    return path == NULL && !json_is_null(found) ? found : NULL;
}

const char *
text_at(const json_t *value, const char *path)
{
    const char *text = json_string_value(at(value, path));

    return text != NULL ? text : "";
}

int64_t
integer_at(const json_t *value, const char *path, int64_t otherwise)
{
    const json_t *found = at(value, path);

    return json_is_integer(found) ? (int64_t)json_integer_value(found) : otherwise;
}

bool
truth_at(const json_t *value, const char *path)
{
    return json_is_true(at(value, path));
}

void
put_key(json_t *value, const char *path, const char *key, json_t *what)
{
    char name[KEY_MAX];

    while (path != NULL && path[0] != '\0') {
        split_path(path, name, &path);
        json_t *inner = json_object_get(value, name);

        if (inner == NULL) {
            inner = json_object();
            json_object_set_new(value, name, inner);
        }
        value = inner;
    }
    json_object_set_new(value, key, what);
}

void
put(json_t *value, const char *path, json_t *what)
{
    const char *last = strrchr(path, '.');
    char outer[KEY_MAX] = "";

    if (last == NULL) {
        json_object_set_new(value, path, what);
        return;
    }
    memcpy(outer, path, (size_t)(last - path));
    put_key(value, outer, last + 1, what);
}

bool
is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

bool
list_has(const json_t *list, const char *text)
{
    size_t index;
    json_t *item;

    json_array_foreach(list, index, item)
    {
        if (json_is_string(item) && is(json_string_value(item), text)) {
            return true;
        }
    }
    return false;
}

json_t *
find_by(const json_t *list, const char *key, const char *text)
{
    size_t index;
    json_t *item;

    json_array_foreach(list, index, item)
    {
        if (is(text_at(item, key), text)) {
            return item;
        }
    }
    return NULL;
}

void
merge(json_t *target, const json_t *patch)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)patch, key, value)
    {
        json_t *inner = json_object_get(target, key);

        if (json_is_null(value)) {
            json_object_del(target, key);
        } else if (!json_is_object(value)) {
            json_object_set_new(target, key, json_deep_copy(value));
        } else if (json_is_object(inner)) {
            merge(inner, value);
        } else {
            inner = json_object();
            merge(inner, value);
            json_object_set_new(target, key, inner);
        }
    }
}

int64_t
seconds_of(const char *text, int64_t otherwise)
{
    struct tm tm = {.tm_sec = 0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);

    return rest != NULL && is(rest, "Z") ? (int64_t)timegm(&tm) : otherwise;
}

json_t *
time_json(int64_t seconds)
{
    char text[32];
    time_t when = (time_t)seconds;
    struct tm tm;

    gmtime_r(&when, &tm);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
    return json_string(text);
}

int64_t
duration_of(const char *text, int64_t otherwise)
{
    int64_t sum = 0;

    if (*text == '\0') {
        return otherwise;
    }
    while (*text != '\0') {
        char *end;
        int64_t number = strtoll(text, &end, 10);

        if (end == text || (*end != 'h' && *end != 'm' && *end != 's')) {
            return otherwise;
        }
        sum += number * (*end == 'h' ? 3600 : *end == 'm' ? 60 : 1);
        text = end + 1;
    }
    return sum;
}

int64_t
milli_of(const json_t *quantity)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {{"", 1e3},   {"m", 1},       {"k", 1e6},        {"M", 1e9},
                 {"G", 1e12}, {"Ki", 1024e3}, {"Mi", 1048576e3}, {"Gi", 1073741824e3}};

    if (json_is_integer(quantity)) {
        return json_integer_value(quantity) * 1000;
    }
    const char *text = json_string_value(quantity);
    char *end;

    if (text == NULL) {
        return 0;
    }
    double number = strtod(text, &end);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (is(end, units[i].suffix)) {
            return (int64_t)ceil(number * units[i].factor);
        }
    }
    fprintf(stderr, "no quantity: \"%s\"\n", text);
    abort();
}

/* A request, or a limit that kube-apiserver makes one. */
static int64_t
cpu_of_container(const json_t *container)
{
    const json_t *request = at(container, "resources.requests.cpu");

    return milli_of(request != NULL ? request : at(container, "resources.limits.cpu"));
}

static bool
names_cpu(const json_t *container)
{
    return at(container, "resources.requests.cpu") != NULL ||
           at(container, "resources.limits.cpu") != NULL;
}

/* At each moment what runs then: all sidecars that have been started, and either one init
 * container or all containers. */
int64_t
cpu_of_pod(const json_t *spec)
{
    const json_t *whole = at(spec, "resources.requests.cpu");
    int64_t most = 0, now = 0;
    bool any = false;
    size_t index;
    json_t *container;

    json_array_foreach(at(spec, "initContainers"), index, container)
    {
        int64_t with = now + cpu_of_container(container);

        any = any || names_cpu(container);
        most = with > most ? with : most;
        now = is(text_at(container, "restartPolicy"), "Always") ? with : now;
    }
    json_array_foreach(at(spec, "containers"), index, container)
    {
        any = any || names_cpu(container);
        now += cpu_of_container(container);
    }
    most = now > most ? now : most;
    if (whole == NULL && !any) {
        whole = at(spec, "resources.limits.cpu");
    }
    return (whole != NULL ? milli_of(whole) : most) + milli_of(at(spec, "overhead.cpu"));
}

bool
may_go_down_again(const json_t *pod, int64_t now)
{
    static const char *const lists[] = {"status.containerStatuses", "status.initContainerStatuses"};
    const json_t *ready = find_by(at(pod, "status.conditions"), "type", "Ready");
    bool is_ready = is(text_at(ready, "status"), "True");
    int64_t otherwise =
        is_ready ? seconds_of(text_at(ready, "lastTransitionTime"), INT64_MIN / 2) : now;
    size_t index;
    json_t *report;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        json_array_foreach(at(pod, lists[i]), index, report)
        {
            const char *started = text_at(report, "state.running.startedAt");
            int64_t since = seconds_of(started, otherwise);

            if (integer_at(report, "restartCount", 0) >= (is_ready ? 5 : 3) && now - since <= 600) {
                return true;
            }
        }
    }
    return false;
}
