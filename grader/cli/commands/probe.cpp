// SPDX-License-Identifier: Apache-2.0
// `warpgrade devices --from-gpu`: this machine's GPU as a profile's file.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/device/profile_reader.h"
#include "common/gpu/gpu_runner.h"
#include "common/measure/card_profile.h"
#include "common/measure/card_toolkit.h"
#include "common/probe/card_numbers.h"
#include "grader/cli/commands/commands.h"
#include "grader/text/files.h"

namespace warpgrade::grader::cli {

int run_probe(const std::string& file, std::optional<int> gpu) {
  if (!file.ends_with(".toml")) {
    throw base::UsageError(base::escape_controls(file) +
                           ": the name of a profile's file ends with .toml");
  }
  auto runner = gpu::open_gpu("no GPU to measure", gpu);
  measure::choose_toolkit(runner->info());
  probe::GpuCard card(*runner);
  const auto numbers = probe::card_numbers(
      card, [](const std::string& key) { fmt::print(stderr, "measuring {}\n", key); });
  const auto& like = measure::nearest_profile(runner->info());
  const auto date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  const auto text = probe::profile_text(runner->info(), like, numbers, date);
  text::write_atomically(file, text);
  device::find(file);  // Throws if a number is impossible for a card.
  print(fmt::format("{}: {} as a profile, {} numbers of its own, the others as on the {}\n",
                    base::escape_controls(file), runner->device(), numbers.size(), like.product));
  return 0;
}

}  // namespace warpgrade::grader::cli
