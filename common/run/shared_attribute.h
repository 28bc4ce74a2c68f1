// SPDX-License-Identifier: Apache-2.0
// Launches with more than 48 KB of shared memory per block. A card refuses them unless host code
// has raised the kernel's limit. The simulator accepts them, so the reader gets a note.
#pragma once

#include <string>

#include "common/compile/program.h"
#include "common/run/sequence.h"

namespace warpgrade::run {

/// The host call that a card needs before `sequence`, for the launch with the most dynamic shared
/// memory; empty if no launch needs it. `program` contains the kernels.
std::string shared_attribute_text(const Sequence& sequence, const compile::Program& program);

}  // namespace warpgrade::run
