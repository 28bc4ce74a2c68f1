// SPDX-License-Identifier: Apache-2.0
// Diagnostics in the terms of the source: elements of arrays instead of bytes, and barriers that
// some threads skip.
// In: the facts of a diagnostic, the text of the submission, and the buffers of the case. Out:
// the same facts with shapes, and better advice for races.
// The simulator knows no shapes: its facts hold for any kernel. Extents are read from the source.
// A declaration with an unknown type or extent is left out; messages about it give bytes.
#include "grader/cases/student_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/place.h"
#include "common/base/text.h"
#include "common/compile/source_outline.h"
#include "grader/cases/sized_case.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::cases {
namespace {

using compile::Token;
using compile::TokenKind;

struct KnownType {
  std::string_view name;
  std::uint32_t bytes;
};

constexpr KnownType kTypes[] = {
    {"bool", 1},     {"char", 1},     {"char4", 4},    {"double", 8},  {"double2", 16},
    {"float", 4},    {"float2", 8},   {"float4", 16},  {"half", 2},    {"half2", 4},
    {"__half", 2},   {"__half2", 4},  {"int", 4},      {"int2", 8},    {"int4", 16},
    {"int8_t", 1},   {"int16_t", 2},  {"int32_t", 4},  {"int64_t", 8}, {"short", 2},
    {"uchar4", 4},   {"uint", 4},     {"uint2", 8},    {"uint4", 16},  {"uint8_t", 1},
    {"uint16_t", 2}, {"uint32_t", 4}, {"uint64_t", 8}, {"unsigned", 4}};

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source), tokens_(compile::tokens_of(source)) {}

  std::vector<DeclaredArray> arrays() {
    std::vector<DeclaredArray> out;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == TokenKind::kDirective) note_define(text(i));
      if (is(i, "=") && i >= 2) note_constant(i);
      if (i == 0 || tokens_[i].kind != TokenKind::kWord || !is(i + 1, "[")) continue;
      if (auto found = array_at(i)) out.push_back(*std::move(found));
    }
    return out;
  }

 private:
  std::string_view text(std::size_t i) const {
    return source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin);
  }
  bool is(std::size_t i, std::string_view what) const {
    return i < tokens_.size() && text(i) == what;
  }

  // Whether one of the words before `i` in its statement is `word`.
  bool statement_has(std::size_t i, std::string_view word) const {
    while (i-- > 0) {
      const auto before = text(i);
      if (before == ";" || before == "{" || before == "}") return false;
      if (before == word) return true;
    }
    return false;
  }

  std::optional<std::uint64_t> value_of(std::string_view expression) const {
    constexpr std::size_t kLongest = 64;
    if (expression.empty() || expression.size() > kLongest) return std::nullopt;
    try {
      return text::evaluate_count({std::string(expression), {}}, constants_);
    } catch (const base::UsageError&) {
      return std::nullopt;
    }
  }

  // "#define kTile 32".
  void note_define(std::string_view line) {
    const auto tokens = compile::tokens_of(line.substr(1));
    if (tokens.size() < 3 || line.substr(1 + tokens[0].begin, 6) != "define") return;
    const auto name = line.substr(1 + tokens[1].begin, tokens[1].end - tokens[1].begin);
    if (const auto value = value_of(line.substr(1 + tokens[2].begin))) {
      constants_[std::string(name)] = static_cast<double>(*value);
    }
  }

  // "constexpr int kTile = 32;": token `i` is the "=".
  void note_constant(std::size_t i) {
    if (!statement_has(i, "constexpr") && !statement_has(i, "const")) return;
    auto end = i + 1;
    while (end < tokens_.size() && !is(end, ";") && !is(end, ",")) ++end;
    if (end == tokens_.size() || end == i + 1) return;
    const auto begin = tokens_[i + 1].begin;
    if (const auto value = value_of(source_.substr(begin, tokens_[end - 1].end - begin))) {
      constants_[std::string(text(i - 1))] = static_cast<double>(*value);
    }
  }

  // The type before name `i`, or before the names that precede it: "float a[8], b[8]". nullptr if
  // the type is unknown or the list is long.
  const KnownType* type_of(std::size_t i) const {
    constexpr std::size_t kMostTokens = 64;
    const auto end = i - std::min(i, kMostTokens);
    if (!is(i - 1, ",") && tokens_[i - 1].kind != TokenKind::kWord) return nullptr;
    std::size_t depth = 0;
    for (auto at = i; at-- > end;) {
      if (is(at, "]")) ++depth;
      if (is(at, "[") && depth-- == 0) return nullptr;
      if (depth != 0 || is(at, "[") || is(at, ",")) continue;
      const auto* type = std::ranges::find(kTypes, text(at), &KnownType::name);
      if (type != std::end(kTypes)) return type;
      if (at + 1 == i || tokens_[at].kind != TokenKind::kWord) return nullptr;
    }
    return nullptr;
  }

  // The declaration whose name is token `i`.
  std::optional<DeclaredArray> array_at(std::size_t i) {
    const auto* type = type_of(i);
    if (type == nullptr) return std::nullopt;
    DeclaredArray out;
    out.name = text(i);
    out.element_bytes = type->bytes;
    out.is_shared = statement_has(i, "__shared__");
    const bool is_dynamic = out.is_shared && statement_has(i, "extern") && is(i + 2, "]");
    for (auto at = i + 1; is(at, "[") && !is_dynamic; ++at) {
      const auto begin = ++at;
      while (at < tokens_.size() && !is(at, "]")) ++at;
      if (at == tokens_.size() || at == begin) return std::nullopt;
      const auto first = tokens_[begin].begin;
      const auto extent = value_of(source_.substr(first, tokens_[at - 1].end - first));
      if (!extent || *extent == 0 || *extent > kMostElements) return std::nullopt;
      out.extents.push_back(*extent);
    }
    if (out.extents.size() > kMostExtents || out.bytes() > kMostElements) return std::nullopt;
    while (counted_ < tokens_[i].begin) line_ += source_[counted_++] == '\n' ? 1 : 0;
    out.line = line_;
    return out;
  }

  static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 24;
  static constexpr std::size_t kMostExtents = 4;

  std::string_view source_;
  std::vector<Token> tokens_;
  text::Variables constants_;
  std::size_t counted_ = 0;  // Bytes whose lines are in line_.
  std::uint32_t line_ = 1;
};

}  // namespace

