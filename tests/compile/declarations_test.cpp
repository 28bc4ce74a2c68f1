// SPDX-License-Identifier: Apache-2.0
// Finds where a source declares functions of the device.
#include "common/compile/declarations.h"

#include <gtest/gtest.h>

namespace warpgrade::compile::declarations_test {

TEST(Declarations, NameLineAndColumnAreThoseOfTheFunction) {
  const auto found = find_declarations("\n__global__ void\n  copy(float* out) {}\n");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ("copy", found[0].name);
  EXPECT_EQ(3U, found[0].line);
  EXPECT_EQ(3U, found[0].column);
  EXPECT_TRUE(found[0].is_global);
  EXPECT_FALSE(found[0].is_device);
}

TEST(Declarations, HostFunctionsAreNone) {
  EXPECT_TRUE(find_declarations("void f() { g(); } int x = h(3);").empty());
}

TEST(Declarations, TemplatesSpacesAndBodiesAreTold) {
  const auto found = find_declarations(
      "template <int N> __global__ void a() {}\n__device__ float b(int x) { return c(x); }\n"
      "__host__ __device__ void d();");
  ASSERT_EQ(3U, found.size());
  EXPECT_TRUE(found[0].is_template);
  EXPECT_FALSE(found[1].is_template);
  EXPECT_TRUE(found[1].is_device);
  EXPECT_EQ("d", found[2].name);
  EXPECT_TRUE(found[0].is_definition);
  EXPECT_TRUE(found[1].is_definition);
  EXPECT_FALSE(found[2].is_definition);
}

TEST(Declarations, AttributesAreNoNames) {
  const auto found = find_declarations("__global__ void __launch_bounds__(256, 2) k(int n) {}");
  ASSERT_EQ(1U, found.size());
  EXPECT_EQ("k", found[0].name);
}

TEST(Declarations, CommentsAndTextsHoldNone) {
  EXPECT_TRUE(
      find_declarations("// __global__ void a() {}\nconst char* t = \"__device__ b()\";").empty());
}

TEST(Declarations, AVariableIsNone) {
  const auto found = find_declarations("__device__ int x; __device__ int y = 3; void f() {}");
  EXPECT_TRUE(found.empty());
}

}  // namespace warpgrade::compile::declarations_test
