// SPDX-License-Identifier: Apache-2.0
#include "common/base/finding_text.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "common/base/diagnostic.h"
#include "common/base/text.h"

namespace warpgrade::base {

/// `found` is the diagnostic that has these facts.
static std::string race_text(const Race& race, const Diagnostic& found);
static std::string race_text(const CopyRace& race, const Diagnostic& found);
static std::string race_text(const BulkRace& race, const Diagnostic& found);

namespace {

constexpr const char* kReachItAll =
    "Move it out of the if, or put an if around the work instead of a return before it, so that "
    "every thread reaches it.";

std::string other_thread_of(const Diagnostic& found) {
  if (found.related.empty()) return "";
  return text(found.related.front().thread.value_or(Dim3{0, 0, 0}));
}

// "thread (1, 0, 0) of block (2, 0, 0) writes".
std::string other_access(const Diagnostic& found) {
  if (found.related.empty()) return "";
  const auto& other = found.related.front();
  const bool is_of_other_block = other.block && other.block != found.block;
  return fmt::format("thread {}{} {}", other_thread_of(found),
                     is_of_other_block ? " of block " + text(*other.block) : "", verb(other.does));
}

// Sentences for each kind of advice.
class RaceAdviceText {
 public:
  explicit RaceAdviceText(const Place& place) : place_(place) {}

  std::string operator()(BlocksAdvice advice) const {
    switch (advice) {
      case BlocksAdvice::kSetBefore:
        return "Blocks run concurrently and in any order: set it before the launch, or use an "
               "atomic.";
      case BlocksAdvice::kOwnElement:
        return "Give each thread its own element, or add with atomics: blocks run concurrently and "
               "in any order.";
      case BlocksAdvice::kHandOver:
        break;
    }
    return "Blocks run concurrently and in any order: let one block do both, split the kernel in "
           "two, or publish the value with __threadfence() and an atomic.";
  }

  std::string operator()(const BarrierAdvice& advice) const {
    const std::string barrier = advice.for_cluster ? "cluster.sync()"
                                : advice.for_warp  ? "__syncwarp()"
                                                   : "__syncthreads()";
    const auto place = fmt::format(" a {} {}.", barrier, text(advice.between));
    std::string out;
    if (advice.for_warp)
      out = "Both threads are in one warp, whose lanes need not run in lockstep. ";
    if (advice.both_write && advice.one_line && !advice.is_repeated) {
      out += "Let only one thread write there, or give each thread its own element.";
      return out + flags_text(advice);
    }
    if (advice.both_write) {
      out += "Let only one thread write there, give each thread its own element, or put" + place;
    } else if (!advice.one_line) {
      out += "Put" + place;
    } else if (advice.is_repeated) {
      out += fmt::format(
          "Put{} If one iteration does both: read into a variable, call {}, then store.", place,
          barrier);
    } else {
      out += fmt::format("Read into a variable, call {}, then store.", barrier);
    }
    if (advice.one_warp) out += " Inside a branch use __syncwarp() instead.";
    return out + flags_text(advice);
  }

  std::string operator()(const HarmlessAdvice& advice) const {
    const auto reference = fmt::format("cuda::atomic_ref<{}, cuda::thread_scope_{}>({})",
                                       advice.type, advice.in_global ? "device" : "block",
                                       advice.in_global ? flat_text(place_) : "word");
    if (advice.which == Harmless::kStaleLoad) {
      return fmt::format(
          "The load may return an old value. That is harmless here and costs no points, but the "
          "language defines it as a race. Include <cuda/atomic> and write "
          "{}.load(cuda::memory_order_relaxed).",
          reference);
    }
    return fmt::format(
        "The word already holds the stored value. That is harmless and costs no points, but the "
        "language defines it as a race. Store only if the value changes, or include <cuda/atomic> "
        "and "
        "write {0}.store(value, cuda::memory_order_relaxed), and read it by "
        "{0}.load(cuda::memory_order_relaxed).",
        reference);
  }

  std::string operator()(const GridAdvice& advice) const {
    return fmt::format("Put a barrier of the grid (grid.sync() of cooperative groups) {}.",
                       text(advice.between));
  }

  std::string operator()(const FenceAdvice& advice) const {
    const auto* const fence = advice.across_blocks ? "__threadfence()" : "__threadfence_block()";
    return fmt::format(
        "A flag, a counter or a lock orders accesses to other words only with fences. Put a {} "
        "between {} and the access that sets the flag, and one between the access that reads the "
        "flag and {}.{}",
        fence, text(advice.before), text(advice.now),
        advice.across_blocks ? " __threadfence_block() orders only threads of one block." : "");
  }

