// SPDX-License-Identifier: Apache-2.0
// The Runner on the CPU: executes PTX warp by warp with active masks and reconvergence.
//
// In: a module, a launch and its observers. Out: the result, the counts and the first fault. The
// kernel is linked and decoded, its memory is laid out, and its blocks run in shares on host
// threads. Whether two programs behave alike here is decided by their PTX.
#include "common/sim/simulator.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/program.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/sim/block.h"
#include "common/sim/cluster.h"
#include "common/sim/decode/decoder.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/sim/micro_op.h"
#include "common/sim/residents.h"

namespace warpgrade::sim {
namespace {

// Parts of all PTX names whose result depends on the device: %smid and %nsmid; mma, wmma, wgmma.
constexpr std::array<std::string_view, 2> kOfTheDevice = {"smid", "mma"};

// Instructions by which lanes of a warp can wait for each other: calls of the whole warp, and the
// instructions that locks consist of.
constexpr std::array<std::string_view, 9> kOfWaiting = {"shfl.sync",  "vote.sync",     "match.",
                                                        "redux.sync", "bar.warp.sync", "elect.sync",
                                                        "atom.",      ".volatile",     "nanosleep"};

// The text without its only line `.target`.
std::string without_target(const std::string& ptx) {
  constexpr std::string_view kDirective = "\n.target ";
  const auto begin = ptx.find(kDirective);
  if (begin == std::string::npos) return ptx;
  const auto end = ptx.find('\n', begin + 1);
  return ptx.substr(0, begin) + (end == std::string::npos ? std::string() : ptx.substr(end));
}

}  // namespace

bool are_alike(const compile::Program& a, const compile::Program& b) {
  const auto& text = a.ptx.text();
  if (text.empty()) return false;
  const auto asks = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (std::any_of(kOfTheDevice.begin(), kOfTheDevice.end(), asks)) return false;
  return without_target(text) == without_target(b.ptx.text());
}

bool may_wait_in_warp(const compile::Program& program) {
  const auto has = [&](std::string_view word) {
    return program.ptx.text().find(word) != std::string::npos;
  };
  return std::any_of(kOfWaiting.begin(), kOfWaiting.end(), has);
}

namespace {

// Throws base::UsageError if no device supports the launch with this much shared memory.
void check_limits(const run::Launch& launch, std::uint64_t shared_bytes) {
  const auto wrong = run::wrong_launch(launch.grid, launch.block, shared_bytes, {});
  if (!wrong.empty()) throw base::UsageError(wrong);
}

// Cores available to this process: all of the host's, or those left by taskset or a container.
std::uint32_t host_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
    return static_cast<std::uint32_t>(CPU_COUNT(&cores));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

// Limit on local memory of all host threads for the stacks of their blocks.
constexpr std::uint64_t kMostStackBytes = std::uint64_t{1} << 30;

// Registers that were read before they were written, with the reading instruction.
std::vector<run::UndefinedRegister> read_too_early(
    const Code& code, const std::vector<run::InstructionCount>& executed) {
  std::vector<run::UndefinedRegister> found;
  for (std::uint32_t i = 0; i < code.undefined.size(); ++i) {
    const auto& readers = code.undefined[i].readers;
    const auto reader = std::find_if(readers.begin(), readers.end(),
                                     [&](auto index) { return executed[index].warps != 0; });
    if (reader == readers.end()) continue;
    auto& undefined = found.emplace_back();
    undefined.number = i;
    undefined.diagnostic.kind = base::DiagnosticKind::kUninitializedRead;
    undefined.diagnostic.where = ptx::location(*code.function, *reader);
    undefined.diagnostic.message =
        "a variable is read here before it has a value, so the result is undefined. Variables are "
        "not zero-initialized: initialize it in its declaration, for example float sum = 0";
  }
  return found;
}

// Appends the warnings of a share to those of earlier shares, as a single thread would have
// reported them.
void add_warnings(const std::vector<base::Diagnostic>& warnings,
                  std::vector<base::Diagnostic>& all) {
  for (const auto& warning : warnings) {
    if (!is_told(all, warning.kind, warning.where)) all.push_back(warning);
  }
}

// Reports the line with the most executed instructions.
base::Diagnostic too_much_work(const ptx::Function& kernel,
                               const std::vector<run::InstructionCount>& executed,
                               std::uint64_t budget) {
  std::map<std::pair<std::string_view, std::uint32_t>, std::uint64_t> by_line;
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kRunaway;
  std::uint64_t most = 0;
  for (std::uint32_t i = 0; i < executed.size(); ++i) {
    const auto& where = ptx::location(kernel, i);
    auto& here = by_line[{where.file, where.line}];
    here += executed[i].warps;
    if (where.line == 0 || here <= most) continue;
    most = here;
    diagnostic.where = where;
  }
  diagnostic.message = fmt::format(
      "the launch did not finish within {} units of work ({}); this line executes most of the "
      "instructions: let each thread do less",
      base::grouped(budget), kUnitsText);
  return diagnostic;
}

// The context that observers receive before the first block. The arguments outlive it.
run::LaunchContext context_of(const LaunchParts& parts, const ptx::Module& module,
                              const std::vector<run::Buffer>* buffers) {
  run::LaunchContext context;
  context.launch = &parts.launch;
  context.module = &module;
  context.function = parts.code.function;
  context.buffers = buffers;
  context.buffer_addresses = &parts.memory.buffer_addresses();
  context.shared_bytes = parts.shared_bytes;
  context.shared_variables = parts.code.shared_variables;
  for (auto& variable : context.shared_variables) {
    if (variable.bytes == 0) variable.bytes = parts.launch.dynamic_shared_bytes;
  }
  for (const auto& region : parts.memory.regions()) {
    if (!kVariableWindow.has(region.base)) continue;
    context.global_variables.push_back({region.name, region.base, region.bytes});
  }
  context.warps_per_block = parts.warps();
  context.has_clusters = parts.cluster.has_value();
  context.cluster = parts.cluster.value_or(base::Dim3{});
  return context;
}

// The resident blocks of a launch with clocks, or as many as the host has memory for.
std::uint64_t resident_count(const LaunchParts& parts, std::uint64_t blocks) {
  const auto bytes = std::uint64_t{parts.warps()} * parts.code.register_bytes + parts.shared_bytes +
                     parts.threads() * parts.code.local_bytes;
  const auto most = kMostStackBytes / 2 / std::max<std::uint64_t>(bytes, 1);
  return std::max<std::uint64_t>(1, std::min({blocks, std::uint64_t{parts.turns->resident}, most}));
}

// The number of shares, one per host thread: one share if the order of blocks matters, else as many
// as there are cores, blocks, and memory for stacks. Resident blocks have a share each: all blocks
// of a cooperative launch, or the blocks of one cluster.
std::uint64_t share_count(const LaunchParts& parts, std::uint64_t blocks) {
  if (parts.launch.cooperative) return blocks;
  if (parts.cluster) return base::volume(*parts.cluster);
  if (parts.turns != nullptr) return resident_count(parts, blocks);
  if (parts.code.has_global_atomics || parts.code.uses_heap) return 1;
  const auto cores = parts.options.threads != 0 ? parts.options.threads : host_cores();
  const auto stack_bytes = std::max<std::uint64_t>(parts.threads() * parts.code.local_bytes, 1);
  return std::min<std::uint64_t>(
      {cores, blocks, std::max<std::uint64_t>(kMostStackBytes / stack_bytes, 1)});
}

// Consecutive blocks for each share, with its own observers. Share i uses context i, or the last
// context if there are fewer.
std::vector<Share> shares_of(const LaunchParts& parts, std::uint64_t blocks,
                             const std::vector<run::LaunchContext>& contexts) {
  const auto& observers = parts.options.observers;
  const auto count = share_count(parts, blocks);
  const bool runs_in_turns = parts.launch.cooperative || parts.cluster || parts.turns != nullptr;
  std::vector<Share> shares(count);
  for (std::uint64_t s = 0; s < count; ++s) {
    auto& share = shares[s];
    share.begin = blocks / count * s + std::min(s, blocks % count);
    share.end = share.begin + blocks / count + (s < blocks % count ? 1 : 0);
    const auto& context = contexts[std::min<std::size_t>(s, contexts.size() - 1)];
    for (std::size_t o = 0; o < observers.size(); ++o) {
      share.observers.push_back(observers[o]->fork());
      if (s == 0 || !runs_in_turns) {
        share.observers.back()->on_launch(context);
      } else {
        share.observers.back()->on_launch_beside(context, *shares[0].observers[o]);
      }
    }
  }
  return shares;
}

// Runs every share, the first one on this thread.
void run_all(const LaunchParts& parts, std::vector<Share>& shares, const BlockList& list,
             Progress& progress) {
  std::vector<std::jthread> workers;
  for (std::size_t s = 1; s < shares.size(); ++s) {
    workers.emplace_back([&, s] { shares[s].run(parts, list, progress); });
  }
  shares[0].run(parts, list, progress);
}

// Joins counts, output and findings of the shares in the order of their blocks, as a single thread
// would have produced them.
void join(std::vector<Share>& shares, const run::Options& options, const ptx::Function& kernel,
          run::Result& result) {
  result.instructions.resize(kernel.instructions.size());
  for (auto& share : shares) {
    if (share.failure) std::rethrow_exception(share.failure);
    auto& [counts, printed, warnings, skipped, diagnostic] = share.result;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      result.instructions[i].warps += counts[i].warps;
      result.instructions[i].threads += counts[i].threads;
    }
    for (std::size_t i = 0; i < share.observers.size(); ++i) {
      options.observers[i]->join(*share.observers[i]);
    }
    if (result.printed.size() <= kPrintedLimit) result.printed += printed;
    add_warnings(warnings, result.diagnostics);
    for (auto& barrier : skipped) {
      if (is_noted(result.skipped_barriers, barrier.where)) continue;
      result.skipped_barriers.push_back(std::move(barrier));
    }
    if (diagnostic) {
      result.diagnostics.push_back(*diagnostic);
      break;  // later shares ran blocks that a single thread would not have reached
    }
  }
  if (result.printed.size() > kPrintedLimit) {
    result.printed.resize(kPrintedLimit);
    result.printed +=
        fmt::format("\n(what the kernel printed past {} bytes is not kept)\n", kPrintedLimit);
  }
}

}  // namespace

