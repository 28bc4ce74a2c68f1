// SPDX-License-Identifier: Apache-2.0
// Runs a study's kernels, each once for each device and value, with every check on.
//
// A kernel that fails does not run again. The others still run, so the study has a table.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/measure/sim_bench.h"
#include "grader/cases/work_ahead.h"
#include "grader/study/study_result.h"

namespace warpgrade::grader::study {

/// The services of a study, injected so that a test needs no compiler or simulator.
struct Tools {
  cases::Compilations* compilations = nullptr;
  std::function<measure::SimBench&(const Device&)> bench;
  std::function<void(std::size_t done, std::size_t all)> progress;  ///< May be empty.
};

/// Throws base::UsageError if arguments do not fit a kernel, and all exceptions of the services.
Result run_study(const Study& study, const Tools& services);

/// Runs a study with the compiler and the simulator; `progress` may be empty.
Result run_simulated(const Study& study,
                     std::function<void(std::size_t done, std::size_t all)> progress);

/// Benches on the simulator, made on demand.
class Benches {
 public:
  measure::SimBench& operator()(const Device& device);

 private:
  struct Made {
    Device device;
    device::Profile profile;
    std::unique_ptr<measure::SimBench> bench;
  };
  std::vector<std::unique_ptr<Made>> made_;
};

}  // namespace warpgrade::grader::study
