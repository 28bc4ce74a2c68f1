// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/commands/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/render_gates.h"
#include "grader/text/files.h"

namespace warpgrade::grader::cli {

void print(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((!written || std::fflush(stdout) != 0) && errno != EPIPE) {
    throw base::ToolError(
        fmt::format("standard output cannot be written: {}", std::strerror(errno)));
  }
}

namespace {

constexpr std::string_view kStandardOutput = "-";

}  // namespace

bool prints_a_file(std::initializer_list<std::string_view> files) {
  return std::ranges::find(files, kStandardOutput) != files.end();
}

void write_or_print(const std::string& file, const std::string& text) {
  if (file == kStandardOutput) {
    print(text);
  } else {
    text::write_atomically(file, text);
  }
}

std::string page_line(const std::string& file) {
  return fmt::format(
      "page  {}\n",
      base::escape_controls(std::filesystem::absolute(file).lexically_normal().string()));
}

void deliver(const std::vector<std::function<void()>>& files, const std::string& text) {
  std::string failures;
  const auto attempt = [&](const std::function<void()>& write) {
    try {
      write();
    } catch (const base::ToolError& error) {
      failures += (failures.empty() ? "" : "\n") + std::string(error.what());
    }
  };
  for (const auto& write : files) attempt(write);
  if (!text.empty()) attempt([&] { print(text); });
  if (!failures.empty()) throw base::ToolError(failures);
}

namespace {

// Returns to the start of the line and clears it.
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

TransientLine::~TransientLine() {
  if (shown_) std::fputs(kClearLine, stderr);
}

void TransientLine::show(const std::string& text) {
  if (isatty(STDERR_FILENO) != 1 || std::chrono::steady_clock::now() - start_ < delay_) return;
  std::fputs((kClearLine + text).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

std::string progress_line(const grade::GradingProgress& progress, std::size_t columns) {
  const auto text = fmt::format("[{}] {} of {}  {}{}",
                                report::bar(static_cast<std::uint32_t>(progress.done),
                                            static_cast<std::uint32_t>(progress.all)),
                                progress.done + 1, progress.all, progress.exercise,
                                progress.case_name.empty() ? "" : ", case " + progress.case_name);
  return base::excerpt(base::escape_controls(text), 0, columns).text;
}

}  // namespace warpgrade::grader::cli
