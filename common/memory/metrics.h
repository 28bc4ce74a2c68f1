// SPDX-License-Identifier: Apache-2.0
// The metrics of a launch by name, and the same counts by source line.
//
// The names are Nsight Compute's for quantities that it has, too; see metric_names(). As there,
// loads (op_ld) and stores (op_st) exclude atomics (op_atom) and reductions (op_red). L2 and DRAM
// counts include the traffic of the launch itself, so they are comparable with a profiler's. As
// there, the two bytes_per_sector ratios count a byte once per request, which limits them to 32:
// lanes that read the same word cannot inflate them. (For generic addresses Nsight Compute adds
// bytes of shared memory; this does not.) As there, shared atomics that machine code does in a loop
// count their loads as op_ld. Shared requests are warps that execute a PTX instruction with an
// active lane. Machine code predicates instead of branching, so Nsight Compute's
// smsp__inst_executed_op_shared also counts warps without active lanes. Integer divisions are div
// and rem in PTX, which machine code expands into a sequence. If a launch has no access of a kind,
// the ratio is absent. Metrics of distributed shared memory (mem_dshared) are absent, too, unless a
// block accesses the shared memory of another block; an access with lanes in both counts its own
// lanes as shared memory. A gate cannot use them, because profilers of older GPUs lack them. A gate
// on an absent metric fails ("no global load was executed"), so a kernel without such accesses
// cannot pass.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/memory/counters.h"
#include "common/memory/memory_operation.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

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

}  // namespace warpgrade::memory
