// SPDX-License-Identifier: Apache-2.0
// `warpgrade verify`: whether a new kernel computes what an old one computes.
//
// In: two files with a kernel each, launches, and limits on sizes. Out: a verdict with the smallest
// case that shows a difference, or the reason why nothing is decided; counters and modelled times
// of both kernels.
//
// Each case runs both kernels on the simulator, on the same inputs, with all checks on, and in
// several orders of warps and blocks. The seed of the inputs depends on the text of both kernels,
// so that no kernel can contain its answers. A fault of the new kernel is a difference. If the old
// kernel has a fault, or its own result depends on the order, the case decides nothing.
//
// Not compared: results that are right in any order (such as positions from an atomic), structures
// by value, and sequences of launches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/sim_bench.h"
#include "grader/course/exercise.h"
#include "grader/equivalence/sizes.h"
#include "grader/report/verification_report.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::equivalence {

/// A file with a kernel, and how it is launched.
struct Side {
  std::filesystem::path file;
  std::string kernel;  ///< Empty: the only one in the file.
  course::Geometry geometry;
};

struct Asked {
  Side fresh;
  Side old;
  bool names_both = false;  ///< Kernels whose parameters have other types of the same sizes, too.
  std::vector<std::string> arguments;  ///< See parameters.h.
  std::vector<SizeLimits> sizes;
  std::vector<SizeLimits> at;  ///< Sizes at which both are timed; others are at their most.
  std::string inputs;          ///< The only kind of inputs; empty: all.
  std::size_t cases = 0;       ///< Sizes to compare.
  std::uint64_t seed = 0;
  text::Expression ulps;  ///< Permitted difference of floats in units in the last place; 0: none.
  /// The units are those of a number of at least this size; `largest` is the largest magnitude in
  /// the old kernel's output.
  text::Expression magnitude;
  std::vector<std::filesystem::path> include_folders;
  std::vector<std::string> compiler_options;
};

/// The options of a call of `warpgrade verify` for the kernel of `side`, as an example: limits of
/// the sizes, a launch, and an --arg for each parameter. Empty if the kernel cannot be compiled.
struct ExampleCall {
  std::string signature;
  std::string options;
};
ExampleCall example_call(const Side& side, const Asked& asked, std::string architecture);

/// Throws base::UsageError if a launch or an argument does not fit the old kernel.
report::VerificationReport verify(const Asked& asked, measure::SimBench& bench);

}  // namespace warpgrade::grader::equivalence
