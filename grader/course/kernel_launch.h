// SPDX-License-Identifier: Apache-2.0
// A kernel's parameters and launch geometry as labs and studies state them: numbers are expressions
// of a case's variables (expressions.h), evaluated for each case.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/verify/indices.h"
#include "common/verify/values.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader {

/// kInOut is an input that the kernel makes an output of, kSame another parameter's buffer once
/// more, kStruct a structure by value, kScratch a buffer that is neither filled nor compared.
enum class Role { kOut, kIn, kInOut, kValue, kSame, kStruct, kScratch };
enum class OutputComparison { kBits, kTotal, kUlps };

/// A kernel parameter, or a field of one: a row-major buffer, a number handed over by value, or a
/// structure of these.
struct Parameter {
  std::string name;  ///< "STRUCT.FIELD" for a field.
  Role role{};
  verify::ElementType type{};
  Expression rows;                                        ///< Buffers only.
  Expression columns;                                     ///< Buffers only.
  verify::Fill fill{};                                    ///< kIn and kInOut only.
  std::optional<verify::IndexKind> indices{};             ///< Instead of `fill`.
  Expression index_bound{};                               ///< Only with `indices`.
  OutputComparison comparison = OutputComparison::kBits;  ///< kOut and kInOut only.
  Expression ulps;                                        ///< Comparison kUlps only.
  Expression value;                                       ///< kValue only.
  bool is_bool = false;                                   ///< kValue only: 0 or 1.
  std::string of{};                 ///< kSame only: the name of the buffer's parameter.
  base::SourceLocation of_where{};  ///< Its place in the manifest.
  std::vector<Parameter> fields{};  ///< kStruct only.

  /// Whether it brings a buffer of its own.
  bool is_buffer() const { return is_filled() || is_compared() || role == Role::kScratch; }
  bool is_filled() const { return role == Role::kIn || role == Role::kInOut; }
  /// Whether its final content is compared with the reference's.
  bool is_compared() const { return role == Role::kOut || role == Role::kInOut; }
};

/// The parameters and fields that bring a buffer of their own, in order: one a buffer of a launch.
std::vector<const Parameter*> buffers_of(const std::vector<Parameter>& parameters);

/// The index in `buffers` of the one called `name`, or their number.
std::size_t buffer_called(const std::vector<const Parameter*>& buffers, const std::string& name);

/// The offsets of a structure's fields, and its size, as C++ lays them out: each field begins at a
/// multiple of its own size, and the size is a multiple of the largest.
struct StructLayout {
  std::vector<std::uint32_t> offsets;
  std::uint32_t bytes = 0;
};
StructLayout layout_of(const Parameter& structure);

/// Bytes that the kernel takes for `parameter`: 8 for an address.
std::uint32_t parameter_bytes(const Parameter& parameter);

struct Geometry {
  std::array<Expression, 3> grid;
  std::array<Expression, 3> block;
  Expression shared_bytes;  ///< Dynamic, a block.
  bool cooperative = false;
  /// Blocks per thread block cluster; nullopt: the kernel's __cluster_dims__, or no clusters.
  std::optional<std::array<Expression, 3>> cluster{};
};

/// Launches of one kernel, one right after the other.
struct Step {
  std::string kernel;     ///< May hold {variable}.
  std::string signature;  ///< "copy(float*, const float*, int, int)".
  Geometry geometry;
  std::vector<std::size_t> arguments;  ///< Places among the exercise's parameters.
  Expression times;                    ///< How often; `step` counts from 0.
  /// Pairs of buffers, places among buffers_of(), that change places after each time.
  std::vector<std::pair<std::size_t, std::size_t>> swaps;
};

/// `kernel` with each {variable} replaced by the case's value: "reduce_threads<4>".
std::string kernel_name(const std::string& kernel, const Variables& variables);

}  // namespace warpgrade::grader
