// SPDX-License-Identifier: Apache-2.0
// Launches over the same buffers, one after the other, that are checked, counted and timed as one.
//
// A sequence of one launch is that launch: so all that takes a sequence takes a launch. Within a
// sequence buffers and the module's variables keep what a launch has left; each sequence begins
// with new ones. Shared memory, registers, local memory and, on the simulator, the heap of malloc()
// begin anew for each launch.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/run/launch.h"

namespace warpgrade::run {

struct Sequence {
  std::vector<Launch> launches;  ///< In their order; at least one.
  /// One a buffer: the buffer whose content is found there in the end, since buffers may have
  /// changed places in between. Empty: each stays where it is.
  std::vector<std::size_t> places;

  Sequence() = default;
  Sequence(Launch launch)  // NOLINT(google-explicit-constructor): one launch is a sequence
      : launches{std::move(launch)} {}

  const Launch& first() const { return launches.front(); }
  bool is_one_launch() const { return launches.size() == 1; }
};

/// The kernel as the source calls it: "scan_step" for "_Z9scan_stepPij", "reduce<4>".
std::string kernel_text(const Launch& launch);

/// "launch 3 of 12, scan_step" of the one with that index.
std::string launch_text(const Sequence& sequence, std::size_t index);

/// `message`, which is about the launch with that index, naming it where there are several.
std::string in_launch(const Sequence& sequence, std::size_t index, const std::string& message);

/// The kernels, each once, for messages: "sums, add (12 launches)"; of one launch its kernel's
/// name.
std::string kernels_text(const Sequence& sequence);

/// Puts what each of `all`, one a buffer, holds where it is to be found after the sequence.
template <typename T>
void put_in_place(const Sequence& sequence, std::vector<T>& all) {
  if (sequence.places.empty()) return;
  std::vector<T> out(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) out[i] = std::move(all[sequence.places[i]]);
  all = std::move(out);
}

/// The same of the contents of `buffers`, whose names stay.
void put_in_place(const Sequence& sequence, std::vector<Buffer>& buffers);

}  // namespace warpgrade::run
