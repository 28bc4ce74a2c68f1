// SPDX-License-Identifier: Apache-2.0
#include "common/probe/card.h"

#include <cstring>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/measure/statistics.h"
#include "common/probe/probe_kernels.h"
#include "common/run/value_argument.h"

namespace warpgrade::probe {
namespace {

constexpr std::uint32_t kSamples = 7;

run::Launch launch_of(const Probe& probe) {
  run::Launch out;
  out.kernel = probe.kernel;
  out.grid.x = probe.blocks;
  out.block.x = probe.threads;
  out.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  for (const auto number : probe.numbers) out.arguments.emplace_back(run::value_argument(number));
  return out;
}

std::vector<run::Buffer> buffers_of(const Probe& probe) {
  std::vector<run::Buffer> out(2);
  out[0].name = "out";
  out[0].bytes.resize(probe.out_bytes);
  out[1] = {.name = "in", .bytes = {}, .read_only = true};
  out[1].bytes.resize(probe.in_bytes);
  return out;
}

void expect_nothing_found(const Probe& probe, const run::Result& result) {
  if (result.diagnostics.empty()) return;
  throw base::ToolError("probe " + probe.kernel + ": " + base::text(result.diagnostics.front()));
}

}  // namespace

GpuCard::GpuCard(gpu::GpuRunner& runner) : runner_(runner) {
  runner_.load(probe_program(runner.architecture()));
}

std::array<std::uint32_t, 2> GpuCard::words(const Probe& probe) {
  auto buffers = buffers_of(probe);
  expect_nothing_found(probe, runner_.launch(launch_of(probe), buffers, {}));
  std::array<std::uint32_t, 2> out{};
  std::memcpy(out.data(), buffers[0].bytes.data(), sizeof(out));
  return out;
}

double GpuCard::seconds_of_many(const Probe& probe, std::uint32_t launches) {
  run::Sequence sequence;
  sequence.launches.assign(launches, launch_of(probe));
  auto buffers = buffers_of(probe);
  run::Result result;
  auto times = runner_.time(sequence, buffers, kSamples, result);
  expect_nothing_found(probe, result);
  if (times.seconds.empty()) throw base::ToolError("probe " + probe.kernel + " was not timed");
  return measure::median(times.seconds);
}

double GpuCard::copy_seconds(std::uint64_t bytes) {
  return runner_.memcpy_seconds(bytes, kSamples);
}

}  // namespace warpgrade::probe
