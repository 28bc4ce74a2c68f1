// SPDX-License-Identifier: Apache-2.0
// A failure of the program under test, as a value, with the facts behind it.
//
// Failures have three forms. A Diagnostic is an error of the student's program, or reports that
// we cannot judge it (kind kUnsupported). A verdict is a value of the grader, and our own
// failures are the exceptions of error.h. Each kind of finding is a struct of facts. Later stages
// add facts, and finding_text.h turns them into sentences. A fault to which no stage adds facts
// has a message instead (Diagnostic::message).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/place.h"

namespace warpgrade::base {

// The facts behind a diagnostic, each kind of finding as a struct.
//
// Later stages add shapes of arrays, or the barrier that some threads skip. Renderers turn facts
// into sentences (finding_text.h). A fault to which no later stage adds anything has a message
// instead (Diagnostic::message).

struct SourceLocation {
  std::string file;          ///< Name shown to the user; empty if unknown.
  std::uint32_t line = 0;    ///< 1-based; 0 if unknown.
  std::uint32_t column = 0;  ///< 1-based, in bytes; 0 if unknown.

  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// A line as seen from the line of a diagnostic.
struct LineRef {
  std::uint32_t line = 0;      ///< 0 if unknown.
  std::uint32_t ptx_line = 0;  ///< For instructions without a source line.
  std::string file;            ///< Empty: the diagnostic's.

  friend bool operator==(const LineRef&, const LineRef&) = default;
};

/// A place in the code for a barrier.
struct Between {
  enum class Form : std::uint8_t {
    kLines,   ///< Between `first` and `second`.
    kLoop,    ///< There, or between `second` and the next iteration of `first`.
    kNext,    ///< Between `first` and the next iteration of `second`.
    kPasses,  ///< Between two iterations of `first`.
  };
  LineRef first;
  LineRef second;
  Form form{};

  friend bool operator==(const Between&, const Between&) = default;
};

/// A barrier of the whole block that some of its threads never reach, because they end before it.
struct SkippedBarrier {
  SourceLocation where;
  Dim3 block;                    ///< The first block in which it happened.
  std::string threads;           ///< Threads that ended: "threads 64 to 127".
  std::uint64_t reached = 0;     ///< Number of threads that reach it.
  std::uint64_t block_size = 0;  ///< Number of threads of the block.

  friend bool operator==(const SkippedBarrier&, const SkippedBarrier&) = default;
};

enum class Harmless : std::uint8_t {
  kNo,
  kStaleLoad,       ///< A plain load, concurrent with atomics.
  kUnchangedStore,  ///< A store of the present value, concurrent with a load.
};

/// Advice for a harmless race: the atomic access that makes it no race.
struct HarmlessAdvice {
  Harmless which{};
  std::string type;        ///< C++ type of the word: "unsigned".
  bool in_global = false;  ///< All threads of the device share the word, not only a block's.

  friend bool operator==(const HarmlessAdvice&, const HarmlessAdvice&) = default;
};

/// The barrier for a race between two threads of a block.
struct BarrierAdvice {
  bool for_warp = false;     ///< A barrier of the warp suffices, and the block has several warps.
  bool one_warp = false;     ///< The block is one warp.
  bool for_cluster = false;  ///< The threads belong to two blocks of a cluster.
  bool both_write = false;
  bool one_line = false;     ///< Both accesses are in one line.
  bool is_repeated = false;  ///< A thread may execute that line several times.
  bool has_flags = false;    ///< The kernel also orders threads by flags or locks.
  Between between;

  friend bool operator==(const BarrierAdvice&, const BarrierAdvice&) = default;
};

/// An access that is atomic only within its block races with an access of another block.
struct ScopeAdvice {
  LineRef narrow;

  friend bool operator==(const ScopeAdvice&, const ScopeAdvice&) = default;
};

/// A flag, a counter or a lock orders the two accesses only if fences do, and one is missing.
struct FenceAdvice {
  LineRef before, now;  ///< Lines of the two accesses.
  bool across_blocks = false;

  friend bool operator==(const FenceAdvice&, const FenceAdvice&) = default;
};

/// An attempt to take a lock may fail, and the thread goes on.
struct LockAdvice {
  LineRef attempt;

  friend bool operator==(const LockAdvice&, const LockAdvice&) = default;
};

/// Blocks of a cooperative launch may meet at a barrier of the grid.
struct GridAdvice {
  Between between;

