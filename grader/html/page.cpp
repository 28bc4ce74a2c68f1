// SPDX-License-Identifier: Apache-2.0
#include "grader/html/page.h"

#include <fmt/format.h>

#include "common/base/sha256.h"
#include "grader/html/html_text.h"
#include "grader/html/page_files.h"

namespace warpgrade::grader::html {
namespace {

struct Script {
  std::string source;   // of the security policy
  std::string element;  // at the end of the page
};

std::string page(std::string_view title, std::string_view content, std::string_view style,
                 const Script& script) {
  constexpr auto kSkeleton = base::embedded(kPageFiles, "page.html").body();
  constexpr auto kStyle = base::embedded(kPageFiles, "page.css").body();
  return fmt::format(fmt::runtime(kSkeleton), fmt::arg("script_source", script.source),
                     fmt::arg("title", escaped(title)),
                     fmt::arg("style", fmt::format("{}{}", kStyle, style)),
                     fmt::arg("content", content), fmt::arg("script", script.element));
}

}  // namespace

std::string picture_page(std::string_view title, std::string_view content) {
  constexpr auto kScript = base::embedded(kPageFiles, "page.js").body();
  return page(title, content, {},
              {fmt::format("script-src 'sha256-{}'; ", base::sha256_base64(kScript)),
               fmt::format("<script>{}</script>\n", kScript)});
}

std::string plain_page(std::string_view title, std::string_view content, std::string_view style) {
  return page(title, content, style, {});
}

}  // namespace warpgrade::grader::html
