// SPDX-License-Identifier: Apache-2.0
// A PTX module as data: the output of the parser and the input of all later stages. A compiled
// program holds its module as a SharedModule, which is parsed, and each kernel linked, once.
//
// Instructions keep the form of the PTX manual: opcode, modifiers, types, operands. Names are
// resolved: a register is an index into Function::registers, a label an index into
// Function::instructions, a variable an index into Module::variables. Nothing here depends on a GPU
// or on the simulator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/place.h"

namespace warpgrade::ptx {

/// One enumerator per row of instructions.def: Opcode::add, Opcode::ld, ...
enum class Opcode : std::uint8_t {
#define INSTRUCTION(id, ...) id,
#define UNSUPPORTED(id, ...) id,
#include "common/ptx/instructions.def"
#undef INSTRUCTION
#undef UNSUPPORTED
};

enum class Type : std::uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kF32,
  kF64,
  kU16x2,
  kS16x2,
  kE4m3x2,  ///< Two 8-bit floats.
  kE5m2x2,
  kTf32,
};

/// Size of a value of `type` in bytes; 1 for kPred, 0 for kNone.
std::uint32_t size_of(Type type);

enum class StateSpace : std::uint8_t {
  kGeneric,
  kRegister,
  kGlobal,
  kShared,
  kLocal,
  kConstant,
  kParam
};

/// Everything after the mnemonic except types: .rn, .ftz, .sat, .wide, .uni, .volatile, ... One
/// enumerator per row of modifiers.def.
enum class Modifier : std::uint8_t {
#define MODIFIER(id, text) id,
#include "common/ptx/modifiers.def"
#undef MODIFIER
};

/// The modifiers of one instruction. PTX gives their order no meaning.
class ModifierSet {
 public:
  constexpr void add(Modifier modifier) { bits_[index(modifier)] |= bit(modifier); }
  constexpr bool has(Modifier modifier) const {
    return (bits_[index(modifier)] & bit(modifier)) != 0;
  }
  /// Whether every modifier of this set is in `other` too.
  constexpr bool within(const ModifierSet& other) const {
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if ((bits_[i] & ~other.bits_[i]) != 0) return false;
    }
    return true;
  }
  friend bool operator==(const ModifierSet&, const ModifierSet&) = default;

 private:
  static constexpr std::size_t index(Modifier m) { return static_cast<std::size_t>(m) / 64; }
  static constexpr std::uint64_t bit(Modifier m) {
    return std::uint64_t{1} << (static_cast<std::size_t>(m) % 64);
  }
  std::array<std::uint64_t, 3> bits_{};
};

/// One enumerator per row of special_registers.def.
enum class SpecialRegister : std::uint8_t {
#define SPECIAL(id, text, bytes) id,
#include "common/ptx/special_registers.def"
#undef SPECIAL
};

struct Operand {
  enum class Kind : std::uint8_t {
    kRegister,       ///< index: register.
    kImmediate,      ///< bits; `number` is their spelling.
    kSpecial,        ///< index: a SpecialRegister.
    kVariable,       ///< index: variable of the module; the value is its address.
    kLocal,          ///< index: variable of the function (.local, .shared, .param declared in it).
    kParameter,      ///< index: parameter of the kernel.
    kFunction,       ///< index: function of the module.
    kLabel,          ///< index: instruction.
    kBranchTargets,  ///< index: jump table of the function.
    kVector,         ///< elements: {a, b, c, d}.
    kAddress,  ///< [base + offset]: base is elements[0] (register, variable, ...) or an immediate.
    kSink,     ///< _ : discards a result.
  };
  Kind kind{};
  /// The spelling of an immediate: an integer in two's complement, or the bits of a float.
  enum class Number : std::uint8_t { kInteger, kFloat32, kFloat64 };
  Number number{};
  bool negated = false;  ///< !%p.
  std::uint32_t index = 0;
  std::uint32_t component = 0;  ///< For v.x, v.y: 0 to 3.
  std::uint64_t bits = 0;
  std::int64_t offset = 0;  ///< kAddress, and kVariable + constant.
  std::vector<Operand> elements;
};

struct Instruction {
  Opcode opcode{};
  ModifierSet modifiers;
  StateSpace space = StateSpace::kGeneric;  ///< ld, st, atom, red, cvta ...
  std::uint8_t vector = 1;                  ///< 2, 4 or 8 for .v2, .v4, .v8.
  std::array<Type, 4> types{};  ///< In the order of the text: cvt.f32.f64 is {kF32, kF64}.
  std::uint8_t type_count = 0;
  std::optional<std::uint32_t> guard;  ///< Predicate register of @%p.
  bool guard_negated = false;          ///< @!%p.
  bool has_second_result = false;      ///< p|q: operands 0 and 1 are both results.
  /// In the order of the text, destination first; p|q counts as two. call: results, target,
  /// arguments; the first and the last are vectors of .param variables, possibly empty.
  std::vector<Operand> operands;
  std::uint32_t location = 0;  ///< Index into Function::locations.
  std::uint32_t ptx_line = 0;  ///< 1-based line in the PTX text.
  bool is_of_toolkit = false;  ///< From a toolkit header, inlined or not.
};

struct Register {
  std::string name;  ///< "%r12".
  Type type{};
  std::uint8_t vector = 1;
};