  friend bool operator==(const GridAdvice&, const GridAdvice&) = default;
};

/// Advice for two accesses of different blocks, which a launch does not order.
enum class BlocksAdvice : std::uint8_t {
  kSetBefore,   ///< A store and an atomic: initialise before the launch.
  kOwnElement,  ///< Two stores.
  kHandOver,    ///< A load and a store.
};

/// A lost update: a thread reads a word and then writes it in a second step, which overwrites or
/// ignores what another thread writes in between.
struct UpdateAdvice {
  /// The operation that does both in one step.
  enum class Step : std::uint8_t {
    kAdd,
    kAnd,
    kOr,
    kXor,
    kMin,
    kMax,
    kTestAndSet,  ///< The write happens if the word had some value.
    kAny,         ///< No single atomic does it.
  };
  Step step{};
  LineRef read;
  LineRef write;
  bool has_swap = false;  ///< The write is a compare-and-swap whose failure has no effect.

  friend bool operator==(const UpdateAdvice&, const UpdateAdvice&) = default;
};

using RaceAdvice =
    std::variant<BlocksAdvice, BarrierAdvice, FenceAdvice, GridAdvice, HarmlessAdvice, LockAdvice,
                 ScopeAdvice, SkippedBarrier, UpdateAdvice>;

/// Two unordered accesses; Diagnostic::related contains the other one.
struct Race {
  Place place;
  Does does{};
  bool in_global = false;
  std::optional<LineRef> other_line;  ///< Line of the other access, if it is another line.
  RaceAdvice advice;

  friend bool operator==(const Race&, const Race&) = default;
};

/// An access while an asynchronous copy (cp.async) may still be in flight; Diagnostic::related has
/// its start.
struct CopyRace {
  enum class Advice : std::uint8_t {
    kCommit,       ///< The wait is for committed groups, and no group contains the copy.
    kLeaveFewer,   ///< The newest groups may still be pending after the wait.
    kWait,         ///< The thread's own copy.
    kWaitAndMeet,  ///< Another thread's copy.
  };
  Place place;
  Does does{};
  bool overwrites_source = false;
  bool is_own = false;  ///< The same thread has started the copy.
  LineRef start;
  Advice advice{};
  LineRef wait;            ///< For kCommit and kLeaveFewer.
  std::uint64_t left = 0;  ///< Groups that may still be pending after this wait.
  Between between;         ///< For kWait and kWaitAndMeet.

  friend bool operator==(const CopyRace&, const CopyRace&) = default;
};

/// An access while a bulk copy may still be in flight; Diagnostic::related has its start.
struct BulkRace {
  enum class Advice : std::uint8_t { kCloseGroup, kWaitForItsPhase, kWaitAtObject };
  Place place;
  Does does{};
  bool is_source = false;  ///< The copy may still read there, and does not write there.
  bool is_own = false;
  LineRef start;
  Advice advice{};

  friend bool operator==(const BulkRace&, const BulkRace&) = default;
};

/// An access to the shared memory of another block of the cluster, which has ended or may end
/// before it.
struct EndedBlock {
  Place place;
  Does does{};
  bool has_ended = false;

  friend bool operator==(const EndedBlock&, const EndedBlock&) = default;
};

/// A block that ends while a bulk copy of its shared memory may be in flight.
struct BulkLeft {
  bool to_shared = false;

  friend bool operator==(const BulkLeft&, const BulkLeft&) = default;
};

/// A load through the read-only data cache; the same launch writes the element.
struct CachedRead {
  Place place;

  friend bool operator==(const CachedRead&, const CachedRead&) = default;
};

/// A read of uninitialized memory.
struct UnwrittenRead {
  Place place;                ///< In shared memory or in a buffer.
  std::uint64_t written = 0;  ///< Number of initialized bytes at its start.
  bool in_cluster = false;    ///< Any block of a cluster could have written it.

  friend bool operator==(const UnwrittenRead&, const UnwrittenRead&) = default;
};

/// An array of each thread.
struct OwnArray {
  std::string name;
  std::uint32_t line = 0;

  friend bool operator==(const OwnArray&, const OwnArray&) = default;
};

/// A read of a local array that the thread has not written.
struct UnwrittenLocal {
  std::uint32_t bytes = 0;
  /// The array of each thread that was perhaps meant to be shared.
  std::optional<OwnArray> array = std::nullopt;

  friend bool operator==(const UnwrittenLocal&, const UnwrittenLocal&) = default;
};

/// A write to a buffer that is an input.
struct InputWrite {
  Place place;
  Does does{};

  friend bool operator==(const InputWrite&, const InputWrite&) = default;
};

/// An access to an address that is not a multiple of its size.
struct Misaligned {
  Place place;
  Does does{};

