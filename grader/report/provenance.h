// SPDX-License-Identifier: Apache-2.0
// The program, compiler and time of a report, so that the grade can be reproduced. They decide
// nothing.
#pragma once

#include <string>

namespace warpgrade::grader::report {

struct Provenance {
  std::string version;  ///< This program's: "0.2.0".
  std::string commit;   ///< "6885a25", "6885a25-dirty" or "unknown".
  std::string toolkit;  ///< The CUDA compiler's release: "13.0.88"; empty without a compiler.
  std::string time;     ///< UTC: "2026-11-22T14:20:00Z".
};

}  // namespace warpgrade::grader::report
