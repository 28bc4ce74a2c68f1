// SPDX-License-Identifier: Apache-2.0
#include "common/memory/metrics.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/memory/counters.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

std::vector<LineInstructions> instructions_by_line(const ptx::Function& function,
                                                   const run::Result& result) {
  std::map<std::pair<std::string_view, std::uint32_t>, run::InstructionCount> sums;
  const auto count = std::min(result.instructions.size(), function.instructions.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto warps = result.instructions[i].warps;
    if (warps == 0) continue;
    const auto& where = ptx::location(function, i);
    auto& sum = sums[{where.file, where.line}];
    sum.warps += warps;
    sum.threads += result.instructions[i].threads;
  }
  std::vector<LineInstructions> out;
  for (const auto& [where, sum] : sums) {
    out.push_back({std::string(where.first), where.second, sum.warps, sum.threads});
  }
  return out;
}

void add_instructions(const std::vector<LineInstructions>& more,
                      std::vector<LineInstructions>& all) {
  for (const auto& line : more) {
    const auto at = std::lower_bound(all.begin(), all.end(), line,
                                     [](const LineInstructions& a, const LineInstructions& b) {
                                       return std::tie(a.file, a.line) < std::tie(b.file, b.line);
                                     });
    if (at != all.end() && at->file == line.file && at->line == line.line) {
      at->warps += line.warps;
      at->threads += line.threads;
    } else {
      all.insert(at, line);
    }
  }
}

namespace {

using run::Operation;
using run::Space;

using Value = std::optional<double>;

Value requests_in(const InstructionCounters& sum) { return static_cast<double>(sum.requests); }
Value sectors_in(const InstructionCounters& sum) { return static_cast<double>(sum.sectors); }
Value wavefronts_in(const InstructionCounters& sum) { return static_cast<double>(sum.wavefronts); }
Value conflicts_in(const InstructionCounters& sum) { return static_cast<double>(sum.conflicts); }
Value bytes_per_sector(const InstructionCounters& sum) {
  if (sum.sectors == 0) return std::nullopt;
  return static_cast<double>(sum.used_bytes) / static_cast<double>(sum.sectors);
}

constexpr MemoryOperation kGlobalLoad{Space::kGlobal, Operation::kLoad};
constexpr MemoryOperation kGlobalStore{Space::kGlobal, Operation::kStore};
constexpr MemoryOperation kGlobalAtomic{Space::kGlobal, Operation::kAtomic};
constexpr MemoryOperation kGlobalReduction{Space::kGlobal, Operation::kReduction};
constexpr MemoryOperation kLocalLoad{Space::kLocal, Operation::kLoad};
constexpr MemoryOperation kLocalStore{Space::kLocal, Operation::kStore};
constexpr MemoryOperation kSharedLoad{Space::kShared, Operation::kLoad};
constexpr MemoryOperation kSharedStore{Space::kShared, Operation::kStore};
constexpr MemoryOperation kSharedAtomic{Space::kShared, Operation::kAtomic};
constexpr MemoryOperation kClusterLoad{Space::kCluster, Operation::kLoad};
constexpr MemoryOperation kClusterStore{Space::kCluster, Operation::kStore};
constexpr MemoryOperation kClusterAtomic{Space::kCluster, Operation::kAtomic};

/// A metric of one kind of access.
struct AccessMetric {
  std::string_view name;
  MemoryOperation operation;
  /// nullopt: a launch with this sum lacks the metric.
  Value (*value)(const InstructionCounters& sum);
};

constexpr AccessMetric kAccessMetrics[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", kGlobalLoad, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", kGlobalLoad, sectors_in},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", kGlobalLoad,
     bytes_per_sector},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", kGlobalStore, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", kGlobalStore, sectors_in},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", kGlobalStore,
     bytes_per_sector},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", kGlobalAtomic, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", kGlobalAtomic, sectors_in},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", kGlobalReduction, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", kGlobalReduction, sectors_in},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", kLocalLoad, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", kLocalLoad, sectors_in},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", kLocalStore, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", kLocalStore, sectors_in},
    {"warpgrade__shared_requests_op_ld.sum", kSharedLoad, requests_in},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", kSharedLoad, wavefronts_in},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", kSharedLoad, conflicts_in},
    {"warpgrade__shared_requests_op_st.sum", kSharedStore, requests_in},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", kSharedStore, wavefronts_in},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", kSharedStore, conflicts_in},
    {"warpgrade__shared_requests_op_atom.sum", kSharedAtomic, requests_in},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", kSharedAtomic, wavefronts_in},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", kSharedAtomic, conflicts_in},
};

