// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/counted_launch.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "common/base/error.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/message.h"
#include "common/gpu/session.h"

namespace warpgrade::gpu {

void write_counted_launch(const std::filesystem::path& file, const std::vector<char>& machine_code,
                          const run::Launch& launch, const std::vector<run::Buffer>& buffers) {
  MessageWriter message;
  message.put_bytes(std::as_bytes(std::span(machine_code)));
  put(message, launch);
  put(message, buffers);
  std::ofstream out(file, std::ios::binary);
  const auto& bytes = message.bytes();
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw base::ToolError(fmt::format("{}: cannot be written", file.string()));
}

void make_counted_launch(const std::filesystem::path& file, const Platform& platform) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw base::ToolError(fmt::format("{}: cannot be read", file.string()));
  std::vector<std::byte> bytes(static_cast<std::size_t>(in.tellg()));
  in.seekg(0).read(reinterpret_cast<char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
  MessageReader message(std::move(bytes));
  const auto code = message.get_bytes();
  const auto launch = get_launch(message);
  auto buffers = get_buffers(message);

  Session session(platform.driver, GpuRunner::kTimeLimit, platform.now);
  const auto* first = reinterpret_cast<const char*>(code.data());
  session.load({first, first + code.size()});
  const auto outcome = session.run(launch, buffers, 1, /*flush=*/false);
  if (!outcome.diagnostics.empty()) throw base::ToolError(outcome.diagnostics.front().message);
}

}  // namespace warpgrade::gpu
