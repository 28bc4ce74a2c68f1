// SPDX-License-Identifier: Apache-2.0
#include "common/compile/ptx_entries.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::ptx_entries_test {

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

}  // namespace warpgrade::compile::ptx_entries_test
