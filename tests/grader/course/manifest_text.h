// SPDX-License-Identifier: Apache-2.0
// A small manifest for tests, and how to change one piece of it.
#pragma once

#include <stdexcept>
#include <string>

#include "grader/course/manifest.h"

namespace warpgrade::grader {

/// Exercise `double` of lab `small`: out[i] = 2 * in[i] over n elements; correctness 3 points, a
/// counter's gate on "h200" 2 points, a speed gate on "k40" 1 point.
inline const std::string kManifest = R"toml(title = "Small"
summary = "For tests."

[[exercise]]
id = "twice"
title = "Twice as much"
kernel = "twice"
signature = "twice(float*, const float*, int)"
correctness_points = 3
hints = ["first hint", "second hint"]

[exercise.launch]
grid = ["ceil_div(n, 256)"]
block = [256]

[exercise.reference]
kernel = "twice_reference"
grid = ["n"]
block = [1]

[[exercise.parameter]]
name = "out"
role = "out"
type = "f32"
rows = 1
columns = "n"

[[exercise.parameter]]
name = "in"
role = "in"
type = "f32"
rows = 1
columns = "n"
fill = "distinct"

[[exercise.parameter]]
name = "n"
role = "value"
type = "i32"
value = "n"

[[exercise.case]]
name = "one"
variables = { n = 1 }

[[exercise.case]]
name = "ragged"
variables = { n = 300 }

[[exercise.case]]
name = "large"
variables = { n = 1024 }
measured = true

[[exercise.gate]]
id = "stores"
metric = "sectors"
device = "h200"
max = "n / 8"
points = 2
skeleton = 1024
ideal = 128
meaning = "Sectors stored to."
next = "Store along rows."

[[exercise.gate]]
id = "speed"
metric = "fraction_of_copy"
device = "k40"
min = 0.5
points = 1
skeleton = 0.1
ideal = 1
meaning = "Speed."
next = "Be quick."
)toml";

inline const Vocabulary kVocabulary = {{"fraction_of_copy", "sectors"}, {"h200", "k40"}};

/// kManifest with its first `from` replaced by `to`.
inline std::string manifest_with(const std::string& from, const std::string& to) {
  auto out = kManifest;
  const auto at = out.find(from);
  if (at == std::string::npos) throw std::logic_error("no such text in the manifest: " + from);
  return out.replace(at, from.size(), to);
}

}  // namespace warpgrade::grader
