// SPDX-License-Identifier: Apache-2.0
// Single PTX instructions with edge values, held against an H200.
//
// results.txt has a line a case: bits of the result, kinds of the sources, PTX text, and the bits
// that the card gave for each row of inputs.txt with these kinds. The text becomes a kernel as in
// tests/cuda/conformance.py, which made the files. Every bit must agree, except for approximate
// instructions: those must lie within the error that the PTX manual documents for them, and agree
// in zeros, infinities and NaN.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "common/sim/simulator.h"
#include "tests/sim/tolerance.h"

namespace warpgrade::sim {
namespace {

using Row = std::vector<std::uint64_t>;

const std::string kFolder = WARPGRADE_CONFORMANCE;

struct Case {
  std::uint32_t bits = 0;
  std::vector<std::string> kinds;
  std::string text;
  std::vector<std::uint64_t> expected;
};

std::vector<std::string> cut(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::map<std::string, std::vector<Row>> read_inputs() {
  std::map<std::string, std::vector<Row>> inputs;
  std::ifstream file(kFolder + "/inputs.txt");
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

// 32=f32,f32|add.f32 %d, %a, %b;|0 3f800000 ...
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

std::string kernel(const Case& c) {
  std::string ptx = fmt::format(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 scratch, .param .u32 n) {{\n"
      ".reg .pred %p, %q; .reg .b16 %h<4>; .reg .b32 %r<4>, %i, %n, %s;\n"
      ".reg .b64 %w<4>, %o, %g; .shared .align 16 .b8 own[4096]; .reg .b{} %d;\n",
      c.bits);
  for (std::size_t i = 0; i < c.kinds.size(); ++i) {
    ptx += fmt::format(".reg .b{} %{};\n", bits_of(c.kinds[i]), "abc"[i]);
  }
  ptx +=
      "mov.u32 %i, %tid.x; ld.param.u32 %n, [n]; setp.ge.u32 %p, %i, %n; @%p ret;\n"
      "ld.param.u64 %w0, [in]; mul.wide.u32 %o, %i, 24; add.s64 %w0, %w0, %o;\n";
  for (std::size_t i = 0; i < c.kinds.size(); ++i) {
    const auto bits = bits_of(c.kinds[i]);
    ptx += fmt::format("ld.global.u64 %w1, [%w0+{}]; ", 8 * i);
    ptx += bits == 64 ? fmt::format("mov.b64 %{}, %w1;\n", "abc"[i])
                      : fmt::format("cvt.u{}.u64 %{}, %w1;\n", bits, "abc"[i]);
  }
  ptx +=
      "ld.param.u64 %g, [scratch]; mul.wide.u32 %o, %i, 16; add.s64 %g, %g, %o;\n"
      "mov.u32 %s, own; mad.lo.u32 %s, %i, 16, %s;\n" +
      c.text + "\n";
  ptx += c.bits == 64 ? "mov.b64 %w1, %d;\n" : fmt::format("cvt.u64.u{} %w1, %d;\n", c.bits);
  ptx +=
      "ld.param.u64 %w0, [out]; mul.wide.u32 %o, %i, 8; add.s64 %w0, %w0, %o;\n"
      "st.global.u64 [%w0], %w1; ret; }\n";
  return ptx;
}

run::Buffer buffer(const std::string& name, std::size_t words) {
  run::Buffer result;
  result.name = name;
  result.bytes.resize(words * 8);
  result.element_bytes = 8;
  return result;
}

run::Result execute(const Case& c, const std::vector<Row>& rows, std::vector<std::uint64_t>& out) {
  std::vector<run::Buffer> buffers = {buffer("out", rows.size()), buffer("in", 3 * rows.size()),
                                      buffer("scratch", 4096)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(buffers[1].bytes.data() + 24 * i, rows[i].data(), 8 * rows[i].size());
  }
  compile::Program program;
  program.ptx = kernel(c);
  Simulator simulator;
  simulator.load(program);
  run::Launch launch;
  launch.kernel = "k";
  launch.grid.x = 1;
  launch.block.x = 256;
  run::ValueArgument count(4);
  const auto n = static_cast<std::uint32_t>(rows.size());
  std::memcpy(count.data(), &n, 4);
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, run::BufferArgument{2},
                      count};
  run::Options options;
  options.threads = 1;
  auto result = simulator.launch(launch, buffers, options);
  out.resize(rows.size());
  std::memcpy(out.data(), buffers[0].bytes.data(), 8 * rows.size());
  return result;
}

TEST(Conformance, InstructionsHaveTheBitsOfTheH200) {
  const auto inputs = read_inputs();
  std::ifstream file(kFolder + "/results.txt");
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    const auto c = read_case(line);
    const auto& rows =
        inputs.at(line.substr(line.find('=') + 1, line.find('|') - line.find('=') - 1));
    ASSERT_EQ(rows.size(), c.expected.size()) << c.text;
    ++cases;
    std::vector<std::uint64_t> out;
    const auto result = execute(c, rows, out);
    if (!result.diagnostics.empty()) {
      ADD_FAILURE() << c.text << ": " << result.diagnostics[0].message;
      continue;
    }
    const auto tolerance = tolerance_of(c.text);
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (agrees(tolerance, c.expected[i], out[i], rows[i])) continue;
      if (wrong++ < 4) {
        first += "\n   ";
        for (const auto value : rows[i]) first += fmt::format(" {:x}", value);
        first += fmt::format(" -> {:x}, here {:x}", c.expected[i], out[i]);
      }
    }
    EXPECT_EQ(0U, wrong) << c.text << " of " << rows.size() << first;
  }
  EXPECT_LT(1400U, cases);
}

}  // namespace
}  // namespace warpgrade::sim
