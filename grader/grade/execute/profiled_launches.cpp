// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/profiled_launches.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/compile/signature.h"
#include "common/device/profile.h"
#include "common/measure/bottleneck.h"
#include "common/measure/sim_bench.h"
#include "common/run/launch.h"
#include "common/verify/element.h"
#include "grader/cases/sized_case.h"
#include "grader/course/exercise.h"

namespace warpgrade::grader::grade {
namespace {

// Contents do not matter: any seed does.
constexpr std::uint64_t kSeed = 1;

std::string file_of(const std::string& lab) { return "labs/" + lab + "/reference.cu"; }

[[noreturn]] void fail(const std::string& lab, const base::Diagnostic& found) {
  throw base::ToolError(
      fmt::format("the lab's own {} failed, so its questions have no answers:\n{}", file_of(lab),
                  base::render(found, {})));
}

// "8192" or "32,8".
std::string extents(const base::Dim3& size) {
  if (size.z != 1) return fmt::format("{},{},{}", size.x, size.y, size.z);
  return size.y == 1 ? std::to_string(size.x) : fmt::format("{},{}", size.x, size.y);
}

compile::CompileRequest request(const course::Lab& lab, const device::Profile& card) {
  auto source = compile::read_source(lab.folder / "reference.cu");
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) {
    fail(lab.id, wrong->front());
  }
  auto out = std::get<compile::CompileRequest>(std::move(source));
  out.file = file_of(lab.id);
  out.architecture = card.architecture;
  out.include_folders = lab.include_folders;
  return out;
}

course::LaunchFacts facts_of(const device::Profile& card, const measure::Measurement& measured,
                             const run::Launch& launch) {
  course::LaunchFacts out;
  out.bottleneck = measure::bottleneck(card, measured);
  out.occupancy = measured.occupancy;
  out.resident_warps = measure::resident_warps(card, measured);
  out.bytes_in_flight = measure::loads_in_flight(card, measured).mean;
  out.blocks = base::volume(launch.grid);
  out.dram = measured.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed");
  out.l2 = measured.metric("lts__throughput.avg.pct_of_peak_sustained_elapsed");
  out.l1 = measured.metric("l1tex__throughput.avg.pct_of_peak_sustained_active");
  out.sm = measured.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed");
  return out;
}

}  // namespace

std::string profile_command(const std::string& lab, const course::AskedLaunch& asked,
                            const std::string& device) {
  const auto [launch, buffers] = cases::size_question(asked);
  auto out = fmt::format("{} profile {} --kernel {} --grid {} --block {} --device {}",
                         base::program_call(), file_of(lab), launch.kernel, extents(launch.grid),
                         extents(launch.block), device);
  if (launch.dynamic_shared_bytes != 0) {
    out += fmt::format(" --shared {}", launch.dynamic_shared_bytes);
  }
  for (const auto& buffer : buffers) {
    out += fmt::format(" --arg {}:{}:{}{}", buffer.is_input() ? "in" : "out", name_of(buffer.type),
                       buffer.elements(), buffer.is_input() ? ":zeros" : "");
  }
  return out;
}

const course::LaunchFacts& ProfiledLaunches::of(const course::Lab& lab,
                                                const course::AskedLaunch& asked,
                                                const std::string& device) {
  const auto command = profile_command(lab.id, asked, device);
  const auto key = lab.folder.string() + ' ' + command;
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  auto& bench = bench_(device);
  const auto& compiled = compilations_.get(request(lab, bench.profile()));
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    fail(lab.id, wrong->front());
  }
  const auto& program = std::get<compile::Program>(compiled);
  const auto kernel = compile::find_kernel(program, asked.kernel, asked.signature);
  if (const auto* wrong = std::get_if<base::Diagnostic>(&kernel)) fail(lab.id, *wrong);
  auto sized = cases::size_question(asked);
  sized.launch.kernel = std::get<const compile::Kernel*>(kernel)->name;
  run::Sequence sequence;
  sequence.launches.push_back(sized.launch);
  auto buffers = cases::make_buffers(sized.buffers, kSeed);
  try {
    const auto measured = bench.measure(program, sequence, buffers, {});
    if (!measured.result.diagnostics.empty()) fail(lab.id, measured.result.diagnostics.front());
    auto facts = facts_of(bench.profile(), measured, sequence.first());
    facts.command = command;
    return known_.emplace(key, std::move(facts)).first->second;
  } catch (const base::UsageError& error) {
    throw base::ToolError(fmt::format("`{}` of {} cannot run on {}: {}", asked.kernel,
                                      file_of(lab.id), device, error.what()));
  }
}

}  // namespace warpgrade::grader::grade
