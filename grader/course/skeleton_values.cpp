// SPDX-License-Identifier: Apache-2.0
#include "grader/course/skeleton_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {
namespace {

constexpr std::string_view kHead =
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# Values of the untouched skeletons. `warpgrade check --write` measures them and writes this "
    "file;\n"
    "# do not edit it.\n";

void enter_values_of(text::Table table, Exercise& exercise) {
  table.rename(fmt::format("exercise `{}`", exercise.id));
  auto* kernel = exercise.kernel();
  for (const auto& id : table.keys()) {
    const auto value = table.number(id);
    if (kernel == nullptr) continue;
    const auto gate = std::ranges::find(kernel->gates, id, &Gate::id);
    if (gate != kernel->gates.end()) gate->skeleton = value;
  }
}

}  // namespace

void enter_skeleton_values(std::string_view text, const std::string& shown, Lab& lab) {
  const auto root = base::parse_toml(text, shown);
  text::Table table(root, shown, "skeletons");
  for (const auto& id : table.keys()) {
    const auto exercise = std::ranges::find(lab.exercises, id, &Exercise::id);
    if (exercise != lab.exercises.end()) enter_values_of(table.table(id), *exercise);
  }
}

std::string skeleton_values_text(const Lab& lab) {
  std::string out;
  for (const auto& exercise : lab.exercises) {
    const auto* kernel = exercise.kernel();
    if (kernel == nullptr) continue;
    std::string values;
    for (const auto& gate : kernel->gates) {
      if (gate.skeleton) values += fmt::format("{} = {}\n", gate.id, *gate.skeleton);
    }
    if (!values.empty()) out += fmt::format("\n[{}]\n{}", exercise.id, values);
  }
  return out.empty() ? out : std::string(kHead) + out;
}

}  // namespace warpgrade::grader::course
