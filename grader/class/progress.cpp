// SPDX-License-Identifier: Apache-2.0
// The lines that a run prints as it goes on.
//
// In: counts and the seconds since the start. Out: one line with count, rate and remaining time.
// Time is passed in. The command line passes the function that prints; tests and other programs
// may pass another.
#include "grader/class/progress.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace warpgrade::grader::class_book {

std::string progress_line(std::size_t done, std::size_t all, std::size_t troubled, double seconds) {
  auto out = fmt::format("graded {} of {}", done, all);
  if (done > 0 && seconds > 0) {
    const auto rate = static_cast<double>(done) / seconds;
    const auto left = static_cast<long>(static_cast<double>(all - done) / rate);
    out += fmt::format(", {:.1f} a second", rate);
    if (done < all && left >= 60) out += fmt::format(", {} min {} s left", left / 60, left % 60);
    if (done < all && left < 60) out += fmt::format(", {} s left", left);
  }
  if (troubled > 0) out += fmt::format(", {} not judged", troubled);
  return out;
}

}  // namespace warpgrade::grader::class_book
