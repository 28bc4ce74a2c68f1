// SPDX-License-Identifier: Apache-2.0
// Finds and reads a study; study.h documents the keys.
#pragma once

#include <filesystem>
#include <string>

#include "grader/study/study.h"

namespace warpgrade::grader {

/// Reads `file`, shown as `shown`, and the published tables and studies that it names; throws
/// base::UsageError at the first mistake.
Study read_study(const std::filesystem::path& file, const std::string& shown);

/// The file that NAME|FILE.toml of the command line means: a path where it ends in .toml or holds a
/// slash, else studies/NAME.toml below `root`; throws base::UsageError with the nearest name.
std::filesystem::path find_study(const std::filesystem::path& root, const std::string& given);

/// Leaves the devices that `name` names, or where there are none of them, `name` alone; parts with
/// devices of their own and not `name` go. Throws base::UsageError where nothing is left, or where
/// there is no such profile.
void choose_device(Study& study, const std::string& name);

}  // namespace warpgrade::grader
