// SPDX-License-Identifier: Apache-2.0
// The launch that --arg describes: arguments, buffers, and the buffers that --dump selects.
#include "grader/profile/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "common/base/error.h"

namespace warpgrade::grader::profile::arguments_test {

using testing::HasSubstr;

std::vector<ArgumentSpec> specs_of(const std::vector<std::string>& texts) {
  std::vector<ArgumentSpec> out;
  for (const auto& text : texts) out.push_back(parse_argument(text));
  return out;
}

std::string arguments_error(const std::vector<std::string>& texts) {
  try {
    make_arguments(specs_of(texts));
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Arguments, ArgumentsAndBuffersKeepTheirOrder) {
  const auto made = make_arguments(
      {parse_argument("out:i32:2"), parse_argument("i32:9"), parse_argument("in:i32:3:iota")});
  ASSERT_EQ(3u, made.arguments.size());
  ASSERT_EQ(2u, made.buffers.size());
  EXPECT_EQ(0u, std::get<run::BufferArgument>(made.arguments[0]).index);
  EXPECT_EQ(1u, std::get<run::BufferArgument>(made.arguments[2]).index);
  EXPECT_EQ(std::vector<std::byte>(8), made.buffers[0].bytes);
  EXPECT_FALSE(made.buffers[0].read_only);
  EXPECT_FALSE(made.buffers[0].defined);
  EXPECT_TRUE(made.buffers[1].read_only);
  std::vector<std::int32_t> values(3);
  std::memcpy(values.data(), made.buffers[1].bytes.data(), 12);
  EXPECT_THAT(values, testing::ElementsAre(0, 1, 2));
}

TEST(Arguments, FilesMustHoldExactlyTheElements) {
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

TEST(Arguments, AllBuffersTogetherHaveALimit) {
  EXPECT_THAT(arguments_error(std::vector<std::string>(3, "out:f64:500000000")),
              HasSubstr("more than 8 GiB"));
}

TEST(Arguments, ABufferInPlaceIsNoInputAndDefined) {
  const auto made = make_arguments(specs_of({"inout:u8:3:iota"}));
  EXPECT_FALSE(made.buffers[0].read_only);
  EXPECT_TRUE(made.buffers[0].defined);
  EXPECT_EQ((std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{2}}),
            made.buffers[0].bytes);
}

TEST(Arguments, AnAliasIsTheBufferOfAnotherParameter) {
  const auto made = make_arguments(specs_of({"same:2", "in:u8:3:iota", "out:u8:3"}));
  ASSERT_EQ(2U, made.buffers.size());
  EXPECT_EQ(1U, std::get<run::BufferArgument>(made.arguments[0]).index);
  EXPECT_EQ("--arg same:3: parameter 3 is not a buffer; name one that is in, inout or out",
            arguments_error({"same:3", "in:u8:3:iota", "i32:5"}));
  EXPECT_NE("accepted", arguments_error({"i32:5", "same:0"}));
  EXPECT_NE("accepted", arguments_error({"same:0"}));
  EXPECT_NE("accepted", arguments_error({"struct:&1", "struct:00"}));
}

TEST(Arguments, AStructPointsToParametersAndToBuffersOfItsOwn) {
  const auto specs = specs_of({"out:u8:3", "struct:&in:u8:2:iota,&0,&out:u16:4,07", "u8:1"});
  const auto made = make_arguments(specs);
  ASSERT_EQ(3U, made.buffers.size());
  EXPECT_EQ("argument 1, address 0", made.buffers[1].name);
  EXPECT_TRUE(made.buffers[1].read_only);
  EXPECT_EQ(8U, made.buffers[2].bytes.size());
  const auto& argument = std::get<run::StructArgument>(made.arguments[1]);
  EXPECT_EQ(25U, argument.bytes.size());
  ASSERT_EQ(3U, argument.pointers.size());
  EXPECT_EQ(1U, argument.pointers[0].buffer);
  EXPECT_EQ(0U, argument.pointers[1].buffer);
  EXPECT_EQ(8U, argument.pointers[1].offset);
  EXPECT_EQ(2U, argument.pointers[2].buffer);
  EXPECT_EQ(0U, buffer_to_dump("0", specs));
  EXPECT_EQ(1U, buffer_to_dump("1.0", specs));
  EXPECT_EQ(0U, buffer_to_dump("1.1", specs));
  EXPECT_EQ(2U, buffer_to_dump("1.2", specs));
  for (const auto* wrong : {"1", "1.3", "1.", "2", "3", "0.0", "", "x"}) {
    EXPECT_THROW(buffer_to_dump(wrong, specs), base::UsageError) << wrong;
  }
}

}  // namespace warpgrade::grader::profile::arguments_test
