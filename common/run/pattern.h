// SPDX-License-Identifier: Apache-2.0
// The content of a buffer before a launch, made piece by piece where it is needed: a launch of
// gigabytes takes none of the host's memory.
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
  bool is_compared = true;   ///< False: what it holds in the end does not matter.
  std::uint64_t bytes = 0;   ///< Size of the buffer.
  std::uint64_t period = 0;  ///< Bytes, at most as many: its content repeats itself after them.
  /// Writes what the buffer holds from byte `first` on; that and the size are whole elements
  /// within the period. The same each time, in every process that is forked.
  std::function<void(std::uint64_t first, std::span<std::byte> to)> make;
};

/// Holds the content of `buffer`, repeated up to `bytes`.
Pattern pattern_of(Buffer buffer, std::uint64_t bytes);
/// One a buffer, each of just its size.
std::vector<Pattern> patterns_of(const std::vector<Buffer>& buffers);

/// Bytes that must be moved at least: an input is read, an output is written, what is defined
/// and compared is both.
std::uint64_t least_traffic(const std::vector<Pattern>& patterns);

/// The whole buffer.
Buffer made(const Pattern& pattern);
std::vector<Buffer> made(const std::vector<Pattern>& patterns);

}  // namespace warpgrade::run
