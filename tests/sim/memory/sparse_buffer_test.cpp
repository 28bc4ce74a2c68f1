// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/sparse_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <thread>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/run/launch.h"
#include "common/sim/simulator.h"

namespace warpgrade::sim::sparse_buffer_test {

// Memory that later tables reuse. The sizes occur only in this file, so no table of another test is
// reused here.

constexpr std::size_t kBytes = std::size_t{48} << 20;
constexpr auto kMark = std::byte{0x5a};

// Creates and destroys a table of `bytes` bytes, of which `touched` count as written. Returns its
// address.
const std::byte* use(std::size_t bytes, std::size_t touched) {
  KeptMemory memory(bytes, FirstBytes::kAny, "table");
  memory.get()[0] = kMark;
  memory.set_touched(touched);
  return memory.get();
}

TEST(KeptMemory, GivesTheNextTableWhatTheLastOneLeft) {
  const auto* const first = use(kBytes, 4096);
  KeptMemory next(kBytes - 5000, FirstBytes::kAny, "next");
  EXPECT_EQ(first, next.get());
  EXPECT_EQ(kMark, next.get()[0]);
}

TEST(KeptMemory, GivesTwoTablesAtATimeMemoryOfTheirOwn) {
  use(kBytes, 4096);
  KeptMemory a(kBytes, FirstBytes::kAny, "a");
  KeptMemory b(kBytes, FirstBytes::kAny, "b");
  EXPECT_NE(a.get(), b.get());
}

TEST(KeptMemory, OfZerosIsNotWhatATableOfAnyBytesLeft) {
  use(kBytes, 4096);
  KeptMemory zeros(kBytes, FirstBytes::kZeros, "zeros");
  EXPECT_EQ(std::byte{0}, zeros.get()[0]);
}

TEST(KeptMemory, IsNotKeptWhereNobodySaidWhatWasTouched) {
  {
    KeptMemory memory(kBytes * 4, FirstBytes::kAny, "table");
    memory.get()[0] = kMark;
  }
  KeptMemory next(kBytes * 4, FirstBytes::kAny, "next");
  EXPECT_EQ(std::byte{0}, next.get()[0]);
}

TEST(KeptMemory, IsNotKeptPastALimit) {
  use(kBytes, KeptMemory::kMostKept + 1);
  EXPECT_LE(KeptMemory::kept(), KeptMemory::kMostKept);
  {
    KeptMemory a(kBytes, FirstBytes::kAny, "a");
    KeptMemory b(kBytes, FirstBytes::kAny, "b");
    a.set_touched(KeptMemory::kMostKept);
    b.set_touched(KeptMemory::kMostKept);
  }
  EXPECT_LE(KeptMemory::kept(), KeptMemory::kMostKept);
}

TEST(KeptMemory, MakesRoomByGivingBackWhatIsOldest) {
  use(kBytes * 2, KeptMemory::kMostKept);
  const auto* const last = use(kBytes, 4096);
  EXPECT_EQ(4096U, KeptMemory::kept());
  KeptMemory next(kBytes, FirstBytes::kAny, "next");
  EXPECT_EQ(last, next.get());
}

TEST(KeptMemory, RemembersWhatEarlierTablesHaveTouched) {
  constexpr std::size_t kTouched = std::size_t{1} << 20;
  use(kBytes * 2, kTouched);
  const auto kept = KeptMemory::kept();
  use(kBytes * 2, 4096);
  EXPECT_EQ(kept, KeptMemory::kept());
}

TEST(KeptMemory, OfMoreThanThereAreAddressesIsAnErrorOfOurs) {
  EXPECT_THROW(KeptMemory(std::size_t{1} << 60, FirstBytes::kAny, "huge"), base::ToolError);
}

run::Pattern filled_with(std::byte value) {
  run::Pattern out;
  out.name = "in";
  out.bytes = out.period = std::uint64_t{96} << 20;
  out.make = [value](std::uint64_t, std::span<std::byte> to) {
    std::fill(to.begin(), to.end(), value);
  };
  return out;
}

TEST(KeptMemory, ShowsNoBufferWhatAnEarlierOneHeld) {
  constexpr std::uint64_t kFar = std::uint64_t{50} << 20;
  {
    SparseBuffer earlier(filled_with(std::byte{1}));
    for (const auto at : {kFar, std::uint64_t{0}, kFar + 128}) *earlier.at(at) = kMark;
  }
  SparseBuffer buffer(filled_with(std::byte{2}));
  EXPECT_TRUE(buffer.made().empty());
  EXPECT_EQ(std::byte{2}, *buffer.at(kFar + 128));
  EXPECT_EQ(std::byte{2}, *buffer.at(kFar));
  EXPECT_EQ(std::byte{2}, *buffer.at(0));
  EXPECT_EQ(3U, buffer.made().size());
}

// Buffers whose content is made only at the places that a launch accesses.

/// Byte i of the pattern is i % 251.
run::Pattern counting(std::uint64_t bytes, std::uint64_t period) {
  run::Pattern out;
  out.name = "in";
  out.bytes = bytes;
  out.period = period;
  out.make = [](std::uint64_t first, std::span<std::byte> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::byte>((first + i) % 251);
  };
  return out;
}

TEST(SparseBuffer, HasItsContentWhereItWasAskedFor) {
  SparseBuffer buffer(counting(std::uint64_t{1} << 40, std::uint64_t{1} << 40));
  const auto far = (std::uint64_t{1} << 39) + 7;
  for (std::uint64_t i = far; i < far + 4; ++i) {
    EXPECT_EQ(static_cast<std::byte>(i % 251), *buffer.at(i));
  }
}

TEST(SparseBuffer, MakesThePiecesThatAreTouchedAndNoOthersAndListsThemAscending) {
  SparseBuffer buffer(counting(1000, 1000));
  buffer.at(999);
  buffer.at(127);
  buffer.at(128);
  const auto made = buffer.made();
  ASSERT_EQ(3U, made.size());
  EXPECT_EQ(0U, made[0].begin);
  EXPECT_EQ(128U, made[1].begin);
  EXPECT_EQ(896U, made[2].begin);
  EXPECT_EQ(104U, made[2].bytes);
  EXPECT_EQ(std::byte{896 % 251}, made[2].content[0]);
}

TEST(SparseBuffer, ContentRepeatsItselfAfterThePeriod) {
  SparseBuffer buffer(counting(400, 100));
  for (std::uint64_t i = 0; i < 400; ++i) {
    EXPECT_EQ(static_cast<std::byte>(i % 100), *buffer.at(i)) << i;
  }
}

TEST(SparseBuffer, KeepsWhatWasWrittenAndKnowsWhatWasThere) {
  SparseBuffer buffer(counting(256, 256));
  *buffer.at(130) = std::byte{99};
  EXPECT_EQ(std::byte{99}, *buffer.at(130));
  EXPECT_EQ(std::byte{99}, buffer.made()[0].content[2]);
  EXPECT_EQ(std::byte{130}, buffer.first_content(buffer.made()[0])[2]);
}

TEST(SparseBuffer, SeveralThreadsMakeAPieceOnce) {
  SparseBuffer buffer(counting(1 << 20, 1 << 20));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (std::uint64_t i = 0; i < 1 << 20; i += SparseBuffer::kPiece) buffer.at(i);
      });
    }
  }
  EXPECT_EQ((1U << 20) / SparseBuffer::kPiece, buffer.made().size());
  for (std::uint64_t i = 0; i < 1 << 20; ++i) {
    ASSERT_EQ(static_cast<std::byte>(i % 251), *buffer.at(i));
  }
}

