// SPDX-License-Identifier: Apache-2.0
// `warpgrade pack FOLDER`: makes the student's course, and proves that it works and keeps its
// secrets.
#include "grader/author/pack.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "common/base/child_process.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/author/chapter_figures.h"
#include "grader/cli/commands/chapters.h"
#include "grader/cli/commands/commands.h"
#include "grader/cli/version.h"
#include "grader/text/files.h"

namespace warpgrade::grader::cli {
namespace {

namespace fs = std::filesystem;

// Runs `folder`/warpgrade with one argument and without its report; the exit code.
int run_packed(const fs::path& folder, std::string argument) {
  auto program = (folder / "warpgrade").string();
  std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    // The packed tree is built in its own place, with its own settings.
    if (!std::string_view(*variable).starts_with("WARPGRADE_")) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  pid_t child = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int error =
      posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw base::ToolError(fmt::format("{}: cannot be started: {}", base::escape_controls(program),
                                      std::strerror(error)));
  }
  const int status = base::wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The packed program lists its labs and grades its skeletons, which must fail and not break it.
std::vector<std::string> failures_of(const fs::path& folder) {
  std::vector<std::string> out;
  if (const int code = run_packed(folder, "list"); code != 0) {
    out.push_back(fmt::format("`./warpgrade list` exits with {} in it", code));
  } else if (const int graded = run_packed(folder, "grade"); graded != 1) {
    out.push_back(fmt::format("`./warpgrade grade` exits with {} on the skeletons, not 1", graded));
  }
  std::error_code ignored;
  for (const auto* made : {"build", ".venv"}) fs::remove_all(folder / made, ignored);
  return out;
}

}  // namespace

int run_pack(const PackOptions& options) {
  const auto course = course::read_course(course::find_root(), options.labs);
  const auto folder = fs::absolute(options.folder);
  const auto packed = author::pack(course, folder);
  // Students may commit the folder to their own repository, whose commits do not identify the
  // grader.
  text::write_atomically(folder / ".commit", fmt::format("{}\n", commit()));
  const auto figures = complete_chapters(course, folder, options.figures, WithoutFigures::kFails);
  auto findings = author::leaks(course, folder);
  for (auto& finding : author::missing_figures(folder)) findings.push_back(std::move(finding));
  if (findings.empty() && !options.skip_build) {
    print("building the packed course; this takes a few minutes\n");
    findings = failures_of(folder);
  }
  std::string out;
  for (const auto& finding : findings) out += finding + '\n';
  out += fmt::format("{}: {} files, {} figures, {} secret cases taken out, {} findings{}\n",
                     base::escape_controls(options.folder), packed.files, figures,
                     packed.secret_cases, findings.size(), options.skip_build ? "; not built" : "");
  print(out);
  return findings.empty() ? 0 : 1;
}

}  // namespace warpgrade::grader::cli
