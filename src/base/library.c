/* SPDX-License-Identifier: Apache-2.0
 *
 * dlopen and dlsym, which do not come back without what they were to find.
 */
#include "ballast/base/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ballast/base/error.h"

/* The linker wrote into what is not writable: the file does not have that. */
static bool
has_text_relocations(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t at = object->dlpi_addr + part->p_vaddr;

        for (const ElfW(Dyn) *entry = (const ElfW(Dyn) *)at;
             part->p_type == PT_DYNAMIC && entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL ||
                (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0)) {
                return true;
            }
        }
    }
    return false;
}

static int
let_go(struct dl_phdr_info *object, size_t size, void *context)
{
    const uintptr_t *page = context;

    (void)size;
    for (int i = 0; i < object->dlpi_phnum && !has_text_relocations(object); i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begin = (object->dlpi_addr + part->p_vaddr) & ~(*page - 1);
        uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_filesz) & ~(*page - 1);

        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) == 0 && begin < end) {
            madvise((void *)begin, end - begin, MADV_DONTNEED);
        }
    }
    return 0;
}

void
library_rest(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    dl_iterate_phdr(let_go, &page);
}

void *
library_open(const char *soname)
{
    void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);

    if (library == NULL) {
        library_missing(dlerror());
    }
    /* Tying libraries together touches pages all over them, of which hardly any is looked at again:
     * these go back. */
    library_rest();
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