  std::string operator()(const LockAdvice& advice) const {
    return fmt::format(
        "The attempt to take a lock in {} may fail, and the thread goes on all the same. Try again "
        "until it succeeds, or skip what the lock protects.",
        text(advice.attempt));
  }

  std::string operator()(const ScopeAdvice& advice) const {
    return fmt::format(
        "The access in {} has block scope: use device scope (atomicAdd() instead of "
        "atomicAdd_block(), cuda::thread_scope_device).",
        text(advice.narrow));
  }

  std::string operator()(const UpdateAdvice& advice) const {
    const auto lines = text(advice.read) == text(advice.write)
                           ? text(advice.read) + " reads the word and writes it in a second step"
                           : fmt::format("{} reads the word, {} writes it in a second step",
                                         text(advice.read), text(advice.write));
    return fmt::format(
        "This is a lost update: {}, and another thread may write it in between. {}", lines,
        advice.has_swap ? "Use atomicCAS() in a loop: compute the new value from the word that it "
                          "returns, and repeat until that is the word that it compares with" +
                              one_step(advice.step, ", or ") + "."
                        : "Do it in one step: " + one_step(advice.step, "") + ".");
  }

  std::string operator()(const SkippedBarrier& barrier) const {
    return fmt::format(
        "The __syncthreads() in line {} is between them, but only {} of the {} threads reach it: "
        "{} ended without it. {}",
        barrier.where.line, barrier.reached, barrier.block_size, barrier.threads, kReachItAll);
  }

 private:
  static std::string one_step(UpdateAdvice::Step step, const char* before) {
    using Step = UpdateAdvice::Step;
    const auto* const name = step == Step::kAdd   ? "atomicAdd()"
                             : step == Step::kAnd ? "atomicAnd()"
                             : step == Step::kOr  ? "atomicOr()"
                             : step == Step::kXor ? "atomicXor()"
                             : step == Step::kMin ? "atomicMin(), or an atomicCAS() loop for floats"
                             : step == Step::kMax ? "atomicMax(), or an atomicCAS() loop for floats"
                             : step == Step::kTestAndSet
                                 ? "use the result of atomicCAS() or atomicExch()"
                                 : "atomicOr(), atomicAnd(), atomicXor(), atomicMin() or "
                                   "atomicMax() if it fits, else an atomicCAS() loop that repeats "
                                   "until no other thread has changed the word";
    if (*before == 0) return name;
    return step == Step::kAny || step == Step::kTestAndSet ? "" : std::string(before) + name;
  }
  static const char* flags_text(const BarrierAdvice& advice) {
    return advice.has_flags ? " A lock or a flag orders them only after a __threadfence_block()."
                            : "";
  }

