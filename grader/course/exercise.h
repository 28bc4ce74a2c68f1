// SPDX-License-Identifier: Apache-2.0
// A lab and its exercises as plain structs: the checked and typed content of a manifest
// (manifest.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/device/kernel_kind.h"
#include "grader/course/kernel_launch.h"
#include "grader/course/metric_names.h"
#include "grader/course/questions.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader::course {

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
  // For a gate on speed, on a machine with a GPU:
  bool simulated = false;       ///< Simulated even with a GPU: it teaches an effect of its device.
  std::optional<double> share;  ///< The bound, as a share of the solution's speed on the card.
  std::vector<GenerationBounds> on_generation;

  bool is_performance() const { return is_speed(metric); }
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

/// Questions to answer.
struct QuestionsExercise {
  std::vector<Question> questions;

  std::uint32_t max_points() const;
  std::vector<std::string> devices() const;
};

struct Exercise {
  std::string id;
  std::string title;
  std::vector<std::string> hints;
  std::variant<KernelExercise, QuestionsExercise> form;

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
