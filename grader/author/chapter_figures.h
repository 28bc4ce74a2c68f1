// SPDX-License-Identifier: Apache-2.0
// The figures that chapters show: `![caption](figures/NAME.svg)`, drawn by the study NAME.
//
// Students get no studies, since their kernels solve exercises; they get the figures.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader {

/// NAME of each figure in a chapter, in order.
std::vector<std::string> figures_in(std::string_view chapter);

/// Those of all chapters of `folder`/handouts, each once, in the order of their names.
std::vector<std::string> figures_of(const std::filesystem::path& folder);

/// Runs the studies of `root` that the chapters of `folder` show, on the simulator, and writes
/// their figures into the folder. Returns the number of figures. Throws base::ToolError if gnuplot
/// is missing or fails, base::UsageError if a study does not exist.
std::size_t draw_figures(const std::filesystem::path& root, const std::filesystem::path& folder);

/// A sentence for each figure that a chapter of `folder` shows and that is not there.
std::vector<std::string> missing_figures(const std::filesystem::path& folder);

}  // namespace warpgrade::grader
