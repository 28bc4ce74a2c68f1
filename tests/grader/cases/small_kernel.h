// SPDX-License-Identifier: Apache-2.0
// A handmade kernel whose sizes are expressions, for tests of code that evaluates them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/course/exercise.h"

namespace warpgrade::grader::cases {

inline course::BufferParameter buffer_of(const std::string& name, const course::Content& content,
                                         const course::Comparison& comparison) {
  return {name, verify::ElementType::kF32, {"2", {}}, {"n", {}}, content, comparison};
}

/// k(float out[2][n], const float in[2][n], int n), with n = 8.
class SmallKernel : public testing::Test {
 protected:
  SmallKernel() {
    parameters = {buffer_of("out", course::Poison{}, course::EqualBits{}),
                  buffer_of("in", verify::Fill::kIota, course::NotCompared{}),
                  course::ValueParameter{"n", verify::ElementType::kI32, false, {"n", {}}}};
    geometry.grid = {text::Expression{"n / 2", {}}, text::Expression{"1", {}},
                     text::Expression{"1", {}}};
    geometry.block = {text::Expression{"32", {}}, text::Expression{"2", {}},
                      text::Expression{"1", {}}};
    geometry.shared_bytes = {"4 * n", {}};
  }
  course::BufferParameter& buffer_at(std::size_t i) {
    return std::get<course::BufferParameter>(parameters[i]);
  }
  course::ValueParameter& number() { return std::get<course::ValueParameter>(parameters[2]); }
  std::vector<course::Parameter> parameters;
  course::Geometry geometry;
  text::Variables variables = {{"n", 8}};
};

}  // namespace warpgrade::grader::cases
