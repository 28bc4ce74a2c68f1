// SPDX-License-Identifier: Apache-2.0
// A compiled kernel file: the compiler's output for one CUDA C++ source and one architecture.
//
// It includes the resources of each kernel, from ptxas -v, and the list of host code that the
// submission was compiled without.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/ptx/module.h"

namespace warpgrade::compile {

/// A diagnostic of kind kCompileError, the only kind that this stage creates; line and column 0
/// mean the whole file.
inline base::Diagnostic compile_error(const std::string& file, std::uint32_t line,
                                      std::uint32_t column, const std::string& message) {
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kCompileError;
  diagnostic.where.file = file;
  diagnostic.where.line = line;
  diagnostic.where.column = column;
  diagnostic.message = message;
  return diagnostic;
}

/// A declaration or #include that was left out of the device code.
struct LeftOut {
  std::string file;
  std::uint32_t line = 0;    ///< 1-based, like the column.
  std::uint32_t column = 0;  ///< Its first column; for an #include the column of the file name.
  std::string name;          ///< "main", "<thrust/sort.h>"; empty if unclear.

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

inline auto wire_fields(LeftOut& item) {
  return std::tie(item.file, item.line, item.column, item.name);
}

/// The file name in an #include: `a/b.h` in `"a/b.h"` and in `<a/b.h>`.
inline std::string_view without_quotes(std::string_view name) {
  return name.substr(1, name.size() - 2);
}

/// Whether `item` is an #include of a file that the compiler cannot see.
bool is_include(const LeftOut& item);

/// "left out as host code: main (line 40), fill (line 35)"; places outside `main_file` include the
/// file name. Safe to print; empty if `items` is empty.
std::string describe(const std::vector<LeftOut>& items, std::string_view main_file);

/// The SM resources that one kernel uses, as ptxas reports them for the architecture of the
/// compilation. Zeros for a virtual one.
struct Resources {
  std::uint32_t registers_per_thread = 0;
  std::uint32_t barriers = 0;  ///< Named barriers: the highest number plus 1; 16 if it is variable.
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t stack_frame_bytes = 0;
  std::uint32_t spill_store_bytes = 0;
  std::uint32_t spill_load_bytes = 0;
  std::uint32_t constant_bytes = 0;
};

/// The layout of a parameter, by which kernels differ if their names do not contain it (extern
/// "C").
struct Parameter {
  std::uint32_t size_bytes = 0;
  bool is_float = false;  ///< .f32 or .f64

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Kernel {
  std::string name;       ///< Name in the PTX and in the machine code (mangled for C++ names).
  std::string signature;  ///< Demangled: "copy(float*, int)"; the bare name if extern "C".
  Resources resources;
  std::vector<Parameter> parameters = {};
};

struct Program {
  std::string file;                ///< The source's name for the user.
  std::string source;              ///< The source's text, for excerpts.
  std::string architecture;        ///< "sm_90", or "compute_90" if only PTX was compiled.
  ptx::SharedModule ptx;           ///< With .loc directives; parsed when first needed.
  std::vector<char> machine_code;  ///< A cubin; empty if only PTX was compiled.
  std::vector<Kernel> kernels;     ///< Every kernel in the PTX, in order.
  std::map<std::string, std::string> lowered;  ///< Requested name expression -> Kernel::name.
  std::string warnings;                        ///< The compiler's warnings; may be empty.
  std::vector<LeftOut> left_out;               ///< Host code of the file; describe() names it.
  std::string device_source;                   ///< The compiled text, if it differs from `source`.
  std::string not_assembled = {};              ///< Why a PTX file has no machine code; else empty.
};

// Parses the output of ptxas -v for each kernel, as contained in NVRTC's log:
//
//   ptxas info    : Compiling entry function 'copy' for 'sm_90'
//   ptxas info    : Function properties for copy
//   ptxas         .     8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
//   ptxas info    : Used 6 registers, used 1 barriers, 1600 bytes smem, 372 bytes cmem[0]

/// Resources by the kernel's name in the machine code; other lines are ignored. The last report on
/// a kernel counts, because ptxas runs after the front end, whose messages can quote student text
/// that looks like a report.
std::map<std::string, Resources> parse_ptxas_report(std::string_view log);

// What the compile stage reads in PTX. Reading is cheap and never fails. The full parse follows
// when a program is executed (Program::ptx).

struct PtxEntry {
  std::string name;
  std::vector<Parameter> parameters;
};

/// Every `.entry` of `ptx`, in order.
std::vector<PtxEntry> parse_ptx_entries(std::string_view ptx);

/// Resolves the escapes in a PTX string: a quote, a backslash, and octal bytes.
std::string unescape_ptx(std::string_view text);

// Inline assembly must not write directives reserved for the compiler: places, files, functions.
//
// The compiler copies the text of an asm statement into the PTX between two comments. A `.loc` in
// it would move findings to another line of the report, and an `.entry` would add a kernel that the
// source does not show. Kernels need neither, so both are compile errors. Text that also forges the
// comments passes: it can then show a wrong line of the file, but never a wrong count.

/// Finds the first error in the inline assembly of `ptx`, which was compiled from `source` with
/// the name `file`; nullopt without an error. Its `.file 1` is "./NAME" if that is another
/// file.
std::optional<base::Diagnostic> check_inline_assembly(std::string_view ptx, const std::string& file,
                                                      std::string_view source);

}  // namespace warpgrade::compile
