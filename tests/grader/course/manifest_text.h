// SPDX-License-Identifier: Apache-2.0
// A small manifest for tests, and how to change one piece of it.
#pragma once

#include <stdexcept>
#include <string>

#include "grader/course/manifest.h"

namespace warpgrade::grader::course {

/// Exercise `double` of lab `small`: out[i] = 2 * in[i] over n elements; correctness 3 points, a
/// counter's gate on "h200" 2 points, a speed gate on "k40" 1 point.
inline const std::string kManifest = R"toml(title = "Small"
summary = "For tests."

[[exercise]]
id = "twice"
title = "Twice as much"
kernel = "twice(float* out, const float* in, int n)"
shapes = { out = "n", in = "n" }
correctness_points = 3
hints = ["first hint", "second hint"]

[exercise.launch]
grid = ["ceil_div(n, 256)"]
block = [256]

[exercise.reference]
kernel = "twice_reference"
grid = ["n"]
block = [1]

[[exercise.cases]]
name = "one"
n = 1

[[exercise.cases]]
name = "ragged"
n = 300

[[exercise.cases]]
name = "large"
n = 1024
measured = true

[[exercise.gates]]
id = "stores"
metric = "sectors"
on = "h200"
max = "n / 8"
points = 2
ideal = 128
meaning = "Sectors stored to."
next = "Store along rows."

[[exercise.gates]]
id = "speed"
metric = "fraction_of_copy"
on = "k40"
min = 0.5
points = 1
ideal = 1
meaning = "Speed."
next = "Be quick."
)toml";

/// The values of the skeleton of kManifest's exercise.
inline const std::string kSkeletonValues = "[twice]\nstores = 1024\nspeed = 0.1\n";

inline const Vocabulary kVocabulary = {{"fraction_of_copy", "fraction_of_roofline", "sectors"},
                                       {"h200", "k40"}};

/// The lab of `text`, with kSkeletonValues.
inline Lab small_lab(const std::string& text = kManifest) {
  auto out = parse_manifest(text, "labs/small/grader.toml", "small", kVocabulary);
  enter_skeleton_values(kSkeletonValues, "labs/small/skeletons.toml", out);
  return out;
}

/// The exercise with this index, whose form is a kernel.
inline KernelExercise& kernel_in(Lab& lab, std::size_t index = 0) {
  return std::get<KernelExercise>(lab.exercises.at(index).form);
}
inline const KernelExercise& kernel_in(const Lab& lab, std::size_t index = 0) {
  return std::get<KernelExercise>(lab.exercises.at(index).form);
}

/// kManifest with its first `from` replaced by `to`.
inline std::string manifest_with(const std::string& from, const std::string& to) {
  auto out = kManifest;
  const auto at = out.find(from);
  if (at == std::string::npos) throw std::logic_error("no such text in the manifest: " + from);
  return out.replace(at, from.size(), to);
}

/// Writes the lab `small`, whose gate counts stored sectors, with its reference.
template <typename Folder>
void write_lab_of_stores(const Folder& folder) {
  folder.write("labs/small/grader.toml",
               manifest_with("\"sectors\"", "\"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\""));
  folder.write("labs/small/reference.cu",
               "__global__ void twice_reference(float* out, const float* in, int n) {\n"
               "  out[blockIdx.x] = 2 * in[blockIdx.x];\n"
               "}\n");
}

}  // namespace warpgrade::grader::course
