// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/launch_pictures.h"

#include <algorithm>
#include <utility>

#include "common/base/error.h"
#include "common/memory/access_trace.h"
#include "common/sim/simulator.h"
#include "common/timing/machine_accesses.h"
#include "grader/cases/declared_arrays.h"
#include "grader/grade/explain/pictured_line.h"

namespace warpgrade::grader::profile {
namespace {

// Limit on the work for the pictures: a second or two.
constexpr std::uint64_t kPictureWork = std::uint64_t{1} << 28;

std::vector<memory::TracedLine> trace(const Prepared& prepared, const device::Profile& profile,
                                      std::vector<run::Buffer>& buffers) {
  const auto& launch = prepared.sequence.first();
  const auto all = base::volume(launch.grid);
  memory::TraceLimits limits;
  run::Options options;
  options.blocks = {{0, std::min<std::uint64_t>(all, 2)}};
  if (all > 1) limits.blocks.push_back(1);
  if (all > 2) {
    limits.blocks.push_back(all - 1);
    options.blocks.push_back({all - 1, all});
  }
  options.launch_budget = kPictureWork;
  options.block_budget = kPictureWork;
  options.ignores_bad_addresses = true;
  sim::Simulator simulator;
  simulator.load(prepared.program);
  memory::AccessTrace traced(profile, limits,
                             timing::machine_accesses(simulator.function(launch.kernel), profile,
                                                      prepared.program.machine_code));
  options.observers = {&traced};
  simulator.launch(launch, buffers, options);
  return traced.lines();
}

// Buffers of a launch are vectors, without rows.
void shape_as_buffer(const std::vector<run::Buffer>& buffers, report::PicturedLine& line) {
  const auto& memory = line.line.memory;
  if (line.line.operation.space != run::Space::kGlobal) return;
  for (const auto& buffer : buffers) {
    if (buffer.name != memory.name || buffer.bytes.size() != memory.bytes) continue;
    line.element_bytes = buffer.element_bytes;
    line.rows = 1;
    line.columns = memory.bytes / buffer.element_bytes;
  }
}

}  // namespace

std::optional<report::Pictures> draw_pictures(const Prepared& prepared,
                                              const device::Profile& profile,
                                              std::vector<run::Buffer> buffers,
                                              const measure::Measurement& measured) {
  if (!prepared.sequence.is_one_launch()) return std::nullopt;
  const auto& launch = prepared.sequence.first();
  report::Pictures out;
  out.grid = launch.grid;
  out.block = launch.block;
  out.devices = {grade::pictured_device(profile)};
  out.counted = measured.lines;
  report::TimedCase timed;
  timed.device = profile.name;
  timed.seconds = measured.seconds;
  timed.bound_by = measured.bound_by;
  timed.shares = measured.shares;
  timed.skew = measured.skew;
  if (measured.seconds > 0) out.times.push_back(std::move(timed));
  try {
    const auto arrays = cases::declared_arrays(prepared.program.source);
    for (auto& line : trace(prepared, profile, buffers)) {
      auto& made = out.lines.emplace_back(
          grade::pictured_line(std::move(line), launch.grid, out.devices, arrays));
      shape_as_buffer(buffers, made);
    }
  } catch (const base::UsageError&) {  // The report has the reason.
    return std::nullopt;
  } catch (const base::ToolError&) {
    return std::nullopt;
  }
  return out;
}

}  // namespace warpgrade::grader::profile
