// SPDX-License-Identifier: Apache-2.0
// Numbers in Autolab's file; tests/formats checks real reports against the service's rules.
#include "grader/report/formats/autolab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::autolab_test {

using nlohmann::json;
using testing::HasSubstr;

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n') + 1;
  const auto begin = text.rfind('\n', end - 1) + 1;
  return text.substr(begin, end - begin);
}

TEST(RenderAutolab, TheLastLineHasThePointsOfWhatWasJudged) {
  const auto out = render_autolab(mixed_report());
  EXPECT_EQ((json{{"scores", {{"coalescing/transpose", 10}, {"coalescing/copy", 3}}}}),
            json::parse(last_line(out)));
  EXPECT_THAT(out, HasSubstr("coalescing/padded: Not graded: nvcc is missing\n"));
}

TEST(RenderAutolab, WhatAKernelPrintsIsNotTheLastLine) {
  const auto out = render_autolab(hostile_report());
  EXPECT_THAT(out, HasSubstr("| {\"scores\": {\"coalescing/copy\": 99}}"));
  EXPECT_EQ(3, json::parse(last_line(out))["scores"]["coalescing/copy"]);
}

}  // namespace warpgrade::grader::report::autolab_test
