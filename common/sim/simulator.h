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

  void load(const compile::Program& program) override;
  run::Result launch(const run::Launch& launch, std::vector<run::Buffer>& buffers,
                     const run::Options& options) override;
  /// The same of buffers whose content is made where the launch comes to it. Observers are told of
  /// no buffers.
  run::Result launch(const run::Launch& launch, std::vector<SparseBuffer>& buffers,
                     const run::Options& options);

  /// The loaded module; for the source lines of counters.
  const ptx::Module& module() const;
  /// The kernel of the loaded module called `name`, linked with the functions that it may call
  /// (ptx/link.h): what counts and events refer to. Throws base::UsageError where there is none.
  const ptx::Function& function(const std::string& name) const;

 private:
  template <typename AnyBuffer>
  run::Result execute(const run::Launch& launch, std::vector<AnyBuffer>& buffers,
                      const run::Options& options);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::sim
