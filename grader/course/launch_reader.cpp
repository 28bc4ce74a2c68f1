// SPDX-License-Identifier: Apache-2.0
// Reads the pieces of one launch: the prototype of its kernel and its geometry.
// In: a prototype as text ("copy(float* out, const float* in, int width)"), or a TOML table with
// grid*, block*, shared, cooperative, cluster. Out: names and types of the kernel and its
// parameters, and a geometry of expressions.
// Limits on the values of launches are checked here. Every mistake has a place.
#include "grader/course/launch_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/text.h"
#include "common/base/toml_text.h"
#include "common/compile/signature.h"
#include "common/run/launch.h"
#include "common/verify/element.h"
#include "grader/course/exercise.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {
namespace {

// Words, with :: and template arguments in them, and single marks.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
      ++i;
      continue;
    }
    auto end = i;
    while (end < text.size() && (base::is_word_letter(text[end]) || text[end] == ':')) ++end;
    if (end == i) ++end;
    if (end < text.size() && text[end] == '<' && base::is_word_letter(text[i])) {
      int depth = 0;
      do {
        depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
        ++end;
      } while (end < text.size() && depth > 0);
    }
    out.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return out;
}

bool is_identifier(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) == 0 &&
         std::ranges::all_of(word, base::is_word_letter);
}

// Keywords of types, which cannot be names.
bool is_of_a_type(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kWords = {
      "const", "volatile", "char",   "short", "int",    "long",
      "bool",  "signed",   "double", "float", "struct", "unsigned"};
  return std::ranges::find(kWords, word) != kWords.end();
}

bool is_restrict_word(std::string_view word) {
  return word == "__restrict__" || word == "__restrict" || word == "restrict";
}

// Position of the parenthesis that opens the list of parameters, or npos.
std::size_t list_of(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] == '(' && depth <= 0) return i;
  }
  return std::string_view::npos;
}

class DeclarationReader {
 public:
  DeclarationReader(const base::SourceLocation& where, const std::string& what)
      : where_(where), what_(what) {}

  std::vector<Declared> list(std::string_view text) const {
    std::vector<Declared> out;
    std::set<std::string> seen;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ',';
      depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
      if (c != ',' || (depth > 0 && i < text.size())) continue;
      const auto words = words_of(text.substr(begin, i - begin));
      begin = i + 1;
      const bool is_none = words.empty() || (words.size() == 1 && words.front() == "void");
      if (is_none && out.empty() && i == text.size()) break;
      out.push_back(one(words));
      if (!seen.insert(out.back().name).second) {
        fail(fmt::format("two parameters are called `{}`", out.back().name));
      }
    }
    return out;
  }

  [[noreturn]] void fail(const std::string& why) const {
    base::fail_at(where_,
                  fmt::format("{}: {}; write a prototype such as \"copy(float* out, const float* "
                              "in, int width)\"",
                              what_, why));
  }

 private:
  Declared one(std::vector<std::string> words) const {
    std::erase_if(words, is_restrict_word);
    std::string shown;
    for (const auto& word : words) shown += (shown.empty() ? "" : " ") + word;
    shown = base::escape_controls(shown);
    if (words.empty()) fail("a parameter is missing between two commas");
    Declared out;
    out.where = where_;
    out.name = words.back();
    if (!is_identifier(out.name) || is_of_a_type(out.name) || words.size() < 2) {
      fail(fmt::format("the parameter `{}` has no name", shown));
    }
    words.pop_back();
    std::size_t pointers = 0;
    std::string base;
    for (const auto& word : words) {
      if (word == "*") {
        ++pointers;
      } else if (pointers > 0 && (word == "const" || word == "volatile")) {
        continue;  // qualifies the pointer itself, which the caller does not see
      } else if (pointers > 0 || !(base::is_word_letter(word.front()))) {
        fail(fmt::format("the parameter `{}` is neither a number, a struct nor a pointer to one",
                         shown));
      } else if (word == "const") {
        out.is_constant = true;
      } else if (word != "volatile" && word != "struct") {
        base += (base.empty() ? "" : " ") + word;
      }
    }
    if (base.empty()) fail(fmt::format("the parameter `{}` has no type", shown));
    if (pointers > 1) fail(fmt::format("the parameter `{}` is a pointer to a pointer", shown));
    out.is_pointer = pointers == 1;
    // Converts the spellings of a type to one form.
    const auto canonical = compile::parse_signature("k(" + base + ")");
    const auto form = canonical.parameters.empty() ? base : canonical.parameters.front();
    out.element = element_of(form);
    out.is_bool = form == "bool";
    out.base = is_of_a_type(base.substr(0, base.find(' '))) ? form : base;
    const bool is_const_seen = out.is_constant && out.is_pointer;
    out.type = (is_const_seen ? "const " : "") + out.base + (out.is_pointer ? "*" : "");
    return out;
  }

  const base::SourceLocation& where_;
  const std::string& what_;
};

}  // namespace

