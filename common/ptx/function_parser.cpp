// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/function_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/lexer.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx {
namespace {

// The reason why the table lacks a form, found by a part of its text.
struct Reason {
  std::string_view part;
  std::string_view why;
};
constexpr Reason kReasons[] = {
    {".bulk",
     "of the bulk copy engine, only copies of bytes between global memory and the shared "
     "memory of blocks are simulated"},
    {"_tx", "stores that a barrier object counts are not simulated"},
    {".async.", "stores that another thread waits for are not simulated"},
    {"cluster", "this form for thread block clusters is not simulated"},
};

std::string why_refused(std::string_view text, std::string_view mnemonic) {
  for (const auto& reason : kReasons) {
    if (text.find(reason.part) != std::string_view::npos) return std::string(reason.why);
  }
  return fmt::format("this form of '{}' is not in the table of instructions", mnemonic);
}

// Limit on the registers of a module. The largest kernels that compilers can handle have some
// hundred thousand.
constexpr std::int64_t kMostRegisters = 2'000'000;

}  // namespace

FunctionParser::FunctionParser(TokenCursor& cursor, const Module& module, Function& function,
                               std::uint64_t registers_before)
    : cursor_(cursor),
      module_(module),
      function_(function),
      registers_before_(registers_before),
      scopes_(1) {
  if (function.is_entry) {
    for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
      scopes_.back().names[function.parameters[i].name] = {NameKind::kParameter, i};
    }
    return;
  }
  for (const auto* list : {&function.results, &function.parameters}) {
    for (const auto& variable : *list) {
      const auto index = static_cast<std::uint32_t>(function.variables.size());
      scopes_.back().names[variable.name] = {NameKind::kLocal, index};
      function.variables.push_back(variable);
    }
  }
}

std::vector<PendingLocation> FunctionParser::parse() {
  parse_block();
  resolve_labels();
  return std::move(locations_);
}

// block := { statement... }
void FunctionParser::parse_block() {
  cursor_.expect("{");
  scopes_.emplace_back();
  while (!cursor_.at("}")) {
    if (cursor_.at_end()) cursor_.fail("expected '}'");
    parse_statement();
  }
  cursor_.expect("}");
  scopes_.pop_back();
}

// statement := block | label: | directive | instruction
void FunctionParser::parse_statement() {
  const Token& token = cursor_.peek();
  if (cursor_.at("{")) {
    parse_block();
  } else if (token.kind == Token::Kind::kWord && cursor_.peek(1).text == ":") {
    const auto name = cursor_.next().text;
    cursor_.expect(":");
    if (cursor_.at(".branchtargets")) {
      parse_branch_targets(name);
    } else if (cursor_.at(".callprototype") || cursor_.at(".calltargets")) {
      cursor_.skip_statement();
    } else {
      const auto number = label_operand(name).index;
      if (label_targets_[number] >= 0) cursor_.fail(fmt::format("label '{}' stands twice", name));
      label_targets_[number] = static_cast<std::int64_t>(function_.instructions.size());
    }
  } else if (token.kind == Token::Kind::kDot) {
    const auto space = state_space(token.text);
    if (token.text == ".loc") {
      parse_location();
    } else if (token.text == ".reg") {
      cursor_.next();
      parse_registers();
    } else if (space != StateSpace::kGeneric) {
      cursor_.next();
      parse_variables(space);
    } else if (token.text == ".pragma") {
      cursor_.skip_statement();  // hints for the assembler; no effect on results
    } else {
      refuse(token.line, fmt::format("directive '{}' is not supported", token.text));
      cursor_.skip_statement();
    }
  } else {
    in_instruction_ = true;
    parse_instruction();
    in_instruction_ = false;
  }
}

// registers := .reg [.v2 | .v4] .type name [<n>] [, ...] ;
void FunctionParser::parse_registers() {
  Register reg;
  if (cursor_.at(".v2") || cursor_.at(".v4")) {
    reg.vector = static_cast<std::uint8_t>(cursor_.next().text[2] - '0');
  }
  reg.type = type_of(cursor_.peek().text);
  if (reg.type == Type::kNone) cursor_.fail("expected a register type");
  cursor_.next();
  do {
    const auto name = cursor_.expect_word("a register's name");
    const auto declare = [&](std::string full) {
      reg.name = std::move(full);
      function_.registers.push_back(reg);
    };
    if (cursor_.accept("<")) {
      const auto count = cursor_.expect_integer();
      cursor_.expect(">");
      const auto before = registers_before_ + function_.registers.size();
      if (count < 0 || count > kMostRegisters || before + std::uint64_t(count) > kMostRegisters) {
        cursor_.fail("too many registers");
      }
      // %r<15> declares %r0 to %r14. find() resolves the family by its one name.
      const auto first = static_cast<std::uint32_t>(function_.registers.size());
      for (std::int64_t i = 0; i < count; ++i) declare(fmt::format("{}{}", name, i));
      scopes_.back().families[name] = {first, static_cast<std::uint32_t>(count)};
    } else {
      scopes_.back().names[std::string(name)] = {
          NameKind::kRegister, static_cast<std::uint32_t>(function_.registers.size())};
      declare(std::string(name));
    }
  } while (cursor_.accept(","));
  cursor_.expect(";");
}

