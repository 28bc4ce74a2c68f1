// SPDX-License-Identifier: Apache-2.0
// Uneven data in a simulated launch: the report names the cause. Even data has no skew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "grader/profile/arguments.h"
#include "grader/profile/profiling.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::profile::skew_profile_test {

using ::testing::IsEmpty;

class SkewProfile : public ::testing::Test {
 protected:
  measure::Measurement measured(const std::string& source, const std::vector<std::string>& specs,
                                std::uint32_t blocks, std::uint32_t threads) {
    ProfiledLaunch asked;
    asked.file = folder_.write("kernel.cu", source);
    asked.kernel = "kernel";
    asked.launch.grid.x = blocks;
    asked.launch.block.x = threads;
    for (const auto& spec : specs) asked.arguments.push_back(parse_argument(spec));
    std::vector<run::Buffer> buffers;
    auto report = profile(asked, *measure::sim_bench(device::find("h200")), buffers);
    EXPECT_THAT(report.diagnostics, IsEmpty());
    return std::move(report.measurement);
  }

  measure::Measurement histogram(const std::string& bytes) {
    return measured(
        "__global__ void kernel(unsigned* bins, const unsigned char* in) {\n"
        "  atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x]], 1u);\n}\n",
        {"inout:u32:256:zeros", "in:u8:65536:" + bytes}, 256, 256);
  }

  // One warp per row, 32 in the block. Each step loads the index of the next.
  measure::Measurement rows(const std::string& entries) {
    return measured(
        "__global__ void kernel(unsigned* out, const unsigned* next) {\n"
        "  const unsigned row = threadIdx.x / 32, n = " +
            entries +
            ";\n  unsigned at = threadIdx.x % 32;\n"
            "  for (unsigned i = 0; i < n; ++i) at = next[at];\n"
            "  out[threadIdx.x] = at;\n}\n",
        {"out:u32:1024", "in:u32:1024:iota"}, 1, 1024);
  }

  compile::TemporaryFolder folder_;
};

TEST_F(SkewProfile, AllLanesOnOneBinAreContention) {
  const auto found = histogram("zeros");
  EXPECT_EQ(timing::Bound::kBusiestAtomicUnit, found.bound_by);
  EXPECT_EQ(timing::Skew(timing::Contention{run::Space::kGlobal, 32, 32}), found.skew);
}

TEST_F(SkewProfile, LanesOnNeighbouringBinsAreNot) {
  EXPECT_EQ(timing::Skew(), histogram("iota").skew);
}

TEST_F(SkewProfile, RandomBytesAreNot) { EXPECT_EQ(timing::Skew(), histogram("random:7").skew); }

// 1,056 blocks keep every SM's shared memory busy. A request of 32 lanes on one bin costs 32
// wavefronts.
TEST_F(SkewProfile, ContentionInSharedMemoryIsNamedToo) {
  const auto counted = [&](const std::string& bytes) {
    return measured(
        "__global__ void kernel(unsigned* out, const unsigned char* in) {\n"
        "  __shared__ unsigned bins[256];\n"
        "  bins[threadIdx.x] = 0;\n  __syncthreads();\n"
        "  for (int i = 0; i < 64; ++i) atomicAdd(&bins[in[i * 256 + threadIdx.x]], 2u);\n"
        "  __syncthreads();\n"
        "  out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];\n}\n",
        {"out:u32:270336", "in:u8:16384:" + bytes}, 1056, 256);
  };
  const auto found = counted("zeros");
  EXPECT_EQ(timing::Bound::kSharedWavefronts, found.bound_by);
  EXPECT_EQ(timing::Skew(timing::Contention{run::Space::kShared, 32, 32}), found.skew);
  EXPECT_EQ(timing::Skew(), counted("random:3").skew);
}

// The mean row has (1,000 + 31 * 10) / 32 = 40.9 entries, and 1,000 / 40.9 is 24.4. Instructions
// outside the loop, the same for all rows, lower it.
TEST_F(SkewProfile, ARowOf1000EntriesAmongRowsOf10IsImbalance) {
  const auto found = rows("row == 7 ? 1000 : 10");
  EXPECT_EQ(timing::Bound::kLatency, found.bound_by);
  const auto* imbalance = std::get_if<timing::Imbalance>(&found.skew);
  ASSERT_NE(nullptr, imbalance);
  EXPECT_LT(imbalance->longest / imbalance->mean, 24.5);
  EXPECT_GT(imbalance->longest / imbalance->mean, 19);
}

TEST_F(SkewProfile, RowsOf1000EntriesAreEven) {
  const auto found = rows("row < 32 ? 1000 : 10");
  EXPECT_EQ(timing::Skew(), found.skew);
}

}  // namespace warpgrade::grader::profile::skew_profile_test
