// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "grader/grade/explain/program_edits.h"
#include "grader/grade/explain/value_uses.h"
#include "grader/grade/grading_session.h"
#include "tests/compile/compiling.h"
#include "tests/grader/course/manifest_text.h"

// Mistakes that a small change corrects, with the real compiler and simulator: the kernel doubles
// each element.
namespace warpgrade::grader::grade::repair_test {

class Repairs : public testing::Test {
 protected:
  Repairs() : cache_("XDG_CACHE_HOME", (folder_.path() / "cache").string()) {
    course::write_lab_of_stores(folder_);
  }

  // The cause of a kernel whose body begins in line 2.
  std::optional<report::Cause> cause_of_body(const std::string& body,
                                             const std::string& helper = {}) {
    const auto file = folder_.write(
        "labs/small/twice.cu",
        helper + "__global__ void twice(float* out, const float* in, int n) {\n" + body + "}\n");
    const auto course = course::read_course(folder_.path(), {});
    const auto task = file_task(course, select(course, {"small/twice"}).front(), file);
    return GradingSession(run::Backend::kSim, "", 7).grade({task}).exercises.at(0).cause;
  }

  // "wrong_guard 3".
  std::string named(const std::string& body, const std::string& helper = {}) {
    const auto cause = cause_of_body(body, helper);
    if (!cause) return "none";
    return std::string(course::kCauseNames.at(static_cast<std::size_t>(cause->id))) + " " +
           std::to_string(cause->line);
  }

  compile::TemporaryFolder folder_;
  compile::ScopedVariable cache_;
};

TEST_F(Repairs, ABoundThatLeavesOutTheLastElement) {
  EXPECT_EQ("wrong_guard 3", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  const bool mine = i + 1 < n;\n"
                                   "  if (mine) {\n"
                                   "    out[i] = 2 * in[i];\n"
                                   "  }\n"));
}

// The last element is one too large.
TEST_F(Repairs, ALimitThatLetsTheLastElementThrough) {
  EXPECT_EQ("wrong_guard 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  const bool inner = i < n;\n"
                                   "  if (inner) out[i] = 2 * in[i] + (i + 1) / n;\n"
                                   "  else out[i] = 2 * in[n - 1];\n"));
}

TEST_F(Repairs, AFactorInAHelper) {
  EXPECT_EQ("wrong_operation 2", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                       "  if (i < n) out[i] = doubled(in[i]);\n",
                                       "__device__ float doubled(float x) {\n"
                                       "  return x * 3;\n"
                                       "}\n"));
}

TEST_F(Repairs, ASumThatBeginsWithOne) {
  EXPECT_EQ("wrong_start 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  float sum = 1;\n"
                                   "  for (int k = 0; k < 2; ++k) sum += in[i];\n"
                                   "  out[i] = sum;\n"));
}

TEST_F(Repairs, ASumThatBeginsAgainInEachPass) {
  EXPECT_EQ("wrong_start 6", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  float sum = 0;\n"
                                   "  for (int k = 0; k < 2; ++k) {\n"
                                   "    sum = 0;\n"
                                   "    for (int j = 0; j < 2; j += 2) sum += in[i];\n"
                                   "  }\n"
                                   "  out[i] = sum;\n"));
}

// Both variables begin with the same constant, and one of them is right.
TEST_F(Repairs, AMaximumThatBeginsWithZero) {
  EXPECT_EQ("wrong_start 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  float most = 0, sum = 0;\n"
                                   "  for (int k = 0; k < 2; ++k) {\n"
                                   "    most = fmaxf(most, in[i] - k);\n"
                                   "    sum += in[i];\n"
                                   "  }\n"
                                   "  out[i] = most + sum / 2;\n"));
}

TEST_F(Repairs, AConditionThatNeedsTheGuardToo) {
  EXPECT_EQ("wrong_guard 4",
            named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  const float v = i < n ? in[i] : 0;\n"
                  "  const bool kept = v >= -1e30f;\n"
                  "  const int count = __popc(__ballot_sync(~0u, kept));\n"
                  "  const int right = min(32, n - i + static_cast<int>(threadIdx.x % 32));\n"
                  "  if (i < n) out[i] = count == right ? 2 * v : 0;\n"));
}

