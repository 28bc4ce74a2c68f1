// SPDX-License-Identifier: Apache-2.0
// When a comparison of two kernels has been measured enough, and what it then says.
//
// In: samples of times, A B B A (A the copy baseline, B the kernel), and the bounds that gates ask
// for. Out: measure on, or stop; the fraction A/B with an interval; and of each bound whether the
// fraction is surely above, surely below, or not decided. Fed with numbers; it reads no clock.
//
// A sample's fraction is (a1 + a2) / (b1 + b2): a drift that is linear in time cancels. The
// samples' logarithms go into an order-statistic interval of the median, which holds for any
// distribution, so an outlier can widen the interval but not move it. It is looked at only after
// 14, 21, 31, 46,
// ... samples: each look is another chance to be wrong, and `risk` is that of one look. Two things
// that samples of one process do not show are added:
//   - drift: the interval also covers the medians of the first and of the second half;
//   - `floor`: what differs between processes (where memory lies, what the card did before), as a
//     fraction; the calibration card measures it.
// A kernel whose bounds are decided is measured on until the interval is narrow or samples are
// enough, since the fraction is shown. A bound is above or below only where the whole interval is,
// so a kernel whose true fraction lies on the bound is measured on, and at the limit is not
// decided; it is not tossed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpgrade::measure {

/// Seconds, in the order in which they were measured.
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

/// The place of the interval beside a bound.
enum class Side { kAbove, kBelow, kOpen };

/// Above includes the bound itself.
Side side_of(const FractionEstimate& estimate, double bound);

struct StoppingOptions {
  std::vector<double> bounds;  ///< Fractions that must be decided; none: the width decides.
  double risk = 2e-4;    ///< The probability of a wrong interval at one look, both sides together.
  double floor = 0.01;   ///< Differences between processes, as a fraction of the fraction.
  double narrow = 0.01;  ///< Half-width before the floor that is good enough, as a fraction of
                         ///< the fraction.
  std::size_t enough_samples = 31;  ///< So many are, too, where the bounds are decided.
  std::size_t most_samples = 160;
  double most_seconds = 20;
};

class StoppingRule {
 public:
  explicit StoppingRule(StoppingOptions options) : options_(std::move(options)) {}

  void add(const AbbaSample& sample);
  /// Whether to stop, where the measurement has taken `seconds` so far.
  bool is_done(double seconds) const;
  /// Whether every bound is decided (or the interval narrow, where there are none).
  bool is_decided() const;
  /// The estimate from the samples so far; before the first look the interval is from 0 to
  /// infinity. Throws base::UsageError where there are no samples.
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
