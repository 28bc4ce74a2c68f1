// SPDX-License-Identifier: Apache-2.0
// Exchanges messages with child processes through a pipe or a socket, and waits for their end.
//
// A message is its size in 64 bits, followed by its bytes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::base {

inline constexpr double kNoTimeout = -1;

/// Returns false if the other end is closed or accepts no data for `timeout` seconds. Only a socket
/// detects such a timeout in the middle of a message.
bool write_message(int descriptor, std::string_view message, double timeout = kNoTimeout);

/// Returns nullopt if the other end is closed before the end of the message, is silent for
/// `timeout` seconds, or announces more than `most_bytes`.
std::optional<std::string> read_message(int descriptor, double timeout = kNoTimeout,
                                        std::uint64_t most_bytes = UINT64_MAX);

/// Whether `descriptor` has bytes, or its other end is closed, within `seconds`.
bool is_readable(int descriptor, double seconds);

/// Waits for the end of `child`. Returns its status as waitpid() does, or -1 if it was already
/// waited for.
int wait_for(pid_t child);

}  // namespace warpgrade::base
