// SPDX-License-Identifier: Apache-2.0
// The verdict of `warpgrade verify` on two kernels, as a plain struct for its renderers, and its
// text for a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "common/measure/measurement.h"
#include "common/verify/compare.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::report {

/// Equal: all cases gave the same results. Undecided: nothing is different, but not all cases could
/// be compared.
enum class Equivalence : std::uint8_t { kEqual, kDifferent, kUndecided };

/// "equal", "different", "undecided".
std::string_view name(Equivalence verdict);

/// One of the two kernels.
struct VerifiedKernel {
  std::string file;  ///< The name that is shown.
  std::string source;
  std::string sha256;     ///< SHA-256 of the file in hex.
  std::string signature;  ///< As the compiler prints it; empty if it was not found.
  compile::Resources resources;
  measure::Measurement measured;  ///< At the size of `measured_at`.
};

/// One size with one kind of inputs.
struct VerifiedCase {
  text::Variables sizes;
  std::string inputs;
};

/// A case in which the kernels differ.
struct Counterexample {
  VerifiedCase at;
  bool in_other_order =
      false;  ///< Only an order of warps and blocks other than by number shows it.
  std::optional<verify::OutputDifference> difference;  ///< nullopt: the diagnostics are the reason.
  std::string command;                                 ///< Shows it again.
};

struct VerificationReport {
  Equivalence verdict = Equivalence::kUndecided;
  std::string why;  ///< The reason for an undecided verdict.
  VerifiedKernel fresh;
  VerifiedKernel old;
  std::string device;
  std::uint64_t seed = 0;
  std::vector<VerifiedCase> cases;  ///< Compared, in their order.
  std::size_t planned = 0;          ///< Cases that the verdict needs.
  std::string tolerance;            ///< "4 ULPs of n"; empty: every bit is compared.
  std::optional<Counterexample> counterexample;
  /// Faults of the new kernel; of the old one if the verdict is undecided for them.
  std::vector<base::Diagnostic> diagnostics;
  std::vector<base::Diagnostic> warnings;
  std::optional<text::Variables> measured_at;  ///< nullopt: no size was measured.
  std::string not_measured;                    ///< Why not.
};

std::string render_text(const VerificationReport& report, const text::Style& style);

}  // namespace warpgrade::grader::report
