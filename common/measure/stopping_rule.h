// SPDX-License-Identifier: Apache-2.0
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
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpgrade::measure {

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

}  // namespace warpgrade::measure
