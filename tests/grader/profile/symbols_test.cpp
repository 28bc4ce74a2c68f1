// SPDX-License-Identifier: Apache-2.0
// Variables of a module that --symbol sets: names, sizes, and their buffers in a launch.
#include "grader/profile/symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/ptx/parser.h"

namespace warpgrade::grader::profile::symbols_test {

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

}  // namespace warpgrade::grader::profile::symbols_test
