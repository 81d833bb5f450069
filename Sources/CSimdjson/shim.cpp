#include "shim.h"

#include <simdjson.h>

#include <memory>
#include <mutex>
#include <vector>

// The only C++ of the project: simdjson has no C interface. The tape is walked in Swift, so that reading a field is no call.
struct tl_json_document {
  simdjson::dom::document document;
};

namespace {

// A document's buffers are many times the text; mapping and clearing fresh pages for each one costs more than the parsing.
class Pool {
 public:
  std::unique_ptr<tl_json_document> take() {
    std::lock_guard<std::mutex> guard(lock);
    if (free.empty()) return std::make_unique<tl_json_document>();
    auto document = std::move(free.back());
    free.pop_back();
    return document;
  }

  void give(std::unique_ptr<tl_json_document> document) {
    if (document->document.capacity() > largest) return;
    std::lock_guard<std::mutex> guard(lock);
    if (free.size() < most) free.push_back(std::move(document));
  }

 private:
  static constexpr size_t most = 4;
  static constexpr size_t largest = 512 * 1024;
  std::mutex lock;
  std::vector<std::unique_ptr<tl_json_document>> free;
};

// Never destroyed: documents may be freed by other threads until the process ends.
Pool &pool() {
  static Pool *shared = new Pool;
  return *shared;
}

}  // namespace

extern "C" tl_json_document *tl_json_parse(const char *bytes, size_t length, const char **error) {
  // One parser a thread keeps its scratch buffers; the document, which outlives the call, is separate.
  static thread_local simdjson::dom::parser parser;
  auto result = pool().take();
  auto outcome = parser.parse_into_document(result->document, bytes, length, true);
  if (outcome.error() != simdjson::SUCCESS) {
    *error = simdjson::error_message(outcome.error());
    pool().give(std::move(result));
    return nullptr;
  }
  return result.release();
}

extern "C" const uint64_t *tl_json_tape(const tl_json_document *document) { return document->document.tape.get(); }
extern "C" const uint8_t *tl_json_strings(const tl_json_document *document) { return document->document.string_buf.get(); }
extern "C" void tl_json_free(tl_json_document *document) { pool().give(std::unique_ptr<tl_json_document>(document)); }
