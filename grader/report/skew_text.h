// SPDX-License-Identifier: Apache-2.0
// Sentences about uneven work that bounds a launch: contention or imbalance, with the numbers.
#pragma once

#include <string>

#include "common/timing/skew.h"

namespace warpgrade::grader::report {

/// The cause, and a first step towards a remedy; empty without skew.
std::string skew_text(const timing::Skew& skew);

}  // namespace warpgrade::grader::report
