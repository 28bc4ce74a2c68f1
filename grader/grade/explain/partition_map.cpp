// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/partition_map.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace warpgrade::grader::grade {
namespace {

constexpr std::uint64_t kMostBlocks = 512;

}  // namespace

const CaseRun* partitioned_run(const std::vector<CaseRun>& runs) {
  const auto found = std::find_if(runs.begin(), runs.end(), [](const CaseRun& run) {
    return !run.place.target->is_gpu() && run.place.item->measured && !run.place.item->sampled &&
           is_right(run.outcome) && run.place.target->profile().dram.partitions.has_value();
  });
  return found == runs.end() ? nullptr : &*found;
}

memory::TraceLimits blocks_together(const CaseRun& run, const run::Sequence& sequence) {
  const auto& profile = run.place.target->profile();
  const auto held = std::uint64_t{profile.sm.count} * run.outcome.measured.occupancy.blocks_per_sm;
  const auto count = std::clamp<std::uint64_t>(std::min(held, base::volume(sequence.first().grid)),
                                               1, kMostBlocks);
  memory::TraceLimits out;
  out.blocks.resize(count);
  std::iota(out.blocks.begin(), out.blocks.end(), std::uint64_t{0});
  out.warps = 1;
  out.passes = 1;
  out.passes_elsewhere = 1;
  return out;
}

std::optional<report::PartitionMap> partition_map(const CaseRun& run,
                                                  const std::vector<memory::TracedLine>& traced,
                                                  std::uint64_t blocks) {
  const auto& profile = run.place.target->profile();
  report::PartitionMap out;
  out.device = profile.name;
  out.product = profile.product;
  out.partitions = profile.dram.partitions.value();
  out.width = profile.dram.partition_width;
  out.blocks = blocks;
  for (const auto& line : traced) {
    const auto* matrix = run.place.sized->buffer_called(line.memory.name);
    if (matrix == nullptr || line.operation.space != run::Space::kGlobal) continue;
    auto& made = out.lines.emplace_back();
    made.line = line.where.line;
    made.operation = line.operation;
    made.memory = line.memory.name;
    made.rows = matrix->rows;
    made.columns = matrix->columns;
    made.element_bytes = verify::size_of(matrix->type);
    made.first = line.memory.first % (std::uint64_t{out.width} * out.partitions);
    for (const auto& request : line.requests) {
      const auto address =
          request.address.at(static_cast<std::size_t>(std::countr_zero(request.mask)));
      const auto element = (address - line.memory.first) / made.element_bytes;
      made.places.push_back({element / made.columns, element % made.columns,
                             static_cast<std::uint32_t>(address / out.width % out.partitions)});
    }
  }
  if (out.lines.empty()) return std::nullopt;
  return out;
}

}  // namespace warpgrade::grader::grade
