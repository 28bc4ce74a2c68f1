// SPDX-License-Identifier: Apache-2.0
// The roofline of a profiled launch: its operations per second, and the most that arithmetic, DRAM
// and L2 allow for its operations per byte.
//
// In: counts and the time of a launch, and the peaks of a card. Out: numbers for all renderers of
// `warpgrade profile`. The time includes the launch overhead. The peaks are those of the data
// sheet; a copy reaches a little less of DRAM's. Unlike the roofline of a grade, it has the
// operations and bytes of this kernel, not those that any solution needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/timing/arithmetic.h"

namespace warpgrade::grader::report {

struct ProfileRoofline {
  /// A level of memory; per second: of the whole chip.
  struct Level {
    double bytes = 0;
    std::optional<double> peak;  ///< Bytes per second; nullopt: not known.
  };
  /// Operations of one kind.
  struct Operations {
    std::string kind;  ///< "f32", "tensor f16", ...
    double count = 0;
    std::optional<double> peak;  ///< Operations per second; nullopt: not known.
  };
  /// The most operations per second, and what limits them: "dram", "l2" or the kind.
  struct Roof {
    double rate = 0;
    std::string limited_by;
  };

  double seconds = 0;
  Level dram;
  Level l2;
  std::vector<Operations> operations;  ///< Kinds that the launch executes.
  bool lacks_functions = false;        ///< See timing::Arithmetic::lacks_functions().

  double rate(const Operations& of) const { return of.count / seconds; }
  /// Operations per byte that the level moves; nullopt without any byte.
  static std::optional<double> intensity(const Operations& of, const Level& level);
  /// nullopt if the peak of these operations is not known.
  std::optional<Roof> roof(const Operations& of) const;
  /// Part of the roof that the launch reaches.
  std::optional<double> share(const Operations& of) const;
};

/// The roofline of a launch that takes `seconds`; nullopt without operations or time. `metrics` are
/// those of the simulator.
std::optional<ProfileRoofline> roofline_of(const device::Profile& profile,
                                           const timing::Arithmetic& arithmetic,
                                           const memory::Metrics& metrics, double seconds);

/// "66.9 TFLOP/s", or "op/s" for integers.
std::string rate_text(const std::string& kind, double per_second);

/// A table for people: heads, then a row per kind.
std::vector<std::vector<std::string>> roofline_rows(const ProfileRoofline& roofline);

/// "DRAM moves 8.39 MB at 2.1 TB/s of 4.8 TB/s, ..."
std::string traffic_text(const ProfileRoofline& roofline);

/// What the operations leave out.
std::string not_counted_text(const ProfileRoofline& roofline);

}  // namespace warpgrade::grader::report