/// Distributed shared memory: only in the metrics of a launch that has accessed it.
constexpr AccessMetric kClusterMetrics[] = {
    {"l1tex__t_requests_pipe_lsu_mem_dshared_op_ld.sum", kClusterLoad, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_dshared_op_ld.sum", kClusterLoad, sectors_in},
    {"l1tex__t_requests_pipe_lsu_mem_dshared_op_st.sum", kClusterStore, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_dshared_op_st.sum", kClusterStore, sectors_in},
    {"l1tex__t_requests_pipe_lsu_mem_dshared_op_atom.sum", kClusterAtomic, requests_in},
    {"l1tex__t_sectors_pipe_lsu_mem_dshared_op_atom.sum", kClusterAtomic, sectors_in},
};

bool is_integer_division(const ptx::Instruction& in) {
  const bool is_float = in.types[0] == ptx::Type::kF32 || in.types[0] == ptx::Type::kF64;
  return ptx::facts(in).timing == ptx::Timing::kDivision && !is_float;
}

/// cp.async, which is LDGSTS in machine code.
bool is_asynchronous_copy(const ptx::Instruction& in) {
  return ptx::facts(in).memory == ptx::MemoryRole::kCopy;
}

/// By stores and by asynchronous copies, whose stores a card does not count as such.
std::uint64_t stored_shared_bytes(const Counters& counters) {
  const auto& rows = counters.instructions();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_shared = kCountedSpaces[i % kCountedSpaces.size()] == Space::kShared;
    if (is_shared && rows[i].operation == Operation::kStore) sum += rows[i].bytes;
  }
  return sum;
}

/// Executed machine instructions of the tensor pipe by MatrixProduct::Pipe, counted per warp.
std::array<std::uint64_t, 3> tensor_ops(const device::Profile& profile,
                                        const ptx::Function& function, const run::Result& result) {
  std::array<std::uint64_t, 3> sums{};
  const std::uint32_t capability = 10 * profile.compute.major + profile.compute.minor;
  for (std::size_t i = 0; i < result.instructions.size() && i < function.instructions.size(); ++i) {
    const auto product = ptx::matrix_product(function.instructions[i], capability);
    if (!product) continue;
    sums[static_cast<std::size_t>(product->pipe)] +=
        result.instructions[i].warps * product->instructions;
  }
  return sums;
}

/// One launch, as the sums below see it.
struct CountedLaunch {
  const Counters& counters;
  const ptx::Function& function;
  const run::Result& result;
  const device::Profile& profile = counters.profile();
  Traffic traffic = counters.traffic();
  std::array<std::uint64_t, 3> tensor = tensor_ops(profile, function, result);
};

/// Executed instructions for which `counts` holds, counted per warp.
template <typename Counts>
std::uint64_t executed(const CountedLaunch& launch, Counts counts) {
  const auto& all = launch.function.instructions;
  const auto& results = launch.result.instructions;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < results.size() && i < all.size(); ++i) {
    if (counts(all[i])) sum += results[i].warps;
  }
  return sum;
}

/// Any other count of a launch; launches are summed.
struct SumMetric {
  std::string_view name;
  std::uint64_t (*of)(const CountedLaunch& launch);
};

constexpr std::string_view kDramRead = "dram__bytes_read.sum";
constexpr std::string_view kDramWritten = "dram__bytes_write.sum";
constexpr std::string_view kCopies = "smsp__inst_executed_op_ldgsts.sum";
constexpr std::string_view kCopiedBytes = "warpgrade__shared_bytes_copied.sum";
constexpr std::string_view kStoredBytes = "warpgrade__shared_bytes_stored.sum";
constexpr std::string_view kLoadsWithCopies = "warpgrade__shared_loads_with_copies.sum";
constexpr std::string_view kLoadsBesideCopies = "warpgrade__shared_loads_beside_copies.sum";
constexpr std::string_view kOverlap = "warpgrade__shared_loads_beside_copies.pct";
constexpr std::string_view kProducts = "sm__inst_executed_pipe_tensor";
constexpr std::string_view kDoubleProducts = "sm__inst_executed_pipe_tensor_op_dmma.sum";

