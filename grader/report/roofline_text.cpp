// SPDX-License-Identifier: Apache-2.0
#include "grader/report/roofline_text.h"

#include <fmt/format.h>

#include "grader/report/render_lines.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {

std::string roofline_text(const CaseRoofline& item) {
  const auto& roof = item.roofline;
  const auto limit =
      roof.is_limited_by_operations()
          ? "arithmetic is the limit, at " +
                text::with_prefix(roof.peak_operations_per_second(), "FLOP/s")
          : "memory is the limit, at " + text::bytes_per_second(roof.copy_bytes_per_second());
  return fmt::format(
      "On {}, {} and {} are {:.3g} FLOP per byte: {}. The kernel reaches {}, {} of the roof.",
      item.device, text::with_prefix(roof.operations, "FLOP"), text::with_prefix(roof.bytes, "B"),
      roof.intensity(), limit, text::with_prefix(roof.operations_per_second(), "FLOP/s"),
      ratio_text(roof.roof_seconds() / roof.seconds));
}

}  // namespace warpgrade::grader::report
