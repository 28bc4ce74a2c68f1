// SPDX-License-Identifier: Apache-2.0
// Programs assembled from parts must equal those from following each warp alone.
#include "common/timing/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "common/device/profile.h"
#include "common/ptx/module.h"

namespace warpgrade::timing::trace_test {

std::vector<MachineOp> machine(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n" +
          body + "}\n",
      "k.ptx");
  return machine_code(module.functions.at(0), device::find("h200"));
}

/// One warp. Its stretches are added to its program one by one.
struct Followed {
  WarpProgram program;
  std::vector<std::pair<std::size_t, std::uint32_t>> requests;  ///< Stretch, and place in it.
  std::map<std::uint32_t, std::uint32_t> pending;               ///< Register -> request.

  void add(const std::vector<MachineOp>& ops, const std::vector<Executed>& stretch,
           std::size_t number) {
    std::map<std::uint32_t, std::uint32_t> here;  // requests of this stretch that are not awaited
    for (Step step : schedule(ops, stretch)) {
      if (step.kind == Step::Kind::kWait) {
        if (!pending.contains(step.value)) continue;
        step.value = pending.at(step.value);
        std::erase_if(pending, [&](const auto& entry) { return entry.second == step.value; });
      } else if (step.kind == Step::Kind::kWaitHere) {
        step = {Step::Kind::kWait, 0, here.at(step.value)};
        std::erase_if(here, [&](const auto& entry) { return entry.second == step.value; });
      } else if (step.kind == Step::Kind::kRequest) {
        here[step.value] = static_cast<std::uint32_t>(requests.size());
        requests.emplace_back(number, step.value);
        step.value = static_cast<std::uint32_t>(requests.size() - 1);
      }
      const bool adds_up = step.kind == Step::Kind::kCompute || step.kind == Step::Kind::kPass;
      const bool merges = adds_up && !program.empty() && program.back().kind == step.kind;
      if (!merges) {
        program.push_back(step);
        continue;
      }
      program.back().slots = static_cast<std::uint16_t>(program.back().slots + step.slots);
      program.back().value += step.value;
    }
    std::uint32_t behind = 0;
    for (const Executed& executed : stretch) {
      behind += executed.requests;
      for (const auto r : ops[executed.instruction].writes) {
        if (executed.is_off) continue;
        pending.erase(r);
        if (executed.requests != 0 && here.contains(behind - 1)) pending[r] = here.at(behind - 1);
      }
    }
  }
};

// Loads that later stretches use, some of them never; some instructions make several.
TEST(Programs, AreThoseOfWarpsFollowedAlone) {
  const auto ops = machine(
      "ld.global.f32 %f1, [%rd1];\n"
      "ld.global.v2.f32 {%f2, %f3}, [%rd2];\n"
      "add.f32 %f4, %f1, %f2;\n"
      "st.global.f32 [%rd3], %f4;\n"
      "ld.shared.f32 %f5, [%rd4];\n"
      "add.f32 %f6, %f3, %f5;\n"
      "st.global.f32 [%rd3+4], %f6;\n");
  Programs programs;
  programs.start(ops);
  std::vector<WarpProgram> all;
  std::mt19937 random(5);
  // Few distinct stretches, so parts occur again after the same and after other parts.
  std::vector<std::vector<Executed>> kinds(8);
  for (auto& kind : kinds) {
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const bool is_off = random() % 8 == 0;
      const bool requests = !is_off && ops[i].kind != MachineOp::Kind::kPlain;
      if (random() % 2 == 0)
        kind.push_back({i, requests ? static_cast<std::uint32_t>(random() % 3) : 0U, is_off});
    }
    if (kind.empty()) kind.push_back({5, 0, false});
  }
  for (int warp = 0; warp < 300; ++warp) {
    Followed expected;
    Programs::Path path;
    std::vector<std::pair<std::size_t, std::uint32_t>> requests;
    const std::size_t stretches = random() % 6;
    for (std::size_t s = 0; s < stretches; ++s) {
      const auto& stretch = kinds[random() % kinds.size()];
      expected.add(ops, stretch, s);
      for (const auto r : programs.extend(path, stretch)) requests.emplace_back(s, r);
    }
    const auto number = programs.number_of(path, all);
    EXPECT_EQ(expected.requests, requests);
    EXPECT_EQ(expected.program, all.at(number));
  }
}

TEST(Programs, AreNumberedOnce) {
  const auto ops = machine("ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\n");
  Programs programs;
  programs.start(ops);
  std::vector<WarpProgram> all;
  Programs::Path together;
  programs.extend(together, {{0, 1, false}, {1, 0, false}});
  Programs::Path apart;
  programs.extend(apart, {{0, 1, false}});
  EXPECT_EQ(0U, programs.number_of(apart, all));
  programs.extend(apart, {{1, 0, false}});
  EXPECT_EQ(1U, programs.number_of(together, all));
  EXPECT_EQ(1U, programs.number_of(together, all));
  EXPECT_EQ(1U, programs.number_of(apart, all));  // the same steps from other stretches
  EXPECT_EQ(1U, programs.number_of(WarpProgram(all[1]), all));
  EXPECT_EQ(2U, all.size());
}

// A register is loaded before a loop and used after it.
class LongLoop : public testing::Test {
 protected:
  LongLoop() {
    programs_.start(
        machine("ld.global.f32 %f1, [%rd1];\n"
                "st.global.f32 [%rd2], %f3;\n"
                "st.global.f32 [%rd3], %f1;\n"));
    programs_.extend(path_, {{0, 1, false}});
  }
  // The number of waits in the program if a loop that stores once runs `passes` iterations before
  // the use.
  std::size_t waits_behind(std::uint32_t passes) {
    for (std::uint32_t i = 0; i < passes; ++i) programs_.extend(path_, {{1, 1, false}});
    programs_.extend(path_, {{2, 1, false}});
    std::vector<WarpProgram> all;
    const auto number = programs_.number_of(path_, all);
    const auto& program = all.at(number);
    return static_cast<std::size_t>(
        std::count_if(program.begin(), program.end(),
                      [](const Step& step) { return step.kind == Step::Kind::kWait; }));
  }

  Programs programs_;
  Programs::Path path_;
};

TEST_F(LongLoop, IsWaitedForUpToALimit) { EXPECT_EQ(1u, waits_behind(Programs::kLongestWait - 1)); }

TEST_F(LongLoop, IsTakenToBeAnsweredPastIt) { EXPECT_EQ(0u, waits_behind(Programs::kLongestWait)); }

TEST_F(LongLoop, HasNoMorePartsThanThat) {
  waits_behind(50 * Programs::kLongestWait);
  EXPECT_GE(Programs::kLongestWait + 4, programs_.parts());
}

}  // namespace warpgrade::timing::trace_test
