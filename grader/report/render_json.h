// SPDX-License-Identifier: Apache-2.0
// Reports as JSON: schemas `warpgrade.grade/1`, `warpgrade.profile/1`, `warpgrade.profiles/1`,
// `warpgrade.kernel/1`, `warpgrade.symbols/1` and `warpgrade.verify/1`.
//
// Values that are not finite or were not measured are null. Strings are valid UTF-8 with control
// characters escaped.
#pragma once

#include <string>
#include <vector>

#include "grader/report/profile_comparison.h"
#include "grader/report/profile_report.h"
#include "grader/report/report.h"
#include "grader/report/verification_report.h"

namespace warpgrade::grader::report {

/// Ends with a newline.
std::string render_json(const Report& report);
std::string render_json(const ProfileReport& report);
/// A list of profiles, and the cards that cannot make the launch.
std::string render_json(const std::vector<CardProfile>& cards);
std::string render_json(const KernelFacts& facts);
std::string render_json(const std::vector<ModuleSymbol>& symbols);
std::string render_json(const VerificationReport& report);

}  // namespace warpgrade::grader::report
