// SPDX-License-Identifier: Apache-2.0
// The progress of a long grade in one line of a terminal, which disappears when the grade is done:
//
//   [####......] 6 of 16  bank_conflicts/padded, case ragged
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::cli {

/// The line, of at most `columns` columns.
std::string progress_line(const grade::GradingProgress& progress, std::size_t columns);

class ProgressBar {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// Appears only if standard error is a terminal, and after a short delay.
  explicit ProgressBar(Clock clock = std::chrono::steady_clock::now);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// Removes the line.
  ~ProgressBar();

  void show(const grade::GradingProgress& progress);

 private:
  Clock clock_;
  std::chrono::steady_clock::time_point start_;
  bool is_terminal_;
  bool shown_ = false;
};

}  // namespace warpgrade::grader::cli
