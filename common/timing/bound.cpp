// SPDX-License-Identifier: Apache-2.0
#include "common/timing/bound.h"

#include <array>
#include <cstddef>

namespace warpgrade::timing {

std::string_view name(Bound bound) {
  static constexpr std::array<std::string_view, 22> kNames = {"",
                                                              "alu pipe",
                                                              "blocks not followed",
                                                              "busiest atomic unit",
                                                              "busiest partition",
                                                              "constant passes",
                                                              "dram",
                                                              "fmaheavy pipe",
                                                              "fp64 pipe",
                                                              "issue",
                                                              "l1 data",
                                                              "l2",
                                                              "l2 partial writes",
                                                              "l2 stores",
                                                              "latency",
                                                              "launch overhead",
                                                              "measured",
                                                              "occupancy",
                                                              "shared wavefronts",
                                                              "sm port",
                                                              "tag lookups",
                                                              "xu pipe"};
  return kNames.at(static_cast<std::size_t>(bound));
}

}  // namespace warpgrade::timing