std::uint64_t DeclaredArray::bytes() const {
  std::uint64_t out = element_bytes;
  for (const auto extent : extents) out *= extent;
  return out;
}

std::vector<DeclaredArray> declared_arrays(std::string_view source) {
  return Reader(source).arrays();
}

const DeclaredArray* array_called(const std::vector<DeclaredArray>& arrays, std::string_view name) {
  const auto is_it = [&](const DeclaredArray& array) { return array.name == name; };
  const auto found = std::ranges::find_if(arrays, is_it);
  if (found == arrays.end()) return nullptr;
  const bool all_alike = std::all_of(found + 1, arrays.end(), [&](const DeclaredArray& other) {
    return !is_it(other) ||
           (other.extents == found->extents && other.is_shared == found->is_shared &&
            other.element_bytes == found->element_bytes);
  });
  return all_alike ? &*found : nullptr;
}

namespace {

bool lies_between(const base::SourceLocation& barrier, const base::Diagnostic& race) {
  if (race.related.empty()) return false;
  const auto& other = race.related.front().where;
  const auto [first, last] = std::minmax(race.where.line, other.line);
  return barrier.file == race.where.file && barrier.file == other.file && barrier.line >= first &&
         barrier.line <= last;
}

}  // namespace

base::Diagnostic skipped_barriers_warning(const std::vector<base::SkippedBarrier>& all,
                                          const std::string& own_file) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kDivergentBarrier;
  out.severity = base::Severity::kWarning;
  out.where = all.front().where;
  out.block = all.front().block;
  out.facts = base::SkippedBarriers{all, own_file};
  return out;
}

void explain_races(std::vector<base::Diagnostic>& diagnostics,
                   const std::vector<base::SkippedBarrier>& skipped) {
  for (auto& one : diagnostics) {
    auto* race = std::get_if<base::Race>(&one.facts);
    if (race == nullptr) continue;
    const auto barrier = std::find_if(skipped.begin(), skipped.end(), [&](const auto& each) {
      return lies_between(each.where, one);
    });
    if (barrier != skipped.end()) race->advice = *barrier;
  }
}

namespace {

using Memory = base::Place::Memory;

void add_shape(base::Place& place, const std::vector<SizedBuffer>& buffers) {
  const auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                   [&](const auto& one) { return one.name == place.array; });
  if (buffer == buffers.end() || !buffer->is_matrix || buffer->columns == 0) return;
  place.shape = base::ArrayShape{place.element_bytes, {buffer->rows, buffer->columns}};
}

// A declaration of another size belongs to another array.
void add_shape(base::Place& place, const std::vector<DeclaredArray>& arrays) {
  const auto* array = array_called(arrays, place.array);
  if (array == nullptr || array->is_shared != (place.memory == Memory::kShared)) return;
  const bool has_size = !array->extents.empty() && place.array_bytes != 0;
  if (has_size && array->bytes() != place.array_bytes) return;
  place.shape = array->shape();
}

// The array without __shared__ that line `number` uses. nullptr if not found, or if the file
// has no barrier and thus probably shares no array.
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

}  // namespace

void add_shapes(base::Diagnostic& diagnostic, const std::vector<SizedBuffer>& buffers,
                const std::vector<DeclaredArray>& arrays, std::string_view source) {
  if (auto* place = base::place_of(diagnostic.facts); place != nullptr) {
    if (place->memory == Memory::kBuffer) {
      add_shape(*place, buffers);
    } else {
      add_shape(*place, arrays);
    }
  }
  if (auto* read = std::get_if<base::UnwrittenLocal>(&diagnostic.facts); read != nullptr) {
    const auto* array = own_array_in(source, diagnostic.where.line, arrays);
    if (array != nullptr) read->array = {array->name, array->line};
  }
}

void point_at_array(base::Diagnostic& diagnostic, const std::vector<DeclaredArray>& arrays) {
  auto* kernel = std::get_if<base::SharedTooLarge>(&diagnostic.facts);
  if (kernel == nullptr) return;
  const DeclaredArray* largest = nullptr;
  for (const auto& array : arrays) {
    if (array.extents.empty()) continue;
    const bool is_larger = largest == nullptr || array.bytes() > largest->bytes();
    if (array.is_shared && is_larger) largest = &array;
  }
  if (largest == nullptr) return;
  diagnostic.where.line = largest->line;
  diagnostic.where.column = 0;
  kernel->largest = {largest->name, largest->extents, largest->bytes()};
}

}  // namespace warpgrade::grader::cases