// On a card the tensor metrics also count HFMA2 instructions that ptxas uses on that pipe to move a
// constant (sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum).
constexpr SumMetric kSumMetrics[] = {
    {"lts__t_sectors_op_read.sum",
     [](const CountedLaunch& launch) {
       return launch.traffic.l2_read_sectors + launch.profile.launch.l2_read_sectors;
     }},
    {"lts__t_sectors_op_write.sum",
     [](const CountedLaunch& launch) {
       return launch.traffic.l2_write_sectors + launch.profile.launch.l2_write_sectors;
     }},
    {kDramRead,
     [](const CountedLaunch& launch) {
       return launch.traffic.dram_read_bytes + launch.profile.launch.dram_read_bytes;
     }},
    {kDramWritten, [](const CountedLaunch& launch) { return launch.traffic.dram_write_bytes; }},
    {"warpgrade__ptx_warp_instructions.sum",
     [](const CountedLaunch& launch) { return run::warp_instructions(launch.result); }},
    {"warpgrade__ptx_integer_divisions.sum",
     [](const CountedLaunch& launch) { return executed(launch, is_integer_division); }},
    {kCopies, [](const CountedLaunch& launch) { return executed(launch, is_asynchronous_copy); }},
    {kCopiedBytes,
     [](const CountedLaunch& launch) { return launch.counters.copied_shared_bytes(); }},
    {kLoadsWithCopies,
     [](const CountedLaunch& launch) { return launch.counters.shared_loads_with_copies(); }},
    {kLoadsBesideCopies,
     [](const CountedLaunch& launch) { return launch.counters.shared_loads_beside_copies(); }},
    {kStoredBytes,
     [](const CountedLaunch& launch) { return stored_shared_bytes(launch.counters); }},
    {"sm__inst_executed_pipe_tensor_op_hmma.sum",
     [](const CountedLaunch& launch) { return launch.tensor[0]; }},
    {"sm__inst_executed_pipe_tensor_op_imma.sum",
     [](const CountedLaunch& launch) { return launch.tensor[1]; }},
    {kDoubleProducts, [](const CountedLaunch& launch) { return launch.tensor[2]; }},
    {"sm__inst_executed_pipe_tensor.sum",
     [](const CountedLaunch& launch) {
       return std::accumulate(launch.tensor.begin(), launch.tensor.end(), std::uint64_t{0});
     }},
};

constexpr std::string_view kImbalance = "warpgrade__partition_imbalance.max_over_mean";

/// Bytes of the busiest partition relative to the mean; 1 if all are equal or nothing moved.
double imbalance(const std::vector<std::uint64_t>& partition_bytes) {
  const auto sum =
      std::accumulate(partition_bytes.begin(), partition_bytes.end(), std::uint64_t{0});
  if (sum == 0) return 1;
  const auto most = *std::max_element(partition_bytes.begin(), partition_bytes.end());
  return static_cast<double>(most) * static_cast<double>(partition_bytes.size()) /
         static_cast<double>(sum);
}

