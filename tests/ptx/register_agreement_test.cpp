// SPDX-License-Identifier: Apache-2.0
// Compares the registers of every instruction in the PTX of this folder. The simulator and the time
// model must agree on the writers and readers of each register. Both must match the texts, which an
// H200 has executed: a case writes its result %d and no register that all cases share.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/sim/decode/register_uses.h"
#include "common/timing/machine_code.h"
#include "tests/ptx/case.h"

namespace warpgrade::ptx_test::register_agreement_test {

using Uses = std::multiset<std::pair<std::uint32_t, std::uint32_t>>;  // instruction, register

void expect_agreement(const ptx::Function& function, const std::string& where) {
  const auto ops = timing::machine_code(function, device::find("h200"));
  ASSERT_EQ(function.instructions.size(), ops.size());
  const auto carry = static_cast<std::uint32_t>(function.registers.size());
  Uses writes;
  Uses reads;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    for (const auto r : ops[i].writes) {
      if (r != carry) writes.emplace(i, r);
    }
    for (const auto r : ops[i].reads) {
      if (r != carry) reads.emplace(i, r);
    }
  }
  const sim::RegisterUses uses(function);
  Uses sim_reads;
  std::multiset<std::uint32_t> written;
  for (const auto& [i, r] : writes) {
    written.insert(r);
    EXPECT_TRUE(sim::writes(function.instructions[i], r)) << where << ", instruction " << i;
  }
  for (std::uint32_t r = 0; r < carry; ++r) {
    EXPECT_EQ(written.count(r) == 1, uses.is_written_once(r)) << where;
    for (const auto i : uses.readers(r)) sim_reads.emplace(i, r);
  }
  EXPECT_EQ(sim_reads, reads) << where;
}

TEST(RegisterAgreement, OfTheBehaviours) {
  const auto folder = std::filesystem::path(WARPGRADE_PTX_TESTS) / "behaviours";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto module = ptx::parse(text, entry.path().string());
    for (const auto& function : module.functions) {
      if (!function.is_entry) continue;
      expect_agreement(ptx::link(module, function), entry.path().filename().string());
      ++count;
    }
  }
  EXPECT_LE(10, count);
}

// Names of the registers that the case's own line writes.
std::set<std::string> written_by_text(const ptx::Function& function, std::uint32_t line) {
  std::set<std::string> names;
  for (const auto& in : function.instructions) {
    if (in.ptx_line != line) continue;
    ptx::for_each_written(in, [&](std::uint32_t r) { names.insert(function.registers[r].name); });
  }
  return names;
}

TEST(RegisterAgreement, OfTheCases) {
  int count = 0;
  for (const auto& c : read_cases()) {
    const auto text = module_text(c);
    const auto module = ptx::parse(text, "case.ptx");
    for (const auto& function : module.functions) {
      if (!function.is_entry) continue;
      expect_agreement(ptx::link(module, function), c.text);
      const auto written = written_by_text(function, text_line(text, c));
      EXPECT_TRUE(written.contains("%d")) << c.text;
      for (const std::string shared : {"%a", "%b", "%c", "%i", "%n", "%s", "%g"}) {
        const bool changes = c.text.find(" " + shared + ", " + shared) != std::string::npos;
        EXPECT_EQ(changes, written.contains(shared)) << c.text << " writes " << shared;
      }
      ++count;
    }
  }
  EXPECT_LE(2000, count);
}

}  // namespace warpgrade::ptx_test::register_agreement_test
