// SPDX-License-Identifier: Apache-2.0
// Kernel arguments as written on the command line.
#include "grader/profile/argument_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "common/base/error.h"

namespace warpgrade::grader {
namespace argument_spec_test {

using testing::HasSubstr;

template <typename T>
T scalar(const std::string& spec) {
  const auto parsed = parse_argument(spec);
  const auto& bytes = std::get<std::vector<std::byte>>(parsed.value);
  T out{};
  EXPECT_EQ(sizeof(T), bytes.size()) << spec;
  std::memcpy(&out, bytes.data(), std::min(sizeof(T), bytes.size()));
  return out;
}

BufferSpec buffer(const std::string& spec) {
  return std::get<BufferSpec>(parse_argument(spec).value);
}

std::string spec_error(const std::string& spec) {
  try {
    parse_argument(spec);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ArgumentSpec, NumbersHaveTheBytesOfTheirType) {
  EXPECT_EQ(5, scalar<std::int32_t>("i32:5"));
  EXPECT_EQ(-5, scalar<std::int32_t>("i32:-5"));
  EXPECT_EQ(4294967295u, scalar<std::uint32_t>("u32:4294967295"));
  EXPECT_EQ(INT64_MIN, scalar<std::int64_t>("i64:-9223372036854775808"));
  EXPECT_EQ(UINT64_MAX, scalar<std::uint64_t>("u64:0xffffffffffffffff"));
  EXPECT_EQ(1.5f, scalar<float>("f32:1.5"));
  EXPECT_EQ(-1.5e-300, scalar<double>("f64:-1.5e-300"));
}

TEST(ArgumentSpec, NumbersThatDoNotFitAreRefused) {
  EXPECT_EQ("--arg i32:2147483648: `2147483648` is no number of type i32",
            spec_error("i32:2147483648"));
  for (const auto* spec : {"i32:", "i32", "i32:5x", "i32:1.5", "u32:-1", "u64:18446744073709551616",
                           "f32:", "f32:one", "f32:1,5", "i32:5:6"}) {
    EXPECT_THAT(spec_error(spec), HasSubstr("is no number of type")) << spec;
  }
  EXPECT_THAT(spec_error("f16:1"), HasSubstr("neither in, out, inout nor a type of numbers"));
  EXPECT_THAT(spec_error(""), HasSubstr("neither in, out, inout nor a type of numbers"));
}

TEST(ArgumentSpec, BuffersHaveTypeCountAndContent) {
  const auto in = buffer("in:f16:10:random:7");
  EXPECT_TRUE(in.is_input);
  EXPECT_EQ(verify::ElementType::kF16, in.type);
  EXPECT_EQ(10u, in.count);
  EXPECT_EQ(20u, in.bytes());
  EXPECT_EQ(verify::Fill::kRandom, in.fill);
  EXPECT_EQ(7u, in.seed);
  const auto out = buffer("out:u64:3");
  EXPECT_FALSE(out.is_input);
  EXPECT_EQ(24u, out.bytes());
  EXPECT_EQ(verify::Fill::kZeros, out.fill);
  EXPECT_EQ(verify::Fill::kIota, buffer("in:i32:3:iota").fill);
  EXPECT_EQ("a:b.bin", buffer("in:i32:3:file:a:b.bin").file);
}

TEST(ArgumentSpec, BadBuffersAreRefusedWithTheForm) {
  EXPECT_THAT(spec_error("in:f33:10:zeros"), HasSubstr("there is no type `f33`"));
  EXPECT_THAT(spec_error("in:f33:10:zeros"), HasSubstr("in:TYPE:COUNT:INIT"));
  for (const auto* spec :
       {"in:f32:0:zeros", "in:f32:-1:zeros", "in:f32:x:zeros", "out:f32", "out"}) {
    EXPECT_NE("accepted", spec_error(spec)) << spec;
  }
  for (const auto* spec : {"in:f32:4", "in:f32:4:", "in:f32:4:zeros:1", "in:f32:4:random",
                           "in:f32:4:random:x", "in:f32:4:file:", "in:f32:4:ones"}) {
    EXPECT_NE("accepted", spec_error(spec)) << spec;
  }
  EXPECT_THAT(spec_error("out:f32:4:zeros"), HasSubstr("out:TYPE:COUNT and starts as zeros"));
}

TEST(ArgumentSpec, HugeBuffersAreRefusedBeforeTheyAreMade) {
  EXPECT_THAT(spec_error("out:f64:1073741825"), HasSubstr("more than 8 GiB"));
  EXPECT_THAT(spec_error("out:f64:18446744073709551615"), HasSubstr("more than 8 GiB"));
  const std::vector<ArgumentSpec> specs(3, parse_argument("out:f64:500000000"));
  EXPECT_THROW(make_arguments(specs), base::UsageError);
}

TEST(ArgumentSpec, ArgumentsAndBuffersKeepTheirOrder) {
  const auto made = make_arguments(
      {parse_argument("out:i32:2"), parse_argument("i32:9"), parse_argument("in:i32:3:iota")});
  ASSERT_EQ(3u, made.arguments.size());
  ASSERT_EQ(2u, made.buffers.size());
  EXPECT_EQ(0u, std::get<run::BufferArgument>(made.arguments[0]).index);
  EXPECT_EQ(1u, std::get<run::BufferArgument>(made.arguments[2]).index);
  EXPECT_EQ(std::vector<std::byte>(8), made.buffers[0].bytes);
  EXPECT_FALSE(made.buffers[0].read_only);
  EXPECT_TRUE(made.buffers[0].defined);
  EXPECT_TRUE(made.buffers[1].read_only);
  std::vector<std::int32_t> values(3);
  std::memcpy(values.data(), made.buffers[1].bytes.data(), 12);
  EXPECT_THAT(values, testing::ElementsAre(0, 1, 2));
}

TEST(ArgumentSpec, FilesMustHoldExactlyTheElements) {
  const auto path = std::filesystem::path(testing::TempDir()) / "argument_spec.bin";
  std::ofstream(path, std::ios::binary) << "abcdefgh";
  const auto made = make_arguments({parse_argument("in:i32:2:file:" + path.string())});
  EXPECT_EQ(std::byte{'h'}, made.buffers[0].bytes.back());
  for (const auto& spec : {"in:i32:1:file:" + path.string(), "in:i32:3:file:" + path.string(),
                           "in:i32:2:file:" + path.string() + ".not_there"}) {
    EXPECT_THROW(make_arguments({parse_argument(spec)}), base::UsageError) << spec;
  }
  std::filesystem::remove(path);
}

}  // namespace argument_spec_test
}  // namespace warpgrade::grader
