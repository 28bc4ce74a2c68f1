// SPDX-License-Identifier: Apache-2.0
// Identifiers with letters beyond ASCII (`größe`), for a compiler that does not accept them.
//
// nvcc accepts UTF-8 in identifiers; NVRTC calls each such byte an unrecognized token. Each of
// these identifiers gets an ASCII name of the same length, so that lines and columns stay, and the
// compiler's log gets the original names back. Comments and literals stay as they are. Names in the
// compiled program (shared arrays, local functions) are the ASCII ones.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade::compile {

class AsciiNames {
 public:
  /// `text` of the same length with an ASCII name for each identifier that has other letters.
  std::string replace(std::string text);

  /// `log` with the original names.
  std::string restore(std::string log) const;

 private:
  const std::string& name_for(const std::string& identifier);

  std::map<std::string, std::string> ascii_;     // By identifier.
  std::map<std::string, std::string> original_;  // By ASCII name.
  std::set<std::string> words_;                  // Of the texts so far: not to be used as names.
};

}  // namespace warpgrade::compile
