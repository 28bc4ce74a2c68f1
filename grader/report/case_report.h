// SPDX-License-Identifier: Apache-2.0
// The cases of an exercise in a report: the result of each, its roofline, and a GPU's counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/measure/roofline.h"
#include "common/memory/metrics.h"
#include "common/run/backend.h"
#include "common/verify/output_difference.h"
#include "grader/text/expressions.h"

namespace warpgrade::grader::report {

/// One case on one device.
struct CaseResult {
  enum class State { kNotRun, kPassed, kIncorrect, kDiagnostic };
  std::string name;
  text::Variables variables;
  std::string device;
  run::Backend backend{};
  State state = State::kNotRun;
  std::optional<verify::OutputDifference> difference;  ///< Set if the case is incorrect.
  bool depends_on_order = false;  ///< The difference needs another order of warps and blocks.
};

/// The roofline of a measured case, with the submission's time.
struct CaseRoofline {
  std::string name;
  text::Variables variables;
  std::string device;
  run::Backend backend{};
  measure::Roofline roofline;
};

/// A GPU's counts for the launch of a measured case, if requested. They decide
/// nothing.
struct CountedCase {
  std::string name;
  text::Variables variables;
  std::string device;
  memory::Metrics gpu;
  memory::Metrics simulated;  ///< The simulator's counts of the same launch.
  std::string reason;         ///< Why the GPU has none; empty if it has.
};

}  // namespace warpgrade::grader::report
