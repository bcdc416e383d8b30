/* SPDX-License-Identifier: Apache-2.0
 *
 * See api_server.h. Answers go out in chunks, as they are written.
 */
#include "api_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "synthetic_page.h"
#include "synthetic_workload.h"

#define HEAD_MAX 16384
#define CHUNK ((size_t)256 << 10)
#define CLUSTERS "/apis/cluster.karmada.io/v1alpha1/clusters"
#define WORK "/apis/work.karmada.io/v1alpha2/"
#define APPS "/apis/apps/v1"
#define PROXY "/proxy"
#define LIMIT 500 /* of a page, where none is asked for */

struct api_told {
    atomic_ullong requests, bytes;
};

struct connection {
    const struct api_server *server;
    int fd;
    char *buffer; /* of the answer's file */
};

struct request {
    char *path, *query; /* "" behind no question mark */
};

/* --- answers --- */

static bool
send_all(int fd, const void *bytes, size_t length)
{
    const char *from = bytes;

    while (length > 0) {
        ssize_t sent = write(fd, from, length);

        if (sent <= 0) {
            return false;
        }
        from += sent;
        length -= (size_t)sent;
    }
    return true;
}

static ssize_t
send_chunk(void *context, const char *bytes, size_t length)
{
    const struct connection *connection = context;
    char head[32];
    int head_length = snprintf(head, sizeof(head), "%zx\r\n", length);

    atomic_fetch_add(&connection->server->told->bytes, length);
    return send_all(connection->fd, head, (size_t)head_length) &&
                   send_all(connection->fd, bytes, length) && send_all(connection->fd, "\r\n", 2)
               ? (ssize_t)length
               : 0;
}

