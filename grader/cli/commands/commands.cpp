// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/commands/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/place.h"
#include "common/base/text.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/render_gates.h"
#include "grader/text/numbers.h"

namespace warpgrade::grader::cli {

void print(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((!written || std::fflush(stdout) != 0) && errno != EPIPE) {
    throw base::ToolError(
        fmt::format("standard output cannot be written: {}", std::strerror(errno)));
  }
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
  attempt([&] { print(text); });
  if (!failures.empty()) throw base::ToolError(failures);
}

base::Dim3 parse_extents(const std::string& text, const std::string& option) {
  std::array<std::uint32_t, 3> extents = {1, 1, 1};
  std::string_view rest = text;
  for (std::size_t i = 0;; ++i) {
    const auto comma = rest.find(',');
    const auto value = i < 3 ? text::parse_count(rest.substr(0, comma)) : std::nullopt;
    if (!value || *value == 0 || *value > std::numeric_limits<std::uint32_t>::max()) {
      throw base::UsageError(
          fmt::format("{} {}: must be X, X,Y or X,Y,Z, each a whole number from 1", option,
                      base::escape_controls(text)));
    }
    extents.at(i) = static_cast<std::uint32_t>(*value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return {extents[0], extents[1], extents[2]};
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
