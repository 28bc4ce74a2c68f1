// SPDX-License-Identifier: Apache-2.0
// A kernel's parameters and launch geometry as labs and studies state them: numbers are expressions
// of a case's variables (expressions.h), evaluated for each case.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/verify/indices.h"
#include "common/verify/ulps.h"
#include "common/verify/values.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader::course {

/// Contents of a buffer that depend on a number (verify::IndexFill): "below(n)".
struct Indices {
  verify::IndexKind kind{};
  text::Expression bound;
  std::optional<text::Expression> has_edges;  ///< If not 0, `kind` is kEdgeStarts.
};

/// A buffer's content before the launch. An input has a fill or indices.
struct Poison {};
using Content = std::variant<Poison, verify::Fill, Indices>;

/// How the final content is compared with the reference's: every element by its bits or within some
/// ULPs, or the sum of all elements.
struct NotCompared {};
struct EqualBits {};
struct EqualTotal {};
struct WithinUlps {
  text::Expression most;
  std::optional<text::Expression> magnitude;  ///< See verify::Tolerance.
};
using Comparison = std::variant<NotCompared, EqualBits, EqualTotal, WithinUlps>;

/// A row-major buffer, passed by its address. It is an input, an output, both, or scratch memory.
struct BufferParameter {
  std::string name;  ///< "STRUCT.FIELD" for a field.
  verify::ElementType type{};
  text::Expression rows;
  text::Expression columns;
  Content content;
  Comparison comparison;

  bool is_input() const { return !std::holds_alternative<Poison>(content); }
  bool is_output() const { return !std::holds_alternative<NotCompared>(comparison); }
  bool is_read_only() const { return is_input() && !is_output(); }
  bool has_total() const { return std::holds_alternative<EqualTotal>(comparison); }
  /// How elements may differ; all zeros unless they are compared within ULPs.
  verify::Tolerance tolerance(const text::Variables& variables) const;
};

/// A number, passed by value.
struct ValueParameter {
  std::string name;
  verify::ElementType type{};
  bool is_bool = false;  ///< 0 or 1.
  text::Expression value;
};

/// The address of another parameter's buffer.
struct SameParameter {
  std::string name;
  std::string of;              ///< The buffer's name.
  base::SourceLocation where;  ///< Its place in the manifest.
};

using Field = std::variant<BufferParameter, ValueParameter, SameParameter>;

/// A structure, passed by value.
struct StructParameter {
  std::string name;
  std::vector<Field> fields;
};

using Parameter = std::variant<BufferParameter, ValueParameter, SameParameter, StructParameter>;

/// The name of a parameter or field.
template <typename... Kinds>
const std::string& parameter_name(const std::variant<Kinds...>& parameter) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, parameter);
}

/// The parameters and fields of one kind, which is not a struct, in order.
template <typename Kind>
std::vector<const Kind*> all_of_kind(std::span<const Parameter> parameters) {
  std::vector<const Kind*> out;
  const auto add = [&out](const auto& one) {
    if (const auto* found = std::get_if<Kind>(&one)) out.push_back(found);
  };
  for (const auto& parameter : parameters) {
    add(parameter);
    if (const auto* structure = std::get_if<StructParameter>(&parameter)) {
      for (const auto& field : structure->fields) add(field);
    }
  }
  return out;
}

/// One per buffer of a launch, in order.
std::vector<const BufferParameter*> buffers_of(std::span<const Parameter> parameters);

/// The index in `buffers` of the one called `name`, or their number.
std::size_t buffer_called(const std::vector<const BufferParameter*>& buffers,
                          const std::string& name);

/// Bytes that a field occupies: 8 for an address.
std::uint32_t field_bytes(const Field& field);

/// The offsets of a structure's fields, and its size, as C++ lays them out: each field begins at a
/// multiple of its own size, and the size is a multiple of the largest.
struct StructLayout {
  std::vector<std::uint32_t> offsets;
  std::uint32_t bytes = 0;
};
StructLayout layout_of(const StructParameter& structure);

struct Geometry {
  std::array<text::Expression, 3> grid;
  std::array<text::Expression, 3> block;
  text::Expression shared_bytes;  ///< Dynamic, per block.
  bool cooperative = false;
  /// Blocks per thread block cluster; nullopt: the kernel's __cluster_dims__, or no clusters.
  std::optional<std::array<text::Expression, 3>> cluster{};
};

/// Launches of one kernel, one right after the other.
struct Step {
  std::string kernel;     ///< May contain {variable}.
  std::string signature;  ///< "copy(float*, const float*, int, int)".
  Geometry geometry;
  std::vector<std::size_t> arguments;  ///< Indices of the exercise's parameters.
  text::Expression times;              ///< Number of launches; `step` counts from 0.
  /// Pairs of buffers, as indices in buffers_of(), that are swapped after each launch.
  std::vector<std::pair<std::size_t, std::size_t>> swaps;
};

/// `kernel` with each {variable} replaced by the case's value: "reduce_threads<4>".
std::string kernel_name(const std::string& kernel, const text::Variables& variables);

}  // namespace warpgrade::grader::course
