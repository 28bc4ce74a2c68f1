// SPDX-License-Identifier: Apache-2.0
// Compares a kernel with the copy baseline: takes samples until the stopping rule is satisfied.
//
// In: a function that takes a sample, and the bounds that gates require. Out: a fraction with an
// interval, and for each bound whether it is met, missed or undecided. The parts are statistics
// of plain numbers, the rule, and the loop. No clock is read, so tests need no device.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpgrade::measure {

/// The middle value, or the mean of the two middle ones; throws base::UsageError on no samples.
double median(std::span<const double> samples);

struct Interval {
  double low = 0;
  double high = 0;
};

/// The interval between two samples that contains the median of their distribution, wrong with
/// probability `risk` at most (both sides together). It relies only on the sign test, so it is
/// valid for every distribution. Returns nullopt for too few samples (fewer than 14 for a risk of
/// 0.0002).
std::optional<Interval> median_interval(std::span<const double> samples, double risk);

/// Sample standard deviation; 0 for fewer than two samples.
double standard_deviation(std::span<const double> samples);

// Decides when the comparison of two kernels has enough samples, and what the result is.
//
// Input: samples of times A B B A (A is the copy baseline, B the kernel), and the bounds that gates
// require. Output: continue or stop; the fraction A/B with an interval; and for each bound whether
// the fraction is surely above, surely below, or undecided. The input is plain numbers; no clock is
// read.
//
// A sample's fraction is (a1 + a2) / (b1 + b2), so a drift that is linear in time cancels. The
// interval is an order-statistic interval of the median of the samples' logarithms. It is valid for
// any distribution, so an outlier can widen the interval but not move it. The rule looks at it only
// after 14, 21, 31, 46, ... samples, because each look is another chance to be wrong; `risk`
// applies to one look. Two effects that samples of one process do not show are added:
//   - drift: the interval also covers the medians of the first and of the second half;
//   - `floor`: differences between processes (addresses, the card's history), as a fraction; the
//     calibration card measures it.
// Once its bounds are decided, a kernel is measured until the interval is narrow or there are
// enough samples, because the fraction is shown. A bound is decided only if the whole interval is
// on one side of it. If the true fraction equals the bound, the kernel is measured up to the limit
// and stays undecided, instead of being decided by chance.

/// Seconds, in the order of measurement.
struct AbbaSample {
  double a1 = 0;
  double b1 = 0;
  double b2 = 0;
  double a2 = 0;

  double log_ratio() const;
};

struct FractionEstimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// The position of the interval relative to a bound.
enum class Side { kAbove, kBelow, kOpen };

/// Above includes the bound itself.
Side side_of(const FractionEstimate& estimate, double bound);

struct StoppingOptions {
  std::vector<double> bounds;  ///< Fractions to decide; if empty, the width decides.
  double risk = 2e-4;    ///< Probability of a wrong interval at one look, both sides together.
  double floor = 0.01;   ///< Differences between processes, as a fraction of the fraction.
  double narrow = 0.01;  ///< Sufficient half-width before the floor, relative to the fraction.
  std::size_t enough_samples = 31;  ///< Sufficient if the bounds are decided.
  std::size_t most_samples = 160;
  double most_seconds = 20;
};

class StoppingRule {
 public:
  explicit StoppingRule(StoppingOptions options) : options_(std::move(options)) {}

  void add(const AbbaSample& sample);
  /// Whether to stop after `seconds` of measurement.
  bool is_done(double seconds) const;
  /// Whether every bound is decided (without bounds: whether the interval is narrow).
  bool is_decided() const;
  /// The estimate from the samples so far; before the first look the interval is from 0 to
  /// infinity. Throws base::UsageError without samples.
  FractionEstimate estimate() const;
  const std::vector<AbbaSample>& samples() const { return samples_; }

 private:
  bool is_look() const;
  bool is_narrow() const;

  StoppingOptions options_;
  std::vector<AbbaSample> samples_;
  std::vector<double> logs_;
};

struct AbbaTaken {
  std::optional<AbbaSample> sample;  ///< nullopt if the sample must not count.
  std::string disturbance;           ///< The reason: "the card was slowed down: it is too hot".
  bool stop = false;                 ///< The kernel is wrong or lost: stop measuring.
};

struct Fraction {
  std::optional<FractionEstimate> estimate;  ///< nullopt without a good sample.
  bool decided = false;
  std::vector<AbbaSample> samples;
  std::string warning;  ///< Message: disturbances, or why the result is undecided.
};

/// Returns nullopt if `take` requests a stop. `now` is a clock in seconds.
std::optional<Fraction> compare_with_copy(const StoppingOptions& options,
                                          const std::function<AbbaTaken()>& take,
                                          const std::function<double()>& now);

/// Least time to move `bytes` bytes through a memory of `bytes_per_second`, if `cache_bytes` of
/// them may stay in an initially empty cache.
double least_seconds(double bytes, double cache_bytes, double bytes_per_second);

}  // namespace warpgrade::measure
