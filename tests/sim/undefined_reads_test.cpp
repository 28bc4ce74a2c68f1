// SPDX-License-Identifier: Apache-2.0
// Values from inactive lanes of a shuffle, and uninitialized local memory: both are garbage and
// cause warnings.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::undefined_reads_test {

using testing::IsEmpty;

constexpr std::uint32_t kGarbage = 0x7b7b7b7b;
const std::string kStore = "cvt.u64.u32 %rd5, %r5; st.global.u64 [%rd1], %rd5;\n";

PtxLaunch launch_of(const std::string& body) {
  PtxLaunch launch;
  launch.body = body;
  launch.options.garbage = std::byte{0x7b};
  return launch;
}

// Runs the launch and expects one warning, `message`, for the thread `thread`. Returns the low
// words of `out`.
std::vector<std::uint32_t> expect_warning(const std::string& message, std::uint32_t thread,
                                          const PtxLaunch& launch) {
  const auto run = run_ptx(launch);
  EXPECT_EQ(1U, run.result.diagnostics.size());
  for (const auto& found : run.result.diagnostics) {
    EXPECT_EQ(base::DiagnosticKind::kUninitializedRead, found.kind);
    EXPECT_EQ(message, base::text(found));
    EXPECT_EQ(thread, found.thread->x);
  }
  return low_words(run.out);
}

TEST(ShuffleSources, ALaneThatTheMaskDoesNotName) {
  const auto out = expect_warning(
      "lane 4 takes a value of lane 20, which its mask 0x000fffff does not name: what it gets is "
      "undefined. Let every lane that is read take part, those without an element with a value "
      "that changes nothing (0 in a sum)",
      4,
      launch_of("setp.lt.u32 %p1, %r29, 20; mov.u32 %r5, 0; @!%p1 bra $end;\n"
                "shfl.sync.down.b32 %r5, %r29, 16, 31, 0xfffff;\n$end:\n" +
                kStore));
  EXPECT_EQ(16U + 3, out[3]);
  EXPECT_EQ(kGarbage, out[4]);
  EXPECT_EQ(kGarbage, out[15]);
  EXPECT_EQ(16U, out[16]);  // Past the end of the warp, a lane gets its own value.
  EXPECT_EQ(19U, out[19]);
}

TEST(ShuffleSources, ALaneThatIsNotInTheBlockOrHasEnded) {
  const std::string message =
      "lane 0 takes a value of lane {}, which has ended or is not in the block: what it gets is "
      "undefined. Let every lane that is read take part, those without an element with a value "
      "that changes nothing (0 in a sum)";
  auto launch = launch_of("shfl.sync.bfly.b32 %r5, %r29, 16, 31, -1;\n" + kStore);
  launch.threads = 16;
  EXPECT_EQ(kGarbage, expect_warning(fmt::format(fmt::runtime(message), 16), 0, launch)[15]);
  launch = launch_of(
      "setp.eq.u32 %p1, %r29, 9; @%p1 exit;\n"
      "shfl.sync.idx.b32 %r5, %r29, 9, 31, -1;\n" +
      kStore);
  EXPECT_EQ(kGarbage, expect_warning(fmt::format(fmt::runtime(message), 9), 0, launch)[31]);
}

TEST(ShuffleSources, ALaneWhoseGuardKeepsItOut) {
  const auto out = expect_warning(
      "lane 0 takes a value of lane 1, which does not take part: what it gets is undefined. Let "
      "every lane that is read take part, those without an element with a value that changes "
      "nothing (0 in a sum)",
      0,
      launch_of("setp.ne.u32 %p1, %r29, 1; mov.u32 %r5, 7;\n"
                "@%p1 shfl.sync.bfly.b32 %r5, %r29, 1, 31, -1;\n" +
                kStore));
  EXPECT_EQ(kGarbage, out[0]);
  EXPECT_EQ(7U, out[1]);
  EXPECT_EQ(3U, out[2]);
}

// Two tiles of 16 lanes, each with its own mask.
TEST(ShuffleSources, AnotherTile) {
  const auto out = expect_warning(
      "lane 0 takes a value of lane 31, which its mask 0x0000ffff does not name: what it gets is "
      "undefined. Let every lane that is read take part, those without an element with a value "
      "that changes nothing (0 in a sum)",
      0,
      launch_of("setp.lt.u32 %p1, %r29, 16; selp.u32 %r6, 0xffff, 0xffff0000, %p1;\n"
                "shfl.sync.idx.b32 %r5, %r29, 31, 31, %r6;\n" +
                kStore));
  EXPECT_EQ(kGarbage, out[15]);
  EXPECT_EQ(31U, out[16]);
}

