// SPDX-License-Identifier: Apache-2.0
#include "common/compile/ptx_entries.h"

#include <cctype>
#include <charconv>

#include "common/compile/directives.h"

namespace warpgrade::compile {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kTypeLetters = "bsuf";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::uint32_t number_at(std::string_view text) {
  std::uint32_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Reads ".param .u64 .ptr .global .align 4 copy_param_0" or ".param .align 16 .b8 k_param_1[16]".
PtxParameter parse_parameter(std::string_view text) {
  PtxParameter parameter;
  for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    const auto word = text.substr(dot + 1);
    const bool is_type = word.size() > 1 && kTypeLetters.find(word[0]) != std::string_view::npos &&
                         std::isdigit(static_cast<unsigned char>(word[1])) != 0;
    if (!is_type) continue;
    parameter.size_bytes = number_at(word.substr(1)) / 8;
    parameter.is_float = word[0] == 'f';
  }
  const auto bracket = text.find('[');
  if (bracket != std::string_view::npos) {
    parameter.size_bytes *= number_at(text.substr(bracket + 1));
  }
  return parameter;
}

std::vector<PtxParameter> parse_parameters(std::string_view list) {
  std::vector<PtxParameter> parameters;
  while (!trimmed(list).empty()) {
    const auto comma = list.find(',');
    parameters.push_back(parse_parameter(list.substr(0, comma)));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return parameters;
}

}  // namespace

std::vector<PtxEntry> parse_ptx_entries(std::string_view text) {
  static constexpr std::string_view kEntry = ".entry ";
  // Inline assembly can put comments that look like a kernel into PTX.
  const auto plain = blank_comments_and_literals(text);
  std::string_view ptx = plain;
  std::vector<PtxEntry> entries;
  for (auto at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry)) {
    ptx.remove_prefix(at + kEntry.size());
    const auto open = ptx.find('(');
    const auto close = ptx.find(')');
    if (close == std::string_view::npos || open > close) break;
    entries.push_back({std::string(trimmed(ptx.substr(0, open))),
                       parse_parameters(ptx.substr(open + 1, close - open - 1))});
  }
  return entries;
}

std::string unescape_ptx(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.front() != '\\' || text.size() < 2) {
      out += text.front();
      text.remove_prefix(1);
    } else if (text.size() >= 4 && text[1] >= '0' && text[1] <= '3') {
      out += static_cast<char>((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
      text.remove_prefix(4);
    } else {
      out += text[1];
      text.remove_prefix(2);
    }
  }
  return out;
}

}  // namespace warpgrade::compile
