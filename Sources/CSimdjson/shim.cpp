#include "shim.h"

#include <simdjson.h>

#include <new>

// The only C++ of the project: simdjson has no C interface. The tape is walked in Swift, so that reading a field is no call.
struct tl_json_document {
  simdjson::dom::document document;
};

extern "C" tl_json_document *tl_json_parse(const char *bytes, size_t length, const char **error) {
  // One parser a thread keeps its scratch buffers; the document, which outlives the call, is separate.
  static thread_local simdjson::dom::parser parser;
  auto *result = new (std::nothrow) tl_json_document;
  if (result == nullptr) {
    *error = "out of memory";
    return nullptr;
  }
  auto outcome = parser.parse_into_document(result->document, bytes, length, true);
  if (outcome.error() != simdjson::SUCCESS) {
    *error = simdjson::error_message(outcome.error());
    delete result;
    return nullptr;
  }
  return result;
}

extern "C" const uint64_t *tl_json_tape(const tl_json_document *document) { return document->document.tape.get(); }
extern "C" const uint8_t *tl_json_strings(const tl_json_document *document) { return document->document.string_buf.get(); }
extern "C" void tl_json_free(tl_json_document *document) { delete document; }
