// SPDX-License-Identifier: Apache-2.0
#include "grader/class/standing.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<std::string_view, 9> kStandingNames = {
    "", "pass", "fail", "inconclusive", "error", "open", "missing", "not due", "excused"};

}  // namespace

std::string_view name(Standing standing) {
  return kStandingNames.at(static_cast<std::size_t>(standing));
}

Standing standing_called(std::string_view name) {
  const auto found = std::ranges::find(kStandingNames, name);
  return found == kStandingNames.end() ? Standing::kUngraded
                                       : static_cast<Standing>(found - kStandingNames.begin());
}

}  // namespace warpgrade::grader::class_book
