// SPDX-License-Identifier: Apache-2.0
// `warpgrade new LAB/EXERCISE`: starts an exercise in a lab of the course, or a new lab.
//
// An installed program never changes the course that was installed with it. If neither the working
// folder nor a folder above it contains a course, the command starts one there.
#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "grader/author/new_exercise.h"
#include "grader/cli/commands/commands.h"
#include "grader/text/program_call.h"

namespace warpgrade::grader::cli {
namespace {

namespace fs = std::filesystem;

fs::path root_to_extend() {
  if (const auto* given = std::getenv("WARPGRADE_ROOT"); given != nullptr && *given != '\0') {
    return fs::absolute(given);
  }
  if (auto found = course::find_own_root()) return *found;
  return fs::current_path();
}

}  // namespace

int run_new(const NewOptions& options) {
  const auto root = root_to_extend();
  const auto call = text::program_call();
  const auto files = author::compose_exercise(root, options.exercise, call);
  author::write_exercise(root, files);
  std::string out;
  for (const auto& file : files) {
    out += fmt::format("{} {}\n", file.is_extended ? "extended" : "created ",
                       file.path.generic_string());
  }
  out += fmt::format("next: replace each text that begins with FILL IN; `{} check {}` lists them\n",
                     call, options.exercise.substr(0, options.exercise.find('/')));
  print(out);
  return 0;
}

}  // namespace warpgrade::grader::cli
