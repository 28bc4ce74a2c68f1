// SPDX-License-Identifier: Apache-2.0
// Selects the requests of a trace and keeps them as machine code makes them.
#include "common/memory/access_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/ptx/module.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::access_trace_test {

using run::Operation;
using run::Space;

constexpr std::uint64_t kIn = 0x700000000000;

// Two instructions at line 7, as in an unrolled loop, and one at line 9.
class AccessTraceTest : public testing::Test {
 protected:
  AccessTraceTest() {
    function_.locations = {{}, {"copy.cu", 7, 3}, {"copy.cu", 7, 20}, {"copy.cu", 9, 1}};
    for (const std::uint32_t location : {1U, 2U, 3U}) {
      function_.instructions.emplace_back().location = location;
    }
    buffers_.resize(1);
    buffers_[0].name = "in";
    buffers_[0].bytes.resize(65536);
    addresses_ = {kIn};
    context_.function = &function_;
    context_.buffers = &buffers_;
    context_.buffer_addresses = &addresses_;
    context_.shared_variables = {{"_ZZ4copyPfPKfiiE4tile", 256, 4096}};
  }

  AccessTrace trace(TraceLimits limits = {}, MachineAccesses machine = {}) const {
    AccessTrace out(device::find("h200"), std::move(limits), std::move(machine));
    out.on_launch(context_);
    out.on_block_begin(0);
    return out;
  }
  static void access(AccessTrace& trace, std::uint32_t instruction, std::uint32_t warp,
                     const Addresses& address, Space space = Space::kGlobal,
                     std::uint32_t mask = run::kFullMask) {
    run::MemoryEvent event;
    event.instruction = instruction;
    event.warp = warp;
    event.mask = mask;
    event.space = space;
    event.operation = Operation::kLoad;
    event.bytes = 4;
    event.address = address.data();
    trace.on_memory(event);
  }
  static Addresses row(std::uint64_t number) {
    return lanes([&](auto l) { return kIn + 128 * number + 4 * l; });
  }

  ptx::Function function_;
  std::vector<run::Buffer> buffers_;
  std::vector<std::uint64_t> addresses_;
  run::LaunchContext context_;
};

TEST_F(AccessTraceTest, AnUnrolledLoopsRequestsAreThePassesOfOneLine) {
  auto all = trace();
  access(all, 0, 0, row(0));
  access(all, 1, 0, row(8));
  const auto lines = all.lines();
  ASSERT_EQ(1U, lines.size());
  EXPECT_EQ(7U, lines[0].where.line);
  EXPECT_EQ("in", lines[0].memory.name);
  EXPECT_EQ(65536U, lines[0].memory.bytes);
  ASSERT_EQ(2U, lines[0].requests.size());
  EXPECT_EQ(1U, lines[0].requests[1].pass);
  EXPECT_EQ(kIn + 1024 + 4 * 31, lines[0].requests[1].address[31]);
}

TEST_F(AccessTraceTest, LanesThatTakeNoPartHaveNoAddress) {
  auto all = trace();
  access(all, 0, 0, row(1), Space::kGlobal, 0x2);
  const auto request = all.lines().at(0).requests.at(0);
  EXPECT_EQ(0x2U, request.mask);
  EXPECT_EQ(0U, request.address[0]);
  EXPECT_EQ(kIn + 132, request.address[1]);
}

TEST_F(AccessTraceTest, SharedMemoryIsNamedAsTheSourceNamesIt) {
  auto all = trace();
  access(all, 2, 0, lanes([](auto l) { return 256 + 4 * l; }), Space::kShared);
  const auto line = all.lines().at(0);
  EXPECT_EQ("tile", line.memory.name);
  EXPECT_EQ(256U, line.memory.first);
  EXPECT_EQ("shared load", name(line.operation));
}

TEST_F(AccessTraceTest, AnAddressOutsideEveryBufferHasNoName) {
  auto all = trace();
  access(all, 0, 0, lanes([](auto l) { return 4 * l; }));
  EXPECT_EQ("", all.lines().at(0).memory.name);
}

