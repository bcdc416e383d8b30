/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths, part by part.
 */
#include "request_path.h"

#include <string.h>

/* What stands between two slashes; NULL: the path is over. */
struct segment {
    const char *at;
    size_t length;
};

static struct segment
next_segment(const char **rest)
{
    const char *at = *rest + strspn(*rest, "/");
    const size_t length = strcspn(at, "/");

    *rest = at + length;
    return (struct segment){length > 0 ? at : NULL, length};
}

static bool
is(struct segment segment, const char *word)
{
    return segment.at != NULL && segment.length == strlen(word) &&
           memcmp(segment.at, word, segment.length) == 0;
}

static struct segment
copy(const char **rest, struct buf *out)
{
    const struct segment segment = next_segment(rest);

    if (segment.at != NULL) {
        buf_append_char(out, '/');
        buf_append(out, segment.at, segment.length);
    }
    return segment;
}

static struct segment
replace(const char **rest, const char *placeholder, struct buf *out)
{
    const struct segment segment = next_segment(rest);

    buf_append_str(out, segment.at != NULL ? placeholder : "");
    return segment;
}

/* Of one server's paths. True: it ends in a proxy, to `name`. */
static bool
copy_path(const char **rest, struct buf *out, struct segment *ret_name)
{
    const struct segment root = copy(rest, out);

    if (is(root, "apis")) {
        copy(rest, out); /* the group */
    } else if (!is(root, "api")) {
        buf_append_str(out, *rest);
        *rest = "";
        return false;
    }
    copy(rest, out); /* the version */
    struct segment resource = copy(rest, out);

    if (is(resource, "namespaces")) {
        replace(rest, "/{namespace}", out);
        resource = copy(rest, out);
    }
    *ret_name = replace(rest, "/{name}", out);
    return is(copy(rest, out), "proxy") && is(resource, "clusters");
}

void
request_path_template(const char *path, struct buf *out, struct buf *cluster)
{
    struct segment name;

    while (*path != '\0' && copy_path(&path, out, &name)) {
        buf_clear(cluster);
        buf_append(cluster, name.at, name.length);
    }
    buf_append_str(out, path); /* of what is subordinate */
}
