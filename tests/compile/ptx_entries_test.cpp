// SPDX-License-Identifier: Apache-2.0
#include "common/compile/ptx_entries.h"

#include <gtest/gtest.h>

#include "common/compile/wire.h"

namespace warpgrade::compile {
namespace {

TEST(PtxEntries, ListKernelsInOrderWithTheirParameters) {
  const auto entries = parse_ptx_entries(
      ".visible .entry copy(\n"
      "\t.param .u64 .ptr .global .align 4 copy_param_0,\n"
      "\t.param .f64 copy_param_1,\n"
      "\t.param .align 16 .b8 copy_param_2[32]\n)\n{\n\tret;\n}\n"
      ".entry nothing()\n{\n}\n");
  ASSERT_EQ(2u, entries.size());
  EXPECT_EQ("copy", entries[0].name);
  EXPECT_EQ((std::vector<PtxParameter>{{8, false}, {8, true}, {32, false}}), entries[0].parameters);
  EXPECT_EQ("nothing", entries[1].name);
  EXPECT_TRUE(entries[1].parameters.empty());
}

TEST(Wire, CarriesBinaryTextBothWays) {
  Answer answer;
  answer.outcome = CompileStatus::kCompiled;
  answer.machine_code = std::string("\0\xff\n", 3);
  answer.lowered = {"a", ""};
  const auto read = decode_answer(encode(answer));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(answer.machine_code, read->machine_code);
  EXPECT_EQ(answer.lowered, read->lowered);
}

TEST(Wire, RefusesAnAnswerThatWasCutOff) {
  const auto bytes = encode(Answer{});
  EXPECT_TRUE(decode_answer(bytes).has_value());
  EXPECT_FALSE(decode_answer(bytes.substr(0, bytes.size() - 1)).has_value());
  EXPECT_FALSE(decode_answer("").has_value());
  EXPECT_FALSE(decode_answer(bytes + "x").has_value());
}

}  // namespace
}  // namespace warpgrade::compile
