// SPDX-License-Identifier: Apache-2.0
#include "tests/evidence/random/execution.h"

#include <fmt/format.h>

#include <cstring>

#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/measure/sim_bench.h"

namespace warpgrade::programs {
namespace {

run::Buffer buffer(const char* name, std::size_t words) {
  return {name, std::vector<std::byte>(4 * words), 4, false, true};
}

void fill(run::Buffer& buffer, const std::vector<std::uint32_t>& words) {
  std::memcpy(buffer.bytes.data(), words.data(), 4 * words.size());
}

std::uint64_t threads_of(const RandomProgram& program) {
  return base::volume(program.grid) * base::volume(program.block);
}

}  // namespace

std::size_t out_words(const RandomProgram& program) { return kOutWords * threads_of(program); }

Group compile_group(std::uint64_t first, std::uint64_t last, const std::set<std::uint32_t>& kept) {
  Group group;
  for (auto seed = first; seed <= last; ++seed) {
    group.seeds.push_back(seed);
    group.programs.push_back(generate(seed, kept));
  }
  compile::CompileRequest request;
  request.file = fmt::format("programs_{}.cu", first);
  request.source = file_of(group.programs);
  request.architecture = fmt::format("sm_{}", group.programs[0].architecture);
  request.limits.cpu_time = std::chrono::seconds(600);
  request.limits.wall_time = std::chrono::hours(2);
  auto compiled = compile::compile(request);
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&compiled)) {
    std::string text = fmt::format("{} does not compile\n", request.file);
    for (const auto& found : *wrong) text += base::render(found, request.source) + "\n";
    throw NotCompiled(text);
  }
  group.compiled = std::get<compile::Program>(std::move(compiled));
  return group;
}

Run run_program(const Group& group, std::size_t which, std::uint64_t order) {
  const auto& program = group.programs[which];
  const auto own_words = threads_of(program) * kOwnBytes / 4;
  std::vector<run::Buffer> buffers = {buffer("out", out_words(program)), buffer("own", own_words),
                                      buffer("sums", kSums), buffer("in", kInputWords)};
  // Reading words of these that the kernel has not written is a finding.
  buffers[0].defined = false;
  buffers[1].defined = false;
  buffers[3].read_only = true;
  fill(buffers[2], first_sums());
  fill(buffers[3], inputs());
  run::Launch launch;
  launch.kernel = program.kernel;
  launch.grid = program.grid;
  launch.block = program.block;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    launch.arguments.emplace_back(run::BufferArgument{i});
  }
  run::Options options;
  options.seed = order;
  options.threads = 1;
  static const auto bench = measure::sim_bench(device::find("h200"));
  Run result;
  result.findings = bench->measure(group.compiled, launch, buffers, options).result.diagnostics;
  for (const auto& part : {buffers[0], buffers[2]}) {
    const auto at = result.words.size();
    result.words.resize(at + part.bytes.size() / 4);
    std::memcpy(result.words.data() + at, part.bytes.data(), part.bytes.size());
  }
  return result;
}

}  // namespace warpgrade::programs
