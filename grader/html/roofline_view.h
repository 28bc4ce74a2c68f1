// SPDX-License-Identifier: Apache-2.0
// The roofline of each measured case as a picture: both axes logarithmic, operations per byte to
// the right, operations per second upwards.
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::html {

/// Empty for an exercise without operations.
std::string roofline_view(const report::ExerciseReport& item);

}  // namespace warpgrade::grader::html
