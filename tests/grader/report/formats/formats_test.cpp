// SPDX-License-Identifier: Apache-2.0
// Formats are found by their names.
#include "grader/report/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader {
namespace formats_test {

TEST(Formats, EachNameRendersAReport) {
  for (const auto& name : format_names()) EXPECT_NE("", render_format(name, {})) << name;
}

TEST(Formats, TheOnesOfTheContractThatAreThere) {
  EXPECT_THAT(format_names(), testing::ElementsAre("junit"));
}

TEST(Formats, AnUnknownNameIsTheUsersMistake) {
  EXPECT_THROW(render_format("gunit", {}), base::UsageError);
}

}  // namespace formats_test
}  // namespace warpgrade::grader