// variables := .space declarator ;
void FunctionParser::parse_variables(StateSpace space) {
  auto variable = parse_declarator(cursor_, space);
  cursor_.expect(";");
  const auto index = static_cast<std::uint32_t>(function_.variables.size());
  function_.variables.push_back(std::move(variable));
  scopes_.back().names[function_.variables.back().name] = {NameKind::kLocal, index};
}

// branch targets := name: .branchtargets label [, label]... ;
void FunctionParser::parse_branch_targets(std::string_view label) {
  cursor_.next();
  BranchTargets targets{std::string(label), {}};
  do {
    targets.labels.push_back(label_operand(cursor_.expect_word("a label")).index);
  } while (cursor_.accept(","));
  cursor_.expect(";");
  function_.branch_targets.push_back(std::move(targets));
}

// place := file line column
PendingLocation FunctionParser::parse_place() {
  const auto number = [&] { return static_cast<std::uint32_t>(cursor_.expect_integer()); };
  PendingLocation place;
  place.file = number();
  place.line = number();
  place.column = number();
  return place;
}

std::uint32_t FunctionParser::add_location(const PendingLocation& place, std::uint32_t inlined_at) {
  auto whole = place;
  whole.inlined_at = inlined_at;
  const auto [entry, added] =
      location_indices_.try_emplace(whole, static_cast<std::uint32_t>(locations_.size() + 1));
  if (added) locations_.push_back(whole);
  latest_[place] = entry->second;
  return entry->second;
}

// location := .loc place [, function_name name [+ n], inlined_at place]
// The compiler names the place of a call before the code inlined there, so the latest location with
// that place is the call.
void FunctionParser::parse_location() {
  cursor_.next();
  const auto place = parse_place();
  std::uint32_t inlined_at = 0;
  if (cursor_.accept(",")) {
    cursor_.expect("function_name");
    cursor_.expect_word("a name");
    if (cursor_.accept("+")) cursor_.expect_integer();
    cursor_.expect(",");
    cursor_.expect("inlined_at");
    const auto call = parse_place();
    const auto known = latest_.find(call);
    inlined_at = known != latest_.end() ? known->second : add_location(call, 0);
  }
  if (place.line == 0) return;  // "no line": the code that follows keeps the previous location
  location_ = add_location(place, inlined_at);
}

