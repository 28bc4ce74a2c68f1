// SPDX-License-Identifier: Apache-2.0
// A handmade kernel whose sizes are expressions, for tests of code that evaluates them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/course/kernel_launch.h"

namespace warpgrade::grader {

inline BufferParameter buffer_of(const std::string& name, const Content& content,
                                 const Comparison& comparison) {
  return {name, verify::ElementType::kF32, {"2", {}}, {"n", {}}, content, comparison};
}

/// k(float out[2][n], const float in[2][n], int n), with n = 8.
class SmallKernel : public testing::Test {
 protected:
  SmallKernel() {
    parameters = {buffer_of("out", Poison{}, EqualBits{}),
                  buffer_of("in", verify::Fill::kIota, NotCompared{}),
                  ValueParameter{"n", verify::ElementType::kI32, false, {"n", {}}}};
    geometry.grid = {Expression{"n / 2", {}}, Expression{"1", {}}, Expression{"1", {}}};
    geometry.block = {Expression{"32", {}}, Expression{"2", {}}, Expression{"1", {}}};
    geometry.shared_bytes = {"4 * n", {}};
  }
  BufferParameter& buffer_at(std::size_t i) { return std::get<BufferParameter>(parameters[i]); }
  ValueParameter& number() { return std::get<ValueParameter>(parameters[2]); }
  std::vector<Parameter> parameters;
  Geometry geometry;
  Variables variables = {{"n", 8}};
};

}  // namespace warpgrade::grader
