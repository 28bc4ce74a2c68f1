// SPDX-License-Identifier: Apache-2.0

#include "grader/report/pictures.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/place.h"
#include "common/device/profile.h"
#include "common/measure/model_launch.h"
#include "common/memory/access_trace.h"
#include "common/memory/classifier.h"
#include "common/memory/lines.h"
#include "common/memory/machine_access.h"
#include "common/run/runner.h"
#include "common/sim/simulator.h"
#include "common/timing/machine_costs.h"
#include "grader/cases/student_terms.h"
#include "grader/cases/submission.h"
#include "grader/grade/explain/explanation.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"

namespace warpgrade::grader::grade {
namespace {

// A consumer of the classifier.
struct Cost {
  report::RequestCost out;

  template <typename AnyLines>
  void on_global(const run::MemoryEvent& /*event*/, const memory::GlobalUse& use,
                 const AnyLines& /*touched*/) {
    out.sectors = use.access.sectors;
    out.used_bytes = use.access.used_bytes;
  }
  void on_shared(const run::MemoryEvent& /*event*/, const memory::SharedAccess& access) {
    out.wavefronts = access.wavefronts;
    out.conflicts = access.conflicts;
  }
  void on_shared_loop(const run::MemoryEvent& /*event*/, const memory::SharedLoop& loop) {
    out.wavefronts = loop.loads.wavefronts + loop.swaps.wavefronts;
    out.conflicts = out.wavefronts - loop.one_round;
  }
  void on_local(const run::MemoryEvent& /*event*/, const memory::GlobalAccess& /*access*/,
                const memory::Lines& /*touched*/) {}
  void on_cluster(const run::MemoryEvent& /*event*/, const memory::GlobalAccess& /*access*/) {}
};

}  // namespace

report::RequestCost cost_of(const device::Profile& profile, const memory::TracedLine& line,
                            const memory::TracedRequest& traced) {
  run::MemoryEvent event;
  event.mask = traced.mask;
  event.space = line.operation.space;
  event.operation = line.operation.operation;
  event.bytes = static_cast<std::uint8_t>(line.bytes);
  event.address = traced.address.data();
  Cost cost;
  memory::Classifier classifier(profile, line.form);
  classifier.classify(memory::kAsInPtx, event, cost);
  if (event.space == run::Space::kShared) {
    const auto use = memory::shared_use(event.operation, classifier.form_on_shared(event));
    cost.out.words = memory::bank_words(profile.rules.shared_banks,
                                        {event.address, event.mask, event.bytes}, use);
  }
  return cost.out;
}

namespace {

// Gives a shared array the rows and columns of its declaration in `arrays`. Arrays whose size the
// launch sets, and one-dimensional ones, have one row.
void shape_as_declared(const std::vector<cases::DeclaredArray>& arrays,
                       report::PicturedLine& line) {
  const auto& memory = line.line.memory;
  if (line.line.operation.space != run::Space::kShared) return;
  const auto shape =
      shape_called(arrays, {memory.name, /*is_shared=*/true, memory.bytes, line.line.where.line});
  if (!shape || shape->extents.size() > 2) return;
  const auto& extents = shape->extents;
  line.element_bytes = shape->element_bytes;
  line.rows = extents.size() == 2 ? extents.front() : 1;
  line.columns = extents.empty() ? memory.bytes / shape->element_bytes : extents.back();
}

}  // namespace

report::PicturedDevice pictured_device(const device::Profile& profile) {
  return {std::string(profile.name), std::string(profile.product),
          memory::bank_count(profile.rules.shared_banks),
          memory::bank_bytes(profile.rules.shared_banks)};
}

report::PicturedLine pictured_line(memory::TracedLine traced, const base::Dim3& grid,
                                   const std::vector<report::PicturedDevice>& devices,
                                   const std::vector<cases::DeclaredArray>& arrays) {
  report::PicturedLine out;
  out.element_bytes = traced.bytes;
  for (const auto& request : std::exchange(traced.requests, {})) {
    auto& made = out.requests.emplace_back();
    made.traced = request;
    made.block = base::index_at(request.block, grid);
    for (const auto& device : devices) {
      made.costs.push_back(cost_of(device::find(device.name), traced, request));
    }
  }
  out.line = std::move(traced);
  shape_as_declared(arrays, out);
  return out;
}

namespace {

constexpr std::uint64_t kMostBlocks = 512;

}  // namespace

const PlannedCase* partitioned_case(const std::vector<PlannedCase>& cases) {
  const auto found = std::ranges::find_if(cases, [](const PlannedCase& planned) {
    return !planned.target->is_gpu() && planned.item->measured && !planned.item->sampled &&
           planned.is_right() && planned.target->profile().dram.partitions.has_value();
  });
  return found == cases.end() ? nullptr : &*found;
}

memory::TraceLimits blocks_together(const PlannedCase& planned, const run::Sequence& sequence) {
  const auto& profile = planned.target->profile();
  const auto held =
      std::uint64_t{profile.sm.count} * planned.outcome->measured.occupancy.blocks_per_sm;
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

std::optional<report::PartitionMap> partition_map(const PlannedCase& planned,
                                                  const std::vector<memory::TracedLine>& traced,
                                                  std::uint64_t blocks) {
  const auto& profile = planned.target->profile();
  report::PartitionMap out;
  out.device = profile.name;
  out.product = profile.product;
  out.partitions = profile.dram.partitions.value();
  out.width = profile.dram.partition_width;
  out.blocks = blocks;
  for (const auto& line : traced) {
    const auto* matrix = planned.sized->buffer_called(line.memory.name);
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

namespace {

// Limit on the work of one run for a picture: a second or two. A longer run traces enough long
// before that.
constexpr std::uint64_t kPictureWork = std::uint64_t{1} << 28;

// The case to look at: the one that failed, or else a measured one, or else any.
const PlannedCase* pick(const std::vector<PlannedCase>& cases) {
  const PlannedCase* best = nullptr;
  const auto rank = [](const PlannedCase& planned) {
    return !planned.is_right() ? 2 : planned.item->measured ? 1 : 0;
  };
  for (const auto& one : cases) {
    if (!one.outcome || one.target->is_gpu() || one.item->sampled) continue;
    if (best == nullptr || rank(one) > rank(*best)) best = &one;
  }
  return best;
}

const std::vector<base::Diagnostic>& faults_of(const PlannedCase& planned) {
  static const std::vector<base::Diagnostic> kNone;
  const auto* found = std::get_if<FoundFaults>(&planned.outcome->ending);
  return found == nullptr ? kNone : found->diagnostics;
}

// Traces the block and the warp of the first fault (default: the first ones), and two other blocks.
memory::TraceLimits limits_for(const PlannedCase& planned, const run::Launch& launch) {
  const auto all = base::volume(launch.grid);
  memory::TraceLimits out;
  for (const auto& fault : faults_of(planned)) {
    if (!fault.block || !fault.thread) continue;
    const auto& at = *fault.block;
    const auto& thread = *fault.thread;
    const auto& grid = launch.grid;
    out.blocks = {at.x + std::uint64_t{grid.x} * (at.y + std::uint64_t{grid.y} * at.z)};
    out.warp =
        (thread.x + launch.block.x * (thread.y + launch.block.y * thread.z)) / run::kWarpSize;
    break;
  }
  for (const auto other : {std::uint64_t{1}, all - 1}) {
    auto& blocks = out.blocks;
    if (other < all && std::find(blocks.begin(), blocks.end(), other) == blocks.end()) {
      blocks.push_back(other);
    }
  }
  return out;
}

std::vector<run::BlockRange> ranges_of(std::vector<std::uint64_t> blocks) {
  std::sort(blocks.begin(), blocks.end());
  std::vector<run::BlockRange> out;
  for (const auto block : blocks) out.push_back({block, block + 1});
  return out;
}

// Runs a case with a trace; the buffers hold its results.
class TracedRun {
 public:
  TracedRun(const Plan& plan, const PlannedCase& planned)
      : plan_(plan), planned_(planned), sequence_(launches_of(planned, *planned.sized)) {}

  const run::Sequence& sequence() const { return sequence_; }

  /// The traced lines of the first launch of each kernel. If `blocks` is not empty, a single launch
  /// executes only these.
  std::vector<memory::TracedLine> trace(const memory::TraceLimits& limits,
                                        const std::vector<run::BlockRange>& blocks,
                                        std::uint64_t seed, std::vector<run::Buffer>& buffers) {
    run::Options options;
    options.seed = seed;
    options.launch_budget = kPictureWork;
    options.block_budget = kPictureWork;
    options.ignores_bad_addresses = true;
    if (sequence_.is_one_launch()) options.blocks = blocks;
    sim::Simulator simulator;
    simulator.load(*planned_.program);
    std::vector<std::unique_ptr<memory::AccessTrace>> traces;
    std::vector<std::string> kernels;
    measure::AroundLaunch around;
    around.before = [&](const run::Launch& launch, run::Options& own) {
      own.observers.clear();
      if (std::find(kernels.begin(), kernels.end(), launch.kernel) != kernels.end()) return;
      kernels.push_back(launch.kernel);
      const auto& profile = planned_.target->profile();
      auto accesses = timing::machine_accesses(simulator.function(launch.kernel), profile,
                                               planned_.program->machine_code);
      traces.push_back(std::make_unique<memory::AccessTrace>(profile, limits, std::move(accesses)));
      own.observers = {traces.back().get()};
    };
    measure::run_sequence(simulator, sequence_, buffers, options, around);
    std::vector<memory::TracedLine> out;
    for (const auto& one : traces) {
      for (auto& line : one->lines()) out.push_back(std::move(line));
    }
    return out;
  }

  std::vector<run::Buffer> before() const {
    return plan_.services.simulator.reference->before(*planned_.sized, planned_.variant);
  }
  std::shared_ptr<const cases::Expected> expected() const {
    return plan_.services.simulator.reference->expected(plan_.lab(), *planned_.sized,
                                                        planned_.variant);
  }

 private:
  const Plan& plan_;
  const PlannedCase& planned_;
  run::Sequence sequence_;
};

std::vector<report::PicturedDevice> devices_of(const std::vector<PlannedCase>& cases,
                                               const PlannedCase& picked) {
  std::vector<report::PicturedDevice> out;
  const auto add = [&](const PlannedCase& planned) {
    const auto& profile = planned.target->profile();
    const bool is_known = std::any_of(
        out.begin(), out.end(), [&](const auto& device) { return device.name == profile.name; });
    if (is_known) return;
    out.push_back(pictured_device(profile));
  };
  add(picked);
  for (const auto& one : cases) {
    if (one.outcome && !one.target->is_gpu()) add(one);
  }
  return out;
}

report::PicturedLine pictured(memory::TracedLine traced, const cases::SizedCase& sized,
                              const base::Dim3& grid,
                              const std::vector<report::PicturedDevice>& devices,
                              const std::vector<cases::DeclaredArray>& arrays) {
  auto out = pictured_line(std::move(traced), grid, devices, arrays);
  const auto* buffer = sized.buffer_called(out.line.memory.name);
  if (buffer == nullptr || out.line.operation.space != run::Space::kGlobal) return out;
  out.element_bytes = verify::size_of(buffer->type);
  out.rows = buffer->rows;
  out.columns = buffer->columns;
  return out;
}

std::vector<report::TimedCase> times_of(const std::vector<PlannedCase>& cases) {
  std::vector<report::TimedCase> out;
  for (const auto& planned : cases) {
    if (!planned.outcome || planned.target->is_gpu()) continue;
    const auto fraction = number_of(planned.outcome->fraction_of_roof);
    if (!fraction) continue;
    const auto& measured = planned.outcome->measured;
    out.push_back({planned.item->name, planned.timed->variables, planned.target->device,
                   measured.seconds, fraction, measured.bound_by, measured.shares, measured.skew});
  }
  return out;
}

report::Pictures draw(const Plan& plan, const std::vector<PlannedCase>& cases,
                      const PlannedCase& picked) {
  TracedRun run(plan, picked);
  const auto& launch = run.sequence().first();
  report::Pictures out;
  out.case_name = picked.item->name;
  out.variables = picked.variables();
  out.grid = launch.grid;
  out.block = launch.block;
  out.devices = devices_of(cases, picked);
  out.counted = picked.outcome->measured.lines;
  out.times = times_of(cases);

  const auto limits = limits_for(picked, launch);
  std::vector<memory::TracedLine> traced;
  if (std::holds_alternative<WrongResult>(picked.outcome->ending)) {
    const auto expected = run.expected();
    std::vector<std::uint64_t> seeds = {0};
    const auto further = cases::schedule_seeds(plan.services.seed, picked.outcome->measured,
                                               cases::kMostGradedInstructions);
    seeds.insert(seeds.end(), further.begin(), further.end());
    for (const auto seed : seeds) {
      auto buffers = expected->before;
      traced = run.trace(limits, {}, seed, buffers);
      out.wrong = wrong_map(picked.sized->buffers, *expected, buffers);
      if (out.wrong) break;
    }
  } else {
    auto buffers = run.before();
    traced = run.trace(limits, ranges_of(limits.blocks), 0, buffers);
  }
  const auto arrays = cases::all_arrays(picked.program->source);
  for (auto& line : traced) {
    out.lines.push_back(pictured(std::move(line), *picked.sized, launch.grid, out.devices, arrays));
  }
  if (const auto* camped = partitioned_case(cases)) {
    TracedRun together(plan, *camped);
    const auto blocks = blocks_together(*camped, together.sequence());
    auto buffers = together.before();
    const auto first = together.trace(blocks, {{0, blocks.blocks.size()}}, 0, buffers);
    out.partitions = partition_map(*camped, first, blocks.blocks.size());
  }
  return out;
}

}  // namespace

std::optional<report::Pictures> draw_pictures(const Plan& plan,
                                              const std::vector<PlannedCase>& cases) {
  const auto* picked = pick(cases);
  if (picked == nullptr) return std::nullopt;
  try {
    return draw(plan, cases, *picked);
  } catch (const base::UsageError&) {  // The report has the reason, ...
    return std::nullopt;
  } catch (const base::ToolError&) {  // ... or why it cannot be simulated.
    return std::nullopt;
  }
}

}  // namespace warpgrade::grader::grade
