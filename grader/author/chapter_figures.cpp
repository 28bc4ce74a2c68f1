// SPDX-License-Identifier: Apache-2.0
#include "grader/author/chapter_figures.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <set>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/study/figure.h"
#include "grader/study/gnuplot.h"
#include "grader/study/run_study.h"
#include "grader/study/study_reader.h"
#include "grader/text/files.h"

namespace warpgrade::grader {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const fs::path& folder, const std::string& figure) {
  return folder / "handouts" / "figures" / (figure + ".svg");
}

}  // namespace

std::vector<std::string> figures_in(std::string_view chapter) {
  constexpr std::string_view kBegin = "](figures/";
  constexpr std::string_view kEnd = ".svg";
  std::vector<std::string> out;
  for (auto at = chapter.find(kBegin); at != std::string_view::npos; at = chapter.find(kBegin)) {
    chapter.remove_prefix(at + kBegin.size());
    auto name = chapter.substr(0, chapter.find(')'));
    if (!name.ends_with(kEnd)) continue;
    name.remove_suffix(kEnd.size());
    out.emplace_back(name);
  }
  return out;
}

std::vector<std::string> figures_of(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "handouts", ignored)) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (auto& name : figures_in(text)) names.insert(std::move(name));
  }
  return {names.begin(), names.end()};
}

std::size_t draw_figures(const fs::path& root, const fs::path& folder) {
  const auto names = figures_of(folder);
  for (const auto& name : names) {
    const auto study = read_study(find_study(root, name), "studies/" + name + ".toml");
    const auto result = run_simulated(study, {});
    if (const int code = result.exit_code(); code != 0) {
      throw base::ToolError(
          fmt::format("the study `{}` fails, so its figure cannot be drawn: run "
                      "./warpgrade study {}",
                      name, name));
    }
    const auto file = file_of(folder, name);
    fs::create_directories(file.parent_path());
    write_atomically(file, draw_svg(figure_script(result)));
  }
  return names.size();
}

std::vector<std::string> missing_figures(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& name : figures_of(folder)) {
    const auto file = file_of(folder, name);
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) > 0) continue;
    out.push_back(fmt::format("a chapter shows handouts/figures/{}.svg, which is not there",
                              base::escape_controls(name)));
  }
  return out;
}

}  // namespace warpgrade::grader
