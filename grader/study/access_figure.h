// SPDX-License-Identifier: Apache-2.0
// An access picture to look at: a cell for each word, coloured and labelled by the thread that
// touches it; on a terminal the same labels as a grid.
#pragma once

#include <string>

#include "grader/study/access_record.h"
#include "grader/study/canvas.h"

namespace warpgrade::grader::study {

/// The title, and the cost of the framed access.
std::string access_title(const AccessResult& result);

/// One picture to draw; `name` is for its data block.
Panel access_panel(const AccessResult& result, const std::string& name);

/// Title, meaning of the labels, and the cells.
std::string access_text(const AccessResult& result);

}  // namespace warpgrade::grader::study
