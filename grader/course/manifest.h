// SPDX-License-Identifier: Apache-2.0
// A lab as data: the checked and typed content of labs/LAB/grader.toml.
// docs/manifest.md lists every key with its type, its default and an example. Launches, shapes,
// values and bounds are numbers, or expressions of the case's variables (text/numbers.h). Every
// mistake is a base::UsageError that begins with file:line:column and names the key.
// labs/LAB/skeletons.toml adds the measured values of untouched skeletons.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "grader/course/exercise.h"
#include "grader/course/vocabulary.h"

namespace warpgrade::grader::course {

// labs/LAB/skeletons.toml: the value of each gate that the untouched skeleton reaches.
//
// `warpgrade check --write` measures the values and writes the file; nobody edits it. It has a
// table for each exercise whose skeleton computes a right result, with a number for each gate id:
//
//   [copy]
//   loads_coalesced = 4
//
// Grading reads it, because points are for work that goes beyond the skeleton. Students receive
// the file with the lab.

constexpr std::string_view kSkeletonValuesFile = "skeletons.toml";

/// Enters the values of `text` into the gates of `lab`. Values of exercises and gates that no
/// longer exist are ignored: `check --write` removes them. Throws base::UsageError if a value is
/// not a number.
void enter_skeleton_values(std::string_view text, const std::string& shown, Lab& lab);

/// The content of the file for `lab`: the values that its gates have; empty without any.
std::string skeleton_values_text(const Lab& lab);

// A course's own headers: the folders of a manifest's `include_folders`.
//
// They are relative to the lab's folder and inside the course, so that a pack can copy them. They
// must not contain solutions or manifests (with secret cases), which a compiler's message could
// quote.

/// The absolute paths, without links, of the folders `given` for the lab in the folder `lab`.
/// Throws base::UsageError that begins with `where` and the name of the first one that is missing
/// or not allowed.
std::vector<std::filesystem::path> include_folders(const std::filesystem::path& lab,
                                                   const std::vector<std::string>& given,
                                                   const base::SourceLocation& where);

/// Reads `file`, shown as `shown`; throws base::UsageError at the first mistake, including a
/// missing folder.
Lab read_manifest(const std::filesystem::path& file, const std::string& shown,
                  const Vocabulary& vocabulary);

/// The same for a manifest's text; `lab` is its id, and `folder` its folder if the lab is on disk.
Lab parse_manifest(std::string_view text, const std::string& shown, const std::string& lab,
                   const Vocabulary& vocabulary, const std::filesystem::path& folder = {});

}  // namespace warpgrade::grader::course
