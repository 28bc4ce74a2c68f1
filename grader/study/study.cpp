// SPDX-License-Identifier: Apache-2.0
#include "grader/study/study.h"

namespace warpgrade::grader::study {

text::Variables Part::variables_at(double value) const {
  auto out = variables;
  out[axis] = value;
  return out;
}

text::Variables Part::variables_at(double value, const Kernel& kernel) const {
  auto out = variables_at(value);
  for (const auto& [name, own] : kernel.variables) out[name] = own;
  return out;
}

}  // namespace warpgrade::grader::study
