// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats.h"

#include <fmt/format.h>

#include <array>

#include "common/base/error.h"
#include "common/base/text.h"
#include "grader/report/render_junit.h"

namespace warpgrade::grader {
namespace {

struct Format {
  std::string_view name;
  std::string (*render)(const Report& report);
};

constexpr std::array<Format, 1> kFormats = {{{"junit", render_junit}}};

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const auto& format : kFormats) out.emplace_back(format.name);
  return out;
}

std::string render_format(std::string_view name, const Report& report) {
  for (const auto& format : kFormats) {
    if (format.name == name) return format.render(report);
  }
  throw base::UsageError(fmt::format("there is no format `{}`", base::escape_controls(name)));
}

}  // namespace warpgrade::grader
