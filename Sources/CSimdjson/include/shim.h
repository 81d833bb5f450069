#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parsed document: simdjson's tape (https://github.com/simdjson/simdjson/blob/master/doc/tape.md) and its string buffer.
typedef struct tl_json_document tl_json_document;

/// Parses `length` bytes. Returns NULL and sets `*error` to a static sentence when they are no JSON.
/// Numbers that fit neither 64 bits nor a double become finite doubles near them.
tl_json_document *_Nullable tl_json_parse(const char *_Nonnull bytes, size_t length, const char *_Nullable *_Nonnull error);
const uint64_t *_Nonnull tl_json_tape(const tl_json_document *_Nonnull document);
const uint8_t *_Nonnull tl_json_strings(const tl_json_document *_Nonnull document);
void tl_json_free(tl_json_document *_Nonnull document);

#ifdef __cplusplus
}
#endif
