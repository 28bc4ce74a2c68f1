// SPDX-License-Identifier: Apache-2.0
// Programs of warps, put together from the stretches that they execute.
//
// Warps of a kernel mostly execute the same stretches one after the other. What a stretch adds to a
// program follows from its instructions and from the registers that memory has still to answer
// before it; it is worked out once and kept as a part. A warp's way through the kernel is a list of
// parts, of which a program is made once.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/timing/machine_code.h"
#include "common/timing/schedule.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

class Programs {
 public:
  /// The parts, by number, that a warp has executed so far.
  using Path = std::vector<std::uint32_t>;
  /// A request that so many others of its warp have followed is taken to be answered. Else a
  /// register that a loop never waits for would make every pass through the loop a part of its own,
  /// and a warp that spins would fill the memory with them.
  static constexpr std::uint32_t kLongestWait = 4096;

  /// Makes programs of the kernel with these instructions.
  void start(std::vector<MachineOp> ops);
  const std::vector<MachineOp>& ops() const { return ops_; }

  /// Adds a stretch to the path. Returns its requests, by their place in the stretch, in the order
  /// in which the program makes them.
  const std::vector<std::uint32_t>& extend(Path& path, const std::vector<Executed>& stretch);

  /// Place of a program in `all`, always the same one, to which it is added if need be.
  std::uint32_t number_of(const Path& path, std::vector<WarpProgram>& all);
  std::uint32_t number_of(WarpProgram&& program, std::vector<WarpProgram>& all);

  /// How many parts have been worked out.
  std::size_t parts() const { return parts_.size() - 1; }

 private:
  /// Registers for which a warp may have to wait, each with the request that answers it, counted
  /// from the first one behind this point: those before it have wrapped around.
  using Pending = std::map<std::uint32_t, std::uint32_t>;

  struct Part {
    const std::vector<Executed>* stretch = nullptr;
    std::vector<Step> steps;           ///< With numbers of requests as in Pending.
    std::vector<std::uint32_t> order;  ///< Order of its requests.
    std::uint32_t pending = 0;         ///< Behind it: a number of pendings_.
    std::uint32_t likely_next = 0;     ///< The part that followed last time.
  };
  template <typename T>
  struct Hash {
    std::size_t operator()(const std::vector<T>& all) const;
  };

  std::uint32_t number_of_part(std::uint32_t pending, const std::vector<Executed>& stretch);
  Part work_out(Pending pending, const std::vector<Executed>& stretch,
                const std::vector<Step>& steps);

  std::vector<MachineOp> ops_;
  /// Each with its steps: kRequest and kWait as schedule() has them.
  std::unordered_map<std::vector<Executed>, std::vector<Step>, Hash<Executed>> stretches_;
  std::map<Pending, std::uint32_t> pending_numbers_;
  std::vector<const Pending*> pendings_;
  std::map<std::pair<std::uint32_t, const std::vector<Executed>*>, std::uint32_t> part_numbers_;
  std::vector<Part> parts_;  ///< [0] is the start of every path.
  std::unordered_map<Path, std::uint32_t, Hash<std::uint32_t>> by_path_;
  std::unordered_map<WarpProgram, std::uint32_t, Hash<Step>> by_steps_;
};

}  // namespace warpgrade::timing
