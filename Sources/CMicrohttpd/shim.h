#pragma once

#include <microhttpd.h>
#include <sys/socket.h>

// MHD_start_daemon is variadic, which Swift cannot call.
static inline struct MHD_Daemon *tl_mhd_start(
    unsigned int flags, int listen_socket, unsigned int connection_limit, size_t memory_limit, unsigned int idle_seconds,
    unsigned int threads, MHD_AccessHandlerCallback access, void *context,
    void *(*started)(void *, const char *, struct MHD_Connection *), MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection_changed) {
  return MHD_start_daemon(
      flags, 0, NULL, NULL, access, context, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listen_socket,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_NOTIFY_CONNECTION, connection_changed, context,
      MHD_OPTION_URI_LOG_CALLBACK, started, context, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, threads, MHD_OPTION_END);
}

static inline int tl_mhd_connection_fd(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : (int)info->connect_fd;
}

// On Linux, dissolving the association of a connected TCP socket sends RST at once.
static inline int tl_mhd_reset(int fd) {
  struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
  return connect(fd, &nowhere, sizeof nowhere);
}

// Macros with casts, which Swift does not import.
static inline long long tl_mhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline long long tl_mhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
static inline unsigned long long tl_mhd_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

// Enumerations that Swift imports as closed ones although the library combines their values.
static inline unsigned int tl_mhd_flags(int ipv6) {
  return MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (ipv6 ? MHD_USE_IPv6 : 0);
}
static inline struct MHD_Response *tl_mhd_copied_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct tl_mhd_visitor {
  void (*found)(void *, const char *, const char *);
  void *context;
};
static inline enum MHD_Result tl_mhd_visit(void *visitor, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  struct tl_mhd_visitor *of = (struct tl_mhd_visitor *)visitor;
  of->found(of->context, name, value);
  return MHD_YES;
}
static inline int tl_mhd_headers(struct MHD_Connection *connection, void (*found)(void *, const char *, const char *), void *context) {
  struct tl_mhd_visitor visitor = {found, context};
  return MHD_get_connection_values(connection, MHD_HEADER_KIND, tl_mhd_visit, &visitor);
}

// Whether the peer closed its side: nothing to read, and no more to come.
static inline int tl_mhd_peer_left(int fd) {
  char byte;
  return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}
