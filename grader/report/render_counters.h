// SPDX-License-Identifier: Apache-2.0
// Shows a card's counters of a launch beside the simulator's for the same launch.
//
//   metric                                          card  simulated  difference
//   l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum  524288   524288      +0.0 %
//
// `difference` is the simulator's excess over the card; "-" marks a counter that one of them
// lacks.
#pragma once

#include <cstddef>
#include <string>

#include "common/memory/metrics.h"

namespace warpgrade::grader::report {

std::string render_counters(const memory::Metrics& gpu, const memory::Metrics& simulated,
                            std::size_t indent);

}  // namespace warpgrade::grader::report
