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
#include <cctype>
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

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 24;

// The value of a formula over `variables`; nullopt without one.
std::optional<std::uint64_t> evaluated(const std::string& formula,
                                       const text::Variables& variables) {
  if (formula.empty()) return std::nullopt;
  try {
    return text::evaluate_count({formula, {}}, variables);
  } catch (const base::UsageError&) {
    return std::nullopt;
  }
}

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
    return evaluated(formula_of(expression), {});
  }

  // `expression` with numbers in place of constants and of sizeof, without casts and suffixes.
  std::string formula_of(std::string_view expression) const {
    constexpr std::size_t kLongest = 64;
    if (expression.size() > kLongest) return {};
    const auto tokens = compile::tokens_of(expression);
    const auto word = [&](std::size_t i) {
      return i < tokens.size() ? expression.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)
                               : std::string_view();
    };
    std::string out;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      auto here = word(i);
      const bool is_cast = here == "(" && word(i + 2) == ")" && bytes_of_type(word(i + 1)) != 0;
      if (here == "sizeof" && word(i + 1) == "(" && word(i + 3) == ")" &&
          bytes_of_type(word(i + 2)) != 0) {
        out += std::to_string(bytes_of_type(word(i + 2))) + ' ';
        i += 3;
      } else if (here == "static_cast" && word(i + 1) == "<" && word(i + 3) == ">") {
        i += 3;
      } else if (is_cast && i + 3 < tokens.size()) {
        i += 2;
      } else if (here == "std" && word(i + 1) == "::") {
        i += 1;
      } else if (tokens[i].kind == TokenKind::kNumber) {
        while (!here.empty() && std::string_view("uUlL").find(here.back()) != std::string::npos) {
          here.remove_suffix(1);
        }
        const auto number = text::parse_count(here);
        out += (number ? std::to_string(*number) : std::string(here)) + ' ';
      } else if (const auto known = constants_.find(here); known != constants_.end()) {
        out += fmt::format("{:.0f} ", known->second);
      } else {
        out += std::string(here) + (tokens[i].kind == TokenKind::kWord ? " " : "");
      }
    }
    return with_shifts(out);
  }

  // "1 << 5 " as "32 ".
  static std::string with_shifts(std::string out) {
    constexpr std::string_view kShift = " <<";
    const auto at = out.find(kShift);
    if (at == std::string::npos) return out;
    auto begin = at;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(out[begin - 1])) != 0) --begin;
    auto end = at + kShift.size();
    while (end < out.size() && std::isdigit(static_cast<unsigned char>(out[end])) != 0) ++end;
    const auto value = text::parse_count(std::string_view(out).substr(begin, at - begin));
    const auto by = text::parse_count(
        std::string_view(out).substr(at + kShift.size(), end - at - kShift.size()));
    if (!value || !by || *by > 31 || *value > kMostElements) return out;
    return out.replace(begin, end - begin, std::to_string(*value << *by));
  }

  static std::uint32_t bytes_of_type(std::string_view name) {
    const auto* type = std::ranges::find(kTypes, name, &KnownType::name);
    return type == std::end(kTypes) ? 0 : type->bytes;
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
    const bool is_constant = statement_has(i, "constexpr") || statement_has(i, "const");
    if (!is_constant && !is_enumerator(i)) return;
    auto end = i + 1;
    while (end < tokens_.size() && !is(end, ";") && !is(end, ",") && !is(end, "}")) ++end;
    if (end == tokens_.size() || end == i + 1) return;
    const auto begin = tokens_[i + 1].begin;
    if (const auto value = value_of(source_.substr(begin, tokens_[end - 1].end - begin))) {
      constants_[std::string(text(i - 1))] = static_cast<double>(*value);
    }
  }

  // Whether the "=" at `i` is in `enum { kTile = 32, ... }`.
  bool is_enumerator(std::size_t i) const {
    constexpr std::size_t kMostTokens = 64;
    const auto end = i - std::min(i, kMostTokens);
    while (i-- > end) {
      if (is(i, ";") || is(i, "}") || is(i, ")")) return false;
      if (!is(i, "{")) continue;
      for (std::size_t back = 1; back <= 5 && back <= i; ++back) {
        if (is(i - back, "enum")) return true;
      }
      return false;
    }
    return false;
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
    DeclaredArray out;
    out.name = text(i);
    out.is_shared = statement_has(i, "__shared__");
    constexpr std::uint32_t kPointerBytes = 8;
    const bool is_pointer = is(i - 1, "*");
    if (type == nullptr && (!out.is_shared || statement_has(i, "="))) return std::nullopt;
    out.element_bytes = is_pointer ? kPointerBytes : type == nullptr ? 0 : type->bytes;
    const bool is_dynamic = out.is_shared && statement_has(i, "extern") && is(i + 2, "]");
    for (auto at = i + 1; is(at, "[") && !is_dynamic; ++at) {
      const auto begin = ++at;
      while (at < tokens_.size() && !is(at, "]")) ++at;
      if (at == tokens_.size() || at == begin) return std::nullopt;
      const auto first = tokens_[begin].begin;
      const auto formula = formula_of(source_.substr(first, tokens_[at - 1].end - first));
      const auto extent = evaluated(formula, {});
      const bool is_wrong = extent && (*extent == 0 || *extent > kMostElements);
      if (is_wrong || formula.empty() || (!extent && !out.is_shared)) return std::nullopt;
      out.extents.push_back(extent.value_or(0));
      out.formulas.push_back(extent ? "" : formula);
    }
    if (out.extents.size() > kMostExtents || out.bytes() > kMostElements) return std::nullopt;
    if (std::ranges::all_of(out.formulas, &std::string::empty)) out.formulas.clear();
    while (counted_ < tokens_[i].begin) line_ += source_[counted_++] == '\n' ? 1 : 0;
    out.line = line_;
    return out;
  }

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

