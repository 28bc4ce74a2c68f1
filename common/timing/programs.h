// SPDX-License-Identifier: Apache-2.0
// Builds the programs of warps from the stretches that they execute.
//
// Warps of a kernel usually execute the same stretches in sequence. The steps that a stretch adds
// to a program depend only on its instructions and on the registers that still wait for memory
// before it. They are computed once and kept as a part. A warp's path through the kernel is a list
// of parts, and each distinct path becomes a program once.
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
  /// The numbers of the parts that a warp has executed so far.
  using Path = std::vector<std::uint32_t>;
  /// A request counts as answered after this number of later requests of its warp. Otherwise a
  /// register that a loop never waits for would make every pass through the loop a new part, and
  /// the parts of a spinning warp would fill the memory.
  static constexpr std::uint32_t kLongestWait = 4096;

  /// Starts programs of the kernel with these instructions.
  void start(std::vector<MachineOp> ops);
  const std::vector<MachineOp>& ops() const { return ops_; }

  /// Adds a stretch to the path. Returns its requests, by their position in the stretch, in program
  /// order.
  const std::vector<std::uint32_t>& extend(Path& path, const std::vector<Executed>& stretch);

  /// Index of a program in `all`, unique per program; adds it if necessary.
  std::uint32_t number_of(const Path& path, std::vector<WarpProgram>& all);
  std::uint32_t number_of(WarpProgram&& program, std::vector<WarpProgram>& all);

  /// Number of parts computed so far.
  std::size_t parts() const { return parts_.size() - 1; }

 private:
  /// Registers for which a warp may have to wait, each with the number of its request, counted from
  /// the first one after this point; earlier requests have wrapped numbers.
  using Pending = std::map<std::uint32_t, std::uint32_t>;

  struct Part {
    const std::vector<Executed>* stretch = nullptr;
    std::vector<Step> steps;           ///< Request numbers as in Pending.
    std::vector<std::uint32_t> order;  ///< Order of its requests.
    std::uint32_t pending = 0;         ///< State after it: an index into pendings_.
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
  /// Steps by stretch, with kRequest and kWait as in schedule().
  std::unordered_map<std::vector<Executed>, std::vector<Step>, Hash<Executed>> stretches_;
  std::map<Pending, std::uint32_t> pending_numbers_;
  std::vector<const Pending*> pendings_;
  std::map<std::pair<std::uint32_t, const std::vector<Executed>*>, std::uint32_t> part_numbers_;
  std::vector<Part> parts_;  ///< [0] is the start of every path.
  std::unordered_map<Path, std::uint32_t, Hash<std::uint32_t>> by_path_;
  std::unordered_map<WarpProgram, std::uint32_t, Hash<Step>> by_steps_;
};

}  // namespace warpgrade::timing
