// SPDX-License-Identifier: Apache-2.0
#include "grader/profile/prepared_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "grader/profile/profiling.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::profile::prepared_launches_test {

// Sequences for `warpgrade profile`: the contents of a file, and its mistakes.

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

// Names of parameters, found in the text of a source.

TEST(ParameterNames, AreThoseOfTheDefinition) {
  const auto* const source =
      "__global__ void copy(float*, const float*, int);  // declared: copy(a, b)\n"
      "__global__ void copies(int x) {}\n"
      "__global__ void copy(float* __restrict__ out, const float *in, /* rows, */ int width) {\n"
      "  copy(1);\n}\n";
  EXPECT_THAT(parameter_names(source, "copy"), ElementsAre("out", "in", "width"));
  EXPECT_THAT(parameter_names(source, "copies"), ElementsAre("x"));
}

TEST(ParameterNames, OfATemplateInANamespaceWithNestedTypes) {
  const auto* const source =
      "namespace n { template <int F> __global__ void\nreduce (pair<int, float> p, unsigned n = "
      "3,\n"
      "  int (&a)[4], float const unnamed_[]) \n{ } }";
  EXPECT_THAT(parameter_names(source, "n::reduce<4>"), testing::Contains("n"));
  EXPECT_EQ("p", parameter_names(source, "n::reduce<4>").front());
}

TEST(ParameterNames, AreNoneWhereNoDefinitionIsSeen) {
  EXPECT_THAT(parameter_names("KERNEL(copy) { }", "copy"), IsEmpty());
  EXPECT_THAT(parameter_names("void copy(int a", "copy"), IsEmpty());
  EXPECT_THAT(parameter_names("void f() {}", "f"), IsEmpty());
  EXPECT_THAT(parameter_names("", ""), IsEmpty());
  EXPECT_THAT(parameter_names("void f(int) {}", "f"), ElementsAre(""));
}

// Variables of a module that --symbol sets: names, sizes, and their buffers in a launch.

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

ptx::Module module() {
  return ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .const .align 4 .b8 weights[12] = {0, 0, 128, 63};\n"
      ".global .align 4 .u32 _ZN3own5totalE;\n"
      ".global .align 1 .b8 $str[3] = {97, 98, 0};\n"
      ".shared .align 4 .b8 tile[64];\n",
      "k.cu");
}

std::string error_of(const std::vector<std::string>& texts) {
  try {
    std::vector<SymbolSpec> specs;
    for (const auto& text : texts) specs.push_back(parse_symbol(text));
    symbol_buffers(module(), specs);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Symbols, ListHasGlobalAndConstantVariablesOfTheSource) {
  const auto all = symbols_of(module());
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ("weights", all[0].name);
  EXPECT_TRUE(all[0].is_constant);
  EXPECT_EQ(12U, all[0].bytes);
  EXPECT_EQ(std::byte{63}, all[0].initial.at(3));
  EXPECT_EQ("total", all[1].name);
  EXPECT_FALSE(all[1].is_constant);
}

TEST(Symbols, BuffersNameTheVariableAsPtxDoes) {
  const auto made = symbol_buffers(
      module(), {parse_symbol("total=inout:u32:1:iota"), parse_symbol("weights=in:f32:3:zeros")});
  ASSERT_THAT(made, SizeIs(2));
  EXPECT_EQ("_ZN3own5totalE", made[0].symbol);
  EXPECT_EQ("total", made[0].name);
  EXPECT_FALSE(made[0].read_only);
  EXPECT_EQ("weights", made[1].symbol);
  EXPECT_TRUE(made[1].read_only);
  EXPECT_EQ(12U, made[1].bytes.size());
}

TEST(Symbols, MistakesNameTheSymbol) {
  EXPECT_THAT(error_of({"weights"}), HasSubstr("must be NAME=SPEC"));
  EXPECT_THAT(error_of({"weight=in:f32:3:zeros"}), HasSubstr("it has weights, total"));
  EXPECT_THAT(error_of({"$str=in:u8:3:zeros"}),
              HasSubstr("no __constant__ or __device__ variable"));
  EXPECT_THAT(error_of({"weights=in:f32:2:zeros"}), HasSubstr("has 12 bytes, but"));
  EXPECT_THAT(error_of({"weights=f32:2"}), HasSubstr("is not a buffer"));
  EXPECT_THAT(error_of({"total=in:u32:1:zeros", "_ZN3own5totalE=in:u32:1:zeros"}),
              HasSubstr("is there twice"));
}

}  // namespace warpgrade::grader::profile::prepared_launches_test
