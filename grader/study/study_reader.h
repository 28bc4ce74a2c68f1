// SPDX-License-Identifier: Apache-2.0
// Finds and reads a study, and single [[part]] and [[access]] tables of one; study.h documents
// the keys.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "grader/study/study.h"

namespace warpgrade::grader::study {

// Reads one [[part]] of a study and checks its consistency; study.h documents the keys.

/// Reads the study beside this one that a part `use`s; empty if that is not allowed.
using ReadOther = std::function<Study(const std::string& name)>;

// Reads one [[access]] of a study; study.h documents the keys.

/// The names of AccessKey, in its order.
std::string_view name(AccessKey key);

/// Reads `file`, shown as `shown`, and the published tables and studies that it names; throws
/// base::UsageError at the first mistake.
Study read_study(const std::filesystem::path& file, const std::string& shown);

/// The file that NAME|FILE.toml of the command line means: a path if it ends in .toml or contains a
/// slash, else studies/NAME.toml below `root`; throws base::UsageError with the nearest name.
std::filesystem::path find_study(const std::filesystem::path& root, const std::string& given);

/// Keeps only the devices that match `name`, or `name` itself if none does; removes parts that have
/// their own devices without `name`. Throws base::UsageError if no part remains, or if the profile
/// does not exist.
void choose_device(Study& study, const std::string& name);

}  // namespace warpgrade::grader::study
