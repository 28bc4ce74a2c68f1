// SPDX-License-Identifier: Apache-2.0
// A lab as data: the checked and typed content of labs/LAB/grader.toml.
//
// docs/manifest.md lists every key with its type, its default and an example. A launch, a shape, a
// value or a bound is a number, or a string with an expression of the case's variables
// (expressions.h). Every mistake is a base::UsageError that begins with file:line:column and names
// the key. skeleton_values.h adds the measured values of untouched skeletons.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "grader/course/exercise.h"
#include "grader/course/vocabulary.h"

namespace warpgrade::grader::course {

/// Reads `file`, shown as `shown`; throws base::UsageError at the first mistake, including a
/// missing folder.
Lab read_manifest(const std::filesystem::path& file, const std::string& shown,
                  const Vocabulary& vocabulary);

/// The same for a manifest's text; `lab` is its id, and `folder` its folder if the lab is on disk.
Lab parse_manifest(std::string_view text, const std::string& shown, const std::string& lab,
                   const Vocabulary& vocabulary, const std::filesystem::path& folder = {});

}  // namespace warpgrade::grader::course
