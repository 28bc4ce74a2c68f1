// SPDX-License-Identifier: Apache-2.0
// A case of an exercise at one size: its launches and buffers, with every expression of the
// manifest as a number.
// A plan makes it (grade/plan/plan.h). Execution, timing, verdicts and explanations read it, and
// see no expression.
// Contents of buffers depend only on the seed, the exercise, the case and the parameter. The
// submission and the reference therefore get the same inputs on every device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/timing/arithmetic.h"
#include "common/verify/values.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::cases {

// A launch of a kernel with its geometry and arguments as numbers.

/// The launch of `kernel` with `geometry` and all parameters. A buffer argument contains its index
/// in buffers_of().
run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const course::Geometry& geometry, const std::string& kernel,
                        const text::Variables& variables);

/// The same with only the parameters at these indices.
run::Launch make_launch(const std::vector<course::Parameter>& parameters,
                        const std::vector<std::size_t>& arguments, const course::Geometry& geometry,
                        const std::string& kernel, const text::Variables& variables);

// The buffers of a case at one size, and their contents before a launch.
//
// Contents depend only on the seed, the exercise, the case and the parameter, so the submission and
// the reference get the same inputs on every device. The seed of a measured case is salted; see
// submission.h.

/// Pieces in any order, see course::EqualPieces.
struct SizedPieces {
  std::uint64_t length = 1;
};

/// A row-major buffer, see BufferParameter.
struct SizedBuffer {
  std::string name;  ///< "STRUCT.FIELD" for a field.
  verify::ElementType type{};
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
  bool is_matrix = false;  ///< The number of rows is not always 1.
  std::variant<course::Poison, verify::Fill, verify::IndexFill> content;
  std::variant<course::NotCompared, course::EqualTotal, SizedPieces, verify::Tolerance> comparison;

  std::uint64_t elements() const { return rows * columns; }
  std::uint64_t bytes() const { return elements() * verify::size_of(type); }
  bool is_input() const { return !std::holds_alternative<course::Poison>(content); }
  bool is_output() const { return !std::holds_alternative<course::NotCompared>(comparison); }
  bool is_read_only() const { return is_input() && !is_output(); }
  bool has_total() const { return std::holds_alternative<course::EqualTotal>(comparison); }
  bool has_pieces() const { return std::holds_alternative<SizedPieces>(comparison); }
  /// Every element has one right value.
  bool is_by_element() const { return is_output() && !has_total() && !has_pieces(); }
  /// How its elements may differ from the reference's.
  verify::Tolerance tolerance() const;
};

/// The buffers of `parameters`, in order.
std::vector<SizedBuffer> size_buffers(const std::vector<course::Parameter>& parameters,
                                      const text::Variables& variables);

/// A launch that questions ask about. Its kernel has its name in the source.
struct SizedQuestion {
  run::Launch launch;
  std::vector<SizedBuffer> buffers;
};

SizedQuestion size_question(const course::AskedLaunch& asked);

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

/// The launches of a case in their order.
struct SizedLaunches {
  run::Sequence sequence;          ///< Its kernels have no names yet.
  std::vector<std::size_t> steps;  ///< By launch: the exercise's step that it belongs to.

  /// The same launches, of `kernels`: one per step.
  run::Sequence of(const std::vector<std::string>& kernels) const;
};

SizedLaunches size_launches(const course::KernelExercise& exercise,
                            const text::Variables& variables);

/// The bytes and floating-point operations that any solution needs: the manifest's expressions, or
/// by default the inputs and outputs once, and no operations.
struct RequiredWork {
  std::uint64_t bytes = 0;  ///< Read and written together.
  double operations = 0;
  timing::ArithmeticKind arithmetic = timing::ArithmeticKind::kF32;  ///< Kind of `operations`.
};

RequiredWork required_work(const course::KernelExercise& exercise,
                           const text::Variables& variables);

struct SizedCase {
  std::string exercise;  ///< Its id.
  std::string name;
  text::Variables variables;  ///< For reports.
  std::vector<SizedBuffer> buffers;
  SizedLaunches launches;
  run::Launch reference;  ///< Its kernel is called as in the manifest: "sum_reference<4>".
  /// Consecutive elements of the output that one block of the reference makes.
  std::optional<std::uint64_t> elements_per_block;
  RequiredWork work;

  /// nullptr if no buffer has that name.
  const SizedBuffer* buffer_called(std::string_view name) const;
  /// The seed of the buffers' contents.
  std::uint64_t contents_seed(std::uint64_t seed) const {
    return cases::contents_seed(exercise, name, seed);
  }
};

/// The case called `name` of `exercise`, which must have a kernel.
SizedCase size_case(const course::Exercise& exercise, const std::string& name,
                    text::Variables variables);

}  // namespace warpgrade::grader::cases
