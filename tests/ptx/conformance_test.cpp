// SPDX-License-Identifier: Apache-2.0
// Compares single PTX instructions with an H200, on edge values.
//
// Every bit must agree (case.h names the source of the values), except for approximate
// instructions. Their results must be within the errors in tolerance.h, and agree in zeros,
// infinities and NaN. No check may find anything.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "common/check/checks.h"
#include "common/sim/simulator.h"
#include "tests/ptx/case.h"
#include "tests/ptx/tolerance.h"

namespace warpgrade::ptx_test::conformance_test {

run::Buffer buffer(const std::string& name, std::size_t words) {
  run::Buffer result;
  result.name = name;
  result.bytes.resize(words * 8);
  result.element_bytes = 8;
  return result;
}

run::Result execute(const Case& c, const std::vector<Row>& rows, Row& out) {
  std::vector<run::Buffer> buffers = {buffer("out", rows.size()), buffer("in", 3 * rows.size()),
                                      buffer("scratch", 4096)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(buffers[1].bytes.data() + 24 * i, rows[i].data(), 8 * rows[i].size());
  }
  compile::Program program;
  program.ptx = {module_text(c), {}};
  sim::Simulator simulator(program);
  run::Launch launch;
  launch.kernel = "k";
  launch.grid.x = 1;
  launch.block.x = 256;
  run::ValueArgument count(4);
  const auto n = static_cast<std::uint32_t>(rows.size());
  std::memcpy(count.data(), &n, 4);
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, run::BufferArgument{2},
                      count};
  check::Checks checks;
  run::Options options;
  options.threads = 1;
  options.observers = {&checks};
  auto result = simulator.launch(launch, buffers, options);
  // Cases of ldu and ld.nc write the word that they load. The checker reports this, but the result
  // is right: the card returns the value that the same thread wrote.
  const bool is_read_only_load =
      c.text.find("ldu.") != std::string::npos || c.text.find(".nc.") != std::string::npos;
  for (const auto& found : checks.diagnostics()) {
    if (is_read_only_load && found.kind == base::DiagnosticKind::kRace) continue;
    result.diagnostics.push_back(found);
  }
  out.resize(rows.size());
  std::memcpy(out.data(), buffers[0].bytes.data(), 8 * rows.size());
  return result;
}

TEST(Conformance, InstructionsHaveTheBitsOfTheH200) {
  const auto inputs = read_inputs();
  std::size_t cases = 0;
  for (const auto& c : read_cases()) {
    const auto& rows = inputs.at(joined(c.kinds));
    ASSERT_EQ(rows.size(), c.expected.size()) << c.text;
    ++cases;
    Row out;
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
  EXPECT_LT(2600U, cases);
}

}  // namespace warpgrade::ptx_test::conformance_test
