// SPDX-License-Identifier: Apache-2.0
// What the compiler adds to an error, as sentences: the types of the arguments, the candidates of a
// call, and the chain of instances that leads to it; and functions that the file does not finish.
//
// In: an entry of the log with its notes, or the source. Out: text for the end of a message, or a
// diagnostic. Files have the names that the user knows. Long lists are cut in the middle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/log_context.h"
#include "common/compile/log_entries.h"

namespace warpgrade::compile {

/// ". Argument types: (const float *, int). Candidates: "load(float *, int)" in line 1 (argument 1
/// does not match). Detected during instantiation of "T sum(T) [with T=int]" at line 4"; empty if
/// the compiler adds nothing.
std::string details_of(const LogEntry& entry, const LogContext& context);

/// The line of the main file that requests the instance in which `entry`, an error of another file,
/// was found; 0 if none does.
std::uint32_t requesting_line(const LogEntry& entry, const LogContext& context);

/// A function of `source` that has no end: its list of parameters or its body is missing or open.
struct Unfinished {
  std::string message;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t first_line = 0;  ///< Where the function begins.
  bool is_head = false;          ///< Its head is incomplete, so later errors follow from that.
};

/// Explains errors of `entries` at the end of the source, or at the next function, by the function
/// of the main file that lacks its end; nullopt if none is recognised.
std::optional<Unfinished> unfinished_function(const std::vector<LogEntry>& entries,
                                              const LogContext& context);

}  // namespace warpgrade::compile
