// SPDX-License-Identifier: Apache-2.0
#include "grader/text/program_call.h"

#include <cstdlib>

#include "common/base/text.h"

namespace warpgrade::grader::text {

std::string program_call() {
  const auto* const call = std::getenv("WARPGRADE_CALL");
  if (call == nullptr || *call == '\0') return "warpgrade";
  return base::escape_controls(call);
}

}  // namespace warpgrade::grader::text
