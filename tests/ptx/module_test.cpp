// SPDX-License-Identifier: Apache-2.0
// Sizes of types, sets of modifiers, and the places of instructions.
#include "common/ptx/module.h"

#include <gtest/gtest.h>

namespace warpgrade::ptx::module_test {

TEST(Types, HaveTheSizesOfTheirNames) {
  EXPECT_EQ(0U, size_of(Type::kNone));
  for (const auto type : {Type::kB8, Type::kU8, Type::kS8}) EXPECT_EQ(1U, size_of(type));
  for (const auto type : {Type::kB16, Type::kU16, Type::kS16, Type::kF16, Type::kBf16}) {
    EXPECT_EQ(2U, size_of(type));
  }
  for (const auto type : {Type::kB32, Type::kU32, Type::kS32, Type::kF32, Type::kF16x2,
                          Type::kBf16x2, Type::kU16x2, Type::kS16x2, Type::kTf32}) {
    EXPECT_EQ(4U, size_of(type));
  }
  for (const auto type : {Type::kB64, Type::kU64, Type::kS64, Type::kF64}) {
    EXPECT_EQ(8U, size_of(type));
  }
  EXPECT_EQ(16U, size_of(Type::kB128));
  for (const auto type : {Type::kE4m3x2, Type::kE5m2x2}) EXPECT_EQ(2U, size_of(type));
}

TEST(ModifierSets, HoldWhatWasAdded) {
  ModifierSet some;
  EXPECT_FALSE(some.has(Modifier::rn));
  some.add(Modifier::rn);
  some.add(Modifier::volatile_);
  EXPECT_TRUE(some.has(Modifier::rn));
  EXPECT_FALSE(some.has(Modifier::rz));
  auto more = some;
  more.add(Modifier::wide);
  EXPECT_TRUE(some.within(more));
  EXPECT_FALSE(more.within(some));
  EXPECT_TRUE(ModifierSet{}.within(some));
}

TEST(Locations, AreThoseOfTheInstructions) {
  Function function;
  function.locations = {{}, {"a.cu", 5, 1}};
  function.instructions.resize(2);
  function.instructions[1].location = 1;
  EXPECT_EQ(0U, location(function, 0).line);
  EXPECT_EQ(5U, location(function, 1).line);
  EXPECT_THROW(location(function, 2), std::out_of_range);
}

TEST(FindFunction, GoesByTheName) {
  Module module;
  module.functions.resize(2);
  module.functions[1].name = std::string("k");
  EXPECT_EQ(&module.functions[1], find_function(module, "k"));
  EXPECT_EQ(nullptr, find_function(module, "kk"));
}

}  // namespace warpgrade::ptx::module_test