// instruction := [@[!]p] mnemonic suffix... [operand [, operand]...] ;
void FunctionParser::parse_instruction() {
  Instruction instruction;
  instruction.location = location_;
  instruction.ptx_line = cursor_.peek().line;
  if (cursor_.accept("@")) {
    instruction.guard_negated = cursor_.accept("!");
    const auto guard = parse_name();
    if (guard.kind != Operand::Kind::kRegister) cursor_.fail("expected a predicate register");
    instruction.guard = guard.index;
  }
  auto text = std::string(cursor_.expect_word("an instruction"));
  const auto& row = find_row(text);
  instruction.opcode = row.opcode;
  bool known = true;
  parse_suffixes(instruction, known, text);
  if (!row.unsupported.empty()) {
    refuse(instruction.ptx_line,
           fmt::format("instruction '{}' is not supported: {}", text, row.unsupported));
    cursor_.skip_statement();
    keep_place(instruction);
    function_.instructions.push_back(std::move(instruction));
    return;
  }
  if (facts(instruction).flow == Flow::kCall) parse_call(instruction);
  const bool may_have_two = facts(instruction).results == Results::kOneOrTwo;
  while (!cursor_.at(";")) {
    if (cursor_.at_end()) cursor_.fail("expected ';'");
    instruction.operands.push_back(parse_operand());
    if (instruction.operands.size() == 1 && may_have_two && cursor_.accept("|")) {
      instruction.has_second_result = true;
      instruction.operands.push_back(parse_operand());
    }
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect(";");
  // A cache policy does not change results, so the operand that names it is dropped.
  const bool has_policy = instruction.modifiers.has(Modifier::l2_cache_hint);
  if (has_policy && !instruction.operands.empty()) instruction.operands.pop_back();
  check(instruction, known, text);
  keep_place(instruction);
  function_.instructions.push_back(std::move(instruction));
}

// call := call [(result, ...),] target [, (argument, ...)] [, prototype]
// The prototype repeats the .param variables, so it is dropped.
void FunctionParser::parse_call(Instruction& instruction) {
  Operand none;
  none.kind = Operand::Kind::kVector;
  auto results = none;
  auto arguments = none;
  if (cursor_.at("(")) {
    results = parse_operand();
    cursor_.expect(",");
  }
  auto target = parse_name();
  if (cursor_.accept(",") && cursor_.at("(")) {
    arguments = parse_operand();
    if (cursor_.accept(",")) cursor_.expect_word("a prototype");
  } else if (!cursor_.at(";")) {
    cursor_.expect_word("a prototype");
  }
  instruction.operands = {std::move(results), std::move(target), std::move(arguments)};
}

// suffix := .modifier | .space | .vN | .type
void FunctionParser::parse_suffixes(Instruction& instruction, bool& known, std::string& text) {
  static const auto modifiers = [] {
    std::unordered_map<std::string_view, Modifier> map;
#define MODIFIER(id, spelling) map.emplace(spelling, Modifier::id);
#include "common/ptx/modifiers.def"
#undef MODIFIER
    return map;
  }();
  while (cursor_.peek().kind == Token::Kind::kDot) {
    const auto suffix = cursor_.next().text;
    text += suffix;
    const auto type = type_of(suffix);
    const auto space = state_space(suffix);
    const auto modifier = modifiers.find(suffix);
    if (type != Type::kNone) {
      if (instruction.type_count < instruction.types.size()) {
        instruction.types[instruction.type_count++] = type;
      } else {
        known = false;
      }
    } else if (suffix == ".v2" || suffix == ".v4" || suffix == ".v8") {
      instruction.vector = static_cast<std::uint8_t>(suffix[2] - '0');
    } else if (space != StateSpace::kGeneric) {
      instruction.space = space;
    } else if (modifier != modifiers.end()) {
      instruction.modifiers.add(modifier->second);
      if (modifier->second == Modifier::shared_cluster) instruction.space = StateSpace::kShared;
    } else {
      known = false;
    }
  }
}

void FunctionParser::check(const Instruction& instruction, bool known, std::string_view text) {
  const auto& row = row_of(instruction.opcode);
  const auto count = instruction.operands.size();
  const bool is_refused = !known || (row.types & bit_of(instruction.types[0])) == 0 ||
                          !instruction.modifiers.within(row.modifiers);
  if (is_refused) {
    refuse(instruction.ptx_line, fmt::format("instruction '{}' is not supported: {}", text,
                                             why_refused(text, row.mnemonic)));
  } else if (count < row.fewest_operands || count > row.most_operands) {
    cursor_.fail(fmt::format("'{}' with {} operands", text, count));
  }
  check_operands(instruction, is_refused, text);
}

// A refused form may have its address at another operand than the table says. Its branch targets
// must be valid all the same, because control flow is analysed before the refusal is reported.
void FunctionParser::check_operands(const Instruction& instruction, bool is_refused,
                                    std::string_view text) const {
  const auto& fact = facts(instruction);
  const auto require = [&](std::size_t index, auto... kinds) {
    const auto& o = instruction.operands;
    if (index >= o.size() || ((o[index].kind != kinds) && ...)) {
      cursor_.fail(fmt::format("operand {} of '{}' is of the wrong kind", index + 1, text));
    }
  };
  using enum Operand::Kind;
  if (fact.flow == Flow::kBranch) require(0, kLabel);
  if (fact.flow == Flow::kJumpTable) require(1, kBranchTargets);
  if (fact.flow == Flow::kCall) require(1, kFunction, kRegister);
  if (fact.address && !is_refused) require(*fact.address, kAddress);
}

void FunctionParser::refuse(std::uint32_t line, std::string message) {
  Refusal diagnostic;
  if (in_instruction_) {
    diagnostic.instruction = static_cast<std::uint32_t>(function_.instructions.size());
  }
  diagnostic.kind = base::DiagnosticKind::kUnsupported;
  diagnostic.where.line = location_;  // an index; parser.cpp replaces it by file and line
  diagnostic.message = fmt::format("PTX line {}: {}", line, message);
  function_.unsupported.push_back(std::move(diagnostic));
}

// A refused instruction may have operands of any kind. It keeps its guard and its place, so that
// threads that skip it continue.
void FunctionParser::keep_place(Instruction& instruction) const {
  const auto& refusals = function_.unsupported;
  if (refusals.empty() || refusals.back().instruction != function_.instructions.size()) return;
  Instruction kept;
  kept.opcode = Opcode::other;
  kept.guard = instruction.guard;
  kept.guard_negated = instruction.guard_negated;
  kept.location = instruction.location;
  kept.ptx_line = instruction.ptx_line;
  instruction = std::move(kept);
}

void FunctionParser::resolve_labels() {
  const auto resolve = [&](std::uint32_t number) {
    if (label_targets_[number] < 0) {
      cursor_.fail(fmt::format("'{}' is not declared", label_names_[number]));
    }
    return static_cast<std::uint32_t>(label_targets_[number]);
  };
  for (auto& instruction : function_.instructions) {
    for (auto& operand : instruction.operands) {
      if (operand.kind == Operand::Kind::kLabel) operand.index = resolve(operand.index);
    }
  }
  for (auto& targets : function_.branch_targets) {
    for (auto& label : targets.labels) label = resolve(label);
  }
}

namespace {

// The part of FunctionParser that reads operands and resolves their names.

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