  const Place& place_;
};

std::string copy_advice(const CopyRace& race) {
  switch (race.advice) {
    case CopyRace::Advice::kCommit:
      return fmt::format(
          "The wait in {} covers committed groups only, and the copy is in none: put a "
          "__pipeline_commit() between the two.",
          text(race.wait));
    case CopyRace::Advice::kLeaveFewer:
      return fmt::format(
          "The wait in {} leaves the {} pending, and the copy is in there: let it leave fewer.",
          text(race.wait),
          race.left == 1 ? "newest group" : fmt::format("{} newest groups", race.left));
    case CopyRace::Advice::kWait:
      return fmt::format("Put a __pipeline_commit() and a __pipeline_wait_prior(0) {}.",
                         text(race.between));
    case CopyRace::Advice::kWaitAndMeet:
      break;
  }
  return fmt::format(
      "Put a __pipeline_commit() and a __pipeline_wait_prior(0), which wait for the "
      "thread's own copies, and then a __syncthreads() {}.",
      text(race.between));
}

std::string bulk_advice(const BulkRace& race, const std::string& other) {
  switch (race.advice) {
    case BulkRace::Advice::kCloseGroup:
      return fmt::format(
          "Thread {} must close the group (cp_async_bulk_commit_group()) and wait for it ({}) "
          "first{}.",
          other,
          race.is_source ? "cp_async_bulk_wait_group_read"
                         : "cp_async_bulk_wait_group, without _read",
          race.is_own ? "" : ", and a __syncthreads() must follow");
    case BulkRace::Advice::kWaitForItsPhase:
      return "The wait at the barrier was over before the copy was: it was for an earlier phase. "
             "Wait for the phase in which the copy's bytes are announced; its parity changes with "
             "each phase.";
    case BulkRace::Advice::kWaitAtObject:
      break;
  }
  return "Wait first at the barrier object that counts the copy's bytes (bar.wait(), or try_wait "
         "with the parity of that phase).";
}

// "line 11", "line 4 of tile.cuh".
std::string barrier_line(const SourceLocation& where, const std::string& own_file) {
  const bool is_own = where.file.empty() || where.file == own_file;
  return fmt::format("line {}{}", where.line, is_own ? std::string() : " of " + where.file);
}

}  // namespace

/// "(3, 1, 0)": the thread at fault.
static std::string text_of_thread(const Diagnostic& found) {
  return text(found.thread.value_or(Dim3{0, 0, 0}));
}

static std::string race_text(const Race& race, const Diagnostic& found) {
  const auto description =
      fmt::format("thread {} {} {}, which {} in {}, with {}: their order is undefined. ",
                  text_of_thread(found), verb(race.does), text(race.place), other_access(found),
                  race.other_line ? text(*race.other_line) : "the same line",
                  race.in_global ? "nothing to order them" : "no barrier in between");
  return description + std::visit(RaceAdviceText(race.place), race.advice);
}

static std::string race_text(const CopyRace& race, const Diagnostic& found) {
  const auto* const danger =
      race.overwrites_source ? "may still have to read that" : "may still write there";
  return fmt::format(
      "thread {} {} {} while an asynchronous copy {}, which {} has started in {}. {}",
      text_of_thread(found), verb(race.does), text(race.place), danger,
      race.is_own ? "it" : "thread " + other_thread_of(found), text(race.start), copy_advice(race));
}

static std::string race_text(const BulkRace& race, const Diagnostic& found) {
  const auto other = other_thread_of(found);
  return fmt::format(
      "thread {} {} {} while a bulk copy may still {} there, which {} has started in {}. {}",
      text_of_thread(found), verb(race.does), text(race.place), race.is_source ? "read" : "write",
      race.is_own ? "it" : "thread " + other, text(race.start), bulk_advice(race, other));
}

std::string skipped_barriers_text(const SkippedBarriers& skipped) {
  const auto& all = skipped.all;
  const auto& first = all.front();
  auto out = fmt::format(
      "the __syncthreads() in {} is reached by only {} of the {} threads of block {}: {} ended "
      "without it. Since Volta, a barrier does not wait for threads that have ended; on older "
      "GPUs the "
      "behaviour is undefined. {}",
      barrier_line(first.where, skipped.own_file), first.reached, first.block_size,
      text(first.block), first.threads, kReachItAll);
  for (std::size_t i = 1; i < all.size(); ++i) {
    out += fmt::format("{}{}", i == 1 ? " The same is true of " : ", ",
                       barrier_line(all[i].where, skipped.own_file));
  }
  return all.size() > 1 ? out + "." : out;
}

namespace {

// The sentences for each kind of facts.
class FactsText {
 public:
  explicit FactsText(const Diagnostic& found) : found_(found) {}

  std::string operator()(std::monostate /*none*/) const { return found_.message; }

  std::string operator()(const OutsideAccess& access) const {
    return fmt::format("{}; {}", text(access),
                       access.is_extern
                           ? "the launch sets the size of an extern array: pass more bytes, "
                             "or check the index"
                           : "check the index against the size before the access");
  }

  std::string operator()(const Misaligned& access) const {
    return fmt::format(
        "{} {} bytes at {}, which is not a multiple of {}; a wide type such as float4 "
        "needs an address that is a multiple of its size",
        verb(access.does), access.place.bytes, begin_text(access.place), access.place.bytes);
  }

  std::string operator()(const UnwrittenRead& read) const {
    if (read.place.memory == Place::Memory::kBuffer) {
      return fmt::format(
          "thread {} reads {} before the kernel has written it. {} is not zero-initialized: store "
          "to an element before reading it, or sum in a local variable.",
          text_of_thread(found_), text(read.place), read.place.array);
    }
    auto out = fmt::format(
        "thread {} reads {}, which no thread of the {} has written yet. Shared memory is not "
        "zero-initialized: store to it first, with a {} in between if another thread stores.",
        text_of_thread(found_), text(read.place), read.in_cluster ? "cluster" : "block",
        read.place.rank ? "cluster.sync()" : "__syncthreads()");
    if (read.written != 0)
      out += fmt::format(" The first {} {} written.", counted(read.written, "byte"),
                         read.written == 1 ? "is" : "are");
    return out;
  }

