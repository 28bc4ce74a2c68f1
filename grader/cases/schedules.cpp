// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/schedules.h"

namespace warpgrade::grader::cases {

std::vector<std::uint64_t> schedule_seeds(std::uint64_t seed, const measure::Measurement& measured,
                                          std::uint64_t most) {
  if (measure::thread_instructions(measured.result) > most) return {};
  // Seeds are odd, so none is 0, which means the order by number.
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;
  return {(seed * kStep) | 1, ((seed + 1) * kStep) | 1};
}

void add_replay(std::vector<base::Diagnostic>& found, const std::string& replay) {
  for (auto& diagnostic : found) {
    if (diagnostic.kind != base::DiagnosticKind::kRace) diagnostic.seen.replay = replay;
  }
}

}  // namespace warpgrade::grader::cases