TEST_F(Repairs, AnElementBesideTheRightOne) {
  EXPECT_EQ("wrong_index 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  const int from = i > 0 ? i - 1 : 0;\n"
                                   "  out[i] = 2 * in[from];\n"));
}

TEST_F(Repairs, OneSideOfTheLaunchForTheOther) {
  EXPECT_EQ("wrong_index 2", named("  const int i = blockIdx.x * 256 + threadIdx.y;\n"
                                   "  if (i < n) out[i] = 2 * in[i];\n"));
}

TEST_F(Repairs, AShuffleThatReplacesTheSum) {
  EXPECT_EQ("wrong_operation 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                       "  float v = i < n ? in[i] : 0;\n"
                                       "  v = __shfl_xor_sync(0xffffffffu, v, 0);\n"
                                       "  if (i < n) out[i] = v;\n"));
}

// Thread 255 - t loads the element of thread t.
TEST_F(Repairs, ThreadsThatLeaveBeforeABarrier) {
  EXPECT_EQ("divergent_barrier 4", named("  __shared__ float tile[256];\n"
                                         "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                         "  if (i >= n) return;\n"
                                         "  const int j = blockIdx.x * 256 + 255 - threadIdx.x;\n"
                                         "  tile[255 - threadIdx.x] = j < n ? in[j] : 0;\n"
                                         "  __syncthreads();\n"
                                         "  out[i] = 2 * tile[threadIdx.x];\n"));
}

// Both threads of a pair exchange the same two elements; a barrier orders the lines of one thread.
TEST_F(Repairs, AnExchangeByBothThreadsNeedsMoreThanABarrier) {
  EXPECT_EQ("race 6", named("  __shared__ float tile[256];\n"
                            "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                            "  tile[threadIdx.x] = i < n ? in[i] : 0;\n"
                            "  __syncthreads();\n"
                            "  { float v = tile[255 - threadIdx.x]; tile[255 - threadIdx.x] = "
                            "tile[threadIdx.x]; tile[threadIdx.x] = v; }\n"
                            "  __syncthreads();\n"
                            "  if (i < n) out[i] = 2 * tile[255 - threadIdx.x];\n"));
}

// In each step a thread doubles two elements, and in the next one another thread does.
TEST_F(Repairs, ABarrierBetweenSteps) {
  EXPECT_THAT(named("  __shared__ float tile[256];\n"
                    "  const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;\n"
                    "  tile[t] = i < n ? in[i] : 0;\n"
                    "  __syncthreads();\n"
                    "  for (int step = 128; step > 0; step /= 2) {\n"
                    "    const int low = 2 * t - t % step;\n"
                    "    if (t < 128) {\n"
                    "      tile[low] *= 2;\n"
                    "      tile[low + step] *= 2;\n"
                    "    }\n"
                    "  }\n"
                    "  __syncthreads();\n"
                    "  if (i < n) out[i] = tile[t] / 128;\n"),
              testing::StartsWith("missing_barrier "));
}

// All threads add to the same element in each step: a barrier is not enough.
TEST_F(Repairs, ABarrierDoesNotReplaceAnAtomic) {
  EXPECT_THAT(named("  __shared__ float sum;\n"
                    "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                    "  if (threadIdx.x == 0) sum = 0;\n"
                    "  __syncthreads();\n"
                    "  sum += 1;\n"
                    "  __syncthreads();\n"
                    "  if (i < n) out[i] = 2 * in[i] + sum - 256;\n"),
              testing::StartsWith("missing_atomic "));
}

// Threads use the first index of the block before its last thread has stored it.
TEST_F(Repairs, ABarrierBeforeAValueThatBecomesAnIndex) {
  EXPECT_EQ("missing_barrier 4", named("  __shared__ int begin;\n"
                                       "  if (threadIdx.x == 255) begin = blockIdx.x * 256;\n"
                                       "  const int i = begin + threadIdx.x;\n"
                                       "  if (i < n) out[i] = 2 * in[i];\n"));
}