/// A variable of the module (.global, .const, .shared), of a function, or a parameter.
struct Variable {
  std::string name;
  StateSpace space{};
  Type type{};
  std::uint32_t alignment = 1;
  std::uint64_t bytes = 0;  ///< 0 for extern .shared x[].
  bool is_extern = false;
  std::vector<std::byte> initial;  ///< May be shorter than `bytes`; the rest is zero.
  /// Addresses inside `initial` that the loader fills in: at `offset`, the address of the variable
  /// or function `index` plus `addend`.
  struct Relocation {
    std::uint64_t offset = 0;
    bool is_function = false;
    bool is_generic = false;
    std::uint32_t index = 0;
    std::int64_t addend = 0;
  };
  std::vector<Relocation> relocations;
};

/// A jump table: the labels of .branchtargets in order.
struct BranchTargets {
  std::string name;
  std::vector<std::uint32_t> labels;
};

/// Elements [begin, end) of a list.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The part of a linked function that came from one function (see link()).
struct Part {
  std::uint32_t function = 0;  ///< Index into Module::functions.
  Range instructions;
  Range registers;
  Range variables;
  Range results;               ///< Variables that are its results.
  Range parameters;            ///< Empty for the kernel; the launch supplies its parameters.
  bool address_taken = false;  ///< An indirect call may target it.
};

/// A construct that the parser does not know or the simulator does not support.
struct Refusal : base::Diagnostic {
  /// Index into Function::instructions; nullopt if the whole function cannot run.
  std::optional<std::uint32_t> instruction;
};

/// The shared memory that the system reserves in each block for cooperative groups.
inline constexpr char kReservedShared[] = "%reserved_smem_offset_1";
/// A variable with that name and size.
Variable reserved_shared();

/// Facts that later stages find out about a function, each once for all of its launches: one per
/// type. A copy of a function, which may change, starts without any.
class Analyses {
 public:
  Analyses() = default;
  Analyses(const Analyses& /*other*/) noexcept {}
  Analyses& operator=(const Analyses& /*other*/) noexcept {
    made_.clear();
    return *this;
  }
  /// The fact of type `T`, which `make` returns if it is not known yet.
  template <typename T, typename Make>
  std::shared_ptr<const T> get(const Make& make) const {
    const std::lock_guard lock(mutex_);
    auto& known = made_[typeid(T)];
    if (!known) known = std::make_shared<const T>(make());
    return std::static_pointer_cast<const T>(known);
  }

 private:
  mutable std::recursive_mutex mutex_;  // One fact may need another.
  mutable std::map<std::type_index, std::shared_ptr<const void>> made_;
};

/// The variables of a device function begin with its results, followed by its parameters.
struct Function {
  std::string name;
  bool is_entry = false;
  bool is_declaration = false;  ///< extern with no body (vprintf, malloc, __assertfail).
  std::vector<Variable> parameters;
  std::vector<Variable> results;  ///< Only for device functions.
  std::vector<Variable> variables;
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::vector<BranchTargets> branch_targets;
  std::vector<Part> parts;                      ///< Only if linked; [0] is the kernel.
  std::vector<base::SourceLocation> locations;  ///< [0] is "unknown".
  /// By location: the line of the outermost call that its code is inlined at; 0 without one.
  std::vector<std::uint32_t> call_lines;
  std::vector<Refusal> unsupported;   ///< Each refused instruction is an Opcode::other.
  bool uses_reserved_shared = false;  ///< Reads the address of kReservedShared.
  std::uint32_t ptx_line = 0;
  bool reads_grid_workspace = false;  ///< Reads %envreg1 or 2, as grid.sync() does.
  std::uint64_t most_threads = 0;     ///< Per block, from .maxntid (__launch_bounds__); 0: any.
  std::optional<base::Dim3> required_block;  ///< .reqntid: the only block of a launch.
  bool needs_clusters = false;               ///< .explicitcluster: a launch without clusters fails.
  std::optional<base::Dim3> cluster;         ///< Blocks per cluster, from __cluster_dims__.
  Analyses analyses = {};
};

struct Module {
  std::uint32_t version = 0;  ///< 90 for .version 9.0.
  std::string target;         ///< "sm_90".
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<base::Diagnostic> unsupported;  ///< Unsupported directives outside functions.
};

/// Source location of instruction `index`.
const base::SourceLocation& location(const Function& function, std::uint32_t index);

/// The function called `name`; nullptr if not found.
const Function* find_function(const Module& module, const std::string& name);

/// Parses `text`. `file` is the CUDA C++ file that the PTX was compiled from, and the .loc lines of
/// the text refer to it by that name. If `file` is the PTX file itself (NAME.ptx), places have the
/// names of the text's `.file`, and code without a place is at its line of the text.
/// Function::unsupported lists everything that the table of instructions lacks. Invalid PTX throws
/// base::ToolError with the line.
Module parse(const std::string& text, const std::string& file);

/// `kernel` of `module` with the functions that it calls, directly or not, or whose address it can
/// get from an instruction or a variable. The unsupported list includes theirs. Functions without a
/// body (vprintf, malloc, ...) have no part.
Function link(const Module& module, const Function& kernel);

/// The part of linked `function` for function `index` of the module; nullptr if it has none.
const Part* find_part(const Function& function, std::uint32_t index);

/// PTX text that is parsed when somebody first needs its module, and never again: copies share the
/// module and its linked kernels. Several threads may use it.
class SharedModule {
 public:
  using Parse = std::function<Module(const std::string& text, const std::string& file)>;

  SharedModule() : SharedModule({}, {}) {}
  /// `text` and `file` are the arguments of `parse`.
  SharedModule(std::string text, std::string file, Parse parse = ptx::parse);

  const std::string& text() const;
  /// Throws what `parse` throws.
  const Module& module() const;
  /// The kernel `name`, linked. Throws base::UsageError if the module does not define it.
  const Function& kernel(const std::string& name) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace warpgrade::ptx
