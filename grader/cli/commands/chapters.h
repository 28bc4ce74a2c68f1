// SPDX-License-Identifier: Apache-2.0
// The parts of a students' course that are made and not copied: the figures of its chapters and
// their book. `pack` and `init` add the same ones.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "grader/course/course.h"

namespace warpgrade::grader::cli {

/// What happens if a figure cannot be drawn, for example because gnuplot is missing.
enum class WithoutFigures { kFails, kWarns };

/// Adds the figures and the book that `folder` lacks, and prints its progress. `drawn` is a folder
/// of finished figures, or empty. Returns the number of figures that the chapters show.
std::size_t complete_chapters(const course::Course& course, const std::filesystem::path& folder,
                              const std::string& drawn, WithoutFigures without);

}  // namespace warpgrade::grader::cli
