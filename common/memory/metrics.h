// SPDX-License-Identifier: Apache-2.0
// Metrics of a launch under their contract names, and the same counts by source line.
//
// The names are Nsight Compute's where it has the same quantity; see metric_names(). Loads (op_ld)
// and stores (op_st) do not hold atomics (op_atom) nor reductions (op_red), as there. L2 and DRAM
// counts add what the launch itself moves, so that they compare with a profiler's. The two
// bytes_per_sector ratios count a byte of a sector once within a request, as there, which makes 32
// their ceiling: lanes that read one word together cannot inflate them. (For generic addresses
// Nsight Compute adds the bytes that went to shared memory; this does not.) Shared atomics that
// machine code does in a loop count their loads as op_ld, as there. The shared requests are warps
// that executed a PTX instruction with a lane active: machine code predicates instead of branching,
// so Nsight Compute's smsp__inst_executed_op_shared counts warps without any. Integer divisions are
// the div and rem of PTX, for which the machine has no instruction but a sequence. Where a launch
// has no access of the kind, its ratio is absent; a gate on an absent metric has to fail ("no
// global load was executed"), since a kernel that moves nothing has not earned it.
#pragma once

#include <array>
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

/// Nsight Compute's name (or warpgrade__...) -> value.
using Metrics = std::map<std::string, double, std::less<>>;

/// One source line that touches memory; a line with loads and stores, or with two spaces, has a
/// row for each. Sectors are those of global and local, wavefronts those of shared memory.
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  MemoryOperation operation;
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t wavefronts = 0;
};

/// The sums that metrics are worked out from: those of launches add up.
class Totals {
 public:
  Totals();
  /// The totals of one launch.
  Totals(const Counters& counters, const ptx::Function& function, const run::Result& result);
  Totals& operator+=(const Totals& other);

  /// All metrics of the contract.
  Metrics metrics() const;

 private:
  std::vector<InstructionCounters> accesses_;  // One a kind of access that is counted.
  std::uint64_t l2_read_sectors_ = 0;
  std::uint64_t l2_write_sectors_ = 0;
  std::uint64_t dram_read_bytes_ = 0;
  std::uint64_t dram_write_bytes_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t divisions_ = 0;
  std::array<std::uint64_t, 4> tensor_ops_{};  // The pipes, then all together.
  std::vector<std::uint64_t> partition_bytes_;
};

/// All metrics of the contract for one launch.
Metrics metrics(const Counters& counters, const ptx::Function& function, const run::Result& result);

/// By file, line and operation, in the order of the source; only what was executed.
std::vector<LineCounters> by_line(const Counters& counters, const ptx::Function& function);

/// Adds `more` to `all`, line by line; both in the order of the source.
void add_lines(const std::vector<LineCounters>& more, std::vector<LineCounters>& all);

/// The accesses that `metric` counts; nothing where it counts no kind of access.
std::optional<MemoryOperation> operation_of(std::string_view metric);

/// Every name that metrics() can hold, sorted: for manifests that name one.
const std::vector<std::string>& metric_names();

}  // namespace warpgrade::memory