TEST(SparseBuffer, PiecesStandSideBySideOnTheHostAsTheyWereMade) {
  SparseBuffer buffer(counting(std::uint64_t{1} << 30, std::uint64_t{1} << 30));
  const auto* const first = buffer.at(std::uint64_t{1} << 29);
  EXPECT_EQ(first + SparseBuffer::kPiece, buffer.at(0));
}

// Each lane copies the byte at 2^20 times its number, like an element of a column.
TEST(SparseBuffer, ALaunchReadsAndWritesWhatItWouldInWholeBuffers) {
  compile::Program program;
  program.ptx = {R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in) {
.reg .b64 %rd<6>; .reg .b32 %r<4>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];
mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 1048576;
add.u64 %rd4, %rd2, %rd3; ld.global.u8 %r2, [%rd4];
add.u64 %rd5, %rd1, %rd3; st.global.u8 [%rd5], %r2;
ret; }
)",
                 {}};
  run::Launch launch;
  launch.kernel = "k";
  launch.grid = {3, 1, 1};
  launch.block = {32, 1, 1};
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  const std::uint64_t bytes = 32U << 20;
  auto buffers = sparse_buffers({counting(bytes, 1), counting(bytes, bytes)});
  Simulator simulator(program);
  run::Options options;
  options.blocks = {{2, 3}};
  const auto result = simulator.launch(launch, buffers, options);
  ASSERT_TRUE(result.diagnostics.empty()) << base::text(result.diagnostics[0]);
  EXPECT_EQ(32U, buffers[0].made().size());
  EXPECT_TRUE(buffers[0].is_written());
  EXPECT_FALSE(buffers[1].is_written());
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(static_cast<std::byte>((lane << 20) % 251), *buffers[0].at(lane << 20)) << lane;
  }
}

