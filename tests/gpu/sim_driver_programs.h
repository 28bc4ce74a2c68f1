// SPDX-License-Identifier: Apache-2.0
// Programs for tests of the driver made of the simulator (device_programs.h and the course's
// solutions), launches for them, and the time that the model predicts without a driver.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "common/compile/compiler.h"
#include "common/measure/model_launch.h"
#include "common/run/launch.h"
#include "device_programs.h"

namespace warpgrade::gpu::testing {

inline compile::Program compiled(compile::CompileRequest request) {
  request.architecture = "sm_90";
  auto result = compile::compile(request);
  if (const auto* errors = std::get_if<std::vector<base::Diagnostic>>(&result)) {
    throw base::ToolError(errors->front().message);
  }
  return std::get<compile::Program>(std::move(result));
}

inline const compile::Program& programs() {
  static const auto kCompiled = [] {
    compile::CompileRequest request;
    request.file = "device_programs.cu";
    request.source = kPrograms;
    return compiled(request);
  }();
  return kCompiled;
}

inline compile::Program solution(const std::string& name) {
  const auto file = std::filesystem::path(WARPGRADE_SOURCE_ROOT) / "solutions/coalescing" / name;
  return compiled(std::get<compile::CompileRequest>(compile::read_source(file)));
}

// A launch of copy or transpose for a matrix whose element i is the number i.
struct MatrixCase {
  MatrixCase(int width, int height) {
    launch.grid = {static_cast<std::uint32_t>(width + 31) / 32,
                   static_cast<std::uint32_t>(height + 31) / 32, 1};
    launch.block = {32, 8, 1};
    launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}, run::value_argument(width),
                        run::value_argument(height)};
    buffers.resize(2);
    buffers[0].name = "out";
    buffers[0].defined = false;
    buffers[1].name = "in";
    buffers[1].read_only = true;
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    for (auto& buffer : buffers) buffer.bytes.resize(4 * count, std::byte{0xff});
    for (std::uint32_t i = 0; i < count; ++i) {
      std::memcpy(buffers[1].bytes.data() + std::size_t{4} * i, &i, 4);
    }
  }
  std::uint32_t out(std::size_t index) const {
    std::uint32_t element = 0;
    std::memcpy(&element, buffers[0].bytes.data() + 4 * index, 4);
    return element;
  }

  run::Launch launch;
  std::vector<run::Buffer> buffers;
};

inline std::uint32_t transposed(std::size_t index, std::size_t width, std::size_t height) {
  return static_cast<std::uint32_t>(index % height * width + index / height);
}

// Seconds that the model predicts for the launch, without a driver.
inline double modelled(const compile::Program& program, const compile::Kernel& kernel,
                       MatrixCase item) {
  item.launch.kernel = kernel.name;
  auto buffers = sim::sparse_buffers(run::patterns_of(item.buffers));
  return measure::model_launch(device::find("h200"), program, kernel, item.launch, buffers, {},
                               /*draw=*/0, measure::SampleUse::kTime)
      .time.seconds;
}

}  // namespace warpgrade::gpu::testing
