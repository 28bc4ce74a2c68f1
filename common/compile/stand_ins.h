// SPDX-License-Identifier: Apache-2.0
// Stand-ins for names in a submission that nvcc accepts and NVRTC does not.
//
// Each stand-in has the length of its name, so lines and columns do not change. The compiler's
// log gets the original names back.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpgrade::compile {

// Identifiers with non-ASCII letters (`größe`), for a compiler that does not accept them.
//
// nvcc accepts UTF-8 in identifiers; NVRTC reports each such byte as an unrecognized token. Each of
// these identifiers gets an ASCII name of the same length, so lines and columns do not change.
// Comments and literals do not change. Names in the compiled program (shared arrays, local
// functions) are the ASCII ones.

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

// The predefined macros of nvcc (host_macros.txt) in a submission that NVRTC compiles.
//
// nvcc's preprocessor is the host compiler's, so `__GNUC__` and `__NVCC__` are defined, and
// `__CUDACC_RTC__` is not. The toolkit's headers need NVRTC's macros instead: they choose the
// compiler by them. Therefore each name in the submission's own text is replaced by a stand-in of
// equal length, `__GNUC__` by `__GNUc__`, which a header before the first line defines. Lines and
// columns do not change, and the compiler's log gets the original names back.
//
// Limits: a name that the preprocessor puts together (`a##b`) is NVRTC's, so a header that joins
// `__FI` and `LE__` gets its own path. `__COUNTER__`, which NVRTC lacks, counts in the text of each
// file, in all branches, and through a macro that is nothing else. In a longer definition, or in
// one inside an `#if`, it is the line.

/// The main file's name for the compiler, which `__FILE__` shows: the same for every submission.
inline constexpr std::string_view kMainFileName = "kernel.cu";
inline constexpr const char* kMacrosHeader = "warpgrade_macros.h";

class HostMacros {
 public:
  HostMacros();

  /// The text of kMacrosHeader, which defines the stand-ins.
  std::string header(bool is_cpp20) const;
  /// The submission's file `text` with stand-ins.
  std::string replace(std::string text) const;
  /// `log` with the original names.
  std::string restore(std::string_view log) const;

 private:
  std::string with_stand_ins(std::string_view lines) const;

  std::map<std::string, std::string, std::less<>> stand_ins_;  // by name
  std::map<std::string, std::string, std::less<>> names_;      // by stand-in
};

}  // namespace warpgrade::compile
