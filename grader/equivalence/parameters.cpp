// SPDX-License-Identifier: Apache-2.0
#include "grader/equivalence/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/verify/values.h"
#include "grader/course/parameter_reader.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::equivalence {
namespace {

using verify::Fill;

[[noreturn]] void refuse_argument(std::string_view spec, const std::string& why) {
  throw base::UsageError(fmt::format("--arg {}: {}", base::escape_controls(spec), why));
}

text::Expression expression_of(std::string_view text, const std::string& option) {
  return {std::string(text), {option, 1, 1}};
}

// The parts of `text` between commas that no parentheses enclose.
std::vector<std::string_view> outer_parts(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i == text.size() ? ',' : text[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    out.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return out;
}

// The place of the last colon outside of parentheses, or npos.
std::size_t last_colon(std::string_view text) {
  int depth = 0;
  for (auto i = text.size(); i-- > 0;) {
    depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
    if (text[i] == ':' && depth == 0) return i;
  }
  return std::string_view::npos;
}

course::BufferParameter buffer_of(std::string_view spec, std::string_view role,
                                  std::string_view rest, std::string name, bool& varies) {
  const bool is_filled = role == "in" || role == "inout";
  const auto form = fmt::format("{}:TYPE:SHAPE{}", role, is_filled ? "[:FILL]" : "");
  const auto colon = rest.find(':');
  const auto type = verify::element_type(rest.substr(0, colon));
  if (!type || colon == std::string_view::npos) {
    refuse_argument(
        spec,
        fmt::format("must be {}; TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 or f64", form));
  }
  const auto option = fmt::format("--arg {}", spec);
  course::BufferParameter out{std::move(name),      *type, {}, {}, course::Poison{},
                              course::NotCompared{}};
  auto shape = rest.substr(colon + 1);
  if (role == "out" || role == "inout") out.comparison = course::EqualBits{};
  varies = is_filled;
  const auto last = last_colon(shape);
  const auto word = last == std::string_view::npos ? "" : shape.substr(last + 1);
  if (role == "out" && word == "total") {
    out.comparison = course::EqualTotal{};
    shape = shape.substr(0, last);
  } else if (last != std::string_view::npos) {
    auto content = course::fill_from(expression_of(word, option), *type);
    // A colon can also belong to "? :".
    if (const auto* why = std::get_if<std::string>(&content);
        why != nullptr && shape.find('?') == std::string_view::npos) {
      refuse_argument(spec, *why + ". Without a fill, inputs vary from case to case");
    }
    if (auto* fill = std::get_if<course::Content>(&content)) {
      if (!is_filled) {
        refuse_argument(spec, "has no fill: its content is poison before the launch");
      }
      out.content = std::move(*fill);
      varies = false;
      shape = shape.substr(0, last);
    }
  }
  if (shape.empty()) refuse_argument(spec, "must be " + form);
  if (const auto why = course::read_sides(expression_of(shape, option), out); !why.empty()) {
    refuse_argument(spec, why);
  }
  if (varies) out.content = Fill::kDistinct;
  return out;
}

}  // namespace

const std::vector<InputKind>& input_kinds() {
  static const std::vector<InputKind> kKinds = {
      {"distinct", Fill::kDistinct, Fill::kDistinct},
      {"any_bits", Fill::kAnyBits, Fill::kRandom},
      {"signed_whole", Fill::kSignedWhole, Fill::kSignedWhole},
      {"signed_random", Fill::kSignedRandom, Fill::kRandom},
      {"odd_eighths", Fill::kOddEighths, Fill::kSmallWhole},
      {"constants", Fill::kSignedRandom, Fill::kSmallWhole, true},
      {"zeros", Fill::kZeros, Fill::kZeros},
      {"given", Fill::kDistinct, Fill::kDistinct, false, true},
  };
  return kKinds;
}

const InputKind& input_kind(std::string_view name) {
  const auto& all = input_kinds();
  const auto found = std::ranges::find(all, name, &InputKind::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const auto& one : all) names.push_back(one.name);
  throw base::UsageError(fmt::format("--inputs: {}", text::not_one_of(name, names)));
}

Parameters parse_parameters(const std::vector<std::string>& specs,
                            const std::vector<std::string>& names) {
  Parameters out;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string_view spec = specs[i];
    const auto colon = spec.find(':');
    const auto kind = spec.substr(0, colon);
    const auto rest = colon == std::string_view::npos ? "" : spec.substr(colon + 1);
    const bool is_named = names.size() == specs.size() && !names[i].empty();
    auto name = is_named ? names[i] : fmt::format("argument {}", i);
    if (kind == "in" || kind == "out" || kind == "inout" || kind == "scratch") {
      bool varies = false;
      out.all.emplace_back(buffer_of(spec, kind, rest, std::move(name), varies));
      out.varies.push_back(varies);
      continue;
    }
    if (kind == "same") {
      const auto index = text::parse_count(rest);
      const auto* of = index && *index < out.all.size()
                           ? std::get_if<course::BufferParameter>(&out.all[*index])
                           : nullptr;
      if (of == nullptr)
        refuse_argument(spec, "INDEX must be that of an earlier buffer; they count from 0");
      out.all.emplace_back(course::SameParameter{std::move(name), of->name, {}});
      continue;
    }
    const bool is_bool = kind == "bool";
    const auto type = is_bool ? verify::ElementType::kU8 : verify::element_type(kind);
    if (!type || rest.empty()) {
      refuse_argument(spec,
                      "must be in:TYPE:SHAPE, inout:TYPE:SHAPE, out:TYPE:SHAPE, "
                      "scratch:TYPE:SHAPE, same:INDEX or TYPE:VALUE, "
                      "such as in:f32:height x width or i32:width");
    }
    out.all.emplace_back(course::ValueParameter{
        std::move(name), *type, is_bool, expression_of(rest, fmt::format("--arg {}", spec))});
  }
  return out;
}

std::vector<course::Parameter> with_inputs(const Parameters& parameters, const InputKind& kind) {
  auto out = parameters.all;
  std::size_t buffer = 0;
  for (auto& parameter : out) {
    auto* one = std::get_if<course::BufferParameter>(&parameter);
    if (one == nullptr) continue;
    if (parameters.varies[buffer++]) {
      one->content = verify::is_float(one->type) ? kind.floats : kind.integers;
    }
  }
  return out;
}

course::Geometry parse_geometry(const OptionText& grid, const OptionText& block,
                                const OptionText& shared) {
  const auto extents = [](const OptionText& given) {
    const auto parts = outer_parts(given.text);
    if (parts.size() > 3 || std::ranges::any_of(parts, &std::string_view::empty)) {
      throw base::UsageError(
          fmt::format("{} {}: must be X, X,Y or X,Y,Z: numbers or expressions of the sizes",
                      given.option, base::escape_controls(given.text)));
    }
    std::array<text::Expression, 3> out;
    for (std::size_t i = 0; i < 3; ++i) {
      out.at(i) = expression_of(i < parts.size() ? parts[i] : "1", given.option);
    }
    return out;
  };
  return {extents(grid), extents(block), expression_of(shared.text, shared.option)};
}

}  // namespace warpgrade::grader::equivalence
