// SPDX-License-Identifier: Apache-2.0
#include "grader/html/render_html.h"

#include <fmt/format.h>

#include "grader/html/html_text.h"
#include "grader/html/page.h"
#include "grader/html/picture_data.h"
#include "grader/html/picture_view.h"
#include "grader/html/roofline_view.h"
#include "grader/html/source_view.h"
#include "grader/html/verdict_view.h"

namespace warpgrade::grader::html {
namespace {

std::string contents(const report::Report& report) {
  if (report.exercises.size() < 2) return {};
  std::string items;
  for (std::size_t i = 0; i < report.exercises.size(); ++i) {
    const auto& item = report.exercises[i];
    const auto share = item.max_points == 0 ? 0.0 : 100.0 * item.points / item.max_points;
    items += fmt::format(
        "<li><a href=\"#exercise-{}\">{}/{}</a>{}<span>{} of {}</span><svg viewBox=\"0 0 100 10\" "
        "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"track\" width=\"100\" "
        "height=\"10\"/><rect class=\"fill\" width=\"{:.1f}\" height=\"10\"/></svg></li>\n",
        i, escaped(item.lab), escaped(item.exercise), verdict_badge(item.verdict), item.points,
        item.max_points, share);
  }
  return "<nav aria-label=\"Exercises\"><ol>\n" + items + "</ol></nav>\n";
}

std::string section(const report::ExerciseReport& item, std::size_t index, bool is_on_gpu) {
  auto out = fmt::format("<section class=\"exercise\" id=\"exercise-{}\">\n", index);
  out += heading_view(item) + findings_view(item) + next_view(item) + results_view(item);
  if (item.pictures && item.pictures->wrong) out += wrong_view(*item.pictures->wrong);
  out += gates_view(item) + roofline_view(item) + answers_view(item);
  if (const auto source = source_view(item); !source.empty()) out += "<h3>Source</h3>\n" + source;
  if (item.pictures) {
    if (is_on_gpu) {
      out += paragraph(
          "The pictures are simulated, because a GPU does not report addresses, banks and "
          "partitions. "
          "The verdict and the speed are measured on the GPU.",
          "quiet");
    }
    out += access_view(item);
    if (item.pictures->partitions) out += partition_view(*item.pictures->partitions);
    out += time_view(item);
    out += "<script type=\"application/json\">" + picture_data(*item.pictures) + "</script>\n";
  }
  return out + remarks_view(item) + "</section>\n";
}

std::string foot(const report::Report& report) {
  const auto& made = report.provenance;
  auto text = fmt::format("Made by warpgrade {} ({})", made.version, made.commit);
  if (!made.toolkit.empty()) text += ", CUDA compiler " + made.toolkit;
  if (!made.time.empty()) text += ", " + made.time;
  return "<footer>" + paragraph(text + fmt::format(", seed {}.", report.seed)) + "</footer>\n";
}

}  // namespace

std::string render(const report::Report& report) {
  const auto title = report.exercises.size() == 1 ? fmt::format("{}/{}", report.exercises[0].lab,
                                                                report.exercises[0].exercise)
                                                  : std::string("warpgrade report");
  auto out = fmt::format("<h1>{} of {} points</h1>\n<p class=\"quiet\">{} on {}.</p>\n",
                         report.points(), report.max_points(),
                         report.backend == run::Backend::kGpu ? "Graded on the GPU" : "Simulated",
                         escaped(report.device));
  for (const auto& note : report.notes) out += paragraph(note, "quiet");
  out += contents(report);
  for (std::size_t i = 0; i < report.exercises.size(); ++i) {
    out += section(report.exercises[i], i, report.backend == run::Backend::kGpu);
  }
  return picture_page(
      fmt::format("{}: {} of {} points", title, report.points(), report.max_points()),
      out + foot(report));
}

}  // namespace warpgrade::grader::html
