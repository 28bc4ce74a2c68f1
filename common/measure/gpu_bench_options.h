// SPDX-License-Identifier: Apache-2.0
// Machine-specific options of a bench on a GPU.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpgrade::measure {

struct GpuBenchOptions {
  double floor = 0.01;                ///< Differences between processes; see StoppingOptions.
  std::filesystem::path lock_folder;  ///< Empty: the default folder of the machine.
  double lock_patience = 600;         ///< Seconds to wait for other graders.
  /// Least rounds of the peak baseline (peak_kernel.h), so that its launch overhead is below 2 % of
  /// its time.
  std::uint32_t peak_rounds = 512;
  bool is_card_unknown = false;  ///< Treat the card as one without a profile.
};

}  // namespace warpgrade::measure
