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

/// The figures of all chapters in `folder`/handouts, each once, sorted by name.
std::vector<std::string> figures_of(const std::filesystem::path& folder);

/// The sources of figures, and a callback that runs before each one is drawn.
struct FigureSource {
  std::filesystem::path root;   ///< Contains studies/.
  std::filesystem::path drawn;  ///< Finished figures, which are copied; may be empty.
  std::function<void(std::size_t number, std::size_t all, const std::string& name)> progress;
};

/// Adds the figures that the chapters of `folder` show and that it lacks: copies the drawn ones,
/// and runs the studies of the others on the simulator. Returns the number of figures shown. Throws
/// base::ToolError if gnuplot or the study is missing or fails.
std::size_t add_figures(const FigureSource& source, const std::filesystem::path& folder);

/// One sentence per figure that a chapter of `folder` shows but that does not exist.
std::vector<std::string> missing_figures(const std::filesystem::path& folder);

}  // namespace warpgrade::grader::author
