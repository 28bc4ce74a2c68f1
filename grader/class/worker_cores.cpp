// SPDX-License-Identifier: Apache-2.0
#include "grader/class/worker_cores.h"

namespace warpgrade::grader::class_book {

std::optional<int> core_of_worker(const cpu_set_t& allowed, std::size_t place,
                                  std::size_t workers) {
  const auto cores = static_cast<std::size_t>(CPU_COUNT(&allowed));
  if (cores == 0 || workers < cores) return std::nullopt;
  auto left = place % cores;
  int core = 0;
  while (!CPU_ISSET(core, &allowed) || left-- != 0) ++core;
  return core;
}

void keep_to_core(std::size_t place, std::size_t workers) {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return;  // more cores than the set can hold
  const auto core = core_of_worker(cores, place, workers);
  if (!core) return;
  CPU_ZERO(&cores);
  CPU_SET(*core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);  // without it the judge is only slower
}

}  // namespace warpgrade::grader::class_book
