// SPDX-License-Identifier: Apache-2.0
// `warpgrade study`: runs kernels over sizes, strides or factors, and compares with published
// values.

#include <fmt/format.h>

#include <chrono>

#include "grader/cli/commands/commands.h"
#include "grader/course/course.h"
#include "grader/study/canvas.h"
#include "grader/study/figure.h"
#include "grader/study/run_study.h"
#include "grader/study/study_reader.h"
#include "grader/study/study_result.h"
#include "grader/text/files.h"

namespace warpgrade::grader::cli {
namespace {

study::Study read(const StudyOptions& options) {
  const bool is_path =
      options.study.ends_with(".toml") || options.study.find('/') != std::string::npos;
  if (is_path) return study::read_study(options.study, options.study);
  return study::read_study(study::find_study(course::find_root_of_studies(), options.study),
                           "studies/" + options.study + ".toml");
}

}  // namespace

int run_command(const StudyOptions& options) {
  auto study = read(options);
  if (!options.device.empty()) study::choose_device(study, options.device);
  TransientLine progress(std::chrono::seconds(2));
  const auto result = study::run_simulated(study, [&](std::size_t done, std::size_t all) {
    progress.show(fmt::format("{} of {} runs", done, all));
  });
  std::vector<std::function<void()>> files;
  if (!options.csv.empty()) {
    files.emplace_back([&] { write_or_print(options.csv, study::render_csv(result)); });
  }
  if (!options.svg.empty()) {
    files.emplace_back(
        [&] { write_or_print(options.svg, study::draw_svg(study::figure_script(result))); });
  }
  deliver(files, prints_a_file({options.csv, options.svg})
                     ? std::string()
                     : study::render_text(result, text::style_of_stdout()));
  return result.exit_code();
}

}  // namespace warpgrade::grader::cli