  friend bool operator==(const Misaligned&, const Misaligned&) = default;
};

/// The largest array of a kernel in shared memory.
struct LargestArray {
  std::string name;
  std::vector<std::uint64_t> extents;
  std::uint64_t bytes = 0;

  friend bool operator==(const LargestArray&, const LargestArray&) = default;
};

/// A kernel that declares more shared memory than the limit.
struct SharedTooLarge {
  std::string kernel;
  std::uint64_t bytes = 0;
  std::uint64_t most = 0;
  std::optional<LargestArray> largest = std::nullopt;

  friend bool operator==(const SharedTooLarge&, const SharedTooLarge&) = default;
};

/// Barriers that some threads never reach; `all` is not empty.
struct SkippedBarriers {
  std::vector<SkippedBarrier> all;
  std::string own_file;  ///< Lines of it need no file name.

  friend bool operator==(const SkippedBarriers&, const SkippedBarriers&) = default;
};

/// std::monostate: the diagnostic has a message instead.
using Facts = std::variant<std::monostate, OutsideAccess, Misaligned, UnwrittenRead, UnwrittenLocal,
                           InputWrite, Race, CopyRace, BulkRace, BulkLeft, CachedRead, EndedBlock,
                           SkippedBarriers, SharedTooLarge>;

/// The place in memory of a finding; nullptr if its kind has none.
Place* place_of(Facts& facts);

/// "(3, 1, 0)".
std::string text(const Dim3& index);

/// "32 x 8 x 1".
std::string extent_text(const Dim3& extent);

/// "line 12", "line 12 of tile.h" if that is another file, "PTX line 80" if the line is unknown.
std::string text(const LineRef& line);

/// "between line 10 and line 12".
std::string text(const Between& between);

enum class DiagnosticKind {
  kOutOfBounds,
  kMisaligned,
  kUninitializedRead,
  kInputModified,
  kRace,
  kDivergentBarrier,
  kDeadlock,
  kRunaway,
  kTrap,
  kUnsupported,
  kCompileError,
};

/// A warning concerns a program that is right on every card, but violates the rules of the
/// language. It has no deduction.
enum class Severity { kError, kWarning };

/// "error" or "warning".
std::string_view name(Severity severity);

/// The name of a kind in JSON and in reports: "out_of_bounds", "misaligned", ...
std::string_view name(DiagnosticKind kind);

/// A second place in a diagnostic: the earlier access of a race.
struct RelatedPlace {
  SourceLocation where;
  Does does{};                ///< Kind of access there.
  std::optional<Dim3> block;  ///< The block, as in Diagnostic.
  std::optional<Dim3> thread;

  friend bool operator==(const RelatedPlace&, const RelatedPlace&) = default;
};

/// A launch of a sequence.
struct InLaunch {
  std::uint64_t number = 0;  ///< From 1.
  std::uint64_t count = 0;
  std::string kernel;

  friend bool operator==(const InLaunch&, const InLaunch&) = default;
};

/// The limit of work that a case has.
struct CaseLimit {
  std::string name;
  std::uint64_t units = 0;
  std::uint64_t block_units = 0;
  std::uint64_t reference_instructions = 0;  ///< Warp instructions of the course's reference.

  friend bool operator==(const CaseLimit&, const CaseLimit&) = default;
};

/// The circumstances of a diagnostic: number of occurrences, launch, order of warps, limit.
struct Circumstances {
  std::uint64_t occurrences = 1;
  std::size_t left_out = 0;  ///< Findings at other lines that are not shown.
  std::optional<InLaunch> launch = std::nullopt;
  std::string replay;  ///< Command that reproduces it, if another order of warps revealed it.
  std::optional<CaseLimit> limit = std::nullopt;
  /// Variables of the size whose speed is graded, if it was found there.
  std::optional<std::map<std::string, double, std::less<>>> timed_size = std::nullopt;

  friend bool operator==(const Circumstances&, const Circumstances&) = default;
};

struct Diagnostic {
  DiagnosticKind kind{};
  SourceLocation where;
  std::string message;                     ///< One or more sentences; empty if there are facts.
  std::optional<Dim3> block;               ///< Block index, if a thread is at fault.
  std::optional<Dim3> thread;              ///< Thread index within that block.
  std::vector<RelatedPlace> related = {};  ///< Also described in the text.
  Severity severity = Severity::kError;
  Facts facts = {};
  Circumstances seen = {};

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

}  // namespace warpgrade::base
