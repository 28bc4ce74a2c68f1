// SPDX-License-Identifier: Apache-2.0
// Decides whether two programs, compiled from one source for two architectures, behave alike on the
// simulator.
//
// The simulator executes PTX. NVRTC generates the same PTX for all architectures if neither the
// source nor a header uses `__CUDA_ARCH__`; then only the line `.target` differs. It only affects
// the sums of tensor cores, whose rounding depends on the generation. A launch sees its device only
// in %nsmid and %smid (run::Options::multiprocessors). A program that uses either feature counts as
// unlike any other.
#pragma once

#include "common/compile/program.h"

namespace warpgrade::sim {

/// Whether each launch of `a` has the same result, diagnostics, counts and events as with `b`.
/// False if unknown.
bool are_alike(const compile::Program& a, const compile::Program& b);

/// Whether the program's lanes may wait for other lanes of their warp, so that an execution with
/// Options::independent_lanes does not apply to devices without them.
bool may_wait_in_warp(const compile::Program& program);

}  // namespace warpgrade::sim