/// Adds element by element; `sum` may be empty.
template <typename T>
void add_each(const std::vector<T>& more, std::vector<T>& sum) {
  sum.resize(std::max(sum.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

// Kinds of accesses, numbered.
constexpr std::size_t kOperations = 4;
constexpr std::size_t kKinds = (static_cast<std::size_t>(Space::kCluster) + 1) * kOperations;
constexpr std::size_t kind_of(const MemoryOperation& one) {
  return static_cast<std::size_t>(one.space) * kOperations +
         static_cast<std::size_t>(one.operation);
}

std::size_t sum_called(std::string_view name) {
  const auto is_called = [&](const SumMetric& metric) { return metric.name == name; };
  return static_cast<std::size_t>(std::ranges::find_if(kSumMetrics, is_called) -
                                  std::begin(kSumMetrics));
}

/// Sort key of lines.
auto line_key(const LineCounters& line) {
  return std::tuple(std::string_view(line.file), line.line, name(line.operation));
}

}  // namespace

Totals::Totals() : accesses_(kKinds), sums_(std::size(kSumMetrics)) {}

Totals::Totals(const Counters& counters, const ptx::Function& function, const run::Result& result)
    : accesses_(kKinds), partition_bytes_(counters.partition_bytes()) {
  const auto& rows = counters.instructions();
  const auto& all = function.instructions;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto space = kCountedSpaces[i % kCountedSpaces.size()];
    const std::size_t instruction = i / kCountedSpaces.size();
    // An H200 counts what an asynchronous copy stores as kCopies only.
    if (space == Space::kShared && instruction < all.size() &&
        is_asynchronous_copy(all[instruction])) {
      continue;
    }
    accesses_[kind_of({space, rows[i].operation})] += rows[i];
  }
  // Machine code uses one instruction for both on shared memory.
  auto& shared = accesses_[kind_of(kSharedAtomic)];
  auto& remote = accesses_[kind_of(kClusterAtomic)];
  shared += accesses_[kind_of({Space::kShared, Operation::kReduction})];
  remote += accesses_[kind_of({Space::kCluster, Operation::kReduction})];
  shared.wavefronts += remote.wavefronts;
  const CountedLaunch launch{counters, function, result};
  for (const auto& metric : kSumMetrics) sums_.push_back(metric.of(launch));
}

Totals& Totals::operator+=(const Totals& other) {
  add_each(other.accesses_, accesses_);
  add_each(other.sums_, sums_);
  add_each(other.partition_bytes_, partition_bytes_);
  return *this;
}

void Totals::set_dram(std::uint64_t read_bytes, std::uint64_t written_bytes) {
  sums_[sum_called(kDramRead)] = read_bytes;
  sums_[sum_called(kDramWritten)] = written_bytes;
}

Metrics Totals::metrics() const {
  Metrics metrics;
  const auto set = [&](std::string_view name, double value) {
    metrics.insert_or_assign(std::string(name), value);
  };
  const auto set_access = [&](const AccessMetric& metric) {
    const auto value = metric.value(accesses_[kind_of(metric.operation)]);
    if (value) set(metric.name, *value);
  };
  for (const auto& metric : kAccessMetrics) set_access(metric);
  for (const auto& metric : kClusterMetrics) {
    if (accesses_[kind_of(metric.operation)].requests != 0) set_access(metric);
  }
  for (std::size_t i = 0; i < std::size(kSumMetrics); ++i) {
    set(kSumMetrics[i].name, static_cast<double>(sums_[i]));
  }
  set(kImbalance, imbalance(partition_bytes_));
  const auto loads = sums_[sum_called(kLoadsWithCopies)];
  const auto beside = sums_[sum_called(kLoadsBesideCopies)];
  set(kOverlap, loads == 0 ? 0 : 100 * static_cast<double>(beside) / static_cast<double>(loads));
  return metrics;
}

Metrics metrics(const Counters& counters, const ptx::Function& function,
                const run::Result& result) {
  return Totals(counters, function, result).metrics();
}

void add_lines(const std::vector<LineCounters>& more, std::vector<LineCounters>& all) {
  for (const auto& line : more) {
    const auto at = std::lower_bound(
        all.begin(), all.end(), line,
        [](const LineCounters& a, const LineCounters& b) { return line_key(a) < line_key(b); });
    if (at == all.end() || line_key(*at) != line_key(line)) {
      all.insert(at, line);
      continue;
    }
    at->requests += line.requests;
    at->sectors += line.sectors;
    at->wavefronts += line.wavefronts;
    at->bytes += line.bytes;
    at->used_bytes += line.used_bytes;
    at->conflicts += line.conflicts;
  }
}

std::vector<LineCounters> by_line(const Counters& counters, const ptx::Function& function) {
  std::map<std::tuple<std::string, std::uint32_t, std::string>, LineCounters> lines;
  std::map<LineCounters*, std::map<std::uint32_t, std::uint64_t>> calls;  // Requests by call.
  const std::vector<InstructionCounters>& rows = counters.instructions();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const InstructionCounters& row = rows[i];
    const std::size_t instruction = i / kCountedSpaces.size();
    if (row.requests == 0 || instruction >= function.instructions.size()) continue;
    const std::uint32_t location = function.instructions[instruction].location;
    const base::SourceLocation where = location < function.locations.size()
                                           ? function.locations[location]
                                           : base::SourceLocation{};
    const MemoryOperation operation{kCountedSpaces[i % kCountedSpaces.size()], row.operation};
    LineCounters& line = lines[{where.file, where.line, name(operation)}];
    line.file = where.file;
    line.line = where.line;
    line.operation = operation;
    line.requests += row.requests;
    line.sectors += row.sectors;
    line.wavefronts += row.wavefronts;
    line.bytes += row.bytes;
    line.used_bytes += row.used_bytes;
    line.conflicts += row.conflicts;
    if (location < function.call_lines.size() && function.call_lines[location] != 0) {
      auto& of_line = calls[&line];
      auto& requests = of_line[function.call_lines[location]];
      requests += row.requests;
      const auto most = of_line.find(line.call_line);
      if (most == of_line.end() || requests > most->second) {
        line.call_line = function.call_lines[location];
      }
    }
  }
  std::vector<LineCounters> sorted;
  for (auto& [key, line] : lines) sorted.push_back(std::move(line));
  return sorted;
}

std::optional<MemoryOperation> operation_of(std::string_view metric) {
  for (const auto& one : kAccessMetrics) {
    if (one.name == metric) return one.operation;
  }
  return std::nullopt;
}

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names = {std::string(kImbalance), std::string(kOverlap)};
    for (const auto& metric : kAccessMetrics) names.emplace_back(metric.name);
    for (const auto& metric : kSumMetrics) names.emplace_back(metric.name);
    std::sort(names.begin(), names.end());
    return names;
  }();
  return kNames;
}

bool has_unit(const device::Profile& profile, std::string_view metric) {
  if (metric.starts_with("lts__")) return profile.l2.bytes.has_value();
  if (metric == kCopies || metric == kCopiedBytes || metric == kOverlap)
    return profile.compute.major >= 8;
  if (metric == kDoubleProducts) return profile.tensor.double_products_per_clock.has_value();
  if (metric.starts_with(kProducts)) return profile.tensor.products_per_clock.has_value();
  return true;
}

}  // namespace warpgrade::memory
