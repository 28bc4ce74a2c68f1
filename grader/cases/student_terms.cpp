// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/student_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "common/base/counted.h"
#include "common/base/text.h"
#include "common/compile/tokens.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader {
namespace {

// Reads a message from left to right; text that does not match leaves the position unchanged.
class MessageReader {
 public:
  MessageReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  bool take(std::string_view words) {
    if (!text_.substr(std::min(at_, text_.size())).starts_with(words)) return false;
    at_ += words.size();
    return true;
  }
  std::optional<std::int64_t> number() {
    std::int64_t value = 0;
    const auto* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  std::string_view word() {
    const auto begin = at_;
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::size_t at() const { return at_; }

 private:
  std::string_view text_;
  std::size_t at_;
};

// "bytes 1056 to 1059 of tile" -> "tile[8][0]", if these are bytes of one element.
void name_shared_elements(std::string& message, const std::vector<DeclaredArray>& arrays) {
  for (auto at = message.find("byte"); at != std::string::npos; at = message.find("byte", at + 1)) {
    MessageReader read(message, at);
    const bool several = read.take("bytes ");
    if (!several && !read.take("byte ")) continue;
    const auto first = read.number();
    const auto last = several && read.take(" to ") ? read.number() : first;
    if (!first || !last || !read.take(" of ")) continue;
    const auto* array = array_called(arrays, read.word());
    if (array == nullptr || !array->is_shared) continue;
    const auto size = static_cast<std::int64_t>(array->element_bytes);
    if (*first / size != *last / size) continue;
    message.replace(at, read.at() - at, array->element_at(*first));
  }
}

// "out[37]" -> "out[3][5]", for matrices.
void name_matrix_elements(std::string& message, const std::vector<BufferShape>& buffers) {
  for (const auto& buffer : buffers) {
    if (!buffer.is_matrix || buffer.columns == 0) continue;
    const auto head = buffer.name + "[";
    for (auto at = message.find(head); at != std::string::npos; at = message.find(head, at + 1)) {
      MessageReader read(message, at + head.size());
      const auto index = read.number();
      const bool is_whole = at == 0 || message[at - 1] == ' ';
      if (!is_whole || !index || *index < 0 || !read.take("]") || read.take("[")) continue;
      const auto element = static_cast<std::uint64_t>(*index);
      message.replace(at, read.at() - at,
                      fmt::format("{}[{}][{}]", buffer.name, element / buffer.columns,
                                  element % buffer.columns));
    }
  }
}

// "in[8][0], but there is 1 row of 75".
std::string outside_text(const BufferShape& matrix, std::int64_t index) {
  const DeclaredArray array{matrix.name, 0, 1, {matrix.rows, matrix.columns}, false};
  return fmt::format("{}, but there {} {} of {}", array.element_at(index),
                     matrix.rows == 1 ? "is" : "are", base::counted(matrix.rows, "row"),
                     matrix.columns);
}

// "reads in[8][0], but there is 1 row of 75"; nullopt if a part of the access is inside.
std::string outside_of_buffer(const base::OutsideAccess& access,
                              const std::vector<BufferShape>& buffers) {
  const auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                   [&](const auto& one) { return one.name == access.array; });
  if (buffer == buffers.end() || !buffer->is_matrix || buffer->columns == 0) return "";
  if (access.begins_inside()) return "";
  return fmt::format("{} {}", access.verb, outside_text(*buffer, access.index()));
}

// "writes tile[8][0], but tile is declared as [8][32]"; nothing if the declaration has another
// size.
std::string outside_of_array(const base::OutsideAccess& access,
                             const std::vector<DeclaredArray>& arrays) {
  const auto* array = array_called(arrays, access.array);
  const bool is_shared = access.memory == base::OutsideAccess::Memory::kShared;
  if (array == nullptr || array->is_shared != is_shared) return "";
  if (!array->extents.empty() && array->bytes() != access.array_bytes) return "";
  const auto elements = static_cast<std::int64_t>(access.array_bytes / array->element_bytes);
  const auto size = array->extents.size() > 1 ? "is declared as " + array->extents_text()
                                              : "has " + base::elements_text(elements);
  return fmt::format("{} {}, but {} {}", access.verb, array->element_at(access.offset), array->name,
                     size);
}

void name_outside(base::Diagnostic& diagnostic, const std::vector<BufferShape>& buffers,
                  const std::vector<DeclaredArray>& arrays) {
  if (!diagnostic.outside) return;
  const auto& access = *diagnostic.outside;
  const auto text = access.memory == base::OutsideAccess::Memory::kBuffer
                        ? outside_of_buffer(access, buffers)
                        : outside_of_array(access, arrays);
  if (!text.empty()) diagnostic.message.replace(0, base::text(access).size(), text);
}

// The array without __shared__ that line `number` uses; nullptr if it uses none, or if the file has
// no barrier and so cannot mean to share one.
const DeclaredArray* own_array_in(std::string_view source, std::uint32_t number,
                                  const std::vector<DeclaredArray>& arrays) {
  if (source.find("__syncthreads") == std::string_view::npos) return nullptr;
  const auto line = base::line_of(source, number);
  for (const auto& token : compile::tokens_of(line)) {
    const auto* array = array_called(arrays, line.substr(token.begin, token.end - token.begin));
    if (array != nullptr && !array->is_shared) return array;
  }
  return nullptr;
}

void ask_for_shared(base::Diagnostic& diagnostic, const std::vector<DeclaredArray>& arrays,
                    std::string_view source) {
  if (diagnostic.message.find("of a local array, which the thread has not written") ==
      std::string::npos) {
    return;
  }
  const auto* array = own_array_in(source, diagnostic.where.line, arrays);
  if (array == nullptr) return;
  diagnostic.message +=
      fmt::format(". {} is an array of each thread (line {}): is __shared__ missing before it?",
                  array->name, array->line);
}

}  // namespace

std::vector<BufferShape> shapes_of(const std::vector<Parameter>& parameters,
                                   const Variables& variables) {
  std::vector<BufferShape> out;
  for (const auto* buffer : buffers_of(parameters)) {
    out.push_back({buffer->name, evaluate_count(buffer->rows, variables),
                   evaluate_count(buffer->columns, variables), buffer->rows.text != "1"});
  }
  return out;
}

void use_student_terms(base::Diagnostic& diagnostic, const std::vector<BufferShape>& buffers,
                       const std::vector<DeclaredArray>& arrays, std::string_view source) {
  auto& message = diagnostic.message;
  if (diagnostic.kind == base::DiagnosticKind::kOutOfBounds) {
    name_outside(diagnostic, buffers, arrays);
    return;
  }
  if (diagnostic.kind == base::DiagnosticKind::kUninitializedRead) {
    ask_for_shared(diagnostic, arrays, source);
  }
  name_shared_elements(message, arrays);
  name_matrix_elements(message, buffers);
}

void point_at_array(base::Diagnostic& diagnostic, const std::vector<DeclaredArray>& arrays) {
  if (diagnostic.message.find("bytes of static shared memory; at most") == std::string::npos)
    return;
  const DeclaredArray* largest = nullptr;
  for (const auto& array : arrays) {
    if (array.extents.empty()) continue;
    const bool is_larger = largest == nullptr || array.bytes() > largest->bytes();
    if (array.is_shared && is_larger) largest = &array;
  }
  if (largest == nullptr) return;
  diagnostic.where.line = largest->line;
  diagnostic.where.column = 0;
  diagnostic.message += fmt::format(". {}{} takes {} of them", largest->name,
                                    largest->extents_text(), largest->bytes());
}

}  // namespace warpgrade::grader
