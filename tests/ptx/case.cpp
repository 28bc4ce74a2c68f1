// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpgrade::ptx_test {
namespace {

const std::string kGolden = WARPGRADE_CONFORMANCE;
const std::string kCases = WARPGRADE_PTX_TESTS;

std::vector<std::string> cut(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// Reads a line such as 32=f32,f32|add.f32 %d, %a, %b;|0 3f800000 ...
Case read_case(const std::string& line) {
  const auto first = line.find('|');
  const auto last = line.rfind('|');
  const auto head = cut(line.substr(0, first), '=');
  Case c;
  c.bits = static_cast<std::uint32_t>(std::stoul(head.at(0)));
  c.kinds = cut(head.at(1), ',');
  c.text = line.substr(first + 1, last - first - 1);
  for (const auto& value : cut(line.substr(last + 1), ' ')) {
    c.expected.push_back(std::stoull(value, nullptr, 16));
  }
  return c;
}

std::uint32_t bits_of(const std::string& kind) {
  static const std::map<std::string, std::uint32_t> kBits = {
      {"f32", 32},    {"f64", 64}, {"f16", 16}, {"bf16", 16}, {"shift", 32}, {"f16x2", 32},
      {"bf16x2", 32}, {"i8", 16},  {"i16", 16}, {"i32", 32},  {"i64", 64}};
  return kBits.at(kind);
}

std::string contents(const std::string& name) {
  std::ifstream file(kCases + "/" + name);
  if (!file) throw std::runtime_error("cannot read " + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace(std::string& text, const std::string& word, const std::string& by) {
  text.replace(text.find(word), word.size(), by);
}

}  // namespace

std::vector<Case> read_cases() {
  std::vector<Case> cases;
  std::ifstream file(kGolden + "/results.txt");
  for (std::string line; std::getline(file, line);) cases.push_back(read_case(line));
  return cases;
}

std::map<std::string, std::vector<Row>> read_inputs() {
  std::map<std::string, std::vector<Row>> inputs;
  std::ifstream file(kGolden + "/inputs.txt");
  for (std::string line; std::getline(file, line);) {
    const auto words = cut(line, ' ');
    auto& rows = inputs[words.at(0)];
    for (std::size_t i = 1; i < words.size(); ++i) {
      Row row;
      for (const auto& value : cut(words[i], ':')) row.push_back(std::stoull(value, nullptr, 16));
      rows.push_back(row);
    }
  }
  return inputs;
}

std::string joined(const std::vector<std::string>& kinds) {
  std::string all;
  for (const auto& kind : kinds) all += (all.empty() ? "" : ",") + kind;
  return all;
}

std::string module_text(const Case& c) {
  static const auto prelude = contents("prelude.ptx");
  static const auto kernel = contents("case.ptx");
  auto declarations = fmt::format(".reg .b{} %d;", c.bits);
  std::string sources;
  for (std::size_t i = 0; i < c.kinds.size(); ++i) {
    const auto bits = bits_of(c.kinds[i]);
    const auto name = "abc"[i];
    declarations += fmt::format("\n  .reg .b{} %{};", bits, name);
    const auto to = bits == 64 ? "mov.b64" : fmt::format("cvt.u{}.u64", bits);
    sources += fmt::format("ld.global.u64 %w1, [%w0+{}];\n  {} %{}, %w1;\n  ", 8 * i, to, name);
  }
  auto text = kernel;
  replace(text, "NAME", "k");
  replace(text, "DECLARATIONS", declarations);
  replace(text, "SOURCES", sources);
  replace(text, "TEXT", c.text);
  replace(text, "RESULT",
          c.bits == 64 ? "mov.b64 %w1, %d;" : fmt::format("cvt.u64.u{} %w1, %d;", c.bits));
  return prelude + text;
}

std::uint32_t text_line(const std::string& module_text, const Case& c) {
  const auto at = module_text.find(c.text);
  return 1 + static_cast<std::uint32_t>(std::count(
                 module_text.begin(), module_text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace warpgrade::ptx_test
