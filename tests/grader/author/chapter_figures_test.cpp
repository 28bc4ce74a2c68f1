// SPDX-License-Identifier: Apache-2.0
// Finds the figures that chapters show, and the missing ones.
#include "grader/author/chapter_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace warpgrade::grader::author::chapter_figures_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FiguresIn, AreTheImagesOfTheFiguresFolder) {
  EXPECT_THAT(figures_in("a ![one](figures/banks.svg) b ![two](figures/camping.svg)"),
              ElementsAre("banks", "camping"));
  EXPECT_THAT(figures_in("![x](figures/photo.png) [y](other/banks.svg) figures/banks.svg"),
              IsEmpty());
}

TEST(FiguresOf, AFolderAreNamedOnceAndMissingOnesAreTold) {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "warpgrade-figures-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::filesystem::create_directories(folder / "handouts" / "figures");
  std::ofstream(folder / "handouts" / "b.md") << "![](figures/two.svg) ![](figures/one.svg)";
  std::ofstream(folder / "handouts" / "a.md") << "![](figures/one.svg)";
  std::ofstream(folder / "handouts" / "notes.txt") << "![](figures/three.svg)";
  std::ofstream(folder / "handouts" / "figures" / "one.svg") << "<svg/>";
  std::ofstream(folder / "handouts" / "figures" / "two.svg");  // empty
  EXPECT_THAT(figures_of(folder), ElementsAre("one", "two"));
  EXPECT_THAT(missing_figures(folder),
              ElementsAre("a chapter shows handouts/figures/two.svg, which is not there"));
  std::filesystem::remove_all(folder);
  EXPECT_THAT(figures_of(folder), IsEmpty());
}

}  // namespace warpgrade::grader::author::chapter_figures_test