bool DeclaredArray::is_known() const {
  return element_bytes != 0 && std::ranges::find(extents, 0U) == extents.end();
}

std::vector<DeclaredArray> declared_arrays(std::string_view source) {
  auto out = all_arrays(source);
  std::erase_if(out, [](const DeclaredArray& array) { return !array.is_known(); });
  return out;
}

std::vector<DeclaredArray> all_arrays(std::string_view source) { return Reader(source).arrays(); }

namespace {

// The only name in the formulas; nullopt if they have several.
std::optional<std::string> only_unknown(const std::vector<std::string>& formulas) {
  std::string out;
  for (const auto& formula : formulas) {
    for (const auto& token : compile::tokens_of(formula)) {
      if (token.kind != TokenKind::kWord) continue;
      const auto word = formula.substr(token.begin, token.end - token.begin);
      if (!out.empty() && word != out) return std::nullopt;
      out = word;
    }
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

// The extents of an array of `elements` elements whose formulas have one unknown name. The product
// grows with its value, so at most one value fits.
std::optional<std::vector<std::uint64_t>> solved(const DeclaredArray& array,
                                                 std::uint64_t elements) {
  constexpr std::uint64_t kMostValue = 4096;
  const auto unknown = only_unknown(array.formulas);
  if (!unknown) return std::nullopt;
  std::vector<text::Expression> formulas;
  for (const auto& formula : array.formulas) formulas.push_back({formula, {}});
  for (std::uint64_t value = 1; value <= kMostValue; ++value) {
    const text::Variables variables = {{*unknown, static_cast<double>(value)}};
    auto extents = array.extents;
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      try {
        if (extents[i] == 0) extents[i] = text::evaluate_count(formulas[i], variables);
      } catch (const base::UsageError&) {
        return std::nullopt;
      }
      product *= std::min(extents[i], kMostElements);
      if (product > kMostElements) return std::nullopt;
    }
    if (product == elements) return extents;
    if (product > elements) return std::nullopt;
  }
  return std::nullopt;
}

// The shape of `array` if it has `bytes` bytes; nullopt if that does not fit, or if more than one
// thing is unknown.
std::optional<base::ArrayShape> resolved(const DeclaredArray& array, std::uint64_t bytes) {
  if (array.extents.empty()) {
    return array.element_bytes == 0 ? std::nullopt : std::optional(array.shape());
  }
  if (array.is_known()) {
    return bytes == 0 || array.bytes() == bytes ? std::optional(array.shape()) : std::nullopt;
  }
  if (bytes == 0) return std::nullopt;
  std::uint64_t known = 1;
  std::size_t unknown = 0;
  for (const auto extent : array.extents) {
    known *= std::max<std::uint64_t>(extent, 1);
    unknown += extent == 0 ? 1 : 0;
  }
  auto out = array.shape();
  if (array.element_bytes == 0) {
    constexpr std::uint64_t kMostElementBytes = 256;
    if (unknown != 0 || bytes % known != 0 || bytes / known > kMostElementBytes) return {};
    out.element_bytes = static_cast<std::uint32_t>(bytes / known);
    return out;
  }
  if (bytes % array.element_bytes != 0) return std::nullopt;
  const auto elements = bytes / array.element_bytes;
  if (unknown == 1) {
    if (elements % known != 0) return std::nullopt;
    for (auto& extent : out.extents) extent = extent == 0 ? elements / known : extent;
    return out;
  }
  auto extents = solved(array, elements);
  if (!extents) return std::nullopt;
  out.extents = *std::move(extents);
  return out;
}

}  // namespace

std::optional<base::ArrayShape> shape_called(const std::vector<DeclaredArray>& arrays,
                                             const NamedArray& named) {
  std::optional<base::ArrayShape> out;
  bool is_unique = true;
  bool is_before = false;
  for (const auto& array : arrays) {
    if (array.name != named.name || array.is_shared != named.is_shared) continue;
    const auto shape = resolved(array, named.bytes);
    if (!shape) continue;
    const bool precedes = named.line != 0 && array.line <= named.line;
    is_unique = is_unique && (!out || *out == *shape);
    // Declarations are in the order of the text: the last one before the line is in scope there.
    if (!out || precedes) out = shape;
    is_before = is_before || precedes;
  }
  return is_unique || is_before ? out : std::nullopt;
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
void add_shape(base::Place& place, const std::vector<DeclaredArray>& arrays, std::uint32_t line) {
  const bool is_shared = place.memory == Memory::kShared;
  const auto shape = shape_called(arrays, {place.array, is_shared, place.array_bytes, line});
  if (shape) place.shape = shape;
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
      add_shape(*place, arrays, diagnostic.where.line);
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
