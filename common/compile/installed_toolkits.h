// SPDX-License-Identifier: Apache-2.0
// Finds NVIDIA's compiler where it was installed together with the program.
//
// pip puts the program into PREFIX/bin and NVIDIA's wheels, on which it depends, into the folder of
// Python packages under the same PREFIX; the Debian package has the same shape. So an installation
// may be moved as a whole, and needs no CUDA toolkit of the system.
#pragma once

#include <filesystem>
#include <vector>

namespace warpgrade::compile {

/// Folders under the prefix of `program` that may be a toolkit, those of the newest Python first.
std::vector<std::filesystem::path> toolkits_beside(const std::filesystem::path& program);

/// Those of the program that runs.
std::vector<std::filesystem::path> installed_toolkits();

}  // namespace warpgrade::compile
