// SPDX-License-Identifier: Apache-2.0
// Work: the cost of a block's execution, in units of about the time of a plain warp instruction.
//
// A limit on work stops a kernel that would occupy the host for too long. Work is counted rather
// than timed, so a kernel stops at the same place on every machine under any load. Each micro-op is
// one unit; slower operations are charged with the numbers below. These were fitted to the run
// times of kernels of one kind each, with all checks on. They are accurate within a factor of about
// three, which is enough for a limit.
#pragma once

#include <cstdint>

namespace warpgrade::sim {

/// An observed request of a warp with one stride.
constexpr std::uint64_t kRequestWork = 64;
/// The same per lane with irregular addresses, and for lanes that move less than a word, because
/// each byte is tracked separately.
constexpr std::uint64_t kScatteredLaneWork = 8;
constexpr std::uint64_t kScatteredByteWork = 96;
/// Per lane of an atomic operation.
constexpr std::uint64_t kAtomicLaneWork = 8;
/// A request, and an instruction, that the time model traces: it stores and replays them.
constexpr std::uint64_t kTracedRequestWork = 256;
constexpr std::uint64_t kTracedWork = 16;
/// A barrier, or another event that orders accesses; for each observer.
constexpr std::uint64_t kOrderWork = 16;
/// A fence, after which all accesses of its threads are new for the checks; for each observer.
constexpr std::uint64_t kFenceWork = 128;
/// A call of a device function.
constexpr std::uint64_t kCallWork = 128;
/// A call of printf by a thread.
constexpr std::uint64_t kPrintWork = 128;
/// Per byte that printf formats, or reads as its format or a string.
constexpr std::uint64_t kPrintedByteWork = 4;
/// A call of malloc or free by a thread, and bytes of the heap's addresses per unit. Each piece has
/// its own addresses, and observers need memory per address.
constexpr std::uint64_t kHeapWork = 256;
constexpr std::uint64_t kHeapBytesPerUnit = 4;
/// Bytes of memory filled per unit.
constexpr std::uint64_t kFilledPerUnit = 64;
/// An arithmetic instruction in half precision; one on pairs counts as two.
constexpr std::uint64_t kHalfWork = 32;
/// The same for tanh.
constexpr std::uint64_t kHalfTanhWork = 72;
/// A number that is rounded to half precision; a pair counts as two.
constexpr std::uint64_t kHalfConversionWork = 8;
/// Instructions of the kernel whose counts are added up per unit.
constexpr std::uint64_t kCountsPerUnit = 8;

/// For messages.
constexpr const char* kUnitsText =
    "a warp instruction is one unit, a request of memory or a call of printf or malloc is many";

}  // namespace warpgrade::sim
