// SPDX-License-Identifier: Apache-2.0
#include "grader/cases/input_salt.h"

#include <string>

#include "common/base/sha256.h"
#include "common/compile/tokens.h"

namespace warpgrade::grader::cases {

std::uint64_t input_salt(std::string_view source) {
  std::string all;
  for (const auto& token : compile::tokens_of(source)) {
    all += source.substr(token.begin, token.end - token.begin);
    all += '\0';
  }
  const auto digest = base::sha256(all);
  std::uint64_t salt = 0;
  for (std::size_t i = 0; i < sizeof salt; ++i) salt = salt << 8 | digest.at(i);
  return salt;
}

}  // namespace warpgrade::grader::cases
