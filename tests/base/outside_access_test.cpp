// SPDX-License-Identifier: Apache-2.0
// Texts of accesses outside of their arrays.
#include "common/base/outside_access.h"

#include <gtest/gtest.h>

namespace warpgrade::base {
namespace outside_access_test {

using Memory = OutsideAccess::Memory;

OutsideAccess of_buffer(std::int64_t offset, std::uint32_t bytes, std::uint64_t size) {
  return {Memory::kBuffer, "a", "reads", offset, bytes, size, 4};
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
  EXPECT_EQ("", unsigned_text(4294967296));
  EXPECT_EQ("", unsigned_text(2147483648));
}

TEST(OutsideAccess, OtherMemoryIsCountedInBytes) {
  EXPECT_EQ("writes 4 bytes, 4 bytes past the end of tile, which has 128 bytes of shared memory",
            text({Memory::kShared, "tile", "writes", 128, 4, 128, 1}));
  EXPECT_EQ("updates 1 byte, 8 bytes before the start of table, which has 1 byte",
            text({Memory::kVariable, "table", "updates", -8, 1, 1, 1}));
}

}  // namespace outside_access_test
}  // namespace warpgrade::base
