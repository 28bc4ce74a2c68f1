// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sequence_time.h"

#include <algorithm>
#include <utility>

namespace warpgrade::timing {
namespace {

constexpr auto kOverhead = Bound::kLaunchOverhead;

void add_share(const Share& share, std::vector<Share>& all) {
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const Share& one) { return one.resource == share.resource; });
  if (known == all.end()) {
    all.push_back(share);
  } else {
    known->seconds += share.seconds;
  }
}

}  // namespace

double SequenceTime::add(TimeEstimate launch) {
  if (launches_ > 0) {
    const double is_launched = profile_.launch.overhead_seconds +
                               static_cast<double>(launches_) * profile_.launch.issue_seconds;
    const double wait = std::max(0.0, is_launched - total_.seconds - profile_.launch.gap_seconds);
    const double executed = launch.seconds - profile_.launch.gap_seconds;
    if (wait + profile_.launch.gap_seconds > executed) {
      launch.bound_by = kOverhead;
      launch.skew = {};
    }
    if (wait > 0) add_share({kOverhead, wait}, launch.shares);
    launch.seconds += wait;
  }
  ++launches_;
  total_.unmodelled.add(launch.unmodelled);
  total_.seconds += launch.seconds;
  auto& part = bound_[launch.bound_by];
  part.seconds += launch.seconds;
  if (launch.seconds > part.most) {
    part.most = launch.seconds;
    part.skew = launch.skew;
  }
  const auto longest = std::max_element(
      bound_.begin(), bound_.end(),
      [](const auto& a, const auto& b) { return a.second.seconds < b.second.seconds; });
  total_.bound_by = longest->first;
  total_.skew = longest->second.skew;
  for (const auto& share : launch.shares) add_share(share, total_.shares);
  return launch.seconds;
}

TimeEstimate SequenceTime::total() const {
  auto out = total_;
  if (launches_ > 1) {
    std::stable_sort(out.shares.begin(), out.shares.end(),
                     [](const Share& a, const Share& b) { return a.seconds > b.seconds; });
  }
  return out;
}

}  // namespace warpgrade::timing
