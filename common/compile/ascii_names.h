// SPDX-License-Identifier: Apache-2.0
// Identifiers with non-ASCII letters (`größe`), for a compiler that does not accept them.
//
// nvcc accepts UTF-8 in identifiers; NVRTC reports each such byte as an unrecognized token. Each of
// these identifiers gets an ASCII name of the same length, so lines and columns do not change. The
// compiler's log gets the original names back. Comments and literals do not change. Names in the
// compiled program (shared arrays, local functions) are the ASCII ones.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade::compile {

class AsciiNames {
 public:
  /// `text` with an ASCII name of equal length for each non-ASCII identifier.
  std::string replace(std::string text);

  /// `log` with the original names.
  std::string restore(std::string log) const;

 private:
  const std::string& name_for(const std::string& identifier);

  std::map<std::string, std::string> ascii_;     // by identifier
  std::map<std::string, std::string> original_;  // by ASCII name
  std::set<std::string> words_;                  // all words so far, which cannot be new names
};

}  // namespace warpgrade::compile
