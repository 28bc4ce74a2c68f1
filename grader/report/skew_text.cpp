// SPDX-License-Identifier: Apache-2.0
#include "grader/report/skew_text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "common/base/counted.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {
namespace {

std::string whole(double value) {
  return base::grouped(static_cast<std::uint64_t>(std::llround(value)));
}

std::string text_of(const timing::Contention& found) {
  return fmt::format(
      "Contention: {:.0f} of the {:.0f} lanes of an atomic on {} memory use the same word on "
      "average, one after another. Add up equal values first, or give lanes copies of the word.",
      found.on_one_word, found.lanes, found.space == run::Space::kShared ? "shared" : "global");
}

std::string text_of(const timing::Imbalance& found) {
  return fmt::format(
      "Imbalance: the longest warp issues {} instructions, the mean warp {}. One warp runs for {}. "
      "Divide its work among more warps.",
      whole(found.longest), whole(found.mean), text::seconds(found.longest_seconds));
}

std::string text_of(std::monostate /*none*/) { return {}; }

std::string_view name_of(timing::Unmodelled part) {
  switch (part) {
    case timing::Unmodelled::kWaitsBetweenBlocks:
      return "how long these blocks wait for each other";
    case timing::Unmodelled::kCount:
      break;
  }
  return {};
}

}  // namespace

std::string unmodelled_text(const timing::UnmodelledSet& parts) {
  std::vector<std::string_view> names;
  for (unsigned i = 0; i < static_cast<unsigned>(timing::Unmodelled::kCount); ++i) {
    const auto part = static_cast<timing::Unmodelled>(i);
    if (parts.has(part)) names.push_back(name_of(part));
  }
  if (names.empty()) return {};
  return fmt::format(
      "The time model does not time {}, so the kernel is slower than its simulated time. Only a "
      "GPU "
      "decides its speed: grade it with --backend gpu.",
      fmt::join(names, ", or "));
}

std::string skew_text(const timing::Skew& skew) {
  return std::visit([](const auto& found) { return text_of(found); }, skew);
}

}  // namespace warpgrade::grader::report
