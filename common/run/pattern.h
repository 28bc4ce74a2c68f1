// SPDX-License-Identifier: Apache-2.0
// The initial content of a buffer, made in pieces on demand, so that a launch with gigabytes needs
// no host memory for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/run/launch.h"

namespace warpgrade::run {

struct Pattern {
  std::string name;
  std::uint32_t element_bytes = 4;
  bool read_only = false;
  bool defined = true;       ///< See Buffer.
  bool is_compared = true;   ///< False: its final content does not matter.
  std::uint64_t bytes = 0;   ///< Size of the buffer.
  std::uint64_t period = 0;  ///< Length in bytes after which the content repeats; at most `bytes`.
  /// Writes the buffer's content from byte `first` on. `first` and the size are whole elements
  /// within the period. Repeatable, also in forked processes.
  std::function<void(std::uint64_t first, std::span<std::byte> to)> make;
};

/// The content of `buffer`, repeated up to `bytes`.
Pattern pattern_of(Buffer buffer, std::uint64_t bytes);
/// One pattern per buffer, each with the buffer's size.
std::vector<Pattern> patterns_of(const std::vector<Buffer>& buffers);

/// Least number of bytes to move: inputs are read, outputs are written, and defined buffers that
/// are compared are both.
std::uint64_t least_traffic(const std::vector<Pattern>& patterns);

/// The whole buffer.
Buffer made(const Pattern& pattern);
std::vector<Buffer> made(const std::vector<Pattern>& patterns);

}  // namespace warpgrade::run
