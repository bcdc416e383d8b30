/* SPDX-License-Identifier: Apache-2.0
 *
 * dlopen and dlsym, which do not come back without what they were to find.
 */
#include "ballast/base/library.h"

#include <dlfcn.h>
#include <stddef.h>

#include "ballast/base/error.h"

void *
library_open(const char *soname)
{
    void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);

    if (library == NULL) {
        library_missing(dlerror());
    }
    return library;
}

void *
library_find(void *library, const char *function)
{
    void *found = dlsym(library, function);

    if (found == NULL) {
        library_missing(dlerror());
    }
    return found;
}
