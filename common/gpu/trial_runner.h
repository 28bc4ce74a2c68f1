// SPDX-License-Identifier: Apache-2.0
// Timed launches of a few subjects, in a process of their own that ends with them.
//
// The process is forked for one measurement, so a submission that takes the device away from it
// costs that measurement only. It inherits the subjects' code and contents, which need not be sent.
// Expected values are overwritten in it before it opens the device: on some machines a kernel can
// read all memory of its process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/gpu/message.h"
#include "common/gpu/platform.h"
#include "common/gpu/trial.h"
#include "common/gpu/worker.h"

namespace warpgrade::gpu {

class TrialRunner {
 public:
  /// `subjects`, `secrets` and what they point to are read in the constructor only. Throws
  /// base::ToolError where there is no process or no usable device.
  TrialRunner(const Platform& platform, double time_limit, const std::vector<Subject>& subjects,
              const compile::Program& fingerprint, const FingerprintKey& key,
              const std::vector<std::span<const std::byte>>& secrets);
  ~TrialRunner();

  /// Launches `subject` once on contents `content`, at a place that `spacer_bytes` chooses. Throws
  /// base::UsageError where launch and kernel do not fit, base::ToolError where the device fails.
  /// After a Trial with device_lost there can be no other.
  Trial run(std::size_t subject, std::size_t content, std::uint64_t spacer_bytes);

  /// A new context, in which nothing is left of earlier launches; false where the driver has none.
  bool renew();

 private:
  MessageReader ask(const MessageWriter& message);

  double limit_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace warpgrade::gpu
