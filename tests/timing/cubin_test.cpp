// SPDX-License-Identifier: Apache-2.0
#include "common/timing/cubin.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace warpgrade::timing::cubin_test {

// A cubin with one kernel, assembled from its machine words: an ELF header, the kernel's section,
// optionally a line table with its one relocation to the kernel, and the names of all sections.

using MachineWords = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class SmallElf {
 public:
  void add(const std::string& name, const std::string& bytes) {
    names_.push_back(name);
    contents_.push_back(bytes);
  }

  std::vector<char> file() const {
    constexpr std::size_t kHeader = 64;
    std::string names(1, '\0');
    std::string body(kHeader, '\0');
    std::string headers(kHeader, '\0');
    const auto add = [&](const std::string& name, const std::string& bytes) {
      std::string header(kHeader, '\0');
      put(header, 0, names.size(), 4);
      put(header, 0x18, body.size(), 8);
      names += name + '\0';
      put(header, 0x20, (name.empty() ? names : bytes).size(), 8);
      body += name.empty() ? names : bytes;
      headers += header;
    };
    for (std::size_t i = 0; i < names_.size(); ++i) add(names_[i], contents_[i]);
    add("", "");
    put(body, 0x28, body.size(), 8);
    put(body, 0x3c, names_.size() + 2, 2);
    put(body, 0x3e, names_.size() + 1, 2);  // the last section has their names
    std::memcpy(body.data(),
                "\x7f"
                "ELF\x02",
                5);
    const std::string all = body + headers;
    return {all.begin(), all.end()};
  }

  static void put(std::string& to, std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(to.data() + at, &value, bytes);
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::string> contents_;
};

/// The kernel's address is at byte `place` of the table. Its relocation has an addend, as since
/// Hopper, or none.
std::vector<char> small_cubin(const std::string& kernel, const MachineWords& words,
                              const std::string& table = "", std::uint64_t place = 0,
                              bool has_addend = true) {
  SmallElf elf;
  std::string text(words.size() * 16, '\0');
  for (std::size_t i = 0; i < words.size(); ++i) {
    SmallElf::put(text, 16 * i, words[i].first, 8);
    SmallElf::put(text, 16 * i + 8, words[i].second, 8);
  }
  elf.add(".text." + kernel, text);
  if (table.empty()) return elf.file();
  std::string relocation(has_addend ? 24 : 16, '\0');
  SmallElf::put(relocation, 0, place, 8);
  SmallElf::put(relocation, 12, 1, 4);  // symbol 1
  std::string symbols(48, '\0');
  SmallElf::put(symbols, 24, 1, 4);
  elf.add(".nv_debug_line_sass", table);
  elf.add(has_addend ? ".rela.nv_debug_line_sass" : ".rel.nv_debug_line_sass", relocation);
  elf.add(".symtab", symbols);
  elf.add(".strtab", std::string(1, '\0') + kernel + '\0');
  return elf.file();
}

TEST(Elf, SectionsAreFoundByName) {
  const auto file = small_cubin("k", {{1, 2}, {3, 4}});
  EXPECT_EQ(32U, Elf(file).section(".text.k").size());
  EXPECT_TRUE(Elf(file).section(".text").empty());
  EXPECT_TRUE(Elf(file).section(".text.k2").empty());
}

TEST(Elf, RelocationsSayWhereASymbolsAddressStands) {
  const auto file = small_cubin("k", {{1, 2}}, "table", 3);
  const Elf elf(file);
  EXPECT_EQ(std::vector<std::uint64_t>{3}, elf.places_of("k", ".nv_debug_line_sass"));
  EXPECT_TRUE(elf.places_of("k2", ".nv_debug_line_sass").empty());
  EXPECT_TRUE(elf.places_of("k", ".debug_line").empty());
}

// CUDA 13.0 writes relocations without addends for sm_75 to sm_89.
TEST(Elf, RelocationsBeforeHopperHaveNoAddend) {
  const auto file = small_cubin("k", {{1, 2}}, "table", 3, /*has_addend=*/false);
  const Elf elf(file);
  EXPECT_EQ(std::vector<std::uint64_t>{3}, elf.places_of("k", ".nv_debug_line_sass"));
  EXPECT_TRUE(elf.places_of("k2", ".nv_debug_line_sass").empty());
}

TEST(Elf, WhatIsNoElfFileHasNoSections) {
  auto file = small_cubin("k", {{1, 2}}, "table", 3);
  file[1] = 'F';
  EXPECT_TRUE(Elf(file).section(".text.k").empty());
  EXPECT_TRUE(Elf(file).places_of("k", ".nv_debug_line_sass").empty());
}

// The table comes from CUDA 13.0's output for sm_90, reduced to one kernel. The expected lines come
// from nvdisasm -gp.

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

// Reads machine words of CUDA 13.0's code for sm_90. Their expected meaning comes from nvdisasm.

using Kind = MachineInstruction::Kind;

MachineInstruction only(std::uint64_t low, std::uint64_t high) {
  const auto code = machine_instructions(small_cubin("k", {{low, high}}), "k", 9);
  return code.size() == 1 ? code[0] : MachineInstruction{};
}

TEST(Cubin, AccessesHaveTheirBytes) {
  const auto expect = [](Kind kind, unsigned bytes, std::uint64_t low, std::uint64_t high) {
    const auto found = only(low, high);
    EXPECT_EQ(kind, found.kind);
    EXPECT_EQ(bytes, found.bytes);
  };
  expect(Kind::kGlobalLoad, 4, 0x00000006081d7981, 0x000eaa000c1e1900);   // LDG.E R29, [R8.64]
  expect(Kind::kGlobalLoad, 8, 0x0000000604047981, 0x000ea8000c1e1b00);   // LDG.E.64
  expect(Kind::kGlobalStore, 4, 0x0000000b14007986, 0x000fe2000c101906);  // STG.E
  expect(Kind::kSharedLoad, 16, 0x00000000070c7984, 0x000e280000000c00);  // LDS.128
  expect(Kind::kSharedStore, 4, 0x0000001d06007388, 0x004fe80000000800);  // STS
  expect(Kind::kSharedStore, 8, 0x000000040d007388, 0x004fe80000000a00);  // STS.64
  expect(Kind::kLocalStore, 4, 0x0002400401007387, 0x0005e60000100800);   // STL
  expect(Kind::kLocalLoad, 4, 0x0000300001007983, 0x001ea80000100800);    // LDL
}

TEST(Cubin, LocalAccessesHaveTheirOffset) {
  EXPECT_EQ(0x240, only(0x0002400401007387, 0x0005e60000100800).offset);  // STL [R1+0x240], R4
  EXPECT_EQ(0x30, only(0x0000300001007983, 0x001ea80000100800).offset);   // LDL R0, [R1+0x30]
  EXPECT_EQ(0, only(0x0000001d06007388, 0x004fe80000000800).offset);      // STS
}

TEST(Cubin, ArithmeticOfFloatsIsKnown) {
  EXPECT_EQ(Kind::kFloat, only(0x0000000c0a0c7223, 0x001fc6000000000b).kind);  // FFMA
  EXPECT_EQ(Kind::kFloat, only(0x00000000100e7229, 0x004fe2000000000e).kind);  // DADD
  EXPECT_EQ(Kind::kOther, only(0x0000000403147825, 0x008fe200078e0214).kind);  // IMAD.WIDE
}

TEST(Cubin, UnitsAndWhatLeadsAwayAreKnown) {
  using Unit = MachineInstruction::Unit;
  EXPECT_EQ(Unit::kFp64, only(0x00000000100e7229, 0x004fe2000000000e).unit);   // DADD
  EXPECT_EQ(Unit::kWideProduct, only(0x0000000403147825, 0).unit);             // IMAD.WIDE
  EXPECT_EQ(Unit::kFmaHeavy, only(0x0000000400007c24, 0).unit);                // IMAD
  EXPECT_EQ(Unit::kXu, only(0x0000000906007302, 0).unit);                      // FCHK
  EXPECT_EQ(Unit::kXu, only(0x0000000600087d06, 0).unit);                      // I2F.U32.RP
  EXPECT_EQ(Unit::kXu, only(0x0000000800087308, 0).unit);                      // MUFU.RCP
  EXPECT_EQ(Unit::kAlu, only(0x000000010900780c, 0).unit);                     // ISETP
  EXPECT_EQ(Unit::kFloat, only(0x0000000c0a0c7223, 0x001fc6000000000b).unit);  // FFMA
  EXPECT_EQ(Kind::kExit, only(0x000000000000794d, 0x000fea0003800000).kind);
  EXPECT_EQ(Kind::kReturn, only(0xfffffff00cbc7950, 0).kind);
  EXPECT_EQ(Kind::kCall, only(0x0000000400607944, 0).kind);
  EXPECT_EQ((0x800 - 0x270) / 16, only(0x0000000400607944, 0).target);
}

// The 21 control bits before FADD R7, R3, R6: a stall of 2 clocks, barrier 3 to set, and the mask
// 0b100001 of barriers to wait for.
TEST(Cubin, TheSchedulesFieldsAreRead) {
  const std::uint64_t control = std::uint64_t{0x21} << 11 | std::uint64_t{7} << 8 | 3U << 5 | 2U;
  const auto found = only(0x0000000603077221, control << 41);
  EXPECT_EQ(2, found.stall);
  EXPECT_EQ(3, found.sets);
  EXPECT_EQ(0x21, found.waits);
  EXPECT_EQ(0U, found.line);
}

TEST(Cubin, CountersHaveTheirStep) {
  EXPECT_EQ(-16, only(0xfffffff004047810, 0x000fe20007ffe0ff).step);  // IADD3 R4, R4, -0x10, RZ
  EXPECT_EQ(0, only(0xfffffff005047810, 0x000fe20007ffe0ff).step);    // IADD3 R5, R4, ...
}

TEST(Cubin, BranchesGoToAnInstruction) {
  // @P1 BRA from 0x510 to 0x1e0; @!P0 BRA from 0xc0 to 0x8c0.
  MachineWords words(0x510 / 16, {0x000000000000794d, 0x000fea0003800000});
  words.at(0xc0 / 16) = {0x0000000400fc8947, 0x000fea0003800000};
  words.push_back({0xfffffffc00301947, 0x000fec000383ffff});
  const auto code = machine_instructions(small_cubin("k", words), "k", 9);
  ASSERT_EQ(0x520U / 16, code.size());
  EXPECT_EQ(Kind::kBranch, code[0x510 / 16].kind);
  EXPECT_EQ(0x1e0 / 16, code[0x510 / 16].target);
  EXPECT_EQ(0x8c0 / 16, code[0xc0 / 16].target);
}

TEST(Cubin, WhatIsNoCodeOfTheKernelIsNone) {
  const auto cubin = small_cubin("k", {{0x000000000000794d, 0x000fea0003800000}});
  EXPECT_EQ(1U, machine_instructions(cubin, "k", 9).size());
  EXPECT_TRUE(machine_instructions(cubin, "k2", 9).empty());
  EXPECT_TRUE(machine_instructions(cubin, "k", 3).empty());
  EXPECT_TRUE(machine_instructions({}, "k", 9).empty());
}

// A file that is cut off anywhere, or has any byte changed, is read within its bounds.
TEST(Cubin, ABrokenFileDoesNoHarm) {
  const auto cubin = small_cubin("k", {{0x000000000000794d, 0x000fea0003800000}});
  for (std::size_t length = 0; length < cubin.size(); ++length) {
    const std::vector<char> part(cubin.begin(),
                                 cubin.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_LE(machine_instructions(part, "k", 9).size(), 1U);
    auto changed = cubin;
    changed[length] = static_cast<char>(0xff);
    EXPECT_LE(machine_instructions(changed, "k", 9).size(), cubin.size() / 16);
  }
}

}  // namespace warpgrade::timing::cubin_test
