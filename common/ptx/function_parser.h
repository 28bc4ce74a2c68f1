// SPDX-License-Identifier: Apache-2.0
// Parses the body of one function: declarations, labels, instructions, operands, .loc lines.
//
// In: a cursor at the body's first token, and the names of the module. Out: a Function whose
// operands have indices instead of names. A row of instructions.def decides which types,
// modifiers and numbers of operands an instruction may have. Labels may be used before their
// definition and are resolved at the end of the body.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/ptx/lexer.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// A .loc whose .file is not known yet (files are declared at the end of the text).
struct PendingLocation {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t inlined_at = 0;  ///< Index of the call's place in Function::locations; 0: none.
  auto operator<=>(const PendingLocation&) const = default;
};

/// Allows lookup in a map with std::string keys by std::string_view.
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

/// Converts a directive (".shared", ".shared::cta") to a state space; kGeneric if it is not one.
StateSpace state_space(std::string_view directive);
/// Converts a directive (".u32") to a type; kNone if it is not one.
Type type_of(std::string_view directive);

/// variable := [.align n] .type name[n]... [= initial]; the cursor is after the state space. The
/// module parser reads `{ }` initialisers, which need names of variables and functions.
Variable parse_declarator(TokenCursor& cursor, StateSpace space);

class FunctionParser {
 public:
  /// `registers_before`: registers of the previous functions, for the limit on the total.
  FunctionParser(TokenCursor& cursor, const Module& module, Function& function,
                 std::uint64_t registers_before);

  /// Parses from the body's `{` through its `}`. Returns the places that Function::locations must
  /// hold from index 1 on.
  std::vector<PendingLocation> parse();

 private:
  enum class NameKind : std::uint8_t { kRegister, kLocal, kParameter };
  struct Name {
    NameKind kind{};
    std::uint32_t index = 0;
  };

  void parse_block();
  void parse_statement();
  PendingLocation parse_place();
  std::uint32_t add_location(const PendingLocation& place, std::uint32_t inlined_at);
  void parse_registers();
  void parse_variables(StateSpace space);
  void parse_branch_targets(std::string_view label);
  void parse_location();
  void parse_instruction();
  void parse_call(Instruction& instruction);
  void parse_suffixes(Instruction& instruction, bool& known, std::string& text);
  void check(const Instruction& instruction, bool known, std::string_view text);
  void check_operands(const Instruction& instruction, bool is_refused, std::string_view text) const;
  void refuse(std::uint32_t line, std::string message);
  void keep_place(Instruction& instruction) const;
  Operand parse_operand();
  Operand parse_address();
  Operand parse_name();
  Operand parse_number();
  Operand symbol_operand(std::string_view name);
  Operand label_operand(std::string_view name);
  std::optional<Name> find(std::string_view name) const;
  void resolve_labels();

  TokenCursor& cursor_;
  const Module& module_;
  Function& function_;
  std::uint64_t registers_before_;
  /// Registers declared together, such as %r<15>.
  struct Family {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  struct Scope {
    std::unordered_map<std::string, Name, StringHash, std::equal_to<>> names;
    std::unordered_map<std::string_view, Family> families;
  };

  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, std::uint32_t> label_numbers_;
  std::vector<std::int64_t> label_targets_;  ///< By label number; -1 if not yet defined.
  std::vector<std::string_view> label_names_;
  std::map<PendingLocation, std::uint32_t> location_indices_;
  std::vector<PendingLocation> locations_;
  std::map<PendingLocation, std::uint32_t> latest_;  ///< The latest location with each place.
  std::uint32_t location_ = 0;
  bool in_instruction_ = false;
};

}  // namespace warpgrade::ptx
