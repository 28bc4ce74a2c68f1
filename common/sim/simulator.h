// SPDX-License-Identifier: Apache-2.0
// The Runner on the CPU: executes PTX warp by warp with active masks and reconvergence.
#pragma once

#include <memory>

#include "common/ptx/module.h"
#include "common/run/runner.h"
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim {

class Simulator final : public run::Runner {
 public:
  Simulator();
  ~Simulator() override;

  /// A program is read once for all simulators that load it.
  void load(const compile::Program& program) override;
  run::Result launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                     const run::Options& options) override;
  /// The same for buffers whose content is made on demand. Observers receive no
  /// buffers.
  run::Result launch(const run::Launch& launch, std::vector<SparseBuffer>& buffers,
                     const run::Options& options);

  /// The loaded module; for the source lines of counters.
  const ptx::Module& module() const;
  /// The kernel `name` of the loaded module, linked with the functions that it may call
  /// (ptx/link.h); counts and events refer to it. Throws base::UsageError if it does not exist.
  const ptx::Function& function(const std::string& name) const;

 private:
  template <typename AnyBuffer>
  run::Result execute(const run::Launch& launch, std::vector<AnyBuffer>& buffers,
                      const run::Options& options);

  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace warpgrade::sim