static FILE *
begin_answer(struct connection *connection, const char *status)
{
    static const cookie_io_functions_t io = {.write = send_chunk};
    FILE *file = fopencookie(connection, "w", io);

    dprintf(connection->fd,
            "HTTP/1.1 %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            status);
    if (file != NULL) {
        setvbuf(file, connection->buffer, _IOFBF, CHUNK);
    }
    return file;
}

/* false: the client is gone. */
static bool
end_answer(const struct connection *connection, FILE *file)
{
    bool fine = ferror(file) == 0;

    fine = fclose(file) == 0 && fine;
    return fine && send_all(connection->fd, "0\r\n\r\n", 5);
}

static bool
answer_text(struct connection *connection, const char *status, const char *text)
{
    FILE *file = begin_answer(connection, status);

    fputs(text, file);
    return end_answer(connection, file);
}

static bool
answer_not_found(struct connection *connection)
{
    return answer_text(connection, "404 Not Found",
                       "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                       "\"reason\":\"NotFound\",\"message\":\"it is not there\",\"code\":404}");
}

/* --- of a member --- */

/* What of its lists nobody generates: they are there, and empty. */
static const struct {
    const char *name, *api_version, *kind;
} empty_lists[] = {
    {"statefulsets", "apps/v1", "StatefulSet"},
    {"jobs", "batch/v1", "Job"},
    {"horizontalpodautoscalers", "autoscaling/v2", "HorizontalPodAutoscaler"},
    {"limitranges", "v1", "LimitRange"},
    {"resourcequotas", "v1", "ResourceQuota"},
    {"poddisruptionbudgets", "policy/v1", "PodDisruptionBudget"},
    {"persistentvolumeclaims", "v1", "PersistentVolumeClaim"},
    {"persistentvolumes", "v1", "PersistentVolume"},
    {"storageclasses", "storage.k8s.io/v1", "StorageClass"},
    {"csinodes", "storage.k8s.io/v1", "CSINode"},
};

static void
write_empty_list(const char *api_version, const char *kind, FILE *file)
{
    fprintf(file,
            "{\"apiVersion\":\"%s\",\"kind\":\"%sList\",\"metadata\":{\"resourceVersion\":"
            "\"8812345\"},\"items\":[]}\n",
            api_version, kind);
}

static bool
answer_empty_list(struct connection *connection, const char *name)
{
    for (size_t i = 0; i < sizeof(empty_lists) / sizeof(empty_lists[0]); i++) {
        if (strcmp(empty_lists[i].name, name) == 0) {
            FILE *file = begin_answer(connection, "200 OK");

            write_empty_list(empty_lists[i].api_version, empty_lists[i].kind, file);
            return end_answer(connection, file);
        }
    }
    return answer_not_found(connection);
}

static bool
answer_namespaces(struct connection *connection)
{
    FILE *file = begin_answer(connection, "200 OK");

    fprintf(file, "{\"apiVersion\":\"v1\",\"kind\":\"NamespaceList\",\"metadata\":{"
                  "\"resourceVersion\":\"8812345\"},\"items\":[");
    for (unsigned i = 0; i < SYNTHETIC_NAMESPACES; i++) {
        fprintf(file, "%s{\"metadata\":{\"name\":\"team-%03u\"}}", i > 0 ? "," : "", i);
    }
    fprintf(file, "]}\n");
    return end_answer(connection, file);
}

/* Copies the value of a key; "" where it is not there. */
static void
find_value(const char *query, const char *key, char *value, size_t size)
{
    const char *found = strstr(query, key);
    size_t length = found != NULL ? strcspn(found + strlen(key), "&") : 0;

    snprintf(value, size, "%.*s", (int)length, found != NULL ? found + strlen(key) : "");
}

/* Deployments with a label that none has. */
static bool
asks_for_marked(const char *query)
{
    return strstr(query, "labelSelector=") != NULL && strstr(query, "%21") == NULL &&
           strchr(query, '!') == NULL;
}

/* A list of a cluster that is generated: of one of its namespaces, or of all. */
static bool
answer_page(struct connection *connection, uint32_t cluster, uint32_t namespace_,
            enum synthetic_list list, const char *query)
{
    char limit[16], token[32];
    struct synthetic_page page = {.cluster = cluster, .list = list, .namespace_ = namespace_};

    find_value(query, "limit=", limit, sizeof(limit));
    find_value(query, "continue=", token, sizeof(token));
    page.limit = limit[0] != '\0' ? (uint32_t)strtoul(limit, NULL, 10) : LIMIT;
    page.token = token;
    FILE *file = begin_answer(connection, "200 OK");

    if (asks_for_marked(query)) {
        synthetic_begin_page(list, file);
        fputs("},\"items\":[]}\n", file);
    } else {
        synthetic_write_page(connection->server->fleet, connection->server->targets, &page, file);
    }
    return end_answer(connection, file);
}

/* The number behind that text, and what stands behind it in *path; false: it begins otherwise. */
static bool
take_number(const char **path, const char *before, uint32_t *ret)
{
    const size_t length = strlen(before);
    char *end = NULL;

    if (strncmp(*path, before, length) != 0) {
        return false;
    }
    *ret = (uint32_t)strtoul(*path + length, &end, 10);
    bool is_one = end != *path + length;

    *path = is_one ? end : *path;
    return is_one;
}

/* "/apis/apps/v1/namespaces/team-017/deployments" */
static bool
answer_member(struct connection *connection, uint32_t cluster, const char *path, const char *query)
{
    const char *in = strstr(path, "/namespaces/"), *name = strrchr(path, '/') + 1;
    uint32_t namespace_ = SYNTHETIC_NAMESPACES_ALL;

    if (synthetic_is_lost(connection->server->fleet, cluster)) {
        return answer_text(connection, "503 Service Unavailable", "{}");
    }
    if (strcmp(path, "/api/v1/namespaces") == 0) {
        return answer_namespaces(connection);
    }
    if (in != NULL && !take_number(&in, "/namespaces/team-", &namespace_)) {
        return answer_not_found(connection);
    }
    for (enum synthetic_list list = 0; list < N_SYNTHETIC_LISTS; list++) {
        const char *file = synthetic_list_file(list); /* "pods.json" */
        size_t length = strcspn(file, ".");

        if (strlen(name) == length && strncmp(file, name, length) == 0) {
            return answer_page(connection, cluster, namespace_, list, query);
        }
    }
    return answer_empty_list(connection, name);
}

/* --- of the control plane --- */

static bool
answer_clusters(struct connection *connection)
{
    struct synthetic told = *connection->server->fleet;
    FILE *file = begin_answer(connection, "200 OK");

    told.clusters = connection->server->clusters;
    synthetic_write_clusters(&told, file);
    return end_answer(connection, file);
}

static bool
answer_bindings(struct connection *connection)
{
    FILE *file = begin_answer(connection, "200 OK");

    synthetic_write_bindings(connection->server->fleet, file);
    return end_answer(connection, file);
}

static bool
answer_no_cluster_bindings(struct connection *connection)
{
    FILE *file = begin_answer(connection, "200 OK");

    write_empty_list("work.karmada.io/v1alpha2", "ClusterResourceBinding", file);
    return end_answer(connection, file);
}

static bool
answer_deployment(struct connection *connection, uint32_t binding)
{
    const struct synthetic_target target = {.binding = binding, .replicas = 1};
    FILE *file = begin_answer(connection, "200 OK");

    synthetic_write_deployment(connection->server->fleet, &target, file);
    return end_answer(connection, file);
}

/* What servers have before Kubernetes 1.34: lists come out of their cache as a whole. */
#define GROUP(name, version)                                                                       \
    "{\"name\":\"" name "\",\"versions\":[{\"groupVersion\":\"" name "/" version                   \
    "\",\"version\":\"" version "\"}]}"
static const char groups[] =
    "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[" GROUP("apps", "v1") "," GROUP(
        "cluster.karmada.io", "v1alpha1") "," GROUP("work.karmada.io", "v1alpha2") "]}";
static const char apps[] =
    "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"apps/v1\","
    "\"resources\":[{\"name\":\"deployments\",\"kind\":\"Deployment\",\"namespaced\":true}]}";

static bool
answer(struct connection *connection, const struct request *request)
{
    static const struct {
        const char *path;
        bool (*answer)(struct connection *connection);
    } lists[] = {
        {CLUSTERS, answer_clusters},
        {WORK "resourcebindings", answer_bindings},
        {WORK "clusterresourcebindings", answer_no_cluster_bindings},
    };
    const char *path = request->path;
    uint32_t number;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (strcmp(request->path, lists[i].path) == 0) {
            return lists[i].answer(connection);
        }
    }
    if (take_number(&path, CLUSTERS "/member-", &number) && number < connection->server->clusters &&
        strncmp(path, PROXY, strlen(PROXY)) == 0) {
        return answer_member(connection, number, path + strlen(PROXY), request->query);
    }
    path = request->path;
    if (take_number(&path, APPS "/namespaces/team-", &number) &&
        take_number(&path, "/deployments/service-", &number)) {
        return answer_deployment(connection, number);
    }
    if (strcmp(request->path, "/apis") == 0) {
        return answer_text(connection, "200 OK", groups);
    }
    return strcmp(request->path, APPS) == 0 ? answer_text(connection, "200 OK", apps)
                                            : answer_not_found(connection);
}

