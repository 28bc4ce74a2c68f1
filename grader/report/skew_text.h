// SPDX-License-Identifier: Apache-2.0
// Sentences about uneven work that bounds a launch: contention or imbalance, with the numbers; and
// about the parts of a launch that have no modelled time.
#pragma once

#include <string>

#include "common/timing/skew.h"
#include "common/timing/unmodelled.h"

namespace warpgrade::grader::report {

/// The cause, and a first step towards a remedy; empty without skew.
std::string skew_text(const timing::Skew& skew);

/// "The time model does not time ... exactly, so ..."; empty if it times all parts.
std::string inexact_time_text(const timing::UnmodelledSet& parts);

/// The same for a gate that these parts leave undecided, and what to do about it.
std::string unmodelled_text(const timing::UnmodelledSet& parts);

}  // namespace warpgrade::grader::report