TEST_F(Repairs, ABarrierThatIsMissing) {
  EXPECT_EQ("missing_barrier 5", named("  __shared__ float tile[256];\n"
                                       "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                       "  const int j = blockIdx.x * 256 + 255 - threadIdx.x;\n"
                                       "  tile[255 - threadIdx.x] = j < n ? in[j] : 0;\n"
                                       "  if (i < n) out[i] = 2 * tile[threadIdx.x];\n"));
}

TEST_F(Repairs, RowsThatAreReadWithAnotherLength) {
  EXPECT_EQ("wrong_stride 7",
            named("  __shared__ float tile[16 * 17];\n"
                  "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  const int row = threadIdx.x / 16, column = threadIdx.x % 16;\n"
                  "  tile[row * 17 + column] = i < n ? in[i] : 0;\n"
                  "  __syncthreads();\n"
                  "  if (i < n) out[i] = 2 * tile[row * 16 + column];\n"));
}

TEST_F(Repairs, AMaskThatIsNoRemainder) {
  EXPECT_EQ("wrong_operation 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                       "  if (i >= n) return;\n"
                                       "  const int to = (i + 1) & (n - 1);\n"
                                       "  out[to] = 2 * in[(i + 1) % n];\n"));
}

TEST_F(Repairs, AnArrayThatBeginsAgainInEachPass) {
  EXPECT_EQ("wrong_start 6", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  float sums[2];\n"
                                   "  for (int k = 0; k < 2; ++k) {\n"
                                   "    for (int e = 0; e < 2; ++e) sums[e] = 0;\n"
                                   "    for (int e = 0; e < 2; ++e) sums[e] += in[i] / 2;\n"
                                   "  }\n"
                                   "  out[i] = sums[0] + sums[1];\n"));
}

TEST_F(Repairs, AStructureThatBeginsWithOne) {
  EXPECT_EQ("wrong_start 8", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  Sum sum = {1};\n"
                                   "  for (int k = 0; k < 2; ++k) sum.add(in[i]);\n"
                                   "  out[i] = sum.value;\n",
                                   "struct Sum {\n"
                                   "  float value;\n"
                                   "  __device__ void add(float x) { value += x; }\n"
                                   "};\n"));
}

TEST_F(Repairs, AnAccessThatIsSuperfluous) {
  EXPECT_EQ("missing_guard 3", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                     "  out[i] = 2 * in[i];\n"));
}

TEST_F(Repairs, RowAndColumnOfATile) {
  EXPECT_EQ("swapped_indices 7",
            named("  __shared__ float tile[16][17];\n"
                  "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  const int row = threadIdx.x / 16, column = threadIdx.x % 16;\n"
                  "  tile[row][column] = i < n ? in[i] : 0;\n"
                  "  __syncthreads();\n"
                  "  if (i < n) out[i] = 2 * tile[column][row];\n"));
}

TEST_F(Repairs, RowsWhoseLengthOnlyADivisionHas) {
  EXPECT_EQ("wrong_stride 10",
            named("  __shared__ float tile[16 * 17];\n"
                  "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  for (int p = threadIdx.x; p < 16 * 17; p += 256) {\n"
                  "    const int j = blockIdx.x * 256 + p / 17 * 16 + p % 17;\n"
                  "    tile[p] = p % 17 < 16 && j < n ? in[j] : 0;\n"
                  "  }\n"
                  "  __syncthreads();\n"
                  "  const int row = threadIdx.x / 16, column = threadIdx.x % 16;\n"
                  "  if (i < n) out[i] = 2 * tile[row * 16 + column];\n"));
}

// The first value is lost before it becomes the second one.
TEST_F(Repairs, StatementsInTheWrongOrder) {
  EXPECT_EQ("wrong_operation 5", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                       "  if (i >= n) return;\n"
                                       "  Two two = {in[i], 0};\n"
                                       "  two.step(0);\n"
                                       "  out[i] = 2 * two.second + two.first;\n",
                                       "struct Two {\n"
                                       "  float first, second;\n"
                                       "  __device__ void step(float x) {\n"
                                       "    first = x;\n"
                                       "    second = first;\n"
                                       "  }\n"
                                       "};\n"));
}

