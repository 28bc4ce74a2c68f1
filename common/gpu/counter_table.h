// SPDX-License-Identifier: Apache-2.0
// Parses the output of Nsight Compute with --csv --page raw.
//
//   ==PROF== Profiling "copy" - 0: 0%....50%....100% - 3 passes
//   "ID","Process ID",...,"Kernel Name",...,"dram__bytes_read.sum",...
//   "","",...,"",...,"byte",...
//   "0","4711",...,"_Z4copyPfPKfii",...,"4,197,376",...
//
// One line has names, one has units, then each counted launch has one. Lines that begin with == are
// messages. The table is parsed strictly: unexpected text gives no counters instead of wrong
// counters. Counters of several launches are added up.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::gpu {

struct Counters {
  /// Metric -> value in bytes or as a plain count, except metrics that the card lacks ("n/a").
  std::map<std::string, double, std::less<>> values;
  std::string reason;  ///< The reason for missing counters, with advice; empty on success.
};

/// The counters `metrics` of the launches of `kernels` (printed names, in order) in `log`, which
/// must have exactly these launches of them. Several launches have sums, but no ratios.
Counters read_counter_table(std::string_view log, const std::vector<std::string>& kernels,
                            const std::vector<std::string>& metrics);

}  // namespace warpgrade::gpu
