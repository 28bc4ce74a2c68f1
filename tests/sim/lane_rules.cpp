// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/lane_rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "common/base/finding_text.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim {
namespace {

constexpr const char* kSources = R"(
  mad.lo.u32 %r1, %r29, 0x9e3779b9, 5; mad.lo.u32 %r2, %r29, 3, 1; xor.b32 %r3, %r29, 0x15;
  mul.wide.u32 %rd11, %r1, %r1; mul.wide.u32 %rd12, %r2, %r1; mul.wide.u32 %rd13, %r3, %r3;
  cvt.rn.f32.s32 %f1, %r1; cvt.rn.f32.s32 %f2, %r2; cvt.rn.f32.s32 %f3, %r3;
  cvt.rn.f64.s32 %d1, %r1; cvt.rn.f64.s32 %d2, %r2; cvt.rn.f64.s32 %d3, %r3;
  cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2; cvt.u16.u32 %h3, %r3;
  cvt.rn.f16.u32 %h11, %r2; cvt.rn.f16.u32 %h12, %r3; cvt.rn.f16.u32 %h13, %r29;
  and.b32 %r28, %r1, 1; setp.eq.u32 %p1, %r28, 1; and.b32 %r28, %r29, 2; setp.eq.u32 %p2, %r28, 2;
  and.b32 %r28, %r29, 1; setp.eq.u32 %p15, %r28, 1;
)";

run::Result run_and_keep(const std::string& body, std::vector<std::uint64_t>& out) {
  PtxLaunch launch;
  launch.body = kSources + body;
  const auto run = run_ptx(launch);
  out = run.out;
  return run.result;
}

std::vector<std::uint64_t> run(const std::string& body) {
  std::vector<std::uint64_t> out;
  const auto result = run_and_keep(body, out);
  for (const auto& each : result.diagnostics) ADD_FAILURE() << body << ": " << base::text(each);
  return out;
}

std::string message(const run::Result& result, bool with_kind) {
  if (result.diagnostics.empty()) return {};
  const auto& first = result.diagnostics[0];
  return with_kind ? fmt::format("{}: {}", base::name(first.kind), base::text(first))
                   : base::text(first);
}

// Stores register `name` of `kind` as a 64-bit word.
std::string stored(const std::string& kind, const std::string& name) {
  const auto moved = kind == "r"   ? "cvt.u64.u32 %rd4, " + name
                     : kind == "f" ? "mov.b32 %r4, " + name + "; cvt.u64.u32 %rd4, %r4"
                     : kind == "h" ? "cvt.u64.u16 %rd4, " + name
                     : kind == "p" ? "selp.u64 %rd4, 1, 0, " + name
                                   : "mov.b64 %rd4, " + name;
  return moved + "; st.global.u64 [%rd1], %rd4;";
}

// Fills register `name` of `kind` with a mark.
std::string marked(const std::string& kind, const std::string& name) {
  if (kind == "p") return "setp.eq.u32 " + name + ", %r29, %r29;";
  if (kind == "h") return "mov.u16 " + name + ", 0x5bad;";
  const bool wide = kind == "rd" || kind == "d";
  return fmt::format("mov.b{} {}, 0x5bad;", wide ? 64 : 32, name);
}

std::string with_result(const std::string& form, const std::string& name) {
  auto text = form;
  for (auto at = text.find("$d"); at != std::string::npos; at = text.find("$d")) {
    text.replace(at, 2, name);
  }
  return text + ";";
}

}  // namespace

std::vector<std::uint32_t> words(const std::string& instructions) {
  return low_words(run(instructions + "\n" + stored("r", "%r4")));
}
std::uint32_t word(const std::string& instructions) { return words(instructions).at(0); }
std::vector<std::uint64_t> long_words(const std::string& instructions) {
  return run(instructions + "\n" + stored("rd", "%rd4"));
}
std::uint64_t long_word(const std::string& instructions) { return long_words(instructions).at(0); }

std::uint32_t float_word(const std::string& form, std::uint32_t a, std::uint32_t b,
                         std::uint32_t c) {
  return word(
      fmt::format("mov.f32 %f1, 0f{:08X}; mov.f32 %f2, 0f{:08X}; mov.f32 %f3, 0f{:08X};"
                  "{}; mov.b32 %r4, %f4;",
                  a, b, c, form));
}
std::uint64_t double_word(const std::string& form, std::uint64_t a, std::uint64_t b,
                          std::uint64_t c) {
  return long_word(
      fmt::format("mov.f64 %d1, 0d{:016X}; mov.f64 %d2, 0d{:016X};"
                  "mov.f64 %d3, 0d{:016X}; {}; mov.b64 %rd4, %d4;",
                  a, b, c, form));
}

std::string refusal(const std::string& instructions) {
  std::vector<std::uint64_t> out;
  const auto result = run_and_keep(instructions, out);
  if (!result.diagnostics.empty()) {
    EXPECT_STREQ("unsupported", std::string(base::name(result.diagnostics[0].kind)).c_str());
  }
  return message(result, false);
}

std::string fault(const std::string& instructions) {
  std::vector<std::uint64_t> out;
  return message(run_and_keep(instructions, out), true);
}

void expect_lane_rules(const std::string& kind, const std::string& form) {
  SCOPED_TRACE(form);
  const auto mark = "%" + kind + "9";
  const auto mark_it = marked(kind, mark);
  const auto instruction = with_result(form, mark);
  const auto all = run(instruction + stored(kind, mark));
  const auto last = form.find_last_of(';') == std::string::npos ? 0 : form.find_last_of(';') + 1;
  const auto guarded =
      run(mark_it + with_result(form.substr(0, last) + "@%p15 " + form.substr(last), mark) +
          stored(kind, mark));
  const auto branched =
      run(mark_it + "@!%p15 bra $behind; " + instruction + "$behind: " + stored(kind, mark));
  const auto kept = run(mark_it + stored(kind, mark));
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    const auto& expected = lane % 2 == 1 ? all : kept;
    EXPECT_EQ(expected[lane], guarded[lane]) << "guard, lane " << lane;
    EXPECT_EQ(expected[lane], branched[lane]) << "branch, lane " << lane;
  }
  std::smatch source;
  if (std::regex_search(form, source, std::regex("%" + kind + "[0-9]+\\b"))) {
    EXPECT_EQ(all, run(with_result(form, source.str()) + stored(kind, source.str()))) << "in place";
  }
}

}  // namespace warpgrade::sim
