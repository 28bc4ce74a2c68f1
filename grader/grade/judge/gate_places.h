// SPDX-License-Identifier: Apache-2.0
// Finds causes of a failed gate that no memory counter locates: lines with a division, arrays in
// shared memory.
#pragma once

#include <string>
#include <string_view>

#include "grader/grade/execute/case_outcome.h"

namespace warpgrade::grader::grade {

/// Whether a gate on `metric` is about such places, and not about lines that access memory.
bool has_places(std::string_view metric);

/// "Integer divisions are in line 4." or "tile[32][33] (line 2) takes 4224 bytes."; empty if no
/// place is found.
std::string places_text(std::string_view metric, const Place& place);

}  // namespace warpgrade::grader::grade
