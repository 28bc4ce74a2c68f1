// SPDX-License-Identifier: Apache-2.0
// Metrics are sums over the rows of Counters. The table below is the only list of their names.
#include "common/memory/metrics.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/matrix_product.h"

namespace warpgrade::memory {
namespace {

using run::Operation;
using run::Space;

/// The sums of one space and operation, under Nsight Compute's names.
struct AccessNames {
  Space space;
  Operation operation;
  std::string_view requests;
  std::string_view sectors;  ///< Empty for shared memory, like the next two.
  std::string_view used_bytes_per_sector;
  std::string_view wavefronts;  ///< Only for shared memory, like the next.
  std::string_view conflicts;
};

constexpr AccessNames kAccessNames[] = {
    {Space::kGlobal, Operation::kLoad, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", "", ""},
    {Space::kGlobal, Operation::kStore, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", "", ""},
    {Space::kGlobal, Operation::kAtomic, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "", "", ""},
    {Space::kGlobal, Operation::kReduction, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "", "", ""},
    {Space::kLocal, Operation::kLoad, "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "", "", ""},
    {Space::kLocal, Operation::kStore, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "", "", ""},
    {Space::kShared, Operation::kLoad, "warpgrade__shared_requests_op_ld.sum", "", "",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {Space::kShared, Operation::kStore, "warpgrade__shared_requests_op_st.sum", "", "",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {Space::kShared, Operation::kAtomic, "warpgrade__shared_requests_op_atom.sum", "", "",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"},
};

/// Distributed shared memory: only in the metrics of a launch that has accessed it.
constexpr AccessNames kClusterNames[] = {
    {Space::kCluster, Operation::kLoad, "l1tex__t_requests_pipe_lsu_mem_dshared_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_dshared_op_ld.sum", "", "", ""},
    {Space::kCluster, Operation::kStore, "l1tex__t_requests_pipe_lsu_mem_dshared_op_st.sum",
     "l1tex__t_sectors_pipe_lsu_mem_dshared_op_st.sum", "", "", ""},
    {Space::kCluster, Operation::kAtomic, "l1tex__t_requests_pipe_lsu_mem_dshared_op_atom.sum",
     "l1tex__t_sectors_pipe_lsu_mem_dshared_op_atom.sum", "", "", ""},
};

constexpr std::string_view kL2Reads = "lts__t_sectors_op_read.sum";
constexpr std::string_view kL2Writes = "lts__t_sectors_op_write.sum";
constexpr std::string_view kDramRead = "dram__bytes_read.sum";
constexpr std::string_view kDramWritten = "dram__bytes_write.sum";
constexpr std::string_view kInstructions = "warpgrade__ptx_warp_instructions.sum";
constexpr std::string_view kDivisions = "warpgrade__ptx_integer_divisions.sum";
/// By MatrixProduct::Pipe, then the total. On a card these also count HFMA2 instructions that ptxas
/// uses on that pipe to move a constant (sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum).
constexpr std::string_view kTensorOps[] = {
    "sm__inst_executed_pipe_tensor_op_hmma.sum", "sm__inst_executed_pipe_tensor_op_imma.sum",
    "sm__inst_executed_pipe_tensor_op_dmma.sum", "sm__inst_executed_pipe_tensor.sum"};
constexpr std::string_view kImbalance = "warpgrade__partition_imbalance.max_over_mean";

void set(Metrics& metrics, std::string_view name, double value) {
  if (!name.empty()) metrics.insert_or_assign(std::string(name), value);
}

void set(Metrics& metrics, std::string_view name, std::uint64_t value) {
  set(metrics, name, static_cast<double>(value));
}

/// Bytes of the busiest partition relative to the mean; 1 if all are equal or nothing moved.
double imbalance(const std::vector<std::uint64_t>& partition_bytes) {
  const auto sum =
      std::accumulate(partition_bytes.begin(), partition_bytes.end(), std::uint64_t{0});
  if (sum == 0) return 1;
  const auto most = *std::max_element(partition_bytes.begin(), partition_bytes.end());
  return static_cast<double>(most) * static_cast<double>(partition_bytes.size()) /
         static_cast<double>(sum);
}

/// Executed integer div and rem instructions, counted per warp.
std::uint64_t integer_divisions(const ptx::Function& function, const run::Result& result) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < result.instructions.size() && i < function.instructions.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    const bool divides = ptx::facts(instruction).timing == ptx::Timing::kDivision;
    const auto type = instruction.types[0];
    const bool is_float = type == ptx::Type::kF32 || type == ptx::Type::kF64;
    if (divides && !is_float) sum += result.instructions[i].warps;
  }
  return sum;
}

/// Executed machine instructions of the tensor pipe, counted per warp: by pipe, then the total.
std::array<std::uint64_t, std::size(kTensorOps)> tensor_ops(const device::Profile& profile,
                                                            const ptx::Function& function,
                                                            const run::Result& result) {
  std::array<std::uint64_t, std::size(kTensorOps)> sums{};
  const std::uint32_t capability = 10 * profile.compute.major + profile.compute.minor;
  for (std::size_t i = 0; i < result.instructions.size() && i < function.instructions.size(); ++i) {
    const auto product = ptx::matrix_product(function.instructions[i], capability);
    if (!product) continue;
    const auto executed = result.instructions[i].warps * product->instructions;
    sums[static_cast<std::size_t>(product->pipe)] += executed;
    sums.back() += executed;
  }
  return sums;
}

/// Adds element by element; `sum` may be empty.
template <typename All>
void add_each(const All& more, All& sum) {
  if constexpr (requires { sum.resize(more.size()); })
    sum.resize(std::max(sum.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
}

/// Sort key of lines.
auto line_key(const LineCounters& line) {
  return std::tuple(std::string_view(line.file), line.line, name(line.operation));
}

}  // namespace

Totals::Totals() : accesses_(std::size(kAccessNames)), remote_(std::size(kClusterNames)) {}

Totals::Totals(const Counters& counters, const ptx::Function& function, const run::Result& result) {
  for (const AccessNames& names : kAccessNames) {
    auto& sum = accesses_.emplace_back(counters.total(names.space, names.operation));
    // Machine code uses one instruction for both on shared memory.
    if (names.space == Space::kShared && names.operation == Operation::kAtomic) {
      sum += counters.total(Space::kShared, Operation::kReduction);
      for (const auto operation : {Operation::kAtomic, Operation::kReduction}) {
        sum.wavefronts += counters.total(Space::kCluster, operation).wavefronts;
      }
    }
  }
  for (const AccessNames& names : kClusterNames) {
    auto& sum = remote_.emplace_back(counters.total(names.space, names.operation));
    if (names.operation == Operation::kAtomic) {
      sum += counters.total(Space::kCluster, Operation::kReduction);
    }
  }
  const Traffic traffic = counters.traffic();
  const device::Profile& profile = counters.profile();
  l2_read_sectors_ = traffic.l2_read_sectors + profile.launch.l2_read_sectors;
  l2_write_sectors_ = traffic.l2_write_sectors + profile.launch.l2_write_sectors;
  dram_read_bytes_ = traffic.dram_read_bytes + profile.launch.dram_read_bytes;
  dram_write_bytes_ = traffic.dram_write_bytes;
  instructions_ += run::warp_instructions(result);
  divisions_ = integer_divisions(function, result);
  tensor_ops_ = tensor_ops(profile, function, result);
  partition_bytes_ = counters.partition_bytes();
}

Totals& Totals::operator+=(const Totals& other) {
  add_each(other.accesses_, accesses_);
  add_each(other.remote_, remote_);
  l2_read_sectors_ += other.l2_read_sectors_;
  l2_write_sectors_ += other.l2_write_sectors_;
  dram_read_bytes_ += other.dram_read_bytes_;
  dram_write_bytes_ += other.dram_write_bytes_;
  instructions_ += other.instructions_;
  divisions_ += other.divisions_;
  add_each(other.tensor_ops_, tensor_ops_);
  add_each(other.partition_bytes_, partition_bytes_);
  return *this;
}

void Totals::set_dram(std::uint64_t read_bytes, std::uint64_t written_bytes) {
  dram_read_bytes_ = read_bytes;
  dram_write_bytes_ = written_bytes;
}

Metrics Totals::metrics() const {
  Metrics metrics;
  for (std::size_t i = 0; i < std::size(kAccessNames); ++i) {
    const AccessNames& names = kAccessNames[i];
    const InstructionCounters& sum = accesses_[i];
    set(metrics, names.requests, sum.requests);
    set(metrics, names.sectors, sum.sectors);
    set(metrics, names.wavefronts, sum.wavefronts);
    set(metrics, names.conflicts, sum.conflicts);
    if (sum.sectors != 0) {
      set(metrics, names.used_bytes_per_sector,
          static_cast<double>(sum.used_bytes) / static_cast<double>(sum.sectors));
    }
  }
  for (std::size_t i = 0; i < std::size(kClusterNames); ++i) {
    if (remote_[i].requests == 0) continue;
    set(metrics, kClusterNames[i].requests, remote_[i].requests);
    set(metrics, kClusterNames[i].sectors, remote_[i].sectors);
  }
  set(metrics, kL2Reads, l2_read_sectors_);
  set(metrics, kL2Writes, l2_write_sectors_);
  set(metrics, kDramRead, dram_read_bytes_);
  set(metrics, kDramWritten, dram_write_bytes_);
  set(metrics, kInstructions, instructions_);
  set(metrics, kDivisions, divisions_);
  for (std::size_t i = 0; i < tensor_ops_.size(); ++i) set(metrics, kTensorOps[i], tensor_ops_[i]);
  set(metrics, kImbalance, imbalance(partition_bytes_));
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
  }
}

std::vector<LineCounters> by_line(const Counters& counters, const ptx::Function& function) {
  std::map<std::tuple<std::string, std::uint32_t, std::string>, LineCounters> lines;
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
  }
  std::vector<LineCounters> sorted;
  for (auto& [key, line] : lines) sorted.push_back(std::move(line));
  return sorted;
}

std::optional<MemoryOperation> operation_of(std::string_view metric) {
  for (const AccessNames& names : kAccessNames) {
    for (const auto one : {names.requests, names.sectors, names.used_bytes_per_sector,
                           names.wavefronts, names.conflicts}) {
      if (!one.empty() && one == metric) return MemoryOperation{names.space, names.operation};
    }
  }
  return std::nullopt;
}

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const AccessNames& access : kAccessNames) {
      for (const auto name : {access.requests, access.sectors, access.used_bytes_per_sector,
                              access.wavefronts, access.conflicts}) {
        if (!name.empty()) names.emplace_back(name);
      }
    }
    for (const auto name :
         {kL2Reads, kL2Writes, kDramRead, kDramWritten, kInstructions, kDivisions, kImbalance}) {
      names.emplace_back(name);
    }
    for (const auto name : kTensorOps) names.emplace_back(name);
    std::sort(names.begin(), names.end());
    return names;
  }();
  return kNames;
}

}  // namespace warpgrade::memory
