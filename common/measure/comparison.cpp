// SPDX-License-Identifier: Apache-2.0
#include "common/measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpgrade::measure {
namespace {

// A comparison stops if disturbed samples exceed good ones by this number: the machine is in use.
constexpr std::size_t kSpareDisturbed = 10;

std::string undecided_text(const Fraction& fraction) {
  if (!fraction.estimate) return "every sample was disturbed";
  if (!std::isfinite(fraction.estimate->high)) {
    return fmt::format("time ran out after {} samples, which are too few", fraction.samples.size());
  }
  return fmt::format(
      "after {} samples the fraction is between {:.3f} and {:.3f}, which does not decide "
      "the gate: the machine is too noisy, or the kernel is too close to the bound",
      fraction.samples.size(), fraction.estimate->low, fraction.estimate->high);
}

}  // namespace

std::optional<Fraction> compare_with_copy(const StoppingOptions& options,
                                          const std::function<AbbaTaken()>& take,
                                          const std::function<double()>& now) {
  StoppingRule rule(options);
  const double start = now();
  std::size_t disturbed = 0;
  std::string disturbance;
  const auto hopeless = [&] { return disturbed > rule.samples().size() + kSpareDisturbed; };
  while (!rule.is_done(now() - start) && !hopeless()) {
    auto taken = take();
    if (taken.stop) return std::nullopt;
    if (taken.sample) {
      rule.add(*taken.sample);
      continue;
    }
    ++disturbed;
    disturbance = std::move(taken.disturbance);
  }
  Fraction out;
  out.samples = rule.samples();
  out.decided = rule.is_decided();
  if (!out.samples.empty()) out.estimate = rule.estimate();
  if (disturbed > 0) {
    out.warning = fmt::format("{} sample{} measured again: {}", disturbed,
                              disturbed == 1 ? " was" : "s were", disturbance);
  }
  if (out.decided) return out;
  if (!out.warning.empty()) out.warning += "; ";
  out.warning += undecided_text(out);
  return out;
}

double least_seconds(double bytes, double cache_bytes, double bytes_per_second) {
  return std::max(0.0, bytes - cache_bytes) / bytes_per_second;
}

}  // namespace warpgrade::measure
