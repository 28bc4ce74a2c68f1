// SPDX-License-Identifier: Apache-2.0
// Times the kernels of a file with the model on a profile, for the calibration tests.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/measure/model_launch.h"
#include "common/run/launch.h"
#include "common/sim/simulator.h"
#include "common/timing/tracer.h"

namespace warpgrade::calibration {

inline compile::Program program_of(const std::string& path, const device::Profile& profile) {
  auto request = std::get<compile::CompileRequest>(compile::read_source(path));
  request.architecture = std::string(profile.architecture);
  auto compiled = compile::compile(request);
  if (auto* errors = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    throw std::runtime_error(base::text(errors->front()));
  }
  return std::get<compile::Program>(std::move(compiled));
}

/// An output and an input of these sizes. Their contents do not affect the model.
inline std::vector<run::Pattern> zeros(std::uint64_t out_bytes, std::uint64_t in_bytes) {
  const auto fill = [](std::uint64_t, std::span<std::byte> to) {
    std::ranges::fill(to, std::byte{0});
  };
  const auto pattern = [&](const char* name, bool read_only, std::uint64_t bytes) {
    run::Pattern out;
    out.name = name;
    out.read_only = read_only;
    out.defined = read_only;
    out.bytes = bytes;
    out.period = bytes;
    out.make = fill;
    return out;
  };
  return {pattern("out", false, out_bytes), pattern("in", true, in_bytes)};
}

inline std::vector<std::uint64_t> sizes_of(const std::vector<run::Pattern>& patterns) {
  std::vector<std::uint64_t> out;
  for (const auto& pattern : patterns) out.push_back(pattern.bytes);
  return out;
}

inline timing::TimeEstimate model_time(const device::Profile& profile,
                                       const compile::Program& program,
                                       const compile::Kernel& kernel, const run::Launch& launch,
                                       const std::vector<run::Pattern>& patterns) {
  auto buffers = sim::sparse_buffers(patterns);
  const auto out = measure::model_launch(profile, program, kernel, launch, buffers, {}, /*draw=*/0,
                                         measure::SampleUse::kTime);
  if (!out.result.diagnostics.empty()) {
    throw std::runtime_error(base::text(out.result.diagnostics.front()));
  }
  return out.time;
}

inline const compile::Kernel& kernel_of(const compile::Program& program, const std::string& name) {
  const auto found = compile::find_kernel(program, name);
  if (const auto* missing = std::get_if<base::Diagnostic>(&found)) {
    throw std::runtime_error(base::text(*missing));
  }
  return *std::get<const compile::Kernel*>(found);
}

}  // namespace warpgrade::calibration
