// SPDX-License-Identifier: Apache-2.0
#include "grader/html/page_frame.h"

#include <fmt/format.h>

#include "grader/html/html_text.h"
#include "grader/html/page_script.h"
#include "grader/html/page_style.h"

namespace warpgrade::grader {

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'sha256-{}'; img-src data:\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n</head>\n<body>\n<main>\n",
      script_hash(kPageScript), html_text(title), kPageStyle);
}

std::string page_end() {
  std::string out = "</main>\n<script>";
  out += kPageScript;
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace warpgrade::grader