  std::string operator()(const UnwrittenLocal& read) const {
    return fmt::format(
        "reads {} of a local array that the thread has not written. Local arrays are not "
        "zero-initialized: give every element a value first, for example by = {{}} in the "
        "declaration",
        counted(read.bytes, "byte"));
  }

  std::string operator()(const InputWrite& write) const {
    return fmt::format(
        "thread {} {} {}, but {} is an input that the kernel must not modify. Store to an output "
        "parameter or a local variable.",
        text_of_thread(found_), verb(write.does), text(write.place), write.place.array);
  }

  std::string operator()(const EndedBlock& access) const {
    return fmt::format(
        "thread {} {} {}, {}. A block's shared memory is gone when its threads have returned, and "
        "a GPU then stops the kernel. After the last such access, let every thread of the cluster "
        "reach a cluster.sync() before it returns.",
        text_of_thread(found_), verb(access.does), text(access.place),
        access.has_ended ? "which has ended" : "and that block may have ended by then");
  }

  std::string operator()(const BulkLeft& copy) const {
    return fmt::format(
        "the block ends while a bulk copy that thread {} started may still {} its shared memory, "
        "which may then belong to another block. {} before the block ends.",
        text_of_thread(found_), copy.to_shared ? "write" : "read",
        copy.to_shared ? "Wait at the barrier object of the copy"
                       : "Close the group and wait for it (cp_async_bulk_wait_group_read)");
  }

  std::string operator()(const CachedRead& read) const {
    return fmt::format(
        "thread {} reads {} through the read-only data cache, but this launch "
        "also writes it: the value may be stale. Use a plain load: without "
        "__ldg(), and without __restrict__ on pointers to the same memory.",
        text_of_thread(found_), text(read.place));
  }

  std::string operator()(const SkippedBarriers& skipped) const {
    return skipped_barriers_text(skipped);
  }

  std::string operator()(const SharedTooLarge& kernel) const {
    auto out = fmt::format(
        "the kernel '{}' declares {} bytes of static shared memory, more than the limit of {} "
        "bytes (48 KB)",
        kernel.kernel, grouped(kernel.bytes), grouped(kernel.most));
    if (kernel.largest) {
      out += fmt::format(". {}{} uses {} of them", kernel.largest->name,
                         extents_text(kernel.largest->extents), grouped(kernel.largest->bytes));
    }
    return out;
  }

  template <typename AnyRace>
  std::string operator()(const AnyRace& race) const {
    return race_text(race, found_);
  }

