// SPDX-License-Identifier: Apache-2.0
// The sentences for races and for barriers that some threads skip; a part of finding_text.
#pragma once

#include <string>

#include "common/base/diagnostic.h"

namespace warpgrade::base {

/// "(3, 1, 0)": the thread at fault.
std::string text_of_thread(const Diagnostic& found);
/// `found` is the diagnostic that has these facts.
std::string race_text(const Race& race, const Diagnostic& found);
std::string race_text(const CopyRace& race, const Diagnostic& found);
std::string race_text(const BulkRace& race, const Diagnostic& found);
std::string skipped_barriers_text(const SkippedBarriers& skipped);

}  // namespace warpgrade::base
