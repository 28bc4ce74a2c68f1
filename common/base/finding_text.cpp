// SPDX-License-Identifier: Apache-2.0
#include "common/base/finding_text.h"

#include <fmt/format.h>

#include "common/base/counted.h"
#include "common/base/race_text.h"
#include "common/base/text.h"

namespace warpgrade::base {
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
  out.kind = name(diagnostic.kind);
  out.message = shown_message(diagnostic);
  const auto line = where.line == 0 ? std::string_view{} : line_of(source, where.line);
  if (!line.empty()) {
    const bool has_column = where.column != 0 && where.column <= line.size() + 1;
    const auto before = has_column ? line.substr(0, where.column - 1) : std::string_view{};
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
