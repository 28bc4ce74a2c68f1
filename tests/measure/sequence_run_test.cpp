// SPDX-License-Identifier: Apache-2.0
// Launches that are run, checked, counted and timed as one sequence.
#include "common/measure/sequence_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"

namespace warpgrade::measure::sequence_run_test {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::uint32_t kElements = 64;

// Runs kernels k1(a, b), k2(a, b), ... with given bodies, in which t is the thread's index. At the
// start `a` holds 0, 1, 2, ... and `b` is undefined.
class SequenceRun : public testing::Test {
 protected:
  SequenceRun() : buffers_(2) {
    std::vector<float> iota(kElements);
    std::iota(iota.begin(), iota.end(), 0.0F);
    for (auto& buffer : buffers_) buffer.bytes.resize(4 * kElements, std::byte{0x5a});
    std::memcpy(buffers_[0].bytes.data(), iota.data(), buffers_[0].bytes.size());
    buffers_[0].name = "a";
    buffers_[1].name = "b";
    buffers_[1].defined = false;
  }

  void compile(const std::vector<std::string>& bodies, const std::string& before = {}) {
    compile::CompileRequest request;
    request.file = "k.cu";
    request.source = before + "\n";
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      request.source += "extern \"C\" __global__ void k" + std::to_string(i + 1) +
                        "(float* a, float* b) { const int t = threadIdx.x; " + bodies[i] + " }\n";
    }
    program_ = std::get<compile::Program>(compile::compile(request));
  }

  void launch(const std::string& kernel, std::size_t a = 0, std::size_t b = 1) {
    run::Launch out;
    out.kernel = kernel;
    out.block.x = kElements;
    out.arguments = {run::BufferArgument{a}, run::BufferArgument{b}};
    sequence_.launches.push_back(out);
  }

  Measurement measure(std::uint64_t budget = run::Options().launch_budget) {
    run::Options options;
    options.launch_budget = budget;
    return sim_bench(device::find("h200"))->measure(program_, sequence_, buffers_, options);
  }

  // The kinds of the findings in launches of these kernels, each kind once.
  std::vector<base::DiagnosticKind> kinds_in(const std::vector<std::string>& kernels) {
    sequence_ = {};
    for (const auto& kernel : kernels) launch(kernel);
    const auto before = buffers_;
    std::vector<base::DiagnosticKind> out;
    for (const auto& one : measure().result.diagnostics) {
      if (std::find(out.begin(), out.end(), one.kind) == out.end()) out.push_back(one.kind);
    }
    buffers_ = before;
    return out;
  }

  float value(std::size_t buffer, std::size_t element) const {
    float out = 0;
    std::memcpy(&out, buffers_[buffer].bytes.data() + 4 * element, sizeof out);
    return out;
  }

  compile::Program program_;
  run::Sequence sequence_;
  std::vector<run::Buffer> buffers_;
};

TEST_F(SequenceRun, ALaunchFindsWhatTheOneBeforeHasLeft) {
  compile({"b[t] = a[t] + 1;", "a[t] = 2 * b[t];"});
  launch("k1");
  launch("k2");
  launch("k1");
  EXPECT_THAT(measure().result.diagnostics, IsEmpty());
  EXPECT_EQ(12, value(0, 5));  // 2 * (5 + 1)
  EXPECT_EQ(13, value(1, 5));
  EXPECT_FALSE(buffers_[1].defined);
  EXPECT_EQ(nullptr, buffers_[1].written);
}

TEST_F(SequenceRun, VariablesGoFromLaunchToLaunchAndNotToTheNextSequence) {
  compile({"if (t == 0) ++launches; b[t] = a[t];", "b[t] = launches;"}, "__device__ int launches;");
  launch("k1");
  launch("k1");
  launch("k2");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(measure().result.diagnostics, IsEmpty());
    EXPECT_EQ(2, value(1, 9));
  }
}

TEST_F(SequenceRun, BuffersThatChangePlacesAreFoundByTheirNames) {
  compile({"b[t] = a[t] + 1;"});
  launch("k1", 0, 1);
  launch("k1", 1, 0);
  launch("k1", 0, 1);
  sequence_.places = {1, 0};
  EXPECT_THAT(measure().result.diagnostics, IsEmpty());
  EXPECT_EQ(10, value(0, 7));
  EXPECT_EQ(9, value(1, 7));
}

TEST_F(SequenceRun, AReadOfWhatNoLaunchHasWrittenNamesItsLaunch) {
  compile({"if (t != 3) b[t] = 1;", "a[t] = b[t];"});
  launch("k1");
  launch("k2");
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, found[0].kind);
  EXPECT_THAT(base::text(found[0]), StartsWith("thread (3, 0, 0) reads b[3]"));
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 2, k2)"));
}

TEST_F(SequenceRun, AReadThatChangesNothingIsNone) {
  compile({"if (t != 3) b[t] = 1;", "const float x = b[t]; a[t] = t == 3 ? 0 : x;"});
  launch("k1");
  launch("k2");
  EXPECT_THAT(measure().result.diagnostics, IsEmpty());
}

TEST_F(SequenceRun, AFaultEndsTheSequenceAndIsTold) {
  compile({"b[t] = 1;", "b[t + 1] = 2;"});
  launch("k1");
  launch("k2");
  launch("k1");
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, found[0].kind);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 3, k2)"));
}

TEST_F(SequenceRun, ARaceIsToldOfTheFirstLaunchThatHasIt) {
  compile({"b[t] = 1;",
           "__shared__ float s[64]; s[63 - t] = 0; __syncthreads(); s[t] = t; b[t] = s[63 - t];"});
  for (const auto* kernel : {"k1", "k2", "k2"}) launch(kernel);
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kRace, found[0].kind);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 3, k2)"));
}

