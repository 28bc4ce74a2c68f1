// SPDX-License-Identifier: Apache-2.0
// The gates of an exercise: those that its manifest lists, each of its own keys or by a preset
// (gate_presets.h), and the guards that presets bring along.
//
// An entry makes a gate for each device in `on`, and with `each` for each measured case. In its
// texts {device}, {card}, {case}, the case's variables and the preset's parameters are replaced. A
// value may be a table by device, and with `each` an array by case. In `min`, `max` and `ideal`
// `bytes_in`, `bytes_out`, `elements_in` and `elements_out` are those of the exercise's buffers.
// Guards that are not listed come before the first gate on speed. docs/manifest.md has the keys.
#pragma once

#include "grader/course/exercise.h"
#include "grader/course/vocabulary.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader {

/// Reads `gates` and `change` of an exercise's table into `out`, whose parameters and cases are
/// known; throws base::UsageError at the first mistake.
void read_gates(Table& table, const Vocabulary& vocabulary, Exercise& out);

/// The choice of `device` among values by device, with the placeholders {device} and {card}.
Choice choice_on(const std::string& device, const Vocabulary& vocabulary);

/// `given` as one of `names`; throws base::UsageError with the nearest one where it is none.
void check_known(const Table& table, std::string_view key, const std::string& given,
                 const std::vector<std::string>& names);

}  // namespace warpgrade::grader
