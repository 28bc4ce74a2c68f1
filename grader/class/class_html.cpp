// SPDX-License-Identifier: Apache-2.0
#include "grader/class/class_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "grader/html/html_text.h"
#include "grader/html/page_style.h"

namespace warpgrade::grader {
namespace {

constexpr std::string_view kClassStyle = R"css(
body { max-width: 100rem; }
td svg.bar { width: 5rem; height: 0.6rem; vertical-align: middle; }
.figure { overflow-x: auto; } .figure svg { display: block; max-width: 100%; height: auto; }
.histogram { display: block; width: 8.25rem; height: 1.75rem; }
td details { margin: 0; } td summary { white-space: nowrap; }
.marks table { font-size: 0.8rem; }
.marks th, .marks td { padding: 0.15rem 0.3rem 0.15rem 0; text-align: right; font-variant-numeric: tabular-nums; }
.marks th { vertical-align: bottom; } .marks td.quiet, .marks td .quiet { font-size: inherit; }
.marks tr > :first-child { text-align: left; }
.wide.marks td:last-child { min-width: 0; }
.marks td.who { max-width: 14rem; overflow-wrap: anywhere; }
.marks tr:target td { background: var(--open-ground); }
th.upright span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
th:not(.upright)::first-letter { text-transform: uppercase; }
td.nowrap, th.nowrap { white-space: nowrap; }
.wide td.number:last-child, .wide td.nowrap:last-child { min-width: 0; }
.wide td.text:last-child { min-width: 10rem; }
td.text { min-width: 10rem; overflow-wrap: anywhere; }
@media (max-width: 70rem) {
  .wide table { font-size: 0.8rem; } .wide th, .wide td { padding-right: 0.5rem; }
  .wide .histogram { width: 5.5rem; } td.text, .wide td.text:last-child { min-width: 6.5rem; }
  .wide td:last-child { min-width: 7rem; }
  .wide td.nowrap, .wide th.nowrap, td summary { white-space: normal; overflow-wrap: anywhere; }
  .wide td.nowrap { min-width: 9.5rem; }
  .wide.marks table { font-size: 0.7rem; } .wide.marks th, .wide.marks td { padding-right: 0.1rem; }
  .wide.marks td.who { max-width: 6rem; }
  .wide td.number:last-child, .wide td.nowrap:last-child, .wide.marks td:last-child { min-width: 0; }
}
@media (max-width: 40rem) {
  td.text, .wide td.text:last-child { min-width: 6.5rem; }
  /* The remark is below its exercise. */
  .overview table, .overview tbody { display: block; }
  .overview tr { display: grid; grid-template-columns: 1fr max-content 4rem; border-bottom: 1px solid var(--rule); }
  .overview tr > * { border: 0; } .overview tr > :nth-child(4), .overview tr > :last-child:empty { display: none; }
  .wide.overview td.nowrap, .wide.overview td:last-child { min-width: 0; }
  .overview tr > :last-child { grid-column: 1 / -1; color: var(--quiet); }
}
)css";

}  // namespace

std::string class_html(std::string_view title, const std::string& body) {
  auto out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>",
      html_text(title));
  out += kPageStyle;
  out += kClassStyle;
  return out + "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
}

std::string html_address(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 128 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '/');
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string class_badge(Standing standing) {
  switch (standing) {
    case Standing::kPass:
      return "<span class=\"badge good\">PASS</span>";
    case Standing::kFail:
      return "<span class=\"badge bad\">FAIL</span>";
    case Standing::kMissing:
      return "<span class=\"badge bad\">MISSING</span>";
    case Standing::kExcused:
      return "<span class=\"badge quiet\">EXCUSED</span>";
    case Standing::kNotDue:
      return "<span class=\"badge quiet\">NOT DUE</span>";
    case Standing::kUngraded:
    case Standing::kInconclusive:
    case Standing::kError:
    case Standing::kOpen:
      break;
  }
  return "<span class=\"badge open\">OPEN</span>";
}

std::string class_bar(double share, std::string_view css_class) {
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect class=\"track\" width=\"100\" height=\"10\"/><rect class=\"{}\" width=\"{:.1f}\" "
      "height=\"10\"/></svg>",
      css_class, 100 * std::clamp(share, 0.0, 1.0));
}

}  // namespace warpgrade::grader
