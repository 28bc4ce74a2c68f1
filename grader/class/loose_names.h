// SPDX-License-Identifier: Apache-2.0
// Finds the exercise of a file whose name is not quite the exercise's: "Copy.CU", "copy (1).cu",
// "my copy.cu", "copy.cpp", or "main.cu" with that exercise's kernel. It finds one only if no other
// exercise of the class fits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

struct LooseMatch {
  course::Selected exercise;
  std::string why;          ///< "its name", "its kernel copy".
  bool is_copy = false;     ///< "copy (1).cu", "copy-2.cu": the same name with a number.
  std::int64_t number = 0;  ///< That number.
};

/// Whether a file may hold a kernel or answers by its suffix.
bool may_be_work(std::string_view path);

std::optional<LooseMatch> loosely_named(const std::vector<course::Selected>& selected,
                                        std::string_view path, std::string_view bytes);

/// The names of the kernels that a source defines or declares, in order, each once.
std::vector<std::string> kernels_in(std::string_view source);

}  // namespace warpgrade::grader::class_book
