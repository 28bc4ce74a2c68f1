// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/waiver.h"

#include <fmt/format.h>

#include "grader/text/terminal.h"

namespace warpgrade::grader::grade {
namespace {

struct WaiverText {
  std::string operator()(const TooLittleMemory& /*waiver*/) const {
    return "its memory has no room for a size that its caches do not hold";
  }
  std::string operator()(const NearBound& waiver) const {
    return fmt::format("the course's own solution reached {:.3f} to {:.3f} at a bound of {} ({})",
                       waiver.low, waiver.high, text::number(waiver.bound), waiver.date);
  }
  std::string operator()(const UnknownShare& waiver) const {
    return fmt::format(
        "its bound would be a share of the fraction that the course's own solution reaches here, "
        "which is unknown ({})",
        waiver.trouble.empty() ? "case " + waiver.case_name : waiver.trouble);
  }
};

}  // namespace

std::string waiver_text(const Waiver& waiver, const std::string& gate) {
  return fmt::format("gate {} is waived on this card: {}", gate, std::visit(WaiverText(), waiver));
}

}  // namespace warpgrade::grader::grade
