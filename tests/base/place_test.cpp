// SPDX-License-Identifier: Apache-2.0
// Places in memory, and accesses outside their arrays, as text.
#include "common/base/place.h"

#include <gtest/gtest.h>

namespace warpgrade::base::place_test {

using Memory = Place::Memory;

OutsideAccess of_buffer(std::int64_t offset, std::uint32_t bytes, std::uint64_t size) {
  return {{Memory::kBuffer, "a", offset, bytes, size, 4}, Does::kRead};
}

OutsideAccess of_tile(Memory memory, Does does, std::int64_t offset) {
  return {{memory, "tile", offset, 4, 1056, 1, ArrayShape{4, {8, 33}}}, does};
}

TEST(Place, ABufferHasElementsAndOtherMemoryBytes) {
  EXPECT_EQ("out[37]", text(Place{Memory::kBuffer, "out", 148, 4, 2700, 4}));
  EXPECT_EQ("bytes 4 to 7 of count", text(Place{Memory::kVariable, "count", 4, 4, 20}));
  EXPECT_EQ("count", text(Place{Memory::kVariable, "count", 0, 4, 4}));
  EXPECT_EQ("byte 3 of tile", text(Place{Memory::kShared, "tile", 3, 1, 1056}));
  EXPECT_EQ("bytes 0 to 3 of shared memory", text(Place{Memory::kShared, "", 0, 4}));
  EXPECT_EQ("4 bytes at 0x50000", text(Place{Memory::kAddress, "", 0x50000, 4}));
}

// 37 = 4 * 9 + 1; 296 = 4 * (2 * 33 + 8).
TEST(Place, AKnownShapeGivesAllIndices) {
  const Place out{Memory::kBuffer, "out", 148, 4, 2700, 4, ArrayShape{4, {75, 9}}};
  EXPECT_EQ("out[4][1]", text(out));
  EXPECT_EQ("out[37]", flat_text(out));
  EXPECT_EQ("tile[2][8]", text(of_tile(Memory::kShared, Does::kRead, 296).place));
  auto two = of_tile(Memory::kShared, Does::kRead, 0).place;
  two.bytes = 8;
  EXPECT_EQ("tile[0][0] to tile[0][1]", text(two));
  EXPECT_EQ("sums[256]", text(Place{Memory::kShared, "sums", 1024, 4, 2048, 1, ArrayShape{4, {}}}));
}

TEST(Place, AnAccessBeginsAtAByteOrAnElement) {
  EXPECT_EQ("byte 4 of 'in'", begin_text({Memory::kBuffer, "in", 4, 16, 300, 4}));
  EXPECT_EQ("byte 4 of tile", begin_text({Memory::kShared, "tile", 4, 16, 1056}));
  EXPECT_EQ("tile[0][1]", begin_text(of_tile(Memory::kShared, Does::kRead, 4).place));
  EXPECT_EQ("byte 8 of local memory", begin_text({Memory::kLocal, "", 8, 16}));
  EXPECT_EQ("address 0x14", begin_text({Memory::kAddress, "", 20, 16}));
}

TEST(Place, AnElementHasItsIndicesAlsoOutside) {
  const ArrayShape tile{4, {8, 33}};
  EXPECT_EQ("[8][33]", extents_text(tile.extents));
  EXPECT_EQ("tile[0][0]", element_text("tile", tile, 0));
  EXPECT_EQ("tile[1][1]", element_text("tile", tile, 136));
  EXPECT_EQ("tile[8][0]", element_text("tile", tile, 1056));
  EXPECT_EQ("tile[-1][32]", element_text("tile", tile, -4));
  EXPECT_EQ("tile[-1][31]", element_text("tile", tile, -5));
  EXPECT_EQ("sums[1][2][3]", element_text("sums", {1, {2, 3, 4}}, 23));
}

TEST(OutsideAccess, NamesTheElementAndTheElementsThatAreThere) {
  EXPECT_EQ("reads a[1024], but a has elements 0 to 1023", text(of_buffer(4096, 4, 4096)));
  EXPECT_EQ("reads a[-1], but a has elements 0 to 1023", text(of_buffer(-4, 4, 4096)));
}

TEST(OutsideAccess, OneElementAndNoneAreNotCountedFromZero) {
  EXPECT_EQ("reads a[1], but a has only element 0", text(of_buffer(4, 4, 4)));
  EXPECT_EQ("reads a[0], but a has no elements", text(of_buffer(0, 4, 0)));
}

TEST(OutsideAccess, AWiderAccessNamesItsFirstElement) {
  EXPECT_EQ("reads 16 bytes from a[124] on, but a has elements 0 to 125",
            text(of_buffer(496, 16, 504)));
  EXPECT_EQ("reads 1 byte from a[126] on, but a has elements 0 to 125",
            text(of_buffer(505, 1, 504)));
}

TEST(OutsideAccess, ANegativeIndexWithoutASignIsExplained) {
  EXPECT_EQ("reads a[4294967295], that is (unsigned) -1, but a has elements 0 to 9",
            text(of_buffer((std::int64_t{1} << 34) - 4, 4, 40)));
  EXPECT_TRUE(is_wrapped_index(4294967295));
  EXPECT_FALSE(is_wrapped_index(4294967296));
  EXPECT_FALSE(is_wrapped_index(2147483648));
}

TEST(OutsideAccess, OtherMemoryIsCountedInBytes) {
  EXPECT_EQ("writes bytes 128 to 131 of tile, which has 128 bytes of shared memory",
            text(OutsideAccess{{Memory::kShared, "tile", 128, 4, 128}, Does::kWrite}));
  EXPECT_EQ("updates 1 byte beginning 8 bytes before table, which has 1 byte",
            text(OutsideAccess{{Memory::kVariable, "table", -8, 1, 1}, Does::kUpdate}));
}

// 8 * 75 = 600.
TEST(OutsideAccess, AMatrixHasRowsAndColumns) {
  auto access = of_buffer(2400, 4, 300);
  access.place.shape = ArrayShape{4, {1, 75}};
  EXPECT_EQ("reads a[8][0], but a has 1 row of 75", text(access));
  access = of_buffer(-4, 4, 2700);
  access.place.shape = ArrayShape{4, {75, 9}};
  EXPECT_EQ("reads a[-1][8], but a has 75 rows of 9", text(access));
  access = of_buffer(292, 16, 300);
  access.place.shape = ArrayShape{4, {1, 75}};
  EXPECT_EQ("reads 16 bytes from a[73] on, but a has elements 0 to 74", text(access));
}

TEST(OutsideAccess, ADeclaredArrayHasItsDeclaration) {
  EXPECT_EQ("writes tile[8][0], but tile is declared as [8][33]",
            text(of_tile(Memory::kShared, Does::kWrite, 1056)));
  EXPECT_EQ("reads tile[-1][31], but tile is declared as [8][33]",
            text(of_tile(Memory::kShared, Does::kRead, -8)));
  EXPECT_EQ("writes table[5], but table has elements 0 to 4",
            text(OutsideAccess{{Memory::kVariable, "table", 20, 4, 20, 1, ArrayShape{4, {5}}},
                               Does::kWrite}));
}

}  // namespace warpgrade::base::place_test
