// SPDX-License-Identifier: Apache-2.0
#include "common/measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpgrade::measure {
namespace {

// As many disturbed quads as good ones, and a few more: a machine with more is in use.
constexpr std::size_t kSpareDisturbed = 10;

std::string undecided_text(const Fraction& fraction) {
  if (!std::isfinite(fraction.estimate.high)) {
    return fmt::format("the time was up after {} quads, too few to go by", fraction.quads.size());
  }
  return fmt::format(
      "after {} quads the fraction of copy lies between {:.3f} and {:.3f}, which does not decide "
      "the gate: the machine is too noisy for it, or the kernel too near to it",
      fraction.quads.size(), fraction.estimate.low, fraction.estimate.high);
}

}  // namespace

std::optional<Fraction> compare_with_copy(const StoppingOptions& options,
                                          const std::function<QuadTaken()>& take,
                                          const std::function<double()>& now) {
  StoppingRule rule(options);
  const double start = now();
  std::size_t disturbed = 0;
  std::string disturbance;
  const auto hopeless = [&] { return disturbed > rule.quads().size() + kSpareDisturbed; };
  while (!rule.is_done(now() - start) && !hopeless()) {
    auto taken = take();
    if (taken.stop) return std::nullopt;
    if (taken.quad) {
      rule.add(*taken.quad);
      continue;
    }
    ++disturbed;
    disturbance = std::move(taken.disturbance);
  }
  Fraction out;
  out.quads = rule.quads();
  out.decided = rule.is_decided();
  if (!out.quads.empty()) out.estimate = rule.estimate();
  if (disturbed > 0) {
    out.remark = fmt::format("{} quad{} measured again: {}", disturbed,
                             disturbed == 1 ? " was" : "s were", disturbance);
  }
  if (out.decided) return out;
  if (!out.remark.empty()) out.remark += "; ";
  out.remark += out.quads.empty() ? "no quad was left to go by" : undecided_text(out);
  return out;
}

double least_seconds(double bytes, double cache_bytes, double bytes_per_second) {
  return std::max(0.0, bytes - cache_bytes) / bytes_per_second;
}

}  // namespace warpgrade::measure
