// SPDX-License-Identifier: Apache-2.0
// Metrics of a launch under their contract names, and the same counts by source line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/memory/counters.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

/// Nsight Compute's name (or warpgrade__...) -> value.
using Metrics = std::map<std::string, double, std::less<>>;

/// One source line that touches memory; a line with loads and stores, or with two spaces, has a
/// row for each. `operation` is "global load", "shared store", "global atomic", ...
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  std::string operation;
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t wavefronts = 0;
};

/// All metrics of the contract for one launch.
Metrics metrics(const Counters& counters, const ptx::Function& function, const run::Result& result);

/// By file, line and operation, in the order of the source.
std::vector<LineCounters> by_line(const Counters& counters, const ptx::Function& function);

/// Every name that metrics() can hold, sorted: for manifests that name one.
const std::vector<std::string>& metric_names();

}  // namespace warpgrade::memory