// The same loads as in Counters.WordsThatMachineCodeLoadsAtOnceCountAsOneLoad.
TEST_F(AccessTraceTest, WordsThatMachineCodeLoadsAtOnceAreOneRequest) {
  auto all = trace({}, {{16}, {MachineAccess::kMerged}, {}});
  for (const std::uint32_t word : {0U, 1U}) {
    access(all, word, 0, lanes([&](auto l) { return 256 + 16 * l + 4 * word; }), Space::kShared);
  }
  const auto lines = all.lines();
  ASSERT_EQ(1U, lines.size());
  EXPECT_EQ(16U, lines[0].bytes);
  ASSERT_EQ(1U, lines[0].requests.size());
  EXPECT_EQ(256U + 16 * 31, lines[0].requests[0].address[31]);
}

TEST_F(AccessTraceTest, AtomicsThatMachineCodeImplementsDifferentlyAreDifferentLines) {
  function_ = ptx::parse(
                  ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                  ".reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"
                  "red.shared.add.u32 [%rd1], 1;\nred.shared.add.u32 [%rd1], %r2;\nret;\n}\n",
                  "k.cu")
                  .functions.at(0);
  auto all = trace();
  run::MemoryEvent event;
  event.mask = run::kFullMask;
  event.space = Space::kShared;
  event.operation = Operation::kReduction;
  event.bytes = 4;
  const auto address = lanes([](auto) { return 256; });
  event.address = address.data();
  for (event.instruction = 0; event.instruction < 2; ++event.instruction) all.on_memory(event);
  const auto lines = all.lines();
  ASSERT_EQ(2U, lines.size());
  EXPECT_EQ(AtomicForm::OnShared::kCount, lines[0].form.on_shared);
  EXPECT_EQ(AtomicForm::OnShared::kOneByOne, lines[1].form.on_shared);
}

TEST_F(AccessTraceTest, OfALoopTheFirstPassesAreKept) {
  auto all = trace({.blocks = {0}, .warps = 2, .passes = 3, .passes_elsewhere = 1});
  for (std::uint64_t pass = 0; pass < 9; ++pass) {
    access(all, 0, 0, row(pass));
    access(all, 0, 1, row(pass));
    access(all, 0, 2, row(pass));
  }
  const auto requests = all.lines().at(0).requests;
  ASSERT_EQ(4U, requests.size());
  EXPECT_EQ(2U, requests[2].pass);
  EXPECT_EQ(kIn + 256, requests[2].address[0]);
  EXPECT_EQ(1U, requests[3].warp);
}

TEST_F(AccessTraceTest, ForksAreJoinedAndBlocksThatAreNotTracedAreLeftOut) {
  auto all = trace({.blocks = {1, 5}});
  std::vector<std::unique_ptr<run::Observer>> forks;
  for (const std::uint64_t block : {1U, 4U, 5U}) {
    forks.push_back(all.fork());
    auto& fork = static_cast<AccessTrace&>(*forks.back());
    fork.on_launch(context_);
    fork.on_block_begin(block);
    access(fork, 0, 0, row(block));
    access(fork, 0, 1, row(block));
  }
  for (auto& fork : forks) all.join(*fork);
  const auto requests = all.lines().at(0).requests;
  ASSERT_EQ(3U, requests.size());  // Only the first warp of block 5.
  EXPECT_EQ(1U, requests[1].warp);
  EXPECT_EQ(5U, requests[2].block);
}

TEST_F(AccessTraceTest, TheWarpAndTheBlockThatMatterComeFirst) {
  auto all = trace({.blocks = {7, 2}, .warp = 3, .warps = 2});
  for (const std::uint64_t block : {2U, 7U}) {
    all.on_block_begin(block);
    for (const std::uint32_t warp : {2U, 3U, 4U, 5U}) access(all, 0, warp, row(warp));
  }
  const auto requests = all.lines().at(0).requests;
  ASSERT_EQ(3U, requests.size());
  EXPECT_EQ(7U, requests[0].block);
  EXPECT_EQ(3U, requests[0].warp);
  EXPECT_EQ(4U, requests[1].warp);
  EXPECT_EQ(2U, requests[2].block);
  EXPECT_EQ(3U, requests[2].warp);
}

TEST_F(AccessTraceTest, LinesAreLimited) {
  auto all = trace({.lines = 1});
  access(all, 0, 0, row(0));
  access(all, 2, 0, row(0));
  EXPECT_EQ(1U, all.lines().size());
}

}  // namespace warpgrade::memory::access_trace_test
