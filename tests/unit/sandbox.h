/* SPDX-License-Identifier: Apache-2.0
 *
 * A fleet directory for one test, and objects to put there.
 */
#ifndef BALLAST_TEST_SANDBOX_H
#define BALLAST_TEST_SANDBOX_H

#include "ballast/base/text_input.h"
#include "ballast/directory/fleet_directory.h"

#define CLUSTER(name)                                                                              \
    "{\"apiVersion\":\"cluster.karmada.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":"           \
    "{\"name\":\"" name "\"}}\n"
#define BINDING_HEAD "{\"apiVersion\":\"work.karmada.io/v1alpha2\",\"kind\":\"ResourceBinding\","
#define BINDING_SPEC(replicas)                                                                     \
    "\"spec\":{\"resource\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"namespace\":"    \
    "\"shop\",\"name\":\"web\"},\"replicas\":" replicas                                            \
    ",\"clusters\":[{\"name\":\"m1\",\"replicas\":2}]}}"
#define BINDING(name, version)                                                                     \
    BINDING_HEAD "\"metadata\":{\"namespace\":\"shop\",\"name\":\"" name                           \
                 "\",\"generation\":4,\"resourceVersion\":\"" version "\"}," BINDING_SPEC("2")
#define BINDING_WITHOUT_VERSION(name)                                                              \
    BINDING_HEAD "\"metadata\":{\"namespace\":\"shop\",\"name\":\"" name "\"}," BINDING_SPEC("2")

/* A directory of its own for each test. */
struct sandbox {
    char path[64];
    struct fleet_directory *directory;
    struct fleet *fleet;
    struct error err;
};

void sandbox_init(struct sandbox *box);
void sandbox_release(struct sandbox *box);
const char *sandbox_path(const struct sandbox *box, const char *name, char ret[256]);
/* Writes a file, with the directories it is in. */
void sandbox_put(const struct sandbox *box, const char *name, const char *text);
/* The file's text is `want`. */
void sandbox_check(const struct sandbox *box, const char *name, const char *want);
/* The same of a file that is stored in some form. */
void sandbox_put_as(const struct sandbox *box, const char *name, struct text_form form,
                    const char *text);
void sandbox_check_as(const struct sandbox *box, const char *name, struct text_form form,
                      const char *want);
/* Reads the directory, or another path, anew; false with box->err. */
bool sandbox_read(struct sandbox *box);
bool sandbox_read_path(struct sandbox *box, const char *path);

#endif
