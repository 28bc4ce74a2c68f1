// SPDX-License-Identifier: Apache-2.0
// Removes host code from a submission as far as NVRTC refuses it.
//
// In: the source, and the compiler's log after each compilation. Out: the source without the
// declarations at the places of the errors, until it compiles or no error is in host code.
// Headers that only host code includes become empty.
//
// Functions of both host and device may call the host. For these, nvcc warns and compiles device
// code that ends at the call. Here the device code ends with a trap.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/compile/host_constants.h"
#include "common/compile/log_entries.h"
#include "common/compile/program.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {

// Headers that only host code uses and that NVRTC does not have or refuses.
//
// Files with kernels often include them by habit. NVRTC gets empty texts for them, as for the
// headers in shims.h that need no text: headers of the standard library, the system and the
// toolkit's libraries, and the parts of Thrust and CUB that work on the whole device.

/// Whether `name` is a header of a library that only host code uses (OpenGL, OpenCV, NVIDIA's
/// samples): its #include is left out if the file is missing. helper_math.h does not count, because
/// device code uses its operators.
bool is_header_of_host_library(std::string_view name);

/// Their names, such as "thrust/sort.h", each once and without those in shims.h.
std::span<const char* const> host_headers();

/// The macro of equal length that replaces `constexpr` before a host function, and its text. The
/// compiler warns at each use of such a function; nvcc_rules.h reads these warnings.
inline constexpr std::string_view kRelaxedConstexpr = "__hd_cxpr";
inline constexpr std::string_view kRelaxedConstexprText =
    "__attribute__((deprecated(\"constexpr of the host\"))) __host__ __device__ constexpr";
/// The macro at the head of the host's functions that device code cannot call, in the texts that
/// replace its headers, and its text: such a call is legal in a constant expression.
inline constexpr std::string_view kOnlyOnHost = "WARPGRADE_ONLY_ON_HOST";
inline constexpr std::string_view kOnlyOnHostText =
    "if (!__builtin_is_constant_evaluated()) __trap();";

/// The warning about a call of `function`, one of the host, in a function of both host and device.
std::string call_of_both(std::string_view function);

class HostCode {
 public:
  /// `name` is the main file's name in the compiler's log.
  HostCode(std::string name, std::string source);

  /// The main file's text for the next compilation.
  std::string source() const;
  /// The same for the submission's own header at `path` with text `text`.
  std::string header(const std::string& path, std::string text);

  /// The names and texts of all files of the submission, the main file first.
  std::vector<SourceText> sources() const;

  /// Finds host code by the errors in `log`, the compiler's output for the texts above. Returns
  /// false if it finds no more.
  bool leave_out(std::string_view log);

  /// Leaves out the functions of both host and device that call a function of the host according to
  /// `log`: nvcc only warns about such a call. Returns false if it finds none.
  bool leave_out_callers_of_host(std::string_view log);

  /// Restores those functions if device code needs nothing else according to `log`, and replaces
  /// the host functions that they call by device functions that trap. Returns false if that does
  /// not help.
  bool keep_callers_of_host(std::string_view log);

  /// Warnings of the calls in these functions, in the form of the compiler's log.
  std::string calls_of_host() const;

  /// Blanks the words in `log` that nvcc ignores with a warning and NVRTC refuses: `__shared__` on
  /// a member or parameter, `__host__` on a variable. Returns false if it finds none.
  bool ignore_attributes(std::string_view log);

  /// nvcc's warnings of these words, in the form of the compiler's log.
  std::string ignored_attributes() const;

  /// Whether the compiler stopped at a designated initializer (`{.x = 1}`) in `log`.
  bool has_designator(std::string_view log);

  /// Whether functions without a space must count as device functions: NVRTC treats the call
  /// operator of a lambda with auto parameters as a host function.
  bool wants_default_device() const { return wants_default_device_; }

  /// All code left out so far, by file and line.
  std::vector<LeftOut> left_out() const;

 private:
  struct File {
    std::string text;
    std::vector<Token> tokens;
    std::vector<Item> items;
    bool is_outlined = false;
    // By position, which does not change if another file's macros change the items.
    std::map<std::pair<std::size_t, std::size_t>, Item> blanked;
    std::set<std::size_t> relaxed;               // where `constexpr` is replaced
    std::map<std::size_t, std::string> ignored;  // words to blank, by place
    std::vector<Item> stubs;                     // functions of the host without their bodies
  };
  struct Finding {
    File* file = nullptr;
    std::size_t offset = 0;  // of the error in the file's text
    const LogEntry* entry = nullptr;
  };

  // A function of both host and device that calls `callee`, a function of the host.
  struct Caller {
    std::string path;
    Item item;
    std::size_t offset = 0;  // of the call
    std::string callee;
  };

  std::vector<Finding> locate(const std::vector<LogEntry>& entries);
  void outline_all();
  bool leave_out_host_declaration(const Finding& found, const std::vector<Finding>& all);
  static bool is_lambda_of_device(const Finding& found);
  bool leave_out_mistake(const Finding& found);
  bool has_host_function() const;
  bool leave_out_missing_include(const Finding& found);
  void leave_out_launchers();
  bool blank(File& file, const Item& item);
  bool is_for_both(const File& file, const Item& item) const;
  bool speaks_of_host(const File& file, const Item& item) const;
  bool make_stub(std::string_view name);
  static void replace_by_stub(std::string& out, const File& file, const Item& item);
  std::string edited(const File& file) const;

  std::string name_;
  std::map<std::string, File, std::less<>> files_;
  std::set<std::string, std::less<>> names_;  // names of all code left out
  std::vector<Caller> callers_;
  bool lacks_include_ = false;
  bool wants_default_device_ = false;
};

}  // namespace warpgrade::compile