std::optional<verify::ElementType> element_of(const std::string& type) {
  using verify::ElementType;
  static const std::map<std::string, ElementType> kTypes = {
      {"char", ElementType::kI8},           {"signed char", ElementType::kI8},
      {"unsigned char", ElementType::kU8},  {"bool", ElementType::kU8},
      {"short", ElementType::kI16},         {"unsigned short", ElementType::kU16},
      {"int", ElementType::kI32},           {"unsigned int", ElementType::kU32},
      {"long", ElementType::kI64},          {"long long", ElementType::kI64},
      {"unsigned long", ElementType::kU64}, {"unsigned long long", ElementType::kU64},
      {"half", ElementType::kF16},          {"float", ElementType::kF32},
      {"double", ElementType::kF64},
  };
  const auto found = kTypes.find(type);
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

std::string Prototype::signature() const {
  std::string out(compile::base_name(kernel));
  out += '(';
  for (const auto& parameter : parameters) {
    if (out.back() != '(') out += ", ";
    out += parameter.type;
  }
  return out + ')';
}

std::vector<Declared> parse_declarations(std::string_view text, const base::SourceLocation& where,
                                         const std::string& what) {
  return DeclarationReader(where, what).list(text);
}

Prototype parse_prototype(std::string_view text, const base::SourceLocation& where,
                          const std::string& what) {
  const DeclarationReader reader(where, what);
  Prototype out;
  const auto open = list_of(text);
  out.kernel = text.substr(0, open);
  while (out.kernel.ends_with(' ')) out.kernel.pop_back();
  const auto name = compile::base_name(out.kernel);
  if (!std::ranges::all_of(name, [](char c) { return base::is_word_letter(c) || c == ':'; }) ||
      name.empty()) {
    reader.fail(fmt::format("`{}` is not a valid kernel name", base::escape_controls(out.kernel)));
  }
  if (open == std::string_view::npos) return out;
  if (!text.ends_with(')')) reader.fail("the list of parameters is not closed at its end");
  out.has_list = true;
  out.parameters = reader.list(text.substr(open + 1, text.size() - open - 2));
  return out;
}

namespace {

// Larger clusters need an attribute of the kernel that no launch here sets.
constexpr std::uint64_t kMostClusterBlocks = 8;
// A larger tolerance could hide a missing term of a sum.
constexpr double kMostUlps = 4096;

void check_aliases(std::span<const Parameter> parameters,
                   const std::vector<const BufferParameter*>& buffers) {
  for (const auto* same : all_of_kind<SameParameter>(parameters)) {
    if (buffer_called(buffers, same->of) != buffers.size()) continue;
    std::vector<std::string> names;
    for (const auto* buffer : buffers) names.push_back(buffer->name);
    const std::span<const std::string> all(names);
    base::fail_at(same->where,
                  fmt::format("parameter `{}`: unknown buffer `{}`{}; the buffers are: {}",
                              same->name, base::escape_controls(same->of),
                              text::did_you_mean(same->of, all), text::joined(all)));
  }
}

// `left` is the part of `most_bytes` that earlier buffers have left over.
void check_buffer(const BufferParameter& parameter, const text::Variables& variables,
                  std::uint64_t most_bytes, std::uint64_t& left) {
  const auto rows = evaluate_count(parameter.rows, variables);
  const auto columns = evaluate_count(parameter.columns, variables);
  if (rows == 0 || columns == 0) {
    base::fail_at((rows == 0 ? parameter.rows : parameter.columns).where(),
                  fmt::format("parameter `{}` has no elements", parameter.name));
  }
  if (const auto* within = std::get_if<WithinUlps>(&parameter.comparison)) {
    const auto ulps = evaluate(within->most, variables);
    if (!(ulps >= 1 && ulps <= kMostUlps)) {
      base::fail_at(
          within->most.where(),
          fmt::format("parameter `{}` may be off by {} ULPs; say 1 to {}, or take a fill whose "
                      "sums are exact in any order: odd_eighths",
                      parameter.name, ulps, kMostUlps));
    }
  }
  const auto* pieces = std::get_if<EqualPieces>(&parameter.comparison);
  if (pieces != nullptr && evaluate_count(pieces->length, variables) == 0) {
    base::fail_at(pieces->length.where(),
                  fmt::format("pieces of parameter `{}` have no elements", parameter.name));
  }
  const auto* indices = std::get_if<Indices>(&parameter.content);
  if (indices != nullptr && indices->kind == verify::IndexKind::kMostlyEqual) {
    const auto percent = evaluate_count(indices->bound, variables);
    if (percent > verify::kAllEqual) {
      base::fail_at(indices->bound.where(),
                    fmt::format("parameter `{}`: {} % of its elements are equal; say 0 to {}",
                                parameter.name, percent, verify::kAllEqual));
    }
  }
  if (rows > left / columns / verify::size_of(parameter.type)) {
    base::fail_at(
        parameter.rows.where(),
        fmt::format("parameter `{}` has {} x {} elements of {}; a launch has room for {} "
                    "GiB of buffers",
                    parameter.name, rows, columns, text::name(parameter.type), most_bytes >> 30));
  }
  left -= rows * columns * verify::size_of(parameter.type);
}

// Whether the cluster divides the grid depends on the case's numbers too.
void check_cluster(const Geometry& geometry, const text::Variables& variables) {
  std::uint64_t blocks = 1;
  for (std::size_t i = 0; geometry.cluster && i < 3; ++i) {
    const auto& extent = geometry.cluster->at(i);
    const auto value = evaluate_count(extent, variables);
    if (value == 0 || value > kMostClusterBlocks || blocks * value > kMostClusterBlocks) {
      base::fail_at(extent.where(),
                    fmt::format("a thread block cluster has 1 to {} blocks", kMostClusterBlocks));
    }
    blocks *= value;
    const auto grid = evaluate_count(geometry.grid.at(i), variables);
    if (grid % value != 0) {
      base::fail_at(extent.where(),
                    fmt::format("{} blocks of the grid are not a whole number of clusters "
                                "of {} blocks",
                                grid, value));
    }
  }
}

}  // namespace

void check_id(const text::Table& table, std::string_view key, const std::string& id,
              std::set<std::string>& seen) {
  const bool plain = std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!plain) table.fail(key, "must be small letters, digits and _");
  if (!seen.insert(id).second) table.fail(key, fmt::format("`{}` is there twice", id));
}

