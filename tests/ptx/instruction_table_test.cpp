// SPDX-License-Identifier: Apache-2.0
// The table of instructions audits itself: each mnemonic has one complete row.
#include "common/ptx/instruction_table.h"

#include <gtest/gtest.h>

namespace warpgrade::ptx::instruction_table_test {

TEST(InstructionTable, HasOneRowAMnemonic) {
  for (const auto& row : instruction_table()) {
    EXPECT_EQ(row.opcode, find_row(row.mnemonic).opcode) << row.mnemonic;
    EXPECT_EQ(&row, &row_of(row.opcode)) << row.mnemonic;
    EXPECT_NE(row.types == 0, row.unsupported.empty()) << row.mnemonic;
    EXPECT_LE(row.fewest_operands, row.most_operands) << row.mnemonic;
  }
}

TEST(InstructionTable, AMnemonicThatIsNotThereIsOther) {
  EXPECT_EQ(Opcode::other, find_row("frobnicate").opcode);
  EXPECT_EQ(Opcode::other, find_row("").opcode);
  EXPECT_EQ(Opcode::add, find_row("add").opcode);
  EXPECT_FALSE(find_row("frobnicate").unsupported.empty());
}

TEST(InstructionTable, TypesAreBitsOfASet) {
  EXPECT_NE(0U, find_row("add").types & bit_of(Type::kF64));
  EXPECT_NE(0U, find_row("add").types & bit_of(Type::kS16));
  EXPECT_EQ(0U, find_row("popc").types & bit_of(Type::kF32));
}

}  // namespace warpgrade::ptx::instruction_table_test
