// SPDX-License-Identifier: Apache-2.0
// Launches with more than 48 KB of shared memory a block. A card refuses them unless the host code
// has raised the kernel's limit before. The simulator launches them, so the reader gets a note.
#pragma once

#include <string>

#include "common/compile/program.h"
#include "common/run/sequence.h"

namespace warpgrade::run {

/// The call that a card needs before the launch of `sequence` with the most dynamic shared memory;
/// empty if no launch needs one. `program` has the kernels.
std::string shared_attribute_text(const Sequence& sequence, const compile::Program& program);

}  // namespace warpgrade::run
