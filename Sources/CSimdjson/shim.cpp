#include "shim.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
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

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Skips digits; false where there is none.
bool digits(std::string_view &text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) count++;
  text.remove_prefix(count);
  return count > 0;
}

// RFC 8259, section 6. `whole` tells whether there is neither a fraction nor an exponent.
bool is_number(std::string_view text, bool &whole) {
  whole = true;
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) return false;
  if (!digits(text)) return false;
  if (!text.empty() && text[0] == '.') {
    whole = false;
    text.remove_prefix(1);
    if (!digits(text)) return false;
  }
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    whole = false;
    text.remove_prefix(1);
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
    if (!digits(text)) return false;
  }
  return text.empty();
}

// A finite number near one that simdjson refuses, by its own word; or the literal itself.
void append_fitting(std::string &out, std::string_view literal) {
  static thread_local simdjson::dom::parser parser;
  // Shorter ones without an exponent fit always.
  bool whole = true;
  bool suspicious = literal.size() >= 19 || literal.find_first_of("eE") != std::string_view::npos;
  if (!suspicious || !is_number(literal, whole) || !parser.parse(literal.data(), literal.size()).error()) {
    out += literal;
    return;
  }
  bool negative = literal[0] == '-';
  if (whole) {
    std::string fraction(literal);
    fraction += ".0";
    double value = 0;
    if (!parser.parse(fraction.data(), fraction.size()).get_double().get(value)) {
      // The nearest to some whole numbers below -2^63 is -2^63, which would read as a whole number that fits.
      out += negative && value >= -9223372036854775808.0 ? "-9223372036854777856.0" : fraction;
      return;
    }
  }
  out += negative ? "-1.7976931348623157e308" : "1.7976931348623157e308";
}

// The text with the numbers exchanged that are valid and do not fit; everything else stays, so what is malformed stays malformed.
std::string with_fitting_numbers(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 64);
  size_t position = 0;
  while (position < text.size()) {
    char c = text[position];
    size_t end = position + 1;
    if (c == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      // Behind the quotation mark, or at the end of a string that none closes.
      end = std::min(end + 1, text.size());
      out += text.substr(position, end - position);
    } else if (is_digit(c) || c == '-') {
      while (end < text.size() && (is_digit(text[end]) || std::strchr("+-.eE", text[end]) != nullptr) && text[end] != '\0') end++;
      append_fitting(out, text.substr(position, end - position));
    } else {
      out += c;
    }
    position = end;
  }
  return out;
}

}  // namespace

extern "C" tl_json_document *tl_json_parse(const char *bytes, size_t length, const char **error) {
  // One parser a thread keeps its scratch buffers; the document, which outlives the call, is separate.
  static thread_local simdjson::dom::parser parser;
  auto result = pool().take();
  auto outcome = parser.parse_into_document(result->document, bytes, length, true).error();
  // Later releases than 3.0 may tell whole numbers apart (BIGINT_ERROR).
  if (outcome == simdjson::NUMBER_ERROR) {
    std::string text = with_fitting_numbers(std::string_view(bytes, length));
    outcome = parser.parse_into_document(result->document, text.data(), text.size(), true).error();
  }
  if (outcome != simdjson::SUCCESS) {
    *error = simdjson::error_message(outcome);
    pool().give(std::move(result));
    return nullptr;
  }
  return result.release();
}

extern "C" const uint64_t *tl_json_tape(const tl_json_document *document) { return document->document.tape.get(); }
extern "C" const uint8_t *tl_json_strings(const tl_json_document *document) { return document->document.string_buf.get(); }
extern "C" void tl_json_free(tl_json_document *document) { pool().give(std::unique_ptr<tl_json_document>(document)); }
