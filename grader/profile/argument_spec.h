// SPDX-License-Identifier: Apache-2.0
// The kernel arguments of `warpgrade profile` as written on the command line.
//
//   i32:5  u32:5  i64:5  u64:5  f32:1.5  f64:1.5     a number by value
//   in:TYPE:COUNT:INIT                               a buffer that the kernel reads
//   inout:TYPE:COUNT:INIT                            a buffer that it reads and writes
//   out:TYPE:COUNT                                   a buffer that it writes; starts as zeros
//
// TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64; INIT is zeros, iota, random:SEED or file:PATH
// (raw little-endian, exactly COUNT elements).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/run/launch.h"
#include "common/verify/values.h"

namespace warpgrade::grader {

/// Most bytes that the buffers of one launch may have together.
constexpr std::uint64_t kMostBufferBytes = std::uint64_t{8} << 30;

struct BufferSpec {
  bool is_input = false;  ///< Has a content.
  bool is_inout = false;  ///< It may be written as well.
  verify::ElementType type{};
  std::uint64_t count = 0;
  verify::Fill fill = verify::Fill::kZeros;
  std::uint64_t seed = 0;
  std::filesystem::path file;  ///< Not empty: the content comes from there.

  std::uint64_t bytes() const { return count * verify::size_of(type); }
};

struct ArgumentSpec {
  std::string text;                                        ///< From the command line, for messages.
  std::variant<std::vector<std::byte>, BufferSpec> value;  ///< A number's bytes, or a buffer.
};

/// Throws base::UsageError that shows the spec and says what is wrong with it.
ArgumentSpec parse_argument(std::string_view spec);

/// Arguments and buffers of a launch, buffers filled. Throws base::UsageError where they are larger
/// than kMostBufferBytes together, or where a file is missing or has another size.
struct Arguments {
  std::vector<run::Argument> arguments;
  std::vector<run::Buffer> buffers;
};
Arguments make_arguments(const std::vector<ArgumentSpec>& specs);

}  // namespace warpgrade::grader
