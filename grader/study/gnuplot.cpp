// SPDX-License-Identifier: Apache-2.0
#include "grader/study/gnuplot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/child.h"

namespace warpgrade::grader::study {
namespace {

namespace fs = std::filesystem;

// The first `name` on PATH that can be executed; may be empty.
fs::path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    auto file = fs::path(folder) / name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : base::escape_controls(text)) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

std::string draw_svg(const std::string& script) {
  const auto program = find_program("gnuplot");
  if (program.empty()) {
    throw base::ToolError(
        "gnuplot, which draws figures, is missing; on Debian or Ubuntu this installs it: sudo "
        "apt-get install gnuplot-nox");
  }
  constexpr std::chrono::seconds kTime{60};
  const auto child = compile::run_child({program, {}}, script, kTime);
  if (child.timed_out || child.signal != 0 || child.exit_code != 0 ||
      child.output.find("</svg>") == std::string::npos) {
    throw base::ToolError(fmt::format("{} could not draw the figure (exit code {}{})",
                                      program.string(), child.exit_code,
                                      child.timed_out ? ", out of time" : ""));
  }
  return child.output;
}

}  // namespace warpgrade::grader::study
