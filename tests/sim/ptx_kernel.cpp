// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ptx_kernel.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "common/base/finding_text.h"
#include "common/sim/simulator.h"

namespace warpgrade::sim {

PtxRun run_ptx(const PtxLaunch& launch) {
  compile::Program program;
  program.ptx = {fmt::format(R"(
.version 9.0
.target {}
.address_size 64
{}
.visible .entry k(.param .u64 p_out, .param .u64 p_in) {} {{
  .reg .pred %p<16>;
  .reg .b16 %h<16>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<32>;
  .reg .f32 %f<16>;
  .reg .f64 %d<16>;
  .loc 1 1 1
  ld.param.u64 %rd1, [p_out];
  ld.param.u64 %rd2, [p_in];
  mov.u32 %r29, %tid.x;
  mov.u32 %r30, %ctaid.x;
  mov.u32 %r31, %ntid.x;
  mad.lo.u32 %r31, %r30, %r31, %r29;
  mul.wide.u32 %rd31, %r31, 8;
  add.s64 %rd1, %rd1, %rd31;
  add.s64 %rd2, %rd2, %rd31;
{}
  ret;
}}
.file 1 "k.cu"
)",
                             launch.target, launch.before, launch.attributes, launch.body),
                 "k.cu"};
  const auto count = std::size_t{launch.threads} * launch.blocks;
  std::vector<run::Buffer> buffers(2);
  buffers[0].name = "out";
  buffers[0].bytes.resize(count * 8);
  buffers[0].element_bytes = 8;
  buffers[1].name = "in";
  buffers[1].bytes.resize(count * 8);
  buffers[1].element_bytes = 8;
  std::copy_n(launch.in.begin(), std::min(launch.in.size(), count),
              reinterpret_cast<std::uint64_t*>(buffers[1].bytes.data()));

  run::Launch geometry;
  geometry.kernel = "k";
  geometry.grid.x = launch.blocks;
  geometry.block.x = launch.threads;
  geometry.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  geometry.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};

  Simulator simulator(program);
  PtxRun run;
  run.result = simulator.launch(geometry, buffers, launch.options);
  run.out.resize(count);
  std::memcpy(run.out.data(), buffers[0].bytes.data(), count * 8);
  return run;
}

std::vector<std::uint32_t> low_words(const std::vector<std::uint64_t>& values) {
  std::vector<std::uint32_t> words;
  for (const auto value : values) words.push_back(static_cast<std::uint32_t>(value));
  return words;
}

std::vector<std::uint64_t> iota(std::size_t count) {
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = i;
  return values;
}

PtxRun run_body(const std::string& body, std::uint32_t threads) {
  PtxLaunch launch;
  launch.body = body;
  launch.threads = threads;
  launch.in = iota(threads);
  return run_ptx(launch);
}

void expect_fault(base::DiagnosticKind kind, const std::string& words, const PtxRun& run) {
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(base::name(kind), base::name(run.result.diagnostics[0].kind));
  EXPECT_THAT(base::text(run.result.diagnostics[0]), testing::HasSubstr(words));
}

void expect_clean(const PtxRun& run) {
  for (const auto& each : run.result.diagnostics) ADD_FAILURE() << base::text(each);
}

std::uint64_t executed(const PtxRun& run) {
  std::uint64_t sum = 0;
  for (const auto& count : run.result.instructions) sum += count.warps;
  return sum;
}

}  // namespace warpgrade::sim
