// SPDX-License-Identifier: Apache-2.0
// Work: how much a block has done, in units of about the time of a plain warp instruction.
//
// A limit on work stops a kernel that would hold the host up. It is counted and not timed, so a
// kernel is stopped at the same place on every machine, however busy. Each micro-op is one unit;
// what takes longer is charged for with the numbers below. They were fitted to the time that
// kernels of one kind each take, with all checks on: they are right within a factor of three or so,
// and a limit needs no more.
#pragma once

#include <cstdint>

namespace warpgrade::sim {

/// An observed request of a warp whose lanes lie at one stride.
constexpr std::uint64_t kRequestWork = 64;
/// The same by lane, if the lanes lie anywhere; and if they move less than a word each, of which
/// every byte is kept apart.
constexpr std::uint64_t kScatteredLaneWork = 8;
constexpr std::uint64_t kScatteredByteWork = 96;
/// By lane of an atomic operation.
constexpr std::uint64_t kAtomicLaneWork = 8;
/// A request, and an instruction, that the time model follows: it keeps and replays them.
constexpr std::uint64_t kTracedRequestWork = 256;
constexpr std::uint64_t kTracedWork = 16;
/// A barrier, or another event that orders accesses; for each observer.
constexpr std::uint64_t kOrderWork = 16;
/// A fence, behind which all accesses of its threads are new ones to the checks; likewise.
constexpr std::uint64_t kFenceWork = 128;
/// A call of a device function.
constexpr std::uint64_t kCallWork = 128;
/// A call of printf by a thread.
constexpr std::uint64_t kPrintWork = 128;
/// By byte that printf formats, or reads as its format or a string.
constexpr std::uint64_t kPrintedByteWork = 4;
/// A call of malloc or free by a thread, and bytes of the heap's addresses in a unit. Each piece
/// has addresses of its own, and what observers keep of an address takes memory.
constexpr std::uint64_t kHeapWork = 256;
constexpr std::uint64_t kHeapBytesPerUnit = 4;
/// Bytes of memory that are filled in a unit.
constexpr std::uint64_t kFilledPerUnit = 64;
/// An arithmetic instruction in half precision; one of pairs is two.
constexpr std::uint64_t kHalfWork = 8;
/// Instructions of the kernel whose counts are added up in a unit.
constexpr std::uint64_t kCountsPerUnit = 8;

/// For messages.
constexpr const char* kUnitsText =
    "a warp instruction is one unit, a request of memory or a call of printf or malloc is many";

}  // namespace warpgrade::sim
