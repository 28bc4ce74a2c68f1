// SPDX-License-Identifier: Apache-2.0
// Sequences for `warpgrade profile`: the contents of a file, and its mistakes.
#include "grader/profile/sequence_file.h"

#include <gmock/gmock.h>

#include <cstring>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/device/profile.h"
#include "grader/profile/profiling.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::profile::sequence_file_test {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kSteps = R"(variables = { n = 64 }

[[buffer]]
name = "field"
spec = "inout:f32:64:iota"

[[buffer]]
name = "next"
spec = "out:f32:64"

[[value]]
name = "more"
type = "f32"
value = "step + 1"

[[launch]]
kernel = "add<2>"
grid = [2]
block = ["n / 2"]
arguments = ["next", "field", "more"]
times = 3
swap = ["field", "next"]

[[launch]]
kernel = "square"
grid = [1]
block = [64]
arguments = ["field"]
)";

constexpr const char* kKernels = R"(
template <int Times> __global__ void add(float* to, const float* from, float more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + Times * more;
}
__global__ void square(float* field) { field[threadIdx.x] *= field[threadIdx.x]; }
)";

class SequenceFileTest : public testing::Test {
 protected:
  SequenceFile read(const std::string& text) {
    return read_sequence_file(folder_.write("steps.toml", text));
  }
  std::string message_with(const std::string& from, const std::string& to) {
    std::string text = kSteps;
    text.replace(text.find(from), from.size(), to);
    try {
      read(text);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "accepted";
  }
  report::ProfileReport profile_of(const std::string& kernels) {
    ProfiledLaunch asked;
    asked.file = folder_.write("kernels.cu", kernels);
    asked.sequence = read(kSteps);
    return profile(asked, *measure::sim_bench(device::find("h200")), buffers_);
  }
  float field(std::size_t element) const {
    float out = 0;
    std::memcpy(&out, buffers_.at(0).bytes.data() + 4 * element, sizeof out);
    return out;
  }

  compile::TemporaryFolder folder_;
  std::vector<run::Buffer> buffers_;
};

TEST_F(SequenceFileTest, AllLaunchesAreRunAndReported) {
  const auto report = profile_of(kKernels);
  ASSERT_THAT(report.diagnostics, IsEmpty());
  EXPECT_EQ(22 * 22, field(10));  // 10 + 2 * (1 + 2 + 3), squared
  EXPECT_EQ("field", buffers_[0].name);
  EXPECT_EQ("add<2>, square (4 launches)", report.kernel);
  ASSERT_THAT(report.launches, SizeIs(2));
  EXPECT_EQ(3U, report.launches[0].times);
  EXPECT_EQ((base::Dim3{32, 1, 1}), report.launches[0].block);
  EXPECT_EQ(1U, report.launches[1].times);
  EXPECT_DOUBLE_EQ(report.measurement.seconds,
                   report.launches[0].seconds + report.launches[1].seconds);
  // Four launches over 64 floats, 8 sectors each.
  EXPECT_EQ(32, report.measurement.metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
}

TEST_F(SequenceFileTest, AFindingNamesItsLaunch) {
  std::string kernels = kKernels;
  const std::string right = "*= field[threadIdx.x]";
  kernels.replace(kernels.find(right), right.size(), "*= field[threadIdx.x + 1]");
  const auto report = profile_of(kernels);
  ASSERT_THAT(report.diagnostics, testing::Not(IsEmpty()));
  EXPECT_THAT(base::text(report.diagnostics[0]), HasSubstr("(in launch 4 of 4, square)"));
}

TEST_F(SequenceFileTest, ArgumentsThatDoNotFitAreUsage) {
  try {
    profile_of(
        "template <int T> __global__ void add(float*, const float*) {}\n"
        "__global__ void square(float*) {}\n");
    FAIL() << "must throw";
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--sequence: launch 1 of 4, add<2>: the kernel takes 2 "
                                        "arguments, but 3 are given"));
  }
}

// The structure is 24 bytes: an address, a byte, a gap, a number, an address.
constexpr const char* kWithStruct = R"(
[[buffer]]
name = "from"
spec = "inout:f32:32:iota"

[[buffer]]
name = "to"
spec = "out:f32:32"

[[struct]]
name = "task"

[[struct.field]]
name = "to"
buffer = "to"

[[struct.field]]
name = "negative"
type = "bool"
value = "step == 1"

[[struct.field]]
name = "more"
type = "i32"
value = "step + 10"

[[struct.field]]
name = "from"
buffer = "from"

[[launch]]
kernel = "add"
grid = [1]
block = [32]
arguments = ["task"]
times = 2
swap = ["from", "to"]
)";

TEST_F(SequenceFileTest, AStructureHoldsNumbersAndAddresses) {
  ProfiledLaunch asked;
  asked.file = folder_.write("kernels.cu",
                             "struct Task { float* to; bool negative; int more; float* from; };\n"
                             "__global__ void add(Task task) {\n"
                             "  const float sum = task.from[threadIdx.x] + task.more;\n"
                             "  task.to[threadIdx.x] = task.negative ? -sum : sum;\n"
                             "}\n");
  asked.sequence = read(kWithStruct);
  const auto report = profile(asked, *measure::sim_bench(device::find("h200")), buffers_);
  ASSERT_THAT(report.diagnostics, IsEmpty());
  EXPECT_EQ(-(7 + 10 + 11), field(7));
}

TEST_F(SequenceFileTest, MistakesInAStructureNameTheirPlace) {
  const auto message = [&](const std::string& from, const std::string& to) -> std::string {
    std::string text = kWithStruct;
    text.replace(text.find(from), from.size(), to);
    try {
      read(text);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("buffer = \"to\"", "buffer = \"too\""),
              testing::AllOf(HasSubstr("steps.toml:15:"), HasSubstr("did you mean `to`")));
  EXPECT_THAT(message("value = \"step == 1\"", "value = 2"),
              HasSubstr("not fit type bool: 0 or 1"));
  EXPECT_THAT(message("name = \"more\"", "name = \"to\""), HasSubstr("`to` is there twice"));
  EXPECT_THAT(message("buffer = \"from\"", "bufer = \"from\""),
              HasSubstr("is neither a number (`type`, `value`) nor an address"));
}

TEST_F(SequenceFileTest, MistakesNameTheirPlace) {
  EXPECT_EQ("accepted", message_with("n = 64", "n = 64"));
  EXPECT_THAT(message_with("inout:f32:64:iota", "inout:f32:64"), HasSubstr("steps.toml:5:"));
  EXPECT_THAT(message_with("inout:f32:64:iota", "f32:1"), HasSubstr("numbers are [[value]]"));
  EXPECT_THAT(message_with("\"next\"\nspec", "\"field\"\nspec"),
              HasSubstr("`field` is there twice"));
  EXPECT_THAT(message_with("[\"field\"]", "[\"feld\"]"), HasSubstr("unknown parameter `feld`"));
  EXPECT_THAT(message_with("step + 1", "stepp"), HasSubstr("unknown variable `stepp`"));
  EXPECT_THAT(message_with("add<2>", "add<{m}>"), HasSubstr("{m} is not a variable"));
  EXPECT_THAT(message_with("n = 64", "step = 64"), HasSubstr("`step` counts launches"));
  EXPECT_THAT(message_with("\"f32\"\nvalue", "\"f31\"\nvalue"), HasSubstr("must be one of"));
}

TEST_F(SequenceFileTest, AFileThatIsNotThereIsUsage) {
  EXPECT_THROW(read_sequence_file("/no/such/file.toml"), base::UsageError);
}

}  // namespace warpgrade::grader::profile::sequence_file_test
