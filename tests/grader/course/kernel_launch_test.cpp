// SPDX-License-Identifier: Apache-2.0
#include "grader/course/kernel_launch.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::course::kernel_launch_test {

TEST(KernelName, TakesTheVariablesOfTheCase) {
  EXPECT_EQ("copy", kernel_name("copy", {{"factor", 4}}));
  EXPECT_EQ("reduce_threads<4>", kernel_name("reduce_threads<{factor}>", {{"factor", 4}}));
  EXPECT_EQ("f<2, 3>", kernel_name("f<{a}, {b}>", {{"a", 2}, {"b", 3}}));
}

TEST(KernelName, AVariableThatIsNotThereIsAMistake) {
  EXPECT_THROW(kernel_name("f<{n}>", {}), base::UsageError);
  EXPECT_THROW(kernel_name("f<{}>", {{"n", 1}}), base::UsageError);
  EXPECT_THROW(kernel_name("f<{n", {{"n", 1}}), base::UsageError);
}

using verify::ElementType;

BufferParameter output(const std::string& name) {
  return {name, ElementType::kF32, {}, {}, Poison{}, EqualBits{}};
}

ValueParameter value(const std::string& name, ElementType type) { return {name, type, false, {}}; }

SameParameter same(const std::string& name) { return {name, {}, {}}; }

TEST(BuffersOf, AreThoseOfTheirOwnInOrderThoseOfAStructInItsPlace) {
  const std::vector<Parameter> parameters = {value("n", ElementType::kI32), output("x"),
                                             StructParameter{"p", {output("p.out"), same("p.x")}},
                                             same("again"), output("y")};
  const auto buffers = buffers_of(parameters);
  ASSERT_EQ(3U, buffers.size());
  EXPECT_EQ("x", buffers[0]->name);
  EXPECT_EQ("p.out", buffers[1]->name);
  EXPECT_EQ("y", buffers[2]->name);
  EXPECT_EQ(1U, buffer_called(buffers, "p.out"));
  EXPECT_EQ(3U, buffer_called(buffers, "again"));
}

// As g++ lays out struct { char a; float* b; short c; bool d; int e; char f; }.
TEST(LayoutOf, IsThatOfCpp) {
  const StructParameter all{
      "p",
      {value("a", ElementType::kI8), output("b"), value("c", ElementType::kI16),
       value("d", ElementType::kU8), value("e", ElementType::kI32), value("f", ElementType::kI8)}};
  const auto layout = layout_of(all);
  EXPECT_EQ((std::vector<std::uint32_t>{0, 8, 16, 18, 20, 24}), layout.offsets);
  EXPECT_EQ(32U, layout.bytes);
  const auto byte = value("a", ElementType::kU8);
  EXPECT_EQ(3U, layout_of(StructParameter{"q", {byte, byte, byte}}).bytes);
}

}  // namespace warpgrade::grader::course::kernel_launch_test
