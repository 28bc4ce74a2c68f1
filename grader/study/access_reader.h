// SPDX-License-Identifier: Apache-2.0
// Reads one [[access]] of a study; study.h documents the keys.
#pragma once

#include "grader/study/part_reader.h"
#include "grader/study/study.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::study {

AccessPicture read_access(text::Table& table, const Folder& place);

/// The names of AccessKey, in its order.
std::string_view name(AccessKey key);

}  // namespace warpgrade::grader::study
