// SPDX-License-Identifier: Apache-2.0
// labs/LAB/skeletons.toml: the value of each gate that the untouched skeleton reaches.
//
// `warpgrade check --write` measures the values and writes the file; nobody edits it. It has a
// table for each exercise whose skeleton computes a right result, with a number for each gate id:
//
//   [copy]
//   loads_coalesced = 4
//
// Grading reads it, because points are for work that goes beyond the skeleton. Students receive
// the file with the lab.
#pragma once

#include <string>
#include <string_view>

#include "grader/course/exercise.h"

namespace warpgrade::grader::course {

constexpr std::string_view kSkeletonValuesFile = "skeletons.toml";

/// Enters the values of `text` into the gates of `lab`. Values of exercises and gates that no
/// longer exist are ignored: `check --write` removes them. Throws base::UsageError if a value is
/// not a number.
void enter_skeleton_values(std::string_view text, const std::string& shown, Lab& lab);

/// The content of the file for `lab`: the values that its gates have; empty without any.
std::string skeleton_values_text(const Lab& lab);

}  // namespace warpgrade::grader::course
