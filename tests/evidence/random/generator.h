// SPDX-License-Identifier: Apache-2.0
// Writes one random program, statement by statement.
//
// All variables are declared and initialized before the first statement, so that any subset of the
// top-level statements is also a program. Each of these statements has its own random numbers. A
// Scope describes what code at a place may use. Each program draws from a skewed choice (some
// operations and statements are off), because programs with a bit of everything are all alike.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/evidence/random/program.h"

namespace warpgrade::programs {

// The types of values in random programs, and a random number generator with fixed behaviour.
//
// kPred is a condition: an expression, but never a variable. The name of a kind is also the name of
// its C++ type in the programs (see prelude.cpp).

enum class Kind : std::uint8_t {
  kU8,
  kS8,
  kU16,
  kS16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF32,
  kF64,
  kF16,
  kBf16,
  kF16x2,
  kBf16x2,
  kPred,
};
constexpr std::size_t kKinds = 15;

/// Name of the C++ type, and of the PTX type if there is one ("u32").
std::string_view name(Kind kind);
std::uint32_t bits(Kind kind);
bool is_integer(Kind kind);
bool is_signed(Kind kind);

/// SplitMix64. A seed must give the same programs everywhere, so no standard distribution is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// 0 to `count` - 1.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((next() >> 32) * count >> 32);
  }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }

 private:
  std::uint64_t state_;
};

/// Bits of a value of `width` bits, with frequent edge values: NaNs, infinities, subnormals, zeros
/// of both signs, the limits of the integer ranges, small numbers.
std::uint64_t edge_bits(Random& random, std::uint32_t width);

// The table of operations from which random programs build their expressions.
//
// A C++ operation is text with $0, $1, ... for its sources. A PTX operation is inline assembly with
// %0 for the result and %1, %2, ... for the sources. Inline assembly covers instructions that the
// compiler never emits, and products and sums without rounding that only the assembler may
// contract. No result depends on anything that CUDA or PTX leaves open, so approximate instructions
// are left out.

struct Operation {
  Kind result{};
  std::string text;
  std::vector<Kind> sources;
  std::uint32_t architecture = 75;  ///< The first one that supports it.
  std::uint32_t weight = 1;
  bool is_ptx = false;
};

/// All operations, in a fixed order.
const std::vector<Operation>& operations();

/// A function for the programs that executes PTX operation number `index`.
std::string ptx_function(std::size_t index);
/// Name of that function.
std::string ptx_function_name(std::size_t index);

/// Collects operations; kSame in a list of sources stands for the kind passed to each().
class OperationList {
 public:
  static constexpr Kind kSame = static_cast<Kind>(255);

  /// Adds an operation for each of `kinds`, also its result. $T is its C++ type, $U an unsigned
  /// type to compute in without overflow, $W its width, $P its PTX type, $N half its width.
  void each(const std::vector<Kind>& kinds, const std::string& text,
            const std::vector<Kind>& sources, std::uint32_t architecture = 75);
  /// Like each(), with a different kind of result.
  void each_to(Kind result, const std::vector<Kind>& kinds, const std::string& text,
               const std::vector<Kind>& sources, std::uint32_t architecture = 75);
  void set_weight(std::uint32_t weight) { weight_ = weight; }

  std::vector<Operation> take() { return std::move(operations_); }

 private:
  std::vector<Operation> operations_;
  std::uint32_t weight_ = 1;
};

void add_cpp_operations(OperationList& list);
void add_ptx_operations(OperationList& list);

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
  std::string expression(const Scope& scope, Kind kind, std::uint32_t depth);
  std::string expression(const Scope& scope, Kind kind);
  std::string leaf(const Scope& scope, Kind kind);
  std::string literal(Kind kind);
  std::string converted(const std::string& word, Kind kind);
  std::string condition(const Scope& scope) { return expression(scope, Kind::kPred); }
  std::string index(const Scope& scope) { return expression(scope, Kind::kU32, 1); }
  void choose_operations();

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
