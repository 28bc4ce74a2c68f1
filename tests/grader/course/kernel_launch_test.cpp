// SPDX-License-Identifier: Apache-2.0
#include "grader/course/kernel_launch.h"

#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader {
namespace kernel_launch_test {

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

Parameter parameter(const std::string& name, Role role,
                    verify::ElementType type = verify::ElementType::kF32) {
  Parameter out;
  out.name = name;
  out.role = role;
  out.type = type;
  return out;
}

Parameter structure(const std::string& name, std::vector<Parameter> fields) {
  auto out = parameter(name, Role::kStruct);
  out.fields = std::move(fields);
  return out;
}

TEST(BuffersOf, AreThoseOfTheirOwnInOrderThoseOfAStructInItsPlace) {
  const std::vector<Parameter> parameters = {
      parameter("n", Role::kValue), parameter("x", Role::kInOut),
      structure("p", {parameter("p.out", Role::kOut), parameter("p.x", Role::kSame)}),
      parameter("again", Role::kSame), parameter("in", Role::kIn)};
  const auto buffers = buffers_of(parameters);
  ASSERT_EQ(3U, buffers.size());
  EXPECT_EQ("x", buffers[0]->name);
  EXPECT_EQ("p.out", buffers[1]->name);
  EXPECT_EQ("in", buffers[2]->name);
  EXPECT_EQ(1U, buffer_called(buffers, "p.out"));
  EXPECT_EQ(3U, buffer_called(buffers, "again"));
}

// As g++ lays out struct { char a; float* b; short c; bool d; int e; char f; }.
TEST(LayoutOf, IsThatOfCpp) {
  using verify::ElementType;
  const auto all =
      structure("p", {parameter("a", Role::kValue, ElementType::kI8), parameter("b", Role::kOut),
                      parameter("c", Role::kValue, ElementType::kI16),
                      parameter("d", Role::kValue, ElementType::kU8),
                      parameter("e", Role::kValue, ElementType::kI32),
                      parameter("f", Role::kValue, ElementType::kI8)});
  const auto layout = layout_of(all);
  EXPECT_EQ((std::vector<std::uint32_t>{0, 8, 16, 18, 20, 24}), layout.offsets);
  EXPECT_EQ(32U, layout.bytes);
  EXPECT_EQ(32U, parameter_bytes(all));
  EXPECT_EQ(3U, layout_of(structure("q", {parameter("a", Role::kValue, ElementType::kU8),
                                          parameter("b", Role::kValue, ElementType::kU8),
                                          parameter("c", Role::kValue, ElementType::kU8)}))
                    .bytes);
}

}  // namespace kernel_launch_test
}  // namespace warpgrade::grader
