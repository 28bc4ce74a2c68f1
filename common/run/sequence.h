// SPDX-License-Identifier: Apache-2.0
// Consecutive launches over the same buffers that are checked, counted and timed as one.
//
// A single launch converts to a sequence, so every function for sequences accepts launches. Within
// a sequence, buffers and module variables keep their content from launch to launch; each sequence
// begins with new ones. Shared memory, registers, local memory and, on the simulator, the heap of
// malloc() are reset for each launch.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/run/launch.h"

namespace warpgrade::run {

struct Sequence {
  std::vector<Launch> launches;  ///< In order; at least one.
  /// By buffer: the buffer that holds its content at the end, because launches may swap buffers.
  /// Empty: no buffer moves.
  std::vector<std::size_t> places;

  Sequence() = default;
  Sequence(Launch launch)  // NOLINT(google-explicit-constructor): one launch is a sequence
      : launches{std::move(launch)} {}

  const Launch& first() const { return launches.front(); }
  bool is_one_launch() const { return launches.size() == 1; }
};

/// The kernel's name in the source: "scan_step" for "_Z9scan_stepPij", "reduce<4>".
std::string kernel_text(const Launch& launch);

/// "launch 3 of 12, scan_step" for the launch with that index.
std::string launch_text(const Sequence& sequence, std::size_t index);

/// The launch with that index; nullopt if it is the only one.
std::optional<base::InLaunch> place_of(const Sequence& sequence, std::size_t index);
/// `message` about the launch with that index; names the launch if there are several.
std::string in_launch(const Sequence& sequence, std::size_t index, const std::string& message);

/// The distinct kernels, for messages: "sums, add (12 launches)"; for a single launch its kernel's
/// name.
std::string kernels_text(const Sequence& sequence);

/// Moves each element of `all` (one per buffer) to its place after the sequence.
template <typename T>
void put_in_place(const Sequence& sequence, std::vector<T>& all) {
  if (sequence.places.empty()) return;
  std::vector<T> out(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) out[i] = std::move(all[sequence.places[i]]);
  all = std::move(out);
}

/// The same for the contents of `buffers`; their names stay.
void put_in_place(const Sequence& sequence, std::vector<Buffer>& buffers);

}  // namespace warpgrade::run
