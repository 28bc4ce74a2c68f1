// SPDX-License-Identifier: Apache-2.0
// A lab and its exercises as plain structs: the checked and typed content of a manifest
// (manifest.h).
// Labs and studies share the structs of a kernel's parameters and launch geometry. Their numbers
// are expressions of a case's variables (text/numbers.h), evaluated for each case.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/device/profile.h"
#include "common/timing/arithmetic.h"
#include "common/verify/element.h"
#include "common/verify/values.h"
#include "grader/course/cause_id.h"
#include "grader/course/questions.h"
#include "grader/course/vocabulary.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::course {

// A kernel's parameters and launch geometry as labs and studies state them: numbers are expressions
// of a case's variables (numbers.h), evaluated for each case.

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
/// ULPs, the sum of all elements, or pieces in any order.
struct NotCompared {};
struct EqualBits {};
struct EqualTotal {};
struct EqualPieces {
  text::Expression length;  ///< See verify::compare_pieces().
};
struct WithinUlps {
  text::Expression most;
  std::optional<text::Expression> magnitude;  ///< See verify::Tolerance.
};
using Comparison = std::variant<NotCompared, EqualBits, EqualTotal, EqualPieces, WithinUlps>;

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
  bool has_pieces() const { return std::holds_alternative<EqualPieces>(comparison); }
  /// Every element has one right value.
  bool is_by_element() const { return is_output() && !has_total() && !has_pieces(); }
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

struct Case {
  std::string name;
  text::Variables variables;
  std::optional<text::VariableExpressions> timed_variables;
  bool measured = false;
  bool secret = false;   ///< Left out of packs.
  bool sampled = false;  ///< Some of its blocks are executed, on the simulator.

  static constexpr std::uint32_t kDraws = 256;
  /// The variables of the size whose speed is graded; `draw` is below kDraws.
  text::Variables speed_variables(std::uint32_t draw) const;
};

/// A compute capability; if `minor` is not set, all of `major`.
struct Generation {
  std::uint32_t major = 0;
  std::optional<std::uint32_t> minor;

  bool holds(const Generation& other) const {
    return major == other.major && (!minor || minor == other.minor);
  }
};

/// Bounds of a gate on speed that is measured on a card of this generation.
struct GenerationBounds {
  Generation generation;
  std::optional<text::Expression> min;
  std::optional<text::Expression> max;
};

struct Gate {
  std::string id;
  std::string metric;
  std::string device;              ///< Profile name.
  std::vector<std::string> cases;  ///< The case with the worst value decides.
  std::optional<text::Expression> min;
  std::optional<text::Expression> max;
  std::uint32_t points = 0;
  std::vector<std::string> needs;  ///< Gates that must pass, too, for the points.
  std::optional<double> skeleton;  ///< The untouched skeleton's value, if its result is right.
  double ideal = 0;
  std::string meaning;
  std::string next;
  base::SourceLocation place;  ///< Where the exercise uses or changes it, for messages.
  // For a gate on speed, on a machine with a GPU:
  bool simulated = false;       ///< Simulated even with a GPU: it teaches an effect of its device.
  std::optional<double> share;  ///< The bound, as a share of the solution's speed on the card.
  std::vector<GenerationBounds> on_generation;

  /// Whether it is on a speed, which a GPU measures.
  bool is_performance() const { return is_speed(metric); }
  /// Whether it judges time: then its failure is a lack of performance, not of a mechanism.
  bool judges_time() const { return course::judges_time(metric); }
};

/// A kernel to write.
struct KernelExercise {
  std::optional<device::KernelKind> kind;  ///< Selects the time model's error for its gates.
  std::vector<Step> steps;  ///< In order; an exercise of one launch has one step, run once.
  text::Expression rounds;  ///< Repetitions of all steps; `round` counts from 0.
  std::string reference_kernel;
  Geometry reference_launch;
  std::vector<std::size_t> reference_arguments;        ///< Indices of parameters.
  std::optional<text::Expression> elements_per_block;  ///< The reference's.
  std::vector<Parameter> parameters;
  /// Bytes that any solution moves; nullopt: inputs and outputs once.
  std::optional<text::Expression> bytes;
  std::optional<text::Expression> operations;  ///< Floating-point operations of any solution.
  timing::ArithmeticKind arithmetic = timing::ArithmeticKind::kF32;  ///< Kind of `operations`.
  std::vector<Case> cases;
  std::vector<Gate> gates;
  std::uint32_t correctness_points = 0;

  /// Whether its manifest may request more than one launch per case.
  bool is_sequence() const;
  /// The signatures of its kernels, each once: "sums(float*), add(float*, const float*)".
  std::string signatures() const;
  std::uint32_t max_points() const;
  std::vector<std::string> devices() const;
  const Case& case_called(std::string_view name) const;
};

/// A launch that questions ask about: a kernel of the lab's reference.cu, and its parameters, which
/// are buffers. Expressions have no variables.
struct AskedLaunch {
  std::string kernel;
  std::string signature;  ///< "copy(float*, const float*)".
  Geometry geometry;
  std::vector<Parameter> parameters;
};

/// Questions to answer.
struct QuestionsExercise {
  std::vector<Question> questions;
  std::vector<AskedLaunch> launches;

  /// The launch of the kernel with that name, which must exist.
  const AskedLaunch& launch_of(std::string_view kernel) const;

  std::uint32_t max_points() const;
  std::vector<std::string> devices() const;
};

struct Exercise {
  std::string id;
  std::string title;
  std::vector<std::string> hints;
  std::variant<KernelExercise, QuestionsExercise> form;
  /// The index of the hint for a cause, and none for the others. Empty: the first, for all.
  std::map<CauseId, std::size_t> hint_for = {};

  /// nullptr if the exercise asks questions.
  const KernelExercise* kernel() const { return std::get_if<KernelExercise>(&form); }
  KernelExercise* kernel() { return std::get_if<KernelExercise>(&form); }
  /// The skeleton's name in the lab's folder: "copy.cu", "predict.toml".
  std::string file_name() const;
  std::uint32_t max_points() const;
  /// Devices that its gates or questions name, each once, in their order.
  std::vector<std::string> devices() const;
  /// "hint 1 of 4: ...", where `index` is below the number of hints.
  std::string shown_hint(std::size_t index) const;
};

struct Lab {
  std::string id;  ///< The folder's name.
  std::string title;
  std::string summary;
  std::uint32_t order = 0;  ///< Place in the course, from 1; 0: after the labs that have one.
  std::filesystem::path folder;
  std::vector<std::filesystem::path> include_folders;  ///< Absolute.
  std::vector<Exercise> exercises;
};

}  // namespace warpgrade::grader::course