TEST(ShuffleSources, AllLanesAndTheirOwnValuesAreDefined) {
  for (const std::string mode : {"up", "down", "bfly", "idx"}) {
    const std::string bound = mode == "up" ? "0" : "31";
    const auto run = run_ptx(
        launch_of("shfl.sync." + mode + ".b32 %r5, %r29, 5, " + bound + ", -1;\n" + kStore));
    EXPECT_THAT(run.result.diagnostics, IsEmpty()) << mode;
  }
}

TEST(LocalMemory, WhatAThreadHasNotWrittenIsGarbage) {
  auto launch = launch_of(
      ".local .align 8 .b8 some[64]; mov.u64 %rd6, some;\n"
      "setp.eq.u32 %p1, %r29, 5; @%p1 bra $read;\n"
      "st.local.u32 [%rd6+12], %r29;\n$read:\n"
      "ld.local.u32 %r5, [%rd6+12];\n" +
      kStore);
  launch.blocks = 6;
  for (const std::uint32_t threads : {1U, 2U}) {
    launch.options.threads = threads;
    const auto out = expect_warning(
        "reads 4 bytes of a local array that the thread has not written. Local arrays are not "
        "zero-initialized: give every element a value first, for example by = {} in the "
        "declaration",
        5, launch);
    for (std::uint32_t t = 0; t < out.size(); ++t) {
      EXPECT_EQ(t % 32 == 5 ? kGarbage : t % 32, out[t]);
    }
  }
}

TEST(LocalMemory, EachByteCounts) {
  const std::string start =
      ".local .align 16 .b8 some[64]; mov.u64 %rd6, some; mov.u64 %rd7, 0; mov.u32 %r6, 0;\n";
  const auto reads = [&](const std::string& body) {
    return run_ptx(launch_of(start + body)).result.diagnostics.size();
  };
  EXPECT_EQ(0U, reads("st.local.u64 [%rd6+8], %rd7; ld.local.u8 %r5, [%rd6+15];"));
  EXPECT_EQ(1U, reads("st.local.u64 [%rd6+8], %rd7; ld.local.u8 %r5, [%rd6+16];"));
  EXPECT_EQ(1U, reads("st.local.u8 [%rd6+1], %r6; ld.local.u16 %r5, [%rd6];"));
  EXPECT_EQ(0U, reads("st.local.u8 [%rd6+1], %r6; st.local.u8 [%rd6], %r6; ld.local.u16 %r5, "
                      "[%rd6];"));
  EXPECT_EQ(0U, reads("st.local.v2.u64 [%rd6+16], {%rd7, %rd7}; ld.local.v4.u32 {%r1, %r2, %r3, "
                      "%r4}, [%rd6+16];"));
  EXPECT_EQ(1U, reads("st.local.u64 [%rd6+16], %rd7; ld.local.v4.u32 {%r1, %r2, %r3, %r4}, "
                      "[%rd6+16];"));
}

// Only the unwritten bytes are garbage.
TEST(LocalMemory, WhatIsWrittenStays) {
  const auto run =
      run_ptx(launch_of(".local .align 8 .b8 some[8]; mov.u64 %rd6, some; mov.u32 %r6, 0x11;\n"
                        "st.local.u8 [%rd6+1], %r6; ld.local.u32 %r5, [%rd6];\n" +
                        kStore));
  EXPECT_EQ(0x7b7b117bU, low_words(run.out)[0]);
}

TEST(LocalMemory, AFrameOfACallBeginsWithoutValues) {
  auto launch = launch_of(
      "{ .param .b32 r; call (r), f, (); ld.param.b32 %r5, [r]; }\n"
      "{ .param .b32 r; call (r), f, (); ld.param.b32 %r5, [r]; }\n" +
      kStore);
  launch.before =
      ".func (.param .b32 r) f() { .local .align 4 .b8 some[4]; .reg .b32 %x<3>; .reg .b64 %y<3>;\n"
      "mov.u64 %y1, some; ld.local.u32 %x1, [%y1]; st.param.b32 [r], %x1; mov.u32 %x2, 5;\n"
      "st.local.u32 [%y1], %x2; ret; }";
  EXPECT_EQ(kGarbage, low_words(run_ptx(launch).out)[7]);
}

}  // namespace warpgrade::sim::undefined_reads_test
