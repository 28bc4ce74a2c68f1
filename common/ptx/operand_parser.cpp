// SPDX-License-Identifier: Apache-2.0
// The part of FunctionParser that reads operands and resolves their names.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <unordered_map>

#include "common/ptx/function_parser.h"

namespace warpgrade::ptx {
namespace {

// Start of the number at the end of "%r12"; npos without digits or with a leading zero.
std::size_t digits_at_end(std::string_view name) {
  const auto last = name.find_last_not_of("0123456789");
  const auto start = last == std::string_view::npos ? 0 : last + 1;
  if (start == 0 || start == name.size()) return std::string_view::npos;
  if (name[start] == '0' && start + 1 != name.size()) return std::string_view::npos;
  return start;
}

// Registers whose value the driver or a profiler sets, and PTX leaves open: 0. %envreg1 and
// %envreg2 have a value: a cooperative launch keeps the address of its grid's workspace there.
bool is_open(std::string_view name) {
  return (name.starts_with("%envreg") && name != "%envreg1" && name != "%envreg2") ||
         name.starts_with("%pm");
}

// The purpose of a special register that cannot be read, if its family is known.
std::string_view why_register_refused(std::string_view name) {
  if (name.starts_with("%reserved_smem")) {
    return ": the simulator has only the reserved shared memory that cooperative groups use";
  }
  return "";
}

}  // namespace

// operand := [!] name | number | { operand, ... } | ( operand, ... ) | [ address ] | _
Operand FunctionParser::parse_operand() {
  if (cursor_.at("[")) return parse_address();
  const bool braces = cursor_.at("{");
  if (braces || cursor_.at("(")) {
    const std::string_view close = braces ? "}" : ")";
    cursor_.next();
    Operand vector;
    vector.kind = Operand::Kind::kVector;
    while (!cursor_.at(close)) {
      vector.elements.push_back(parse_operand());
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect(close);
    return vector;
  }
  if (cursor_.accept("!")) {
    if (cursor_.at("!")) cursor_.fail("expected an operand");
    auto operand = parse_operand();
    operand.negated = true;
    return operand;
  }
  const auto kind = cursor_.peek().kind;
  if (kind == Token::Kind::kNumber || cursor_.at("-")) return parse_number();
  if (kind == Token::Kind::kWord) {
    auto operand = parse_name();
    if (operand.kind != Operand::Kind::kRegister && cursor_.accept("+")) {
      operand.offset = cursor_.expect_integer();
    }
    return operand;
  }
  cursor_.fail("expected an operand");
}

// address := [ (name | number) [+ integer] ]
Operand FunctionParser::parse_address() {
  cursor_.expect("[");
  Operand address;
  address.kind = Operand::Kind::kAddress;
  address.elements.push_back(cursor_.peek().kind == Token::Kind::kNumber || cursor_.at("-")
                                 ? parse_number()
                                 : parse_name());
  if (cursor_.accept("+")) address.offset = cursor_.expect_integer();
  if (cursor_.accept("-")) address.offset = -cursor_.expect_integer();
  if (cursor_.at(",")) {
    // A second part is a cache policy or belongs to a bulk copy. The table has no such form.
    refuse(cursor_.peek().line, "an address with two parts is not supported");
    while (!cursor_.at("]") && !cursor_.at_end()) cursor_.next();
  }
  cursor_.expect("]");
  return address;
}

std::optional<FunctionParser::Name> FunctionParser::find(std::string_view name) const {
  const auto digits = digits_at_end(name);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->names.find(name);
    if (found != scope->names.end()) return found->second;
    if (digits == std::string_view::npos) continue;
    const auto family = scope->families.find(name.substr(0, digits));
    std::uint32_t number = 0;
    const auto read = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    if (family != scope->families.end() && read.ec == std::errc{} &&
        number < family->second.count) {
      return Name{NameKind::kRegister, family->second.first + number};
    }
  }
  return std::nullopt;
}

// name := register [.x] | special register | variable | parameter | function | label | WARP_SZ | _
Operand FunctionParser::parse_name() {
  static const auto specials = [] {
    std::unordered_map<std::string_view, SpecialRegister> map;
#define SPECIAL(id, text, bytes) map.emplace(text, SpecialRegister::id);
#include "common/ptx/special_registers.def"
#undef SPECIAL
    return map;
  }();
  const auto token = cursor_.peek();
  const auto name = cursor_.expect_word("a name");
  Operand operand;
  if (name == "_") {
    operand.kind = Operand::Kind::kSink;
    return operand;
  }
  if (name == "WARP_SZ") {  // the only constant of the language
    operand.kind = Operand::Kind::kImmediate;
    operand.bits = 32;
    return operand;
  }
  if (const auto found = find(name)) {
    operand.kind = found->kind == NameKind::kRegister ? Operand::Kind::kRegister
                   : found->kind == NameKind::kLocal  ? Operand::Kind::kLocal
                                                      : Operand::Kind::kParameter;
    operand.index = found->index;
  } else if (name.front() == '%') {
    // %tid.x, %laneid: a special register with or without a component.
    auto full = std::string(name);
    if (cursor_.peek().kind == Token::Kind::kDot) full += cursor_.next().text;
    const auto special = specials.find(full);
    if (full == kReservedShared) {
      function_.uses_reserved_shared = true;
      return symbol_operand(kReservedShared);
    }
    function_.reads_grid_workspace |= full == "%envreg1" || full == "%envreg2";
    if (is_open(full)) {
      operand.kind = Operand::Kind::kImmediate;
      return operand;
    }
    operand.kind = Operand::Kind::kSpecial;
    if (special == specials.end()) {
      refuse(token.line, fmt::format("special register '{}' is not supported{}", full,
                                     why_register_refused(full)));
    } else {
      operand.index = static_cast<std::uint32_t>(special->second);
    }
    return operand;
  } else {
    return symbol_operand(name);
  }
  if (operand.kind == Operand::Kind::kRegister && function_.registers[operand.index].vector > 1 &&
      cursor_.peek().kind == Token::Kind::kDot) {
    const auto suffix = cursor_.next().text;
    auto component = std::string_view(".x.y.z.w").find(suffix);
    if (component == std::string_view::npos) {
      component = std::string_view(".r.g.b.a").find(suffix);  // the same components as colours
    }
    if (component == std::string_view::npos) cursor_.fail("expected .x, .y, .z or .w");
    operand.component = static_cast<std::uint32_t>(component / 2);
  }
  return operand;
}

// A variable or function of the module; otherwise a label, possibly defined later.
Operand FunctionParser::symbol_operand(std::string_view name) {
  Operand operand;
  const auto& variables = module_.variables;
  const auto variable = std::find_if(variables.begin(), variables.end(),
                                     [&](const Variable& v) { return v.name == name; });
  if (variable != variables.end()) {
    operand.kind = Operand::Kind::kVariable;
    operand.index = static_cast<std::uint32_t>(variable - variables.begin());
    return operand;
  }
  const auto& functions = module_.functions;
  const auto function = std::find_if(functions.begin(), functions.end(),
                                     [&](const Function& f) { return f.name == name; });
  if (function != functions.end()) {
    operand.kind = Operand::Kind::kFunction;
    operand.index = static_cast<std::uint32_t>(function - functions.begin());
    return operand;
  }
  const auto targets =
      std::find_if(function_.branch_targets.begin(), function_.branch_targets.end(),
                   [&](const BranchTargets& t) { return t.name == name; });
  if (targets != function_.branch_targets.end()) {
    operand.kind = Operand::Kind::kBranchTargets;
    operand.index = static_cast<std::uint32_t>(targets - function_.branch_targets.begin());
    return operand;
  }
  return label_operand(name);
}

Operand FunctionParser::label_operand(std::string_view name) {
  const auto [entry, added] =
      label_numbers_.try_emplace(name, static_cast<std::uint32_t>(label_targets_.size()));
  if (added) {
    label_targets_.push_back(-1);
    label_names_.push_back(name);
  }
  Operand operand;
  operand.kind = Operand::Kind::kLabel;
  operand.index = entry->second;
  return operand;
}

// number := [-] (integer | 0f<8 hex digits> | 0d<16 hex digits> | decimal with a point)
Operand FunctionParser::parse_number() {
  const bool negative = cursor_.accept("-");
  const Token token = cursor_.peek();
  if (token.kind != Token::Kind::kNumber) cursor_.fail("expected a number");
  cursor_.next();
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  const auto hex = [&](std::size_t digits) {
    std::uint64_t bits = 0;
    const auto* end = token.text.data() + token.text.size();
    const auto result = std::from_chars(token.text.data() + 2, end, bits, 16);
    if (token.text.size() != digits + 2 || result.ptr != end) cursor_.fail("malformed float");
    return bits;
  };
  const auto prefix = token.text.substr(0, 2);
  if (prefix == "0f" || prefix == "0F") {
    operand.number = Operand::Number::kFloat32;
    operand.bits = hex(8) ^ (negative ? 0x80000000U : 0U);
  } else if (prefix == "0d" || prefix == "0D") {
    operand.number = Operand::Number::kFloat64;
    operand.bits = hex(16) ^ (negative ? std::uint64_t{1} << 63 : 0U);
  } else if (token.text.find('.') != std::string_view::npos) {
    double value = 0;
    const auto* end = token.text.data() + token.text.size();
    if (std::from_chars(token.text.data(), end, value).ptr != end) cursor_.fail("malformed float");
    operand.number = Operand::Number::kFloat64;
    operand.bits = std::bit_cast<std::uint64_t>(negative ? -value : value);
  } else {
    const auto value = integer_value(token);
    operand.bits = negative ? 0 - value : value;
  }
  return operand;
}

}  // namespace warpgrade::ptx
