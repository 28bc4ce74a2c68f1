// SPDX-License-Identifier: Apache-2.0
// Writes one random program, statement by statement.
//
// All variables are declared and initialized before the first statement, so that any subset of the
// top-level statements is also a program. Each of these statements has its own random numbers. A
// Scope describes what code at a place may use. Each program draws from a skewed choice (some
// operations and statements are off), because programs with a bit of everything are all alike.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "tests/evidence/random/operations.h"
#include "tests/evidence/random/program.h"

namespace warpgrade::programs {

struct Variable {
  Kind kind{};
  std::string name;
};

struct Function {
  std::string name;
  Kind result{};
  std::vector<Kind> parameters;
  bool calls = false;  ///< Itself or other functions.
};

struct Scope {
  std::vector<Variable> readable;
  std::vector<Variable> writable;
  /// Expression for the mask of lanes that execute this place together; empty if unknown.
  std::string mask;
  bool uniform = false;      ///< All remaining threads of the block execute this place.
  bool in_function = false;  ///< Outside the kernel: no input, no arrays, no exit.
  std::uint32_t depth = 0;   ///< Nesting depth of statements.
  std::uint32_t loops = 0;   ///< Number of enclosing loops.
  std::uint32_t indent = 1;
};

class Generator {
 public:
  Generator(std::uint64_t seed, std::uint32_t architecture);
  RandomProgram make(const std::set<std::uint32_t>& kept);

 private:
  // expressions.cpp
  std::string expression(const Scope& scope, Kind kind, std::uint32_t depth);
  std::string expression(const Scope& scope, Kind kind);
  std::string leaf(const Scope& scope, Kind kind);
  std::string literal(Kind kind);
  std::string converted(const std::string& word, Kind kind);
  std::string condition(const Scope& scope) { return expression(scope, Kind::kPred); }
  std::string index(const Scope& scope) { return expression(scope, Kind::kU32, 1); }
  void choose_operations();

  // functions.cpp
  void functions();
  void function(std::uint32_t number, bool recursive);
  std::string call(const Scope& scope, const Function& function);
  void call_statement(const Scope& scope);
  void pointer_call(const Scope& scope);

  // statements.cpp
  void block(const Scope& scope, std::uint32_t count);
  void statement(const Scope& scope);
  void assignment(const Scope& scope);
  void branch(const Scope& scope);
  void loop(const Scope& scope);
  void masked_loop(const Scope& scope);
  void jump_table(const Scope& scope);
  void unstructured(const Scope& scope);
  void uniform_flow(const Scope& scope);
  void leave(const Scope& scope);

  // memory.cpp
  void array_store(const Scope& scope);
  std::string own_address(const Scope& scope);
  void own_memory(const Scope& scope);
  void own_atomic(const Scope& scope);
  void sum_atomic(const Scope& scope);
  void vector_load(const Scope& scope);

  // cooperation.cpp
  void shared_exchange(const Scope& scope);
  void global_exchange(const Scope& scope);
  void shared_atomics(const Scope& scope);
  void block_reduction(const Scope& scope);
  void block_vote(const Scope& scope);
  void warp_exchange(const Scope& scope);
  void shuffle(const Scope& scope);
  void raw_shuffle(const Scope& scope);
  void vote(const Scope& scope);
  void match(const Scope& scope);
  void warp_reduction(const Scope& scope);
  void aggregated(const Scope& scope);

  // program.cpp
  void choose_shape();
  void choose_variables();
  void declarations();
  void finish(const Scope& scope, std::uint32_t exit);

  void line(const Scope& scope, const std::string& text);
  std::string fresh(const char* stem);
  /// A writable variable of one of `kinds`, or of any kind if the list is empty; nullptr if none
  /// exists.
  const Variable* target(const Scope& scope, const std::vector<Kind>& kinds);
  Scope inner(const Scope& scope) const;
  static Scope outside();

  std::uint64_t seed_;
  std::uint32_t architecture_;
  Random random_;
  RandomProgram program_;
  std::string text_;
  std::string prefix_;  // Prefix of names: the top-level statement.
  std::uint32_t names_ = 0;
  std::uint32_t exits_ = 0;
  std::uint32_t threads_ = 0;  // Per block.
  std::uint32_t expression_depth_ = 3;
  bool alone_ = false;       // Threads do not cooperate, and may recurse.
  bool deep_exits_ = false;  // Threads may exit anywhere; warp functions are off.
  std::vector<Variable> variables_;
  std::vector<Function> functions_;
  std::array<std::vector<std::uint32_t>, kKinds> chosen_;  // By result; repeated by weight.
  std::vector<std::uint32_t> statement_weights_;
};

}  // namespace warpgrade::programs
