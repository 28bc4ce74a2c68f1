// SPDX-License-Identifier: Apache-2.0
// Finds the edits of a module (program_edits.h): for each instruction of the submission, then for
// several places at once.
//
// The kinds of edits are in values.cpp (numbers, operators, comparisons), factors.cpp (lengths and
// factors), names.cpp (variables and their exchange), starts.cpp (where a loop's value begins), and
// statements.cpp (guards, jumps, order, calls). finder.cpp answers their questions about the
// module.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "grader/grade/explain/edits/changes.h"
#include "grader/grade/explain/program_edits.h"
#include "grader/grade/explain/value_uses.h"

namespace warpgrade::grader::grade {
namespace program_edits {

// The indices of threads and blocks, and their limits.
constexpr SR kPlaces[] = {SR::tid_x,  SR::tid_y,  SR::ctaid_x,  SR::ctaid_y,
                          SR::ntid_x, SR::ntid_y, SR::nctaid_x, SR::nctaid_y};

inline std::uint32_t line_of(const Function& function, const Instruction& in) {
  return function.locations[in.location].line;
}

// A register that is written once: a parameter, or a value of a statement before `at`.
struct Variable {
  std::uint32_t number = 0;
  std::uint32_t at = 0;
  bool is_parameter = false;
  bool is_shared = false;  // Several instructions use it.
};

// A variable or a special register, as an operand names it.
struct Name {
  bool is_special = false;
  std::uint32_t number = 0;
  auto operator<=>(const Name&) const = default;
};

class Finder {
 public:
  Finder(const ptx::Module& module, std::string_view file, const IsExecuted& is_executed)
      : module_(module), file_(file), is_executed_(is_executed), uses_(module) {}

  std::vector<Edit> run();

 private:
  using Sites = std::vector<Edit::Site>;
  using Place = std::tuple<std::uint32_t, std::uint32_t, Opcode>;  // Line, number, opcode.

  // ---- The module.
  void find_strides();
  std::set<std::int64_t> other_lengths();
  void find_sites();
  bool is_own(const Function& function, const Instruction& in) const;
  const Instruction* origin(const Operand& operand);
  bool is_quotient(const Operand& operand);
  bool is_constant(const Operand& operand);
  bool is_shared_constant(const Operand& operand);
  static bool is_scaling(const Instruction& in);
  bool is_argument(const Instruction& in) const;
  static bool is_argument_of(const Function& function, const Instruction& in);
  bool is_stride(const Instruction& in, std::size_t k) const;
  const Instruction* only_writer(std::uint32_t f, const Operand& operand);
  const std::vector<Variable>& variables_of(std::uint32_t f);
  std::vector<std::uint32_t> parameters_of(std::uint32_t f, bool (*has_type)(Type));
  bool is_parameter_value(const Operand& operand);
  bool is_added_to(std::uint32_t f, std::uint32_t number) const;

  // ---- Edits of one instruction, of which `now_` has the sites.
  void comparison(const Instruction& in);
  void rest(const Instruction& in);
  void limit(const Instruction& in);
  void guarded(const Instruction& in);
  void filled(const Instruction& in);
  const Sites& fillers_of(std::uint32_t f);
  bool is_filler(const Operand& number);
  void constants(const Instruction& in);
  void float_constant(const Operand& operand, std::size_t k, Type type);
  void operators(const Instruction& in);
  void remainder(const Instruction& in);
  void additions(const Instruction& in);
  void add_arguments();
  void add_to_variable(const Instruction& in);
  void offsets(const Instruction& in);
  void rounding(const Instruction& in);
  void sign(const Instruction& in);

  void special(const Instruction& in);
  void variables(const Edit::Site& first, const Instruction& in);

  void layout(const Instruction& in);
  void lengths(const Instruction& in);
  void factors(const Instruction& in);
  void scales(const Instruction& in);
  void terms(const Edit::Site& first, const Instruction& in);
  void fixed(const Instruction& in);
  void steps(const Instruction& in);

  void start(const Edit::Site& first, const Instruction& in);
  void start_in_memory(const Edit::Site& first);
  void start_by(const Edit::Site& first, const std::vector<std::uint32_t>& filling,
                const std::vector<std::uint32_t>& all);
  void start_of_fragment(const Edit::Site& first, const Instruction& in);
  void halves(const Instruction& in);

  void guards(const Edit::Site& first, const Instruction& in);
  std::vector<std::uint32_t> index_values(const Edit::Site& access, const Operand& address);
  void branch(const Edit::Site& first, const Instruction& in);

  // ---- Edits of several places at once.
  void comparisons_of_lines();
  void exchanges();
  void exchange(std::uint32_t f, const Name& a, const Name& b);
  void exchange_in_lines(std::uint32_t f);
  void changes_of_lines();
  std::set<std::uint32_t> counters_of(std::uint32_t f) const;

  void orders();
  std::vector<ptx::Range> statements_of(std::uint32_t f) const;
  bool writes(std::uint32_t f, const ptx::Range& statement) const;
  void functions_of_toolkit();
  std::uint32_t line_of_call(std::uint32_t callee) const;
  void float_indices();

  template <typename Change>
  void add(EditKind kind, Rank rank, std::string text, Change change) {
    out_.push_back({kind, rank, line_, of_, kind == EditKind::kExit, std::move(text), *now_,
                    std::move(change)});
  }

  const ptx::Module& module_;
  std::string_view file_;
  const IsExecuted& is_executed_;
  ValueUses uses_;
  std::map<Place, Sites> sites_;
  std::map<std::uint32_t, std::vector<Variable>> known_;
  std::map<std::uint32_t, std::vector<const Instruction*>> writers_;  // By register.
  std::map<std::uint32_t, Sites> fillers_;                            // By function.
  std::set<std::int64_t> strides_;
  std::vector<Edit> out_;
  const Sites* now_ = nullptr;
  std::uint32_t line_ = 0;
  Uses of_;
};

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
