// SPDX-License-Identifier: Apache-2.0
// What the course's own files of an exercise reach on this machine's GPU, as fractions of copy.
#pragma once

#include <map>
#include <string>

#include "grader/report/gate_report.h"

namespace warpgrade::grader {

/// By measured case; one is missing where the file is wrong there or could not be measured.
using CaseFractions = std::map<std::string, MeasuredInterval>;

struct CourseValues {
  CaseFractions solution;
  CaseFractions skeleton;
  std::string trouble;  ///< Why the solution has no value, in words; empty where it has.
};

}  // namespace warpgrade::grader
