// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/counted_launch.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/launch_wire.h"
#include "common/gpu/session.h"

namespace warpgrade::gpu {

void write_counted_launch(const std::filesystem::path& file, const std::vector<char>& machine_code,
                          const run::Sequence& sequence, const std::vector<run::Buffer>& buffers) {
  base::WireWriter message;
  message(machine_code, sequence, buffers);
  std::ofstream out(file, std::ios::binary);
  const auto bytes = message.take();
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw base::ToolError(fmt::format("{}: cannot be written", file.string()));
}

void make_counted_launch(const std::filesystem::path& file, const Platform& platform) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw base::ToolError(fmt::format("{}: cannot be read", file.string()));
  std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::vector<char> machine_code;
  run::Sequence sequence;
  std::vector<run::Buffer> buffers;
  base::WireReader message(bytes);
  message(machine_code, sequence, buffers);
  if (!message.is_complete()) {
    throw base::ToolError(fmt::format("{}: holds no launch, or not all of it", file.string()));
  }

  Session session(platform.driver, GpuRunner::kTimeLimit, platform.now, platform.ordinal);
  session.load(std::move(machine_code));
  const auto outcome = session.run(sequence, buffers, 1, /*flush=*/false);
  if (!outcome.diagnostics.empty()) throw base::ToolError(base::text(outcome.diagnostics.front()));
}

}  // namespace warpgrade::gpu
