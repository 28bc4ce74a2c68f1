// SPDX-License-Identifier: Apache-2.0
// Values that the course's own files of an exercise reach on this machine's GPU, as fractions of
// copy.
#pragma once

#include <map>
#include <string>

#include "grader/report/gate_report.h"

namespace warpgrade::grader::grade {

/// By measured case; a case is missing if the file is wrong there or could not be measured.
using CaseFractions = std::map<std::string, report::MeasuredInterval>;

struct CourseValues {
  CaseFractions solution;
  CaseFractions skeleton;
  std::string trouble;  ///< Why the solution has no value; empty if it has one.
};

}  // namespace warpgrade::grader::grade
