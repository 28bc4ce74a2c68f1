// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/formats.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/report/formats/annotations.h"
#include "grader/report/formats/course_servers.h"
#include "grader/report/formats/format_parts.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {
namespace {

struct Format {
  std::string_view name;
  std::string (*render)(const Report& report, const Environment& environment);
  std::span<const std::string_view> variables = {};  ///< Environment variables that must be set.
};

template <std::string (*render)(const Report&)>
std::string without_environment(const Report& report, const Environment& /*environment*/) {
  return render(report);
}

constexpr auto kFormats = std::to_array<Format>({
    {"junit", without_environment<render_junit>},
    {"gradescope", without_environment<render_gradescope>},
    {"autolab", without_environment<render_autolab>},
    {"classroom50", render_classroom50, kClassroom50Variables},
    {"github", without_environment<render_github>},
    {"prairielearn", without_environment<render_prairielearn>},
    {"sarif", without_environment<render_sarif>},
});

const Format& format_called(std::string_view name) {
  for (const auto& format : kFormats) {
    if (format.name == name) return format;
  }
  throw base::UsageError(fmt::format("unknown format `{}`", base::escape_controls(name)));
}

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const auto& format : kFormats) out.emplace_back(format.name);
  return out;
}

void require_format(std::string_view name, const Environment& environment) {
  std::string missing;
  for (const auto variable : format_called(name).variables) {
    if (!environment(std::string(variable)).empty()) continue;
    missing += (missing.empty() ? "" : ", ") + std::string(variable);
  }
  if (missing.empty()) return;
  throw base::UsageError(
      fmt::format("the format {} says whose submission it is, by variables that its service sets; "
                  "not set: {}",
                  name, missing));
}

std::string render_format(std::string_view name, const Report& report,
                          const Environment& environment) {
  require_format(name, environment);
  return format_called(name).render(report, environment);
}

AroundReport around_report(std::string_view name, const Report& report, const std::string& secret,
                           const Environment& environment) {
  if (name != "github") return {};
  return {github_stop_commands(secret),
          github_resume_commands(secret) + github_annotations(report, environment)};
}

}  // namespace warpgrade::grader::report
