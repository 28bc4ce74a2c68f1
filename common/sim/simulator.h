// SPDX-License-Identifier: Apache-2.0
// The Runner on the CPU: executes PTX warp by warp with active masks and reconvergence.
//
// Also decides whether two programs from one source, for two architectures, behave alike.
#pragma once

#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/ptx/module.h"
#include "common/run/runner.h"
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim {

// Decides whether two programs, compiled from one source for two architectures, behave alike on the
// simulator.
//
// The simulator executes PTX. NVRTC generates the same PTX for all architectures if neither the
// source nor a header uses `__CUDA_ARCH__`; then only the line `.target` differs. It only affects
// the sums of tensor cores, whose rounding depends on the generation. A launch sees its device only
// in %nsmid and %smid (run::Options::multiprocessors). A program that uses either feature counts as
// unlike any other.

/// Whether each launch of `a` has the same result, diagnostics, counts and events as with `b`.
/// False if unknown.
bool are_alike(const compile::Program& a, const compile::Program& b);

/// Whether the program's lanes may wait for other lanes of their warp, so that an execution with
/// Options::independent_lanes does not apply to devices without them.
bool may_wait_in_warp(const compile::Program& program);

class Simulator final : public run::Runner {
 public:
  Simulator() = default;
  explicit Simulator(const compile::Program& program) { Simulator::load(program); }

  void load(const compile::Program& program) override {
    loaded_ = program.ptx;
    static_cast<void>(loaded_.module());
  }
  run::Result launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                     const run::Options& options) override;
  /// The same for buffers whose content is made on demand. Observers receive no
  /// buffers.
  run::Result launch(const run::Launch& launch, std::vector<SparseBuffer>& buffers,
                     const run::Options& options);

  /// The loaded module; for the source lines of counters.
  const ptx::Module& module() const { return loaded_.module(); }
  /// The kernel `name` of the loaded module, linked with the functions that it may call
  /// (ptx::link); counts and events refer to it. Throws base::UsageError if it does not exist.
  const ptx::Function& function(const std::string& name) const { return loaded_.kernel(name); }

 private:
  template <typename AnyBuffer>
  run::Result execute(const run::Launch& launch, std::vector<AnyBuffer>& buffers,
                      const run::Options& options);

  ptx::SharedModule loaded_;
};

}  // namespace warpgrade::sim
