// SPDX-License-Identifier: Apache-2.0
// Compares which loads L1 serves and keeps with counters of an H200 (README.md, h200_loads).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/sim/simulator.h"
#include "tests/evidence/golden/csv.h"

namespace warpgrade::golden::h200_loads_test {

const std::string kFolder = std::string(WARPGRADE_GOLDEN) + "/h200_loads";

// Form -> PTX, from the lines FORM(name, code) of forms.inc.
std::map<std::string, std::string> forms() {
  std::map<std::string, std::string> all;
  std::ifstream file(kFolder + "/forms.inc");
  for (std::string line; std::getline(file, line);) {
    const auto comma = line.find(", ");
    all[line.substr(5, comma - 5)] = "ld." + line.substr(comma + 2, line.size() - comma - 3);
  }
  return all;
}

// The passes of loads.cu in PTX, without the address of each warp's line: all warps load all lines.
std::string kernel(const std::string& form, const std::string& order) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 in)\n{\n"
      ".reg .b32 %r<9>;\n.reg .b64 %a<4>;\nld.param.u64 %a1, [in];\n"
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n";
  for (int pass = 0; pass < 4; ++pass) {
    const bool is_plain = (order == "after" && pass == 0) || (order == "before" && pass != 0);
    const std::string shift = std::to_string(32 * pass);
    text += "add.u32 %r3, %r1, " + shift + ";\nand.b32 %r3, %r3, 255;\n" +
            "mad.lo.u32 %r3, %r2, 256, %r3;\nmul.wide.u32 %a2, %r3, 4;\nadd.u64 %a3, %a1, %a2;\n" +
            (is_plain ? "ld.global.ca" : form) + ".u32 %r4, [%a3];\nbar.sync 0;\n";
  }
  return text + "ret;\n}\n";
}

TEST(H200Loads, L1ServesAndKeepsTheSameOnes) {
  const auto all = forms();
  std::size_t compared = 0;
  for (const auto& row : read_csv(kFolder + "/counters.csv")) {
    const auto& form = row.at("form");
    // ptxas moved loads of this form across those of the other.
    if (form == "nc_no_allocate" && row.at("order") == "after") continue;
    compile::Program program;
    program.ptx = {kernel(all.at(form), row.at("order")), {}};
    run::Launch launch;
    launch.kernel = "kernel";
    launch.grid.x = 64;
    launch.block.x = 256;
    launch.arguments = {run::BufferArgument{0}};
    std::vector<run::Buffer> buffers(1);
    buffers[0].bytes.resize(65536);
    memory::Counters counters(device::find("h200"));
    run::Options options;
    options.observers = {&counters};
    sim::Simulator simulator(program);
    ASSERT_TRUE(simulator.launch(launch, buffers, options).diagnostics.empty()) << form;
    EXPECT_EQ(std::stoull(row.at("l1tex__m_xbar2l1tex_read_sectors.sum")),
              counters.missed_load_sectors())
        << form << " " << row.at("order");
    ++compared;
  }
  EXPECT_EQ(56U, compared);
}

}  // namespace warpgrade::golden::h200_loads_test
