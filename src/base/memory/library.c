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

#define PARTS_MAX 16 /* of a library, that nobody writes to; three are usual */

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

static uintptr_t
first_page(const struct dl_phdr_info *object, int part, uintptr_t page)
{
    return (object->dlpi_addr + object->dlpi_phdr[part].p_vaddr) & ~(page - 1);
}

/* Behind the last page, of which a part of the file is enough; but what comes behind it may be
 * mapped over that. */
static uintptr_t
behind_pages(const struct dl_phdr_info *object, int part, uintptr_t page)
{
    const ElfW(Phdr) *of = &object->dlpi_phdr[part];
    uintptr_t end = (object->dlpi_addr + of->p_vaddr + of->p_filesz + page - 1) & ~(page - 1);

    for (int i = part + 1; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t next = first_page(object, i, page);

            return next < end ? next : end;
        }
    }
    return end;
}

static int
let_go(struct dl_phdr_info *object, size_t size, void *context)
{
    const uintptr_t *page = context;
    struct pages {
        uintptr_t begin, end;
    } pages[PARTS_MAX];
    size_t count = 0;

    (void)size;
    if (has_text_relocations(object)) {
        return 0;
    }
    /* all is found before any of it goes: the list of parts is in one of them, too */
    for (int i = 0; i < object->dlpi_phnum && count < PARTS_MAX; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) == 0) {
            pages[count++] =
                (struct pages){first_page(object, i, *page), behind_pages(object, i, *page)};
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (pages[i].begin < pages[i].end) {
            madvise((void *)pages[i].begin, pages[i].end - pages[i].begin, MADV_DONTNEED);
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

#ifndef BALLAST_STATIC
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
#endif
