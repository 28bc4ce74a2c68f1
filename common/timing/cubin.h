// SPDX-License-Identifier: Apache-2.0
// Reads the machine instructions of a kernel in a cubin, with the PTX line of each.
//
// In: the bytes of an ELF file. Out: operation, form, branch target, access size and schedule of
// each 16-byte instruction. The parts are the ELF container, the line table (.nv_debug_line_sass,
// DWARF 2) and the instructions. Invalid or unusable parts of the file count as missing code,
// because the model can do without code. Nothing throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warpgrade::timing {

// Parts of a 64-bit little-endian ELF file, such as a cubin.
//
// Invalid or truncated parts count as missing; nothing throws.

class Elf {
 public:
  explicit Elf(std::span<const char> file);

  /// The bytes of the section; empty if it does not exist.
  std::span<const char> section(std::string_view name) const;

  /// The positions in a section that contain the address of `symbol`, from its relocations.
  std::vector<std::uint64_t> places_of(std::string_view symbol, std::string_view section) const;

 private:
  std::span<const char> file_;
  std::span<const char> names_;
  std::uint64_t headers_ = 0;
  std::uint16_t count_ = 0;
};

// Finds the PTX line of each machine instruction of a kernel.
//
// A cubin compiled with -lineinfo has a section .nv_debug_line_sass: a DWARF 2 line table (section
// 6.2) whose file is the PTX text. Each kernel has its own sequence, which begins with an address
// that a relocation fills in by the kernel's name.

/// The line, from 1 on, of each of the kernel's `count` instructions; 0 if unknown. Empty if the
/// cubin has no line table for the kernel.
std::vector<std::uint32_t> ptx_lines(const Elf& cubin, std::string_view kernel, std::size_t count);

/// The additions and multiplications of floats and doubles.
enum class FloatOperation : std::uint8_t { kFadd, kFmul, kFfma, kDadd, kDmul, kDfma, kCount };
constexpr auto kFloatOperations = static_cast<std::size_t>(FloatOperation::kCount);

struct MachineInstruction {
  enum class Kind : std::uint8_t {
    kOther,
    kGlobalLoad,
    kGlobalStore,
    kSharedLoad,
    kSharedStore,
    kLocalLoad,
    kLocalStore,
    kFloat,   ///< Adds or multiplies floats or doubles.
    kBranch,  ///< `target` is the index of the target instruction.
    kCall,    ///< The same for calls.
    kReturn,  ///< From a call.
    kExit,
    kExchange,  ///< Between lanes.
    kNothing,   ///< Padding of the section.
  };
  enum class Unit : std::uint8_t {
    kNone,
    kAlu,
    kFloat,  ///< Sums and products of f32.
    kFmaHeavy,
    kFmaHeavyTwice,
    kWideProduct,  ///< kFmaHeavyTwice with a result of 64 bits.
    kFp64,
    kXu,
    kXuOfDoubles,  ///< Conversions from and to doubles: at the rate of doubles if that is slower.
  };
  static constexpr std::uint8_t kNoBarrier = 7;

  bool is_looked_up() const { return unit == Unit::kXu || unit == Unit::kXuOfDoubles; }
  bool moves() const { return kind >= Kind::kGlobalLoad && kind <= Kind::kLocalStore; }

  Kind kind{};
  Unit unit{};
  std::uint8_t bytes = 0;          ///< Bytes per lane of a memory access.
  std::uint8_t stall = 0;          ///< Clocks until the warp issues the next instruction.
  std::uint8_t sets = kNoBarrier;  ///< The barrier that opens when its result is ready.
  std::uint8_t waits = 0;          ///< One bit per barrier that it waits for.
  std::uint32_t line = 0;          ///< PTX line, from 1 on; 0 if unknown.
  std::int32_t step = 0;           ///< A constant that it adds to a register; else 0.
  std::int32_t offset = 0;         ///< Place of a local access on the stack.
  std::int64_t target = 0;
  /// If `kind` is kFloat and it has no predicate.
  std::optional<FloatOperation> float_operation = std::nullopt;
};

/// The instructions of `kernel` for compute capability `major`; empty if the code is missing,
/// invalid or older than Volta's.
std::vector<MachineInstruction> machine_instructions(std::span<const char> cubin,
                                                     std::string_view kernel, std::uint32_t major);

}  // namespace warpgrade::timing
