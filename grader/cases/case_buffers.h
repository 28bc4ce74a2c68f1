// SPDX-License-Identifier: Apache-2.0
// The buffers of a case at one size, and their contents before a launch.
//
// Contents depend only on the seed, the exercise, the case and the parameter, so the submission and
// the reference get the same inputs on every device. The seed of a measured case is salted; see
// input_salt.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/run/pattern.h"
#include "common/verify/indices.h"
#include "grader/course/kernel_launch.h"

namespace warpgrade::grader::cases {

/// A row-major buffer, see BufferParameter.
struct SizedBuffer {
  std::string name;  ///< "STRUCT.FIELD" for a field.
  verify::ElementType type{};
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  bool is_matrix = false;  ///< The number of rows is not always 1.
  std::variant<course::Poison, verify::Fill, verify::IndexFill> content;
  std::variant<course::NotCompared, course::EqualTotal, verify::Tolerance> comparison;

  std::uint64_t elements() const { return rows * columns; }
  bool is_input() const { return !std::holds_alternative<course::Poison>(content); }
  bool is_output() const { return !std::holds_alternative<course::NotCompared>(comparison); }
  bool is_read_only() const { return is_input() && !is_output(); }
  bool has_total() const { return std::holds_alternative<course::EqualTotal>(comparison); }
  /// How its elements may differ from the reference's.
  verify::Tolerance tolerance() const;
};

/// The buffers of `parameters`, in order.
std::vector<SizedBuffer> size_buffers(const std::vector<course::Parameter>& parameters,
                                      const text::Variables& variables);

/// The seed of the buffers of one case.
std::uint64_t contents_seed(std::string_view exercise, std::string_view case_name,
                            std::uint64_t seed);

/// One per buffer, in order: inputs filled, outputs poisoned. `seed` is the case's.
std::vector<run::Buffer> make_buffers(const std::vector<SizedBuffer>& buffers, std::uint64_t seed);

/// The same with inputs left empty.
std::vector<run::Buffer> make_outputs(const std::vector<SizedBuffer>& buffers, std::uint64_t seed);

/// The same for launches that are repeated on a GPU; an output's poison repeats itself.
std::vector<run::Pattern> make_patterns(const std::vector<SizedBuffer>& buffers,
                                        std::uint64_t seed);

/// One per buffer: whether the seed determines the order of its elements.
std::vector<bool> in_any_order(const std::vector<SizedBuffer>& buffers);

/// Bytes of all buffers.
std::uint64_t buffer_bytes(const std::vector<run::Buffer>& buffers);
/// The least number of bytes that any solution reads and writes, see run::least_traffic().
std::uint64_t least_traffic(const std::vector<SizedBuffer>& buffers);

}  // namespace warpgrade::grader::cases
