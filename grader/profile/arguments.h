// SPDX-License-Identifier: Apache-2.0
// The kernel arguments of `warpgrade profile` as written on the command line, and their
// conversion to a runner's input: arguments, and buffers with their contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/run/launch.h"
#include "common/verify/values.h"

namespace warpgrade::grader::profile {

// The kernel arguments of `warpgrade profile` as written on the command line.
//
//   i32:5  f32:1.5  bool:1 ...        a number by value: bool, i8 to u64, f32 or f64
//   int:5                             a whole number in the width of the kernel's parameter
//   in:TYPE:COUNT:INIT                a buffer that the kernel reads
//   inout:TYPE:COUNT:INIT             a buffer that it reads and writes
//   out:TYPE:COUNT                    a buffer that it writes; it starts as zeros, but a read of an
//                                     element that was never written is a finding
//                                     COUNT is a number or an expression such as 1024*1024;
//                                     ROWSxCOLUMNS for a matrix, and so on: messages have an index
//                                     for each dimension
//   same:INDEX                        the buffer of parameter INDEX once more
//   struct:HEXBYTES                   a structure by value, byte for byte as in memory
//   struct:PIECE,PIECE,...            the same in pieces: HEXBYTES; &INDEX, the 8-byte address of
//                                     parameter INDEX's buffer; or &SPEC, the address of another
//                                     buffer: struct:&in:f32:64:iota,&out:f32:64,40000000
//
// TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64, or rBYTES for records; INIT is zeros, iota,
// random:SEED or file:PATH (raw little-endian, exactly COUNT elements, or a file of NumPy whose
// name ends with .npy; in a struct a PATH without commas).

/// Most bytes that the buffers of one launch may have together.
constexpr std::uint64_t kMostBufferBytes = std::uint64_t{8} << 30;

struct BufferSpec {
  bool is_input = false;   ///< The kernel only reads it.
  bool is_output = false;  ///< A read of an element that the kernel has not written is a finding.
  verify::ElementType type{};          ///< kU8 for a record.
  std::uint64_t record_bytes = 0;      ///< 0: no record.
  std::uint64_t count = 0;             ///< Elements; records count by their bytes.
  std::vector<std::uint64_t> extents;  ///< One per dimension; empty for one dimension.
  verify::Fill fill = verify::Fill::kZeros;
  std::uint64_t seed = 0;
  std::filesystem::path file;  ///< Not empty: the content comes from there.

  std::uint64_t bytes() const { return count * verify::size_of(type); }
};

/// The buffer of the parameter of this index.
struct SameSpec {
  std::uint64_t parameter = 0;
};

struct StructSpec {
  std::vector<std::byte> bytes;  ///< Zeros in place of addresses.
  struct Pointer {
    std::size_t offset = 0;
    std::variant<SameSpec, BufferSpec> to;
  };
  std::vector<Pointer> pointers;
};

struct ArgumentSpec {
  std::string text;  ///< From the command line, for messages.
  /// A number's bytes, a buffer, another parameter's, or a structure.
  std::variant<std::vector<std::byte>, BufferSpec, SameSpec, StructSpec> value;
  bool fits_width = false;  ///< `int:`: 8 bytes until fit_width() knows the parameter.

  /// The bytes that the kernel's parameter must have; 8 for an address.
  std::size_t bytes() const;
};

/// Throws base::UsageError with the spec and its fault.
ArgumentSpec parse_argument(std::string_view spec);

/// Encodes the number of an `int:` spec in `bytes` bytes. Returns false, and changes nothing, if
/// no integer type of that size can store it.
bool fit_width(ArgumentSpec& spec, std::size_t bytes);

struct Arguments {
  std::vector<run::Argument> arguments;
  std::vector<run::Buffer> buffers;
};

/// Arguments and buffers of a launch, buffers filled. Throws base::UsageError if they exceed
/// kMostBufferBytes together, if a file is missing or has another size, or if an INDEX is not a
/// buffer's.
Arguments make_arguments(const std::vector<ArgumentSpec>& specs);

/// The position in make_arguments().buffers of --dump's `index`: "2" is the buffer of parameter 2,
/// "2.0" the first address in the struct that is parameter 2. Throws base::UsageError if that is no
/// buffer.
std::size_t buffer_to_dump(std::string_view index, const std::vector<ArgumentSpec>& specs);

/// A buffer with the content that `spec` describes. Throws base::UsageError if `spec` describes
/// something else, and for the reasons of make_arguments().
run::Buffer make_buffer(const ArgumentSpec& spec);

}  // namespace warpgrade::grader::profile
