// SPDX-License-Identifier: Apache-2.0
#include "common/measure/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/error.h"

namespace warpgrade::measure {

double median(std::span<const double> samples) {
  if (samples.empty()) throw base::UsageError("a median needs at least one sample");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
}

// The k-th smallest sample is above the median only if fewer than k samples are below it; each
// sample is below it with probability 1/2.
std::optional<Interval> median_interval(std::span<const double> samples, double risk) {
  const auto count = samples.size();
  // The probability that exactly `below` samples are below the median.
  double chance = std::pow(0.5, static_cast<double>(count));
  double tail = 0;
  std::size_t k = 0;
  for (std::size_t below = 0; below < count / 2; ++below) {
    tail += chance;
    if (2 * tail > risk) break;
    k = below + 1;
    chance *= static_cast<double>(count - below) / static_cast<double>(below + 1);
  }
  if (k == 0) return std::nullopt;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[k - 1], sorted[count - k]};
}

double standard_deviation(std::span<const double> samples) {
  if (samples.size() < 2) return 0;
  double mean = 0;
  for (const double sample : samples) mean += sample / static_cast<double>(samples.size());
  double sum = 0;
  for (const double sample : samples) sum += (sample - mean) * (sample - mean);
  return std::sqrt(sum / static_cast<double>(samples.size() - 1));
}

double AbbaSample::log_ratio() const { return std::log((a1 + a2) / (b1 + b2)); }

Side side_of(const FractionEstimate& estimate, double bound) {
  if (estimate.low >= bound) return Side::kAbove;
  return estimate.high < bound ? Side::kBelow : Side::kOpen;
}

void StoppingRule::add(const AbbaSample& sample) {
  const bool possible = sample.a1 > 0 && sample.b1 > 0 && sample.b2 > 0 && sample.a2 > 0;
  if (!possible) throw base::ToolError("a time between two events is not above zero");
  samples_.push_back(sample);
  logs_.push_back(sample.log_ratio());
}

FractionEstimate StoppingRule::estimate() const {
  const std::span<const double> logs(logs_);
  const double middle = median(logs);
  const auto interval = median_interval(logs, options_.risk);
  if (!interval) return {std::exp(middle), 0, std::numeric_limits<double>::infinity()};
  const double first = median(logs.first(logs.size() / 2));
  const double second = median(logs.last(logs.size() / 2));
  const auto [least, most] = std::minmax({first, second});
  const double floor = std::log1p(options_.floor);
  return {std::exp(middle), std::exp(std::min(interval->low, least) - floor),
          std::exp(std::max(interval->high, most) + floor)};
}

bool StoppingRule::is_decided() const {
  if (samples_.empty()) return false;
  const auto now = estimate();
  return std::none_of(options_.bounds.begin(), options_.bounds.end(),
                      [&](double bound) { return side_of(now, bound) == Side::kOpen; }) &&
         (!options_.bounds.empty() || is_narrow());
}

bool StoppingRule::is_narrow() const {
  const auto now = estimate();
  const double half = (std::log(now.high) - std::log(now.low)) / 2;
  return half - std::log1p(options_.floor) <= options_.narrow;
}

// The least number for a risk of 0.0002 is 14; each further look needs half as many samples again.
bool StoppingRule::is_look() const {
  std::size_t look = 14;
  while (look < samples_.size()) look += look / 2;
  return look == samples_.size();
}

bool StoppingRule::is_done(double seconds) const {
  if (samples_.size() >= options_.most_samples || seconds >= options_.most_seconds) return true;
  return is_look() && is_decided() && (samples_.size() >= options_.enough_samples || is_narrow());
}

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
