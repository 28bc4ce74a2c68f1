// SPDX-License-Identifier: Apache-2.0
// Finds NVIDIA's compiler if it was installed together with the program.
//
// pip installs the program in PREFIX/bin and NVIDIA's wheels, its dependencies, in the folder of
// Python packages under the same PREFIX, or in PREFIX itself (`pip install --target PREFIX`). Such
// an installation can be moved as a whole and needs no CUDA toolkit of the system.
#pragma once

#include <filesystem>
#include <vector>

namespace warpgrade::compile {

/// Folders under the prefix of `program` that may be a toolkit: those of the newest Python first,
/// of PREFIX itself last.
std::vector<std::filesystem::path> toolkits_beside(const std::filesystem::path& program);

/// The folders of the running program.
std::vector<std::filesystem::path> installed_toolkits();

}  // namespace warpgrade::compile
