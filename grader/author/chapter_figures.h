// SPDX-License-Identifier: Apache-2.0
// The figures that chapters show: `![caption](figures/NAME.svg)`, drawn by the study NAME.
//
// Students get no studies, since their kernels solve exercises; they get the figures. An installed
// course already contains them, and no studies.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::author {

/// NAME of each figure in a chapter, in order.
std::vector<std::string> figures_in(std::string_view chapter);

/// Those of all chapters of `folder`/handouts, each once, in the order of their names.
std::vector<std::string> figures_of(const std::filesystem::path& folder);

/// Where figures come from, and who learns of each one before it is drawn.
struct FigureSource {
  std::filesystem::path root;   ///< Contains studies/.
  std::filesystem::path drawn;  ///< Finished figures, which are copied; may be empty.
  std::function<void(std::size_t number, std::size_t all, const std::string& name)> progress;
};

/// Adds the figures that the chapters of `folder` show and that it lacks: copies the drawn ones,
/// and runs the studies of the others on the simulator. Returns the number of figures shown. Throws
/// base::ToolError if gnuplot or the study is missing or fails.
std::size_t add_figures(const FigureSource& source, const std::filesystem::path& folder);

/// A sentence for each figure that a chapter of `folder` shows and that is not there.
std::vector<std::string> missing_figures(const std::filesystem::path& folder);

}  // namespace warpgrade::grader::author