// 2^31 is negative as an int.
TEST_F(Repairs, AFunctionOfTheToolkitForSignedNumbers) {
  EXPECT_EQ("wrong_operation 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                       "  if (i >= n) return;\n"
                                       "  const int half = __mulhi(i, (int)0x80000000u);\n"
                                       "  out[2 * half + i % 2] = 2 * in[i];\n"));
}

TEST_F(Repairs, ALoopThatBeginsWithTwiceTheStep) {
  EXPECT_EQ("wrong_start 5", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  float sum = 0;\n"
                                   "  for (int d = blockDim.x / 64; d > 0; d /= 2) sum += in[i];\n"
                                   "  out[i] = sum;\n"));
}

TEST_F(Repairs, TheSameNumberInTwoLines) {
  EXPECT_EQ("wrong_index 4", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  out[i] = in[(i + 1) % n];\n"
                                   "  out[i] += in[(i + 1) % n];\n"));
}

TEST_F(Repairs, OneOfTwoAccessesOfALine) {
  EXPECT_EQ("swapped_indices 7",
            named("  __shared__ float a[16][17], b[16][17];\n"
                  "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  const int row = threadIdx.x / 16, column = threadIdx.x % 16;\n"
                  "  a[row][column] = b[row][column] = i < n ? in[i] : 0;\n"
                  "  __syncthreads();\n"
                  "  if (i < n) out[i] = a[row][column] + b[column][row];\n"));
}

TEST_F(Repairs, BitsInThePlaceOfBytes) {
  EXPECT_EQ("wrong_operation 6",
            named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  if (i >= n) return;\n"
                  "  const unsigned word = __float_as_uint(2 * in[i]);\n"
                  "  unsigned bits = 0;\n"
                  "  for (int b = 0; b < 4; ++b) bits |= (word >> b & 255) << (8 * b);\n"
                  "  out[i] = __uint_as_float(bits);\n"));
}

// Three of four groups are written.
TEST_F(Repairs, ALoopThatLeavesOutSharedMemory) {
  EXPECT_EQ("missing_edge 4",
            named("  __shared__ float tile[256];\n"
                  "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  for (int k = 0; k < 3; ++k) {\n"
                  "    const int t = 64 * k + threadIdx.x, j = blockIdx.x * 256 + t;\n"
                  "    if (threadIdx.x < 64) tile[t] = j < n ? in[j] : 0;\n"
                  "  }\n"
                  "  __syncthreads();\n"
                  "  if (i < n) out[i] = 2 * tile[threadIdx.x];\n"));
}

TEST_F(Repairs, AConditionThatLeavesOutSharedMemory) {
  EXPECT_EQ("wrong_guard 4",
            named("  __shared__ float tile[256];\n"
                  "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "  if (threadIdx.x < 128) tile[threadIdx.x] = i < n ? in[i] : 0;\n"
                  "  __syncthreads();\n"
                  "  if (i < n) out[i] = 2 * tile[threadIdx.x];\n"));
}

TEST_F(Repairs, AValueThatEachPassReplaces) {
  EXPECT_EQ("wrong_operation 5", named("  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                                       "  if (i >= n) return;\n"
                                       "  float sum = 0;\n"
                                       "  for (int k = 0; k < 2; ++k) sum = in[i];\n"
                                       "  out[i] = sum;\n"));
}

TEST_F(Repairs, ABlockThatLacksItsFactor) {
  EXPECT_EQ("wrong_index 2", named("  const int i = blockIdx.x + threadIdx.x;\n"
                                   "  if (i < n) out[i] = 2 * in[i] + blockIdx.x * 0.0f;\n"));
}

TEST_F(Repairs, ARightKernelHasNone) {
  EXPECT_EQ("none", named("  int i = blockIdx.x * 256 + threadIdx.x;\n"
                          "  for (; i < n; i += gridDim.x * 256) out[i] = in[i] + in[i];\n"));
}

}  // namespace warpgrade::grader::grade::repair_test
