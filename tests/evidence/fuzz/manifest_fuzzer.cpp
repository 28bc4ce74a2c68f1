// SPDX-License-Identifier: Apache-2.0
// Feeds arbitrary bytes as a grader.toml: reads it, evaluates expressions, makes its launches.
//
// An invalid manifest must throw base::UsageError. Any other exception that leaves this function is
// a finding.
#include <cstdint>
#include <memory>

#include "common/base/error.h"
#include "grader/cases/sized_case.h"
#include "grader/course/gate_reader.h"
#include "grader/course/manifest.h"

namespace warpgrade::grader {
namespace {

constexpr const char* kPresets = R"toml([speed]
id = "speed_{device}"
metric = "fraction_of_copy"
on = "h200"
ideal = 1
guards = ["traffic"]
parameters = { at = "" }
meaning = "Speed on {card}{at}."
next = "Be quick."

[traffic]
id = "traffic"
metric = "dram__bytes_read.sum"
max = "bytes_in * 2"
ideal = "bytes_in"
meaning = "Bytes."
next = "Read once."

[slow]
like = "speed"
each = "measured"
id = "speed_{device}_{case}"
)toml";

const course::Vocabulary kVocabulary = {
    {"fraction_of_copy", "dram__bytes_read.sum", "launch__registers_per_thread"},
    {"g80", "h200", "k40"},
    {{"h200", "the H200"}},
    std::make_shared<const course::GatePresets>(kPresets, "gates.toml"),
};

// Makes all calls on the exercise that grading makes, except those for buffer contents.
void use(const course::Exercise& exercise) {
  exercise.max_points();
  exercise.devices();
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr) return;
  for (const auto& item : kernel->cases) {
    for (const auto& variables : {item.variables, item.speed_variables(0)}) {
      std::vector<std::string> kernels;
      for (const auto& step : kernel->steps) {
        kernels.push_back(course::kernel_name(step.kernel, variables));
      }
      cases::size_case(exercise, item.name, variables).launches.of(kernels);
    }
  }
}

}  // namespace
}  // namespace warpgrade::grader

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpgrade;
  try {
    const auto lab = grader::course::parse_manifest({reinterpret_cast<const char*>(data), size},
                                                    "grader.toml", "lab", grader::kVocabulary);
    for (const auto& exercise : lab.exercises) grader::use(exercise);
  } catch (const base::UsageError&) {
  }
  return 0;
}
