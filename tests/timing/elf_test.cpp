// SPDX-License-Identifier: Apache-2.0
#include "common/timing/elf.h"

#include <gtest/gtest.h>

#include "tests/timing/small_cubin.h"

namespace warpgrade::timing::elf_test {

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

TEST(Elf, WhatIsNoElfFileHasNoSections) {
  auto file = small_cubin("k", {{1, 2}}, "table", 3);
  file[1] = 'F';
  EXPECT_TRUE(Elf(file).section(".text.k").empty());
  EXPECT_TRUE(Elf(file).places_of("k", ".nv_debug_line_sass").empty());
}

}  // namespace warpgrade::timing::elf_test
