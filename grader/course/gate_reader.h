// SPDX-License-Identifier: Apache-2.0
// The gates of an exercise: the entries of its manifest, and the guards of their presets
// (gate_presets.h).
//
// An entry makes one gate for each device in `on`; with `each`, one for each measured case. Texts
// can contain {device}, {card}, {case}, the case's variables and the preset's parameters. A value
// can be a table by device, and with `each` an array by case. The sizes of the exercise's buffers
// are `bytes_in`, `bytes_out`, `elements_in` and `elements_out` in `min`, `max` and `ideal`. Guards
// that are not listed precede the first gate on speed. docs/manifest.md describes the keys.
#pragma once

#include "grader/course/exercise.h"
#include "grader/course/vocabulary.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {

/// Reads `gates` and `change` of an exercise's table into `out`, whose parameters and cases are
/// known; throws base::UsageError at the first mistake.
void read_gates(text::Table& table, const Vocabulary& vocabulary, KernelExercise& out);

/// The choice of `device` among values by device, with the placeholders {device} and {card}.
text::Choice choice_on(const std::string& device, const Vocabulary& vocabulary);

/// Throws base::UsageError with the nearest name if `given` is not one of `names`.
void check_known(const text::Table& table, std::string_view key, const std::string& given,
                 const std::vector<std::string>& names);

}  // namespace warpgrade::grader::course