// A row of words that begins in the middle of a piece, read upwards and written downwards.
TEST(SparseBuffer, ARowMayLieInSeveralPieces) {
  compile::Program program;
  program.ptx = {R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in) {
.reg .b64 %rd<8>; .reg .b32 %r<4>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];
mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
add.u64 %rd4, %rd2, %rd3; ld.global.u32 %r2, [%rd4+100];
sub.u64 %rd5, %rd1, %rd3; st.global.u32 [%rd5+224], %r2;
ret; }
)",
                 {}};
  run::Launch launch;
  launch.kernel = "k";
  launch.block = {32, 1, 1};
  launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  auto buffers = sparse_buffers({counting(512, 1), counting(512, 512)});
  buffers[0].at(384);
  buffers[1].at(256);
  Simulator simulator(program);
  const auto result = simulator.launch(launch, buffers, {});
  ASSERT_TRUE(result.diagnostics.empty()) << base::text(result.diagnostics[0]);
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(static_cast<std::byte>((100 + lane * 4) % 251), *buffers[0].at(224 - lane * 4))
        << lane;
  }
}

TEST(SparseBuffer, AnAccessPastItsEndIsAFault) {
  compile::Program program;
  program.ptx = {R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in) {
.reg .b64 %rd<3>; .reg .b32 %r<2>;
ld.param.u64 %rd1, [in]; ld.global.u32 %r1, [%rd1+256]; ret; }
)",
                 {}};
  run::Launch launch;
  launch.kernel = "k";
  launch.arguments = {run::BufferArgument{0}};
  auto buffers = sparse_buffers({counting(256, 256)});
  Simulator simulator(program);
  const auto result = simulator.launch(launch, buffers, {});
  ASSERT_EQ(1U, result.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, result.diagnostics[0].kind);
}

// Pieces of an input that are not kept, but made again at a later read.

constexpr auto kPiece = SparseBuffer::kPiece;

// Each byte is its piece's number modulo 251, plus `first`. `made` counts the pieces that were
// made.
run::Pattern input(std::uint64_t pieces, std::uint8_t first, int& made) {
  run::Pattern out;
  out.name = "in";
  out.read_only = true;
  out.bytes = out.period = pieces * kPiece;
  out.make = [first, &made](std::uint64_t begin, std::span<std::byte> to) {
    ++made;
    for (auto& byte : to) byte = static_cast<std::byte>(begin / kPiece % 251 + first);
  };
  return out;
}

TEST(RecentPieces, APieceIsMadeOnceWhileItIsRecent) {
  int made = 0;
  SparseBuffer buffer(input(100, 0, made));
  RecentPieces recent;
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t piece = 0; piece < 100; ++piece) {
      EXPECT_EQ(static_cast<std::byte>(piece), *recent.at(buffer, piece * kPiece));
    }
  }
  EXPECT_EQ(100, made);
  EXPECT_EQ(100 * kPiece, buffer.bytes_read());
  EXPECT_TRUE(buffer.made().empty());
}

// This must hold for any earlier reads: a piece that is found again may be the next one to be
// replaced.
TEST(RecentPieces, AnAccessHoldsItsPieces) {
  constexpr auto kHeld = RecentPieces::kHeld;
  int made = 0;
  SparseBuffer buffer(input(3 * RecentPieces::kSlots, 0, made));
  for (std::uint64_t before = RecentPieces::kSlots - 2 * kHeld;
       before < RecentPieces::kSlots + kHeld; before += 7) {
    RecentPieces recent;
    for (std::uint64_t piece = 0; piece < before; ++piece) recent.at(buffer, piece * kPiece);
    std::vector<std::byte*> held = {recent.at(buffer, 0)};
    for (std::uint64_t i = 1; i < kHeld; ++i) {
      held.push_back(recent.at(buffer, (before + i) * kPiece));
    }
    EXPECT_EQ(std::byte{0}, *held[0]);
    for (std::uint64_t i = 1; i < kHeld; ++i) {
      ASSERT_EQ(static_cast<std::byte>((before + i) % 251), held[i][kPiece - 1]);
    }
  }
}

TEST(RecentPieces, PiecesOfAnotherBufferAreOthers) {
  int made = 0;
  RecentPieces recent;
  for (std::uint8_t first = 1; first < 5; ++first) {  // usually at the same address
    const auto buffer = std::make_unique<SparseBuffer>(input(4, first, made));
    EXPECT_EQ(static_cast<std::byte>(first + 3), *recent.at(*buffer, 3 * kPiece));
  }
}

TEST(RecentPieces, AnInputThatWasWrittenIsKept) {
  int made = 0;
  SparseBuffer buffer(input(4, 0, made));
  EXPECT_TRUE(buffer.is_only_read());
  buffer.mark_written();
  EXPECT_FALSE(buffer.is_only_read());
  *buffer.at(kPiece) = std::byte{99};
  EXPECT_EQ(std::byte{99}, *buffer.at(kPiece));
  EXPECT_EQ(kPiece, buffer.bytes_read());
}

}  // namespace warpgrade::sim::sparse_buffer_test
