// SPDX-License-Identifier: Apache-2.0
// Names the parts of a course that grades of a lab depend on.
#pragma once

#include <string>

#include "grader/course/manifest.h"

namespace warpgrade::grader::course {

/// A hash of the lab's manifest, reference, included folders and solutions. Changing it requires
/// regrading.
std::string manifest_hash(const Lab& lab);

}  // namespace warpgrade::grader::course
