// SPDX-License-Identifier: Apache-2.0
// Compares the sectors and tags of cp.async.cg with counters of an H200 (README.md, h200_copies).
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/sim/simulator.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::golden::h200_copies_test {

// A kernel of one warp whose lane i copies from the i-th of `sources` to the i-th of `targets`.
std::string kernel(const std::vector<std::string>& sources,
                   const std::vector<std::string>& targets) {
  std::string from;
  std::string to;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    from += (i == 0 ? "" : ", ") + sources[i];
    to += (i == 0 ? "" : ", ") + targets[i];
  }
  return ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b32 sources[32] = {" +
         from + "};\n.const .align 4 .b32 targets[32] = {" + to + R"(};
.visible .entry kernel(.param .u64 in)
{
.reg .pred %p1;
.reg .b32 %r<8>;
.reg .b64 %a<6>;
.shared .align 128 .b8 memory[17408];
ld.param.u64 %a1, [in];
mov.u32 %r1, %tid.x;
setp.ge.u32 %p1, %r1, )" +
         std::to_string(sources.size()) + R"(;
@%p1 bra DONE;
mul.wide.u32 %a2, %r1, 4;
mov.u64 %a3, sources;
add.u64 %a3, %a3, %a2;
ld.const.u32 %r2, [%a3];
mov.u64 %a4, targets;
add.u64 %a4, %a4, %a2;
ld.const.u32 %r3, [%a4];
mov.u32 %r4, memory;
add.u32 %r4, %r4, %r3;
cvt.u64.u32 %a5, %r2;
add.u64 %a5, %a1, %a5;
cp.async.cg.shared.global [%r4], [%a5], 16;
DONE:
cp.async.wait_all;
ret;
}
)";
}

TEST(H200Copies, FillSharedMemoryFromL2) {
  // The card counts these for each row, whatever its copies: they are not theirs.
  constexpr unsigned kOtherWavefronts = 4;
  std::size_t compared = 0;
  for (const auto& row : read_csv(std::string(WARPGRADE_GOLDEN) + "/h200_copies/counters.csv")) {
    const auto& name = row.at("name");
    compile::Program program;
    program.ptx = {kernel(cut(row.at("sources"), ' '), cut(row.at("targets"), ' ')), {}};
    run::Launch launch;
    launch.kernel = "kernel";
    launch.grid.x = 1;
    launch.block.x = 32;
    launch.arguments = {run::BufferArgument{0}};
    std::vector<run::Buffer> buffers(1);
    buffers[0].bytes.resize(65536);
    memory::Counters counters(device::find("h200"));
    run::Options options;
    options.observers = {&counters};
    sim::Simulator simulator(program);
    ASSERT_TRUE(simulator.launch(launch, buffers, options).diagnostics.empty()) << name;
    memory::InstructionCounters loads;
    memory::InstructionCounters stores;
    const auto& rows = counters.instructions();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool is_shared = rows[i].wavefronts != 0 || rows[i].conflicts != 0;
      (is_shared ? stores : loads) += rows[i];
    }
    const auto expected = [&](const std::string& metric) { return std::stoull(row.at(metric)); };
    EXPECT_EQ(expected("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), loads.sectors) << name;
    EXPECT_EQ(expected("l1tex__m_xbar2l1tex_read_sectors.sum"), counters.missed_load_sectors())
        << name;
    EXPECT_EQ(expected("l1tex__t_set_accesses.sum"), loads.lines) << name;
    EXPECT_EQ(expected("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"),
              stores.wavefronts + kOtherWavefronts)
        << name;
    ++compared;
  }
  EXPECT_EQ(66U, compared);
}

}  // namespace warpgrade::golden::h200_copies_test
