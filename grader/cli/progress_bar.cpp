// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "common/base/text.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/render_gates.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::cli {
namespace {

// Returns to the start of the line and clears it.
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

std::string progress_line(const grade::GradingProgress& progress, std::size_t columns) {
  const auto text = fmt::format("[{}] {} of {}  {}{}",
                                report::bar(static_cast<std::uint32_t>(progress.done),
                                            static_cast<std::uint32_t>(progress.all)),
                                progress.done + 1, progress.all, progress.exercise,
                                progress.case_name.empty() ? "" : ", case " + progress.case_name);
  return base::excerpt(base::escape_controls(text), 0, columns).text;
}

ProgressBar::ProgressBar(Clock clock)
    : clock_(std::move(clock)), start_(clock_()), is_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_) std::fputs(kClearLine, stderr);
}

void ProgressBar::show(const grade::GradingProgress& progress) {
  constexpr std::chrono::milliseconds kPatience{500};
  if (!is_terminal_ || clock_() - start_ < kPatience) return;
  constexpr std::size_t kMargin = 1;  // A full line would be followed by an empty one.
  const auto columns = text::style_of_stdout().width() - kMargin;
  std::fputs((kClearLine + progress_line(progress, columns)).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace warpgrade::grader::cli
