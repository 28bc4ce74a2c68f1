// SPDX-License-Identifier: Apache-2.0
// The table comes from CUDA 13.0's output for sm_90, reduced to one kernel. The expected lines come
// from nvdisasm -gp.
#include "common/timing/ptx_lines.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/timing/small_cubin.h"

namespace warpgrade::timing::ptx_lines_test {

// The head, after 4 bytes of length: version 2, 16 bytes of head, steps of 1, statements, lines
// from -5 in 14, operations from 10 on with their numbers of operands, no folders, no files.
const std::string kHead(
    "\x02\x00\x10\x00\x00\x00\x01\x01\xfb\x0e\x0a\x00\x01\x01\x01\x01\x00\x00\x00\x01\x00\x00", 22);
// Lines by address: 0x00: 903; 0x10: 916 (03 0d 02 10 01); 0x20: 919; 0x30: 909; 0x40: 911 (f1);
// 0x50 to the end: 914.
const std::string kRows(
    "\x00\x09\x02\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x03\x86\x07\x01\x03\x0d\x02\x10\x01\x03"
    "\x03\x02\x10\x01\x03\x76\x02\x10\x01\xf1\x03\x03\x02\x10\x01\x02\x20\x00\x01\x01",
    43);

std::vector<char> with_table(const std::string& table) {
  return small_cubin("k", MachineWords(8), table, 4 + kHead.size() + 3);
}

std::string whole(const std::string& rows) {
  const auto length = static_cast<std::uint32_t>(kHead.size() + rows.size());
  std::string out(4, '\0');
  std::memcpy(out.data(), &length, 4);
  return out + kHead + rows;
}

TEST(PtxLines, EachInstructionHasTheLineOfTheRowBefore) {
  const auto file = with_table(whole(kRows));
  EXPECT_EQ((std::vector<std::uint32_t>{903, 916, 919, 909, 911, 914, 914, 914}),
            ptx_lines(Elf(file), "k", 8));
}

TEST(PtxLines, WithoutATableOfTheKernelThereAreNone) {
  const auto file = with_table(whole(kRows));
  EXPECT_TRUE(ptx_lines(Elf(file), "other", 8).empty());
  EXPECT_TRUE(ptx_lines(Elf(small_cubin("k", MachineWords(8))), "k", 8).empty());
  EXPECT_TRUE(ptx_lines(Elf(std::span<const char>()), "k", 8).empty());
}

// A table that is cut off anywhere, or has any byte changed, is read within its bounds.
TEST(PtxLines, ABrokenTableDoesNoHarm) {
  const std::string table = whole(kRows);
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_GE(8U, ptx_lines(Elf(with_table(table.substr(0, i))), "k", 8).size());
    for (const char byte : {'\x00', '\x7f', '\xff'}) {
      std::string changed = table;
      changed[i] = byte;
      EXPECT_GE(8U, ptx_lines(Elf(with_table(changed)), "k", 8).size());
    }
  }
}

}  // namespace warpgrade::timing::ptx_lines_test
