// SPDX-License-Identifier: Apache-2.0
// The instructor's page of a class: one file without scripts, network access or other files. It
// links to the students' feedback pages if they were written.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/class/near_copies.h"
#include "grader/class/numbers.h"

namespace warpgrade::grader::class_book {

/// The address of a student's feedback, relative to the page; may be empty.
using FeedbackAddress = std::function<std::string(const std::string& student)>;

std::string class_page(const Numbers& numbers, const std::vector<NearCopy>& near_copies,
                       const FeedbackAddress& feedback);

}  // namespace warpgrade::grader::class_book
