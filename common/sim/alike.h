// SPDX-License-Identifier: Apache-2.0
// Whether two programs, one source compiled for two architectures, do the same on the simulator.
//
// The simulator executes PTX. NVRTC makes the same PTX for all architectures where neither the
// source nor a header asks for `__CUDA_ARCH__`; then only the line `.target` tells the two apart.
// That line counts for the sums of tensor cores alone, whose rounding follows the generation, and a
// launch knows its device by %nsmid and %smid alone (run::Options::multiprocessors). A program with
// either is like no other.
#pragma once

#include "common/compile/program.h"

namespace warpgrade::sim {

/// Whether each launch of `a` has the same result, diagnostics, counts and events as that of `b`.
/// False where that is not known.
bool are_alike(const compile::Program& a, const compile::Program& b);

/// Whether the program's lanes may wait for other lanes of their warp, so that an execution with
/// Options::independent_lanes is none for devices without.
bool may_wait_in_warp(const compile::Program& program);

}  // namespace warpgrade::sim