run::Result Simulator::launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                              const run::Options& options) {
  return execute(launch, buffers, options);
}

run::Result Simulator::launch(const run::Launch& launch, std::vector<SparseBuffer>& buffers,
                              const run::Options& options) {
  return execute(launch, buffers, options);
}

template <typename AnyBuffer>
run::Result Simulator::execute(const run::Launch& launch, std::vector<AnyBuffer>& buffers,
                               const run::Options& options) {
  check_limits(launch, launch.dynamic_shared_bytes);
  const auto& kernel = function(launch.kernel);
  if (kernel.most_threads != 0 && base::volume(launch.block) > kernel.most_threads) {
    throw base::UsageError(
        fmt::format("a block has {} threads, but its __launch_bounds__ allow {} at most",
                    base::volume(launch.block), kernel.most_threads));
  }
  if (kernel.required_block && *kernel.required_block != launch.block) {
    throw base::UsageError(fmt::format("the block is {}, but the kernel's .reqntid requires {}",
                                       base::extent_text(launch.block),
                                       base::extent_text(*kernel.required_block)));
  }
  const auto cluster = cluster_of(kernel, launch);
  AddressSpace memory(module(), kernel, launch, buffers);
  if (options.variables != nullptr) memory.set_variables(*options.variables);
  if (launch.cooperative) memory.add_grid_workspace();
  auto decoded = decode(module(), kernel, memory);
  run::Result result;
  if (auto* unsupported = std::get_if<std::vector<base::Diagnostic>>(&decoded)) {
    result.diagnostics = std::move(*unsupported);
    return result;
  }
  const auto& code = std::get<Code>(decoded);
  if (code.uses_heap) memory.add_heap(options.garbage);
  const auto shared_bytes = std::uint64_t{code.shared_bytes} + launch.dynamic_shared_bytes;
  check_limits(launch, shared_bytes);

  const auto padded_bytes = static_cast<std::uint32_t>(shared_bytes) + code.shared_padding;
  const bool has_clocks = options.turns && !launch.cooperative && !cluster;
  const LaunchParts parts{
      code, launch, options, memory, padded_bytes, cluster, has_clocks ? &*options.turns : nullptr};
  const std::vector<run::Buffer>* whole = nullptr;
  if constexpr (std::is_same_v<AnyBuffer, run::Buffer>) whole = &buffers;
  std::vector<run::LaunchContext> contexts(cluster ? base::volume(*cluster) : 1,
                                           context_of(parts, module(), whole));
  for (std::size_t rank = 0; rank < contexts.size(); ++rank) {
    contexts[rank].rank = static_cast<std::uint32_t>(rank);
  }
  for (auto* observer : options.observers) observer->on_launch(contexts.front());

  const BlockList list(launch.cooperative ? std::vector<run::BlockRange>() : options.blocks,
                       base::volume(launch.grid));
  auto shares = shares_of(parts, list.count(), contexts);
  const auto start = std::chrono::steady_clock::now();
  Progress progress;
  if (launch.cooperative) {
    run_residents(parts, shares, progress);
  } else if (cluster) {
    run_clusters(parts, shares, list, progress);
  } else if (has_clocks) {
    run_in_time(parts, shares, list, progress, result);
  } else {
    run_all(parts, shares, list, progress);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.variables != nullptr) *options.variables = memory.kept_variables();

  join(shares, options, kernel, result);
  result.work = progress.used;
  result.undefined_registers = read_too_early(code, result.instructions);
  if (progress.used > options.launch_budget && result.diagnostics.empty()) {
    result.diagnostics.push_back(too_much_work(kernel, result.instructions, options.launch_budget));
  }
  return result;
}

}  // namespace warpgrade::sim
