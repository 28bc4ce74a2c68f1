// SPDX-License-Identifier: Apache-2.0
// Runs a sequence of launches on the simulator as one.
//
// Buffers and the module's variables go from launch to launch; work is limited for all together. A
// launch that does not come to its end is the last. Its diagnostics name the launch.
#pragma once

#include <functional>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/checks.h"
#include "common/run/runner.h"
#include "common/run/sequence.h"
#include "common/sim/simulator.h"

namespace warpgrade::measure {

/// Whether this says that a value was read which nothing had given.
bool is_undefined_read(const base::Diagnostic& found);

/// Steps around each launch of a sequence, beside running it.
struct AroundLaunch {
  /// Adds observers to the launch's options.
  std::function<void(const run::Launch& launch, run::Options& options)> before;
  /// With the launch's own result, also where it did not come to its end.
  std::function<void(std::size_t index, const run::Result& result)> after;
};

/// Runs `sequence` with the program that `simulator` has loaded, with `options` for all of it.
/// Registers of its second kernel are numbered from kRegistersAKernel on, and so on.
run::Result run_sequence(sim::Simulator& simulator, const run::Sequence& sequence,
                         std::vector<run::Buffer>& buffers, const run::Options& options,
                         const AroundLaunch& around = {});

/// UndefinedRegister::number of a sequence's kernels; those of a kernel past so many are not looked
/// at.
constexpr std::uint32_t kRegistersAKernel = 1U << 16;

/// Collects what checks find in the launches of a sequence: of the first launch in which something
/// is wrong, and undefined reads of each, one a source line.
class SequenceFindings {
 public:
  explicit SequenceFindings(const run::Sequence& sequence) : sequence_(sequence) {}

  void add(std::size_t index, const std::vector<base::Diagnostic>& found);
  const std::vector<base::Diagnostic>& all() const { return all_; }

 private:
  const run::Sequence& sequence_;
  std::vector<base::Diagnostic> all_;
  bool has_fault_ = false;
};

/// Tells the launches behind this one what it has written of buffers that are not defined: `checks`
/// has watched it.
void keep_written(const check::Checks& checks, std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::measure
