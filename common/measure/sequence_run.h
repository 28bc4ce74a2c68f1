// SPDX-License-Identifier: Apache-2.0
// Runs a sequence of launches on the simulator as one.
//
// Buffers and module variables pass from launch to launch, and all launches share one work limit. A
// launch that does not finish is the last one. Its diagnostics name the launch.
#pragma once

#include <functional>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/check/checks.h"
#include "common/run/runner.h"
#include "common/run/sequence.h"
#include "common/sim/simulator.h"

namespace warpgrade::measure {

/// Whether the diagnostic reports a read of an undefined value.
bool is_undefined_read(const base::Diagnostic& found);

/// Steps before and after each launch of a sequence.
struct AroundLaunch {
  /// Adds observers to the launch's options.
  std::function<void(const run::Launch& launch, run::Options& options)> before;
  /// Gets the launch's own result, even if it did not finish.
  std::function<void(std::size_t index, const run::Result& result)> after;
};

/// Runs `sequence` with the program that `simulator` has loaded; `options` apply to the whole
/// sequence. Registers of its second kernel are numbered from kRegistersAKernel on, and so on.
run::Result run_sequence(sim::Simulator& simulator, const run::Sequence& sequence,
                         std::vector<run::Buffer>& buffers, const run::Options& options,
                         const AroundLaunch& around = {});

/// The range of UndefinedRegister::number per kernel of a sequence; a kernel's registers beyond it
/// are ignored.
constexpr std::uint32_t kRegistersAKernel = 1U << 16;

/// Collects the findings of checks in the launches of a sequence: all findings of the first faulty
/// launch, and undefined reads of every launch, one per source line.
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

/// Passes on to the next launches which bytes of undefined buffers this one has written, as
/// observed by `checks`.
void keep_written(const check::Checks& checks, std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::measure