Geometry read_geometry(text::Table& table) {
  Geometry out;
  out.grid = table.extents("grid");
  out.block = table.extents("block");
  out.shared_bytes =
      table.optional_expression("shared").value_or(text::Expression{"0", table.where()});
  out.cooperative = table.flag_or("cooperative", false);
  if (table.has("cluster")) out.cluster = table.extents("cluster");
  return out;
}

void check_geometry(const Geometry& geometry, const text::Variables& variables) {
  const run::LaunchLimits limits;
  for (const auto* extents : {&geometry.grid, &geometry.block}) {
    for (const auto& extent : *extents) {
      const auto value = evaluate_count(extent, variables);
      if (value == 0 || value > limits.grid.x) {
        base::fail_at(extent.where(),
                      fmt::format("an extent of the launch is {}; it must be from 1 to "
                                  "{}",
                                  value, limits.grid.x));
      }
    }
  }
  std::uint64_t threads = 1;
  for (const auto& extent : geometry.block) {
    threads *= evaluate_count(extent, variables);
    if (threads > limits.threads_per_block) {
      base::fail_at(extent.where(),
                    fmt::format("a block of {} threads; no device takes more than {}", threads,
                                limits.threads_per_block));
    }
  }
  const auto shared = evaluate_count(geometry.shared_bytes, variables);
  if (shared > limits.shared_bytes_per_block) {
    base::fail_at(
        geometry.shared_bytes.where(),
        fmt::format("{} bytes of dynamic shared memory; no device has more than {} for a block",
                    shared, limits.shared_bytes_per_block));
  }
  check_cluster(geometry, variables);
}

void check_values(std::span<const Parameter> parameters, const text::Variables& variables) {
  for (const auto* one : all_of_kind<ValueParameter>(parameters)) {
    const auto value = evaluate(one->value, variables);
    if (text::encode(one->type, value) && !(one->is_bool && value > 1)) continue;
    base::fail_at(one->value.where(),
                  fmt::format("parameter `{}` is {}, which does not fit type {}", one->name, value,
                              one->is_bool ? "bool: 0 or 1" : text::name(one->type)));
  }
}

void check_parameters(std::span<const Parameter> parameters, const text::Variables& variables,
                      std::uint64_t most_bytes) {
  const auto buffers = buffers_of(parameters);
  check_values(parameters, variables);
  check_aliases(parameters, buffers);
  auto left = most_bytes;
  for (const auto* buffer : buffers) check_buffer(*buffer, variables, most_bytes, left);
}

}  // namespace warpgrade::grader::course
