#pragma once

#include <curl/curl.h>

// Variadic functions are not imported into Swift; these are their typed forms.

typedef size_t (*tl_curl_receiver)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode tl_curl_set_long(CURL *_Nonnull easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode tl_curl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode tl_curl_set_headers(CURL *_Nonnull easy, struct curl_slist *_Nullable list) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}
static inline CURLcode tl_curl_set_private(CURL *_Nonnull easy, void *_Nullable context) {
  return curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
}
static inline void tl_curl_set_receivers(CURL *_Nonnull easy, tl_curl_receiver _Nonnull body, tl_curl_receiver _Nonnull header, void *_Nonnull context) {
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}
typedef int (*tl_curl_starter)(void *_Nullable context, char *_Nullable server, char *_Nullable own, int server_port, int own_port);

/// Called each time before the request is sent; CURL_PREREQFUNC_ABORT ends the transfer.
static inline void tl_curl_set_starter(CURL *_Nonnull easy, tl_curl_starter _Nonnull start, void *_Nonnull context) {
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, start);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}
/// Makes the request a POST; the bytes are copied.
static inline void tl_curl_set_copied_body(CURL *_Nonnull easy, const void *_Nullable bytes, size_t count) {
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "");
}
static inline long tl_curl_get_long(CURL *_Nonnull easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}
static inline void *_Nullable tl_curl_get_private(CURL *_Nonnull easy) {
  char *context = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &context);
  return context;
}
static inline CURLMcode tl_curl_set_multi_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
/// The next finished transfer: its easy handle, and its result in `*result`. NULL when there is none.
static inline CURL *_Nullable tl_curl_next_finished(CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
