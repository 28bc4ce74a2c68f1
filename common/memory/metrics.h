// SPDX-License-Identifier: Apache-2.0
// The metrics of a launch by name, and the same counts and executed instructions by source line.
//
// In: the rows of Counters, and the instruction counts of a launch. Out: a number per metric,
// which may be absent. Metrics are sums over rows, or of a launch. Each is one row of a table
// below.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

// The executed PTX instructions of warps by source line, for gates that count instructions.
// metrics.h has the memory accesses for gates that count those.

struct LineInstructions {
  std::string file;           ///< Empty, with `line` 0, for code without a place.
  std::uint32_t line = 0;     ///< 1-based.
  std::uint64_t warps = 0;    ///< Warps that executed an instruction, summed over the line.
  std::uint64_t threads = 0;  ///< Their active lanes, summed.

  friend bool operator==(const LineInstructions&, const LineInstructions&) = default;
};

/// Executed lines in source order. `result` is the result of a launch of `function`.
std::vector<LineInstructions> instructions_by_line(const ptx::Function& function,
                                                   const run::Result& result);

/// Adds `more` to `all`, line by line; both are in source order.
void add_instructions(const std::vector<LineInstructions>& more,
                      std::vector<LineInstructions>& all);

/// Name (Nsight Compute's or warpgrade__...) -> value.
using Metrics = std::map<std::string, double, std::less<>>;

/// One source line that accesses memory. A line with loads and stores, or with two spaces, has a
/// row for each. Sectors are for global and local memory, wavefronts for shared memory.
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  MemoryOperation operation;
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bytes = 0;  ///< As in InstructionCounters, like the next.
  std::uint64_t used_bytes = 0;
  std::uint64_t conflicts = 0;
  /// The line of the call with most of its requests, if its code is inlined there; else 0.
  std::uint32_t call_line = 0;
};

/// The sums behind the metrics; totals of launches can be added.
class Totals {
 public:
  Totals();
  /// The totals of one launch.
  Totals(const Counters& counters, const ptx::Function& function, const run::Result& result);
  Totals& operator+=(const Totals& other);
  /// Replaces the bytes that DRAM moves within the launch, which without this are those of an L2
  /// that evicts nothing.
  void set_dram(std::uint64_t read_bytes, std::uint64_t written_bytes);

  /// All metrics.
  Metrics metrics() const;

 private:
  std::vector<InstructionCounters> accesses_;  // by kind of access
  std::vector<std::uint64_t> sums_;            // by row of the table of other sums
  std::vector<std::uint64_t> partition_bytes_;
};

/// All metrics of one launch.
Metrics metrics(const Counters& counters, const ptx::Function& function, const run::Result& result);

/// In order of file, line and operation; only executed operations.
std::vector<LineCounters> by_line(const Counters& counters, const ptx::Function& function);

/// Adds `more` to `all`, line by line; both are in source order.
void add_lines(const std::vector<LineCounters>& more, std::vector<LineCounters>& all);

/// The accesses that `metric` counts; nullopt if it does not count accesses.
std::optional<MemoryOperation> operation_of(std::string_view metric);

/// Every name that metrics() can contain, sorted; validates names in manifests.
const std::vector<std::string>& metric_names();

/// Whether the card has the unit that `metric` counts: an L2 for global memory, tensor cores.
bool has_unit(const device::Profile& profile, std::string_view metric);

}  // namespace warpgrade::memory