/* --- connections --- */

/* Only what has no body is ever asked: a head is all of it. */
static bool
read_head(int fd, char head[HEAD_MAX])
{
    size_t length = 0;

    do {
        ssize_t got = read(fd, head + length, HEAD_MAX - 1 - length);

        if (got <= 0) {
            return false;
        }
        length += (size_t)got;
        head[length] = '\0';
    } while (strstr(head, "\r\n\r\n") == NULL);
    return true;
}

/* "GET PATH?QUERY HTTP/1.1" */
static bool
find_request(char *head, struct request *ret)
{
    static char none[] = "";
    char *state = NULL;
    bool is_get = strncmp(head, "GET ", 4) == 0;

    ret->path = is_get ? strtok_r(head + 4, " ", &state) : NULL;
    ret->query = none;
    if (ret->path != NULL && strchr(ret->path, '?') != NULL) {
        ret->query = strchr(ret->path, '?') + 1;
        ret->query[-1] = '\0';
    }
    return ret->path != NULL;
}

static void
serve(const struct api_server *server, int fd)
{
    static char head[HEAD_MAX];
    struct connection connection = {.server = server, .fd = fd, .buffer = malloc(CHUNK)};
    struct request request;
    int at_once = 1;
    bool is_open = connection.buffer != NULL;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
    while (is_open && read_head(fd, head) && find_request(head, &request)) {
        atomic_fetch_add(&server->told->requests, 1);
        is_open = answer(&connection, &request);
    }
    _exit(0);
}

static void
be_server(const struct api_server *server, int listener)
{
    signal(SIGCHLD, SIG_IGN); /* nobody waits for connections to end */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (;;) {
        int fd = accept(listener, NULL, NULL);

        if (fd >= 0 && fork() == 0) {
            close(listener);
            serve(server, fd);
        }
        close(fd);
    }
}

static int
listen_on_loopback(char url[64])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool fine = listener >= 0 && bind(listener, (const struct sockaddr *)&address, length) == 0 &&
                listen(listener, SOMAXCONN) == 0 &&
                getsockname(listener, (struct sockaddr *)&address, &length) == 0;

    snprintf(url, 64, "http://127.0.0.1:%u", ntohs(address.sin_port));
    return fine ? listener : -1;
}

bool
api_server_start(struct api_server *server)
{
    int listener = listen_on_loopback(server->url);

    server->pid = -1;
    server->told = mmap(NULL, sizeof(*server->told), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (listener >= 0 && server->told != MAP_FAILED) {
        server->pid = fork();
        if (server->pid == 0) {
            be_server(server, listener);
        }
    }
    close(listener);
    return server->pid > 0;
}

void
api_server_stop(struct api_server *server)
{
    int status;

    if (server->pid > 0) {
        kill(server->pid, SIGTERM);
        waitpid(server->pid, &status, 0);
    }
    if (server->told != MAP_FAILED) {
        munmap(server->told, sizeof(*server->told));
    }
}

uint64_t
api_server_bytes(const struct api_server *server)
{
    return atomic_load(&server->told->bytes);
}

uint64_t
api_server_requests(const struct api_server *server)
{
    return atomic_load(&server->told->requests);
}

void
api_server_forget(struct api_server *server)
{
    atomic_store(&server->told->requests, 0);
    atomic_store(&server->told->bytes, 0);
}
