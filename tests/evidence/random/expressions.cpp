// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {

void Generator::choose_operations() {
  // Plain operators are always included, so that each kind has some operation.
  for (std::uint32_t i = 0; i < operations().size(); ++i) {
    const auto& operation = operations()[i];
    const bool off = operation.weight < 5 && random_.below(5) < 3;
    if (off || operation.architecture > architecture_) continue;
    auto& list = chosen_[static_cast<std::size_t>(operation.result)];
    list.insert(list.end(), operation.weight, i);
  }
}

std::string Generator::literal(Kind kind) {
  const auto value = edge_bits(random_, bits(kind));
  switch (kind) {
    case Kind::kPred:
      return value != 0 ? "true" : "false";
    case Kind::kF64:
      return fmt::format("make_f64({:#x}ull)", value);
    case Kind::kF16:
    case Kind::kBf16:
    case Kind::kF16x2:
    case Kind::kBf16x2:
    case Kind::kF32:
      return fmt::format("make_{}({:#x})", name(kind), value);
    default:
      return fmt::format("({}){:#x}{}", name(kind), value, bits(kind) == 64 ? "ull" : "u");
  }
}

// `word` is an expression of kind u32.
std::string Generator::converted(const std::string& word, Kind kind) {
  switch (kind) {
    case Kind::kPred:
      return fmt::format("(({} >> {}) & 1) != 0", word, random_.below(32));
    case Kind::kU64:
    case Kind::kS64:
      return fmt::format("({})((u64){} << {})", name(kind), word, random_.below(33));
    case Kind::kF64:
      return fmt::format("make_f64((u64){} << 32)", word);
    case Kind::kF16:
    case Kind::kBf16:
      return fmt::format("make_{}((u16){})", name(kind), word);
    case Kind::kF32:
    case Kind::kF16x2:
    case Kind::kBf16x2:
      return fmt::format("make_{}({})", name(kind), word);
    default:
      return fmt::format("({}){}", name(kind), word);
  }
}

std::string Generator::leaf(const Scope& scope, Kind kind) {
  std::vector<const Variable*> own;
  std::vector<const Variable*> words;
  for (const auto& variable : scope.readable) {
    if (variable.kind == kind) own.push_back(&variable);
    if (variable.kind == Kind::kU32) words.push_back(&variable);
  }
  const auto choice = random_.below(16);
  if (choice < 9 && !own.empty()) return random_.pick(own)->name;
  const bool constant = kind == Kind::kPred ? choice == 15 && random_.one_in(4) : choice > 13;
  if (constant || words.empty()) return literal(kind);
  const auto& word = random_.pick(words)->name;
  if (scope.in_function || random_.one_in(2)) {
    return kind == Kind::kU32 ? word : converted(word, kind);
  }
  const auto at = random_.below(kInputWords);
  if (kind == Kind::kU32 && random_.one_in(2)) return fmt::format("array[{} & 7]", word);
  if (kind == Kind::kF32 && random_.one_in(2)) return fmt::format("floats[{} & 3]", word);
  if (kind == Kind::kU8) return fmt::format("bytes[{} & 15]", word);
  if (is_integer(kind) || kind == Kind::kF32 || kind == Kind::kF64) {
    return fmt::format("((const {}*)in)[({} + {}) & {}]", name(kind), word, at,
                       kInputWords * 32 / bits(kind) - 1);
  }
  return converted(fmt::format("in[({} + {}) & {}]", word, at, kInputWords - 1), kind);
}

std::string Generator::expression(const Scope& scope, Kind kind, std::uint32_t depth) {
  const auto& list = chosen_[static_cast<std::size_t>(kind)];
  if (depth == 0 || list.empty() || random_.one_in(6)) return leaf(scope, kind);
  const std::size_t which = random_.pick(list);
  const auto& operation = operations()[which];
  std::vector<std::string> sources;
  for (const auto source : operation.sources) {
    sources.push_back(expression(scope, source, depth - 1));
  }
  if (operation.is_ptx) {
    program_.ptx.insert(which);
    auto text = ptx_function_name(which);
    for (std::size_t i = 0; i < sources.size(); ++i) text += (i == 0 ? "(" : ", ") + sources[i];
    return text + ")";
  }
  std::string text;
  for (std::size_t i = 0; i < operation.text.size(); ++i) {
    if (operation.text[i] == '$') {
      text += sources.at(static_cast<std::size_t>(operation.text[++i] - '0'));
    } else {
      text += operation.text[i];
    }
  }
  // Some intrinsics return an int, and narrow operands are promoted to it.
  if (is_integer(kind)) return fmt::format("(({})({}))", name(kind), text);
  return "(" + text + ")";
}

std::string Generator::expression(const Scope& scope, Kind kind) {
  return expression(scope, kind, 1 + random_.below(expression_depth_));
}

}  // namespace warpgrade::programs
