// SPDX-License-Identifier: Apache-2.0
// Reads what Nsight Compute prints with --csv --page raw, as numbers.
//
//   ==PROF== Profiling "copy" - 0: 0%....50%....100% - 3 passes
//   "ID","Process ID",...,"Kernel Name",...,"dram__bytes_read.sum",...
//   "","",...,"",...,"byte",...
//   "0","4711",...,"_Z4copyPfPKfii",...,"4,197,376",...
//
// A line of names, one of units, one for each launch that was counted. Lines that begin with == are
// messages. The table is read strictly: what is not as expected gives no counters rather than wrong
// ones.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::gpu {

struct Counters {
  /// Metric -> value in bytes or as a plain count; without what the card does not have ("n/a").
  std::map<std::string, double, std::less<>> values;
  std::string reason;  ///< Why there are none, and what to do; empty where there are.
};

/// The counters `metrics` of the one launch of `kernel` in `log`; its name is compared as printed.
Counters read_counter_table(std::string_view log, const std::string& kernel,
                            const std::vector<std::string>& metrics);

}  // namespace warpgrade::gpu