TEST_F(SequenceRun, LaunchesDoNotRaceWithEachOther) {
  compile({"b[t] = a[t];", "b[63 - t] += a[t];"});
  launch("k1");
  launch("k2");
  const auto before = buffers_;
  const auto measured = measure();
  EXPECT_THAT(measured.result.diagnostics, IsEmpty());
  const auto runs = sim_bench(device::find("h200"))
                        ->run_in_schedules(program_, sequence_, before, measured, {1, 3}, 1 << 20);
  ASSERT_THAT(runs, SizeIs(2));
  for (const auto& run : runs) {
    EXPECT_THAT(run.diagnostics, IsEmpty());
    EXPECT_EQ(buffers_[1].bytes, run.buffers[1].bytes);
  }
}

TEST_F(SequenceRun, ARegisterOfALaterKernelIsFoundAndNamed) {
  compile({"b[t] = 1;", "float sum; for (int k = t; k < 64; k += 64) sum += a[k]; b[t] = sum;"});
  launch("k1");
  launch("k2");
  const auto found = measure().result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(3U, found[0].where.line);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 2 of 2, k2)"));
}

TEST_F(SequenceRun, UndefinedReadsAreJudgedBesideARace) {
  const std::string race =
      "__shared__ float s[64]; s[63 - t] = 0; __syncthreads(); s[t] = t; a[t] = s[63 - t];";
  const std::string read = "const float x = *(volatile float*)&b[t]; ";
  compile({race, read + "a[t] = t < 0 ? x : 1;", read + "a[t] = x;"});
  using Kind = base::DiagnosticKind;
  EXPECT_THAT(kinds_in({"k1", "k2"}), ElementsAre(Kind::kRace));
  EXPECT_THAT(kinds_in({"k1", "k2", "k3"}),
              testing::UnorderedElementsAre(Kind::kRace, Kind::kUninitializedRead));
}

// Only the final result of the sequence counts, so the launches after the bad address run, too.
TEST_F(SequenceRun, UndefinedReadsAreJudgedBesideABadAddress) {
  compile({"a[t] = *(volatile float*)&b[t]; if (t == 0) b[1 << 20] = 1;", "a[t] = b[t] = 1;",
           "b[t] = 1;"});
  using Kind = base::DiagnosticKind;
  EXPECT_THAT(kinds_in({"k1", "k2"}), ElementsAre(Kind::kOutOfBounds));
  EXPECT_THAT(kinds_in({"k1", "k3"}),
              testing::UnorderedElementsAre(Kind::kOutOfBounds, Kind::kUninitializedRead));
}

TEST_F(SequenceRun, WorkIsLimitedForAllLaunchesTogether) {
  compile({"for (int i = 0; i < 100; ++i) b[t] = *(volatile float*)&a[t] + i;"});
  launch("k1");
  const auto one = measure();
  ASSERT_THAT(one.result.diagnostics, IsEmpty());
  launch("k1");
  launch("k1");
  const auto three = measure();
  EXPECT_THAT(three.result.diagnostics, IsEmpty());
  EXPECT_EQ(3 * one.result.work, three.result.work);
  const auto found = measure(2 * one.result.work).result.diagnostics;
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(base::DiagnosticKind::kRunaway, found[0].kind);
  EXPECT_THAT(base::text(found[0]), EndsWith("(in launch 3 of 3, k1)"));
}

// In each launch two warps load 128 bytes each and store as many: 8 sectors loaded, 8 stored.
TEST_F(SequenceRun, CountersAndTimesAreSums) {
  compile({"b[t] = a[t];", "b[t] = a[63 - t];"});
  launch("k1");
  const auto one = measure();
  launch("k2");
  launch("k1");
  const auto three = measure();
  EXPECT_EQ(8, one.metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(24, three.metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_EQ(32,
            three.metrics.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"));
  EXPECT_EQ(3 * one.bytes, three.bytes);
  ASSERT_THAT(three.launch_seconds, SizeIs(3));
  EXPECT_EQ(one.seconds, three.launch_seconds[0]);
  EXPECT_DOUBLE_EQ(three.launch_seconds[0] + three.launch_seconds[1] + three.launch_seconds[2],
                   three.seconds);
  // Lines 2 and 3 load and store; line 2 appears in two launches.
  ASSERT_THAT(three.lines, SizeIs(4));
  EXPECT_EQ(2U, three.lines[0].line);
  EXPECT_EQ(16U, three.lines[0].sectors);
  EXPECT_EQ(8U, three.lines[2].sectors);
}

// The launches run one after the other. A small launch on the H200 takes the 4.5 us that the host
// needs to start it.
TEST_F(SequenceRun, SmallLaunchesTakeAsLongAsTheHostNeedsForEach) {
  compile({"b[t] = a[t];"});
  for (int i = 0; i < 4; ++i) launch("k1");
  const auto measured = measure();
  EXPECT_NEAR(4.5e-6, measured.launch_seconds[1], 1e-9);
  EXPECT_NEAR(4.5e-6, measured.launch_seconds[3], 1e-9);
  EXPECT_EQ(timing::Bound::kLaunchOverhead, measured.bound_by);
}

TEST_F(SequenceRun, ALaunchThatTheDeviceDoesNotTakeIsNamed) {
  compile({"b[t] = a[t];"});
  launch("k1");
  launch("k1");
  sequence_.launches[1].dynamic_shared_bytes = 1 << 20;
  try {
    measure();
    FAIL() << "must throw";
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("(in launch 2 of 2, k1)"));
  }
}

}  // namespace warpgrade::measure::sequence_run_test
