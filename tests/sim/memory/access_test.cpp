// SPDX-License-Identifier: Apache-2.0
// Observers get the stride of an access only if all lanes follow it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::access_test {

// Records the strides of loads.
class Strides final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Strides>(); }
  void join(run::Observer& other) override {
    const auto& more = dynamic_cast<Strides&>(other).seen;
    seen.insert(seen.end(), more.begin(), more.end());
  }
  void on_memory(const run::MemoryEvent& event) override {
    if (event.operation != run::Operation::kLoad) return;
    seen.push_back(event.stride);
    for (std::uint32_t lane = 0; lane < run::kWarpSize && event.stride != run::kIrregular; ++lane) {
      EXPECT_EQ(event.address[0] + lane * static_cast<std::uint64_t>(event.stride),
                event.address[lane]);
    }
  }
  std::vector<std::int64_t> seen;
};

// Reported strides for a load of in[%r1] by 32 lanes; `index` computes %r1 from the lane, %r29.
std::vector<std::int64_t> strides(const std::string& index) {
  Strides observer;
  PtxLaunch launch;
  launch.body = index + R"(
  ld.param.u64 %rd3, [p_in];
  mul.wide.u32 %rd4, %r1, 8;
  add.s64 %rd3, %rd3, %rd4;
  ld.global.u64 %rd5, [%rd3];
  st.global.u64 [%rd1], %rd5;)";
  launch.options.observers = {&observer};
  EXPECT_TRUE(run_ptx(launch).result.diagnostics.empty());
  return observer.seen;
}

TEST(Access, TheStrideIsToldWhereAllLanesKeepToIt) {
  EXPECT_EQ(std::vector<std::int64_t>{8}, strides("mov.u32 %r1, %r29;"));
  EXPECT_EQ(std::vector<std::int64_t>{0}, strides("mov.u32 %r1, 7;"));
  EXPECT_EQ(std::vector<std::int64_t>{-8}, strides("sub.u32 %r1, 31, %r29;"));
}

TEST(Access, OneLaneThatLeavesTheStrideMakesItIrregular) {
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    const auto index = fmt::format(
        "setp.eq.u32 %p1, %r29, {};\n  xor.b32 %r2, %r29, 1;\n  selp.u32 %r1, %r2, %r29, %p1;",
        lane);
    EXPECT_EQ(std::vector<std::int64_t>{run::kIrregular}, strides(index)) << lane;
  }
}

}  // namespace warpgrade::sim::access_test