 private:
  const Diagnostic& found_;
};

std::string limit_text(const CaseLimit& limit) {
  return fmt::format(
      ". The limit of case {} is {} units in all its runs and {} per block; the course's reference "
      "needs {} warp instructions",
      limit.name, grouped(limit.units), grouped(limit.block_units),
      grouped(limit.reference_instructions));
}

std::string with_circumstances(std::string out, const Circumstances& seen) {
  if (seen.occurrences > 1)
    out += fmt::format(" This happened {} times.", grouped(seen.occurrences));
  if (seen.left_out != 0) {
    out += fmt::format(" {} at other lines {} not shown.", counted(seen.left_out, "more finding"),
                       seen.left_out == 1 ? "is" : "are");
  }
  if (seen.launch) out = in_launch(out, *seen.launch);
  if (!seen.replay.empty()) {
    out += fmt::format(
        " (This happened {}. A GPU may run them in any order: look for a place where one thread "
        "relies on another without a barrier.)",
        order_text(seen.replay));
  }
  if (seen.limit) out += limit_text(*seen.limit);
  if (seen.timed_size) out += timed_size_text(*seen.timed_size);
  return out;
}

}  // namespace

std::string text(const Diagnostic& diagnostic) {
  auto out =
      with_circumstances(std::visit(FactsText(diagnostic), diagnostic.facts), diagnostic.seen);
  const auto* local = std::get_if<UnwrittenLocal>(&diagnostic.facts);
  if (local != nullptr && local->array) {
    out +=
        fmt::format(". {} is an array of each thread (line {}): is __shared__ missing before it?",
                    local->array->name, local->array->line);
  }
  return out;
}

std::string text(const RelatedPlace& place) {
  return fmt::format("thread {} {} it", text(place.thread.value_or(Dim3{0, 0, 0})),
                     verb(place.does));
}

std::string order_text(const std::string& replay) {
  return fmt::format("when warps and blocks do not run in numerical order; to reproduce it: {}",
                     replay);
}

std::string timed_size_text(const std::map<std::string, double, std::less<>>& variables) {
  std::string size;
  for (const auto& [name, value] : variables) size += fmt::format("{} = {}, ", name, value);
  return fmt::format(" ({}the size whose speed is graded)", size);
}

std::string in_launch(const std::string& message, const InLaunch& launch) {
  return fmt::format("{} (in launch {} of {}, {})", message, launch.number, launch.count,
                     launch.kernel);
}

std::string shown_message(const Diagnostic& diagnostic) {
  constexpr std::size_t kMostColumns = 4000;
  return excerpt(escape_controls(text(diagnostic), /*keep_newlines=*/true), 0, kMostColumns).text;
}

// Whether the diagnostic is about one access to memory.
static bool is_about_access(DiagnosticKind kind) {
  return kind == DiagnosticKind::kOutOfBounds || kind == DiagnosticKind::kMisaligned ||
         kind == DiagnosticKind::kRace || kind == DiagnosticKind::kUninitializedRead ||
         kind == DiagnosticKind::kInputModified;
}

// The column, from 1, where `line` uses the variable `word`; 0 if it does so several times, or not
// at all. A member of that name (`threadIdx.x`) is another one.
static std::size_t column_of_only(std::string_view word, std::string_view line) {
  std::size_t out = 0;
  for (auto at = line.find(word); !word.empty() && at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const auto end = at + word.size();
    const char before = at > 0 ? line[at - 1] : ' ';
    if (is_word_letter(before) || before == '.' || before == '>') continue;
    if (end < line.size() && is_word_letter(line[end])) continue;
    if (out != 0) return 0;
    out = at + 1;
  }
  return out;
}

// The column of the caret in `line`; 0: none. The compiler reports the column of the statement. For
// an access, the caret points at the name of its array, if the line has it once.
static std::size_t caret_column(const Diagnostic& diagnostic, std::string_view line) {
  if (!is_about_access(diagnostic.kind)) return diagnostic.where.column;
  auto facts = diagnostic.facts;
  const auto* place = place_of(facts);
  return place == nullptr ? 0 : column_of_only(place->array, line);
}

RenderedDiagnostic rendered(const Diagnostic& diagnostic, std::string_view source) {
  const auto& where = diagnostic.where;
  RenderedDiagnostic out;
  out.place = escape_controls(where.file);
  if (!out.place.empty()) {
    if (where.line != 0) out.place += fmt::format(":{}", where.line);
    if (where.line != 0 && where.column != 0) out.place += fmt::format(":{}", where.column);
    out.place += ": ";
  }
  if (diagnostic.severity == Severity::kWarning) out.place += "warning: ";
  const bool is_compiler_warning =
      diagnostic.kind == DiagnosticKind::kCompileError && diagnostic.severity == Severity::kWarning;
  out.kind = is_compiler_warning ? "compiler" : name(diagnostic.kind);
  out.message = shown_message(diagnostic);
  const auto line = where.line == 0 ? std::string_view{} : line_of(source, where.line);
  if (!line.empty()) {
    const auto column = caret_column(diagnostic, line);
    const bool has_column = column != 0 && column <= line.size() + 1;
    const auto before = has_column ? line.substr(0, column - 1) : std::string_view{};
    const auto shown =
        excerpt(escape_controls(line, /*keep_newlines=*/false, /*tab_as_space=*/true),
                columns_of(escape_controls(before, false, true)));
    out.excerpt = fmt::format("{:>5} | {}", where.line, shown.text);
    if (has_column) out.caret = fmt::format("{:>5} | {}^", "", std::string(shown.column, ' '));
  }
  if (diagnostic.block && diagnostic.thread) {
    out.thread =
        fmt::format("      block {}, thread {}", text(*diagnostic.block), text(*diagnostic.thread));
  }
  return out;
}

std::string render(const Diagnostic& diagnostic, std::string_view source) {
  const auto parts = rendered(diagnostic, source);
  auto out = fmt::format("{}{}: {}\n", parts.place, parts.kind, parts.message);
  for (const auto& line : {parts.excerpt, parts.caret, parts.thread}) {
    if (!line.empty()) out += line + "\n";
  }
  return out;
}

}  // namespace warpgrade::base
