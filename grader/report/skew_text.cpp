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
    case timing::Unmodelled::kBlocksNotBegun:
      return "waits for blocks that begin later, which may last forever on a GPU";
    case timing::Unmodelled::kLateBlocks:
      return "how long blocks wait at barriers for the block with the most work";
    case timing::Unmodelled::kLockAttempts:
      return "failed attempts to get a lock, which slow down its owner";
    case timing::Unmodelled::kMemoryDuringWaits:
      return "the load of memory while blocks wait for each other";
    case timing::Unmodelled::kOtherBlocksMemory:
      return "the network to the shared memory of other blocks";
    case timing::Unmodelled::kFences:
      return "fences that follow each other without an access in between";
    case timing::Unmodelled::kColdConstants:
      return "constants that are not in their cache";
    case timing::Unmodelled::kSleepsOfWaits:
      return "a loop that sleeps, or tests a barrier object, until another thread is done";
    case timing::Unmodelled::kBulkCopies:
      return "bulk copies beside accesses that the load and store units limit";
    case timing::Unmodelled::kRequestsOfManyUnits:
      return "requests of several multiprocessors for the same line";
    case timing::Unmodelled::kFullSize:
      return "the size whose speed is graded, since its blocks take too long to be simulated";
    case timing::Unmodelled::kCount:
      break;
  }
  return {};
}

}  // namespace

std::string inexact_time_text(const timing::UnmodelledSet& parts) {
  std::vector<std::string_view> names;
  for (unsigned i = 0; i < static_cast<unsigned>(timing::Unmodelled::kCount); ++i) {
    const auto part = static_cast<timing::Unmodelled>(i);
    if (parts.has(part)) names.push_back(name_of(part));
  }
  if (names.empty()) return {};
  const bool is_bounded = parts.longer() < timing::UnmodelledSet::kUnknown;
  const auto* how = !is_bounded          ? "is slower"
                    : parts.longer() > 0 ? "can be slower"
                                         : "can be faster";
  return fmt::format("The time model does not time {}{}, so the kernel {} than its simulated time.",
                     fmt::join(names, ", or "), is_bounded ? " exactly" : "", how);
}

std::string unmodelled_text(const timing::UnmodelledSet& parts) {
  if (parts.empty()) return {};
  return inexact_time_text(parts) + " Only a GPU decides its speed: grade it with --backend gpu.";
}

std::string skew_text(const timing::Skew& skew) {
  return std::visit([](const auto& found) { return text_of(found); }, skew);
}

}  // namespace warpgrade::grader::report
