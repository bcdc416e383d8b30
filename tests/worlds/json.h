/* SPDX-License-Identifier: Apache-2.0
 *
 * jansson, a little shorter: worlds are made and judged as JSON alone. Getters
 * take NULL and the wrong type for "not there"; what is built steals its parts.
 */
#ifndef BALLAST_WORLDS_JSON_H
#define BALLAST_WORLDS_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* As json_pack, which must not fail. */
json_t *pack(const char *format, ...);

/* The value at a path such as "spec.placement.clusterAffinity"; NULL when any part is missing or
 * null. A key with dots in it is reached by json_object_get. */
json_t *at(const json_t *value, const char *path);
/* Its text, "" when there is none; its integer, `otherwise` when there is none. */
const char *text_at(const json_t *value, const char *path);
int64_t integer_at(const json_t *value, const char *path, int64_t otherwise);
bool truth_at(const json_t *value, const char *path);

/* Sets the value at a path, making the objects on the way. */
void put(json_t *value, const char *path, json_t *what);
/* The same with a key that is taken as it is. */
void put_key(json_t *value, const char *path, const char *key, json_t *what);

bool is(const char *a, const char *b);
/* The list of strings has the text. */
bool list_has(const json_t *list, const char *text);
/* The first object of a list whose member `key` is `text`. */
json_t *find_by(const json_t *list, const char *key, const char *text);

/* What a JSON merge patch (RFC 7386) makes of `target`, in place. */
void merge(json_t *target, const json_t *patch);

/* Seconds since the epoch of an RFC 3339 time; `otherwise` when it is none. */
int64_t seconds_of(const char *text, int64_t otherwise);
/* A pod is up for so short a time, or not at all, after so many restarts, that it may be in a crash
 * loop. */
bool may_go_down_again(const json_t *pod, int64_t now);
/* "2026-03-01T12:00:00Z" */
json_t *time_json(int64_t seconds);
/* Go's durations: "1h30m" in seconds; `otherwise` when it is none. */
int64_t duration_of(const char *text, int64_t otherwise);
/* Kubernetes' quantities in thousandths: "2" is 2000, "100m" is 100, "1Gi" is 1073741824000. */
int64_t milli_of(const json_t *quantity);
/* Of cpu in thousandths, what a pod of this spec asks kube-scheduler for. */
int64_t cpu_of_pod(const json_t *spec);

#endif
