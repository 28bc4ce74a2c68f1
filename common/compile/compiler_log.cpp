// SPDX-License-Identifier: Apache-2.0
#include "common/compile/compiler_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>

#include "common/base/text.h"
#include "common/compile/compile_error.h"

namespace warpgrade::compile {
namespace {

constexpr std::string_view kNameMap = "__nv_name_map";  // NVRTC's file of name expressions
constexpr std::size_t kMaxMessageBytes = 400;

struct Entry {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool is_error = false;
  std::string_view message;
  std::string_view excerpt;  // the lines below the first, as printed
};

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Reads "(LINE): SEVERITY: MESSAGE", the part of an entry's first line after the file's name.
std::optional<Entry> parse_tail(std::string_view file, std::string_view tail) {
  const auto close = tail.find("): ");
  if (!tail.starts_with('(') || close == std::string_view::npos) return std::nullopt;
  Entry entry;
  entry.file = file;
  const auto* end = tail.data() + close;
  const auto number = std::from_chars(tail.data() + 1, end, entry.line);
  if (number.ec != std::errc{} || number.ptr != end) return std::nullopt;
  const auto rest = tail.substr(close + 3);
  const auto colon = rest.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const auto severity = rest.substr(0, colon);
  entry.is_error = severity == "error" || severity == "catastrophic error";
  if (!entry.is_error && !severity.starts_with("warning")) return std::nullopt;
  entry.message = rest.substr(colon + 2);
  return entry;
}

// Reads an entry's first line. The main file's name may hold anything; other names that can come
// up are absolute paths and the short names of texts in memory.
std::optional<Entry> parse_head(std::string_view line, const LogContext& context) {
  const auto& name = context.compiled_name;
  if (line.starts_with(name)) {
    if (auto entry = parse_tail(line.substr(0, name.size()), line.substr(name.size())))
      return entry;
  }
  if (line.starts_with(' ') ||
      line.find("detected in the compilation of") != std::string_view::npos)
    return std::nullopt;
  for (auto open = line.find('('); open != std::string_view::npos;
       open = line.find('(', open + 1)) {
    if (auto entry = parse_tail(line.substr(0, open), line.substr(open))) return entry;
  }
  return std::nullopt;
}

// Column of the caret: the first line of `excerpt` of blanks and one '^', less the two columns
// by which NVRTC indents; 0 where there is none.
std::uint32_t caret_column(std::string_view excerpt) {
  while (!excerpt.empty()) {
    const auto line = next_line(excerpt);
    const auto at = line.find_first_not_of(" \t");
    if (at != std::string_view::npos && at >= 2 && line.substr(at) == "^") {
      return static_cast<std::uint32_t>(at) - 1;
    }
  }
  return 0;
}

bool has_open_quote(std::string_view message) { return std::ranges::count(message, '"') % 2 != 0; }

std::vector<Entry> split_entries(std::string_view log, const LogContext& context) {
  std::vector<Entry> entries;
  while (!log.empty()) {
    auto entry = parse_head(next_line(log), context);
    if (!entry) continue;
    const bool open = has_open_quote(entry->message);
    const auto below = log;
    while (!open && !log.empty() && log.front() == ' ') next_line(log);
    entry->excerpt = below.substr(0, below.size() - log.size());
    entry->column = caret_column(entry->excerpt);
    entries.push_back(*entry);
    if (open) break;
  }
  return entries;
}

// The identifier at `column` of line `line` of `source`; empty where there is none.
std::string_view identifier_at(std::string_view source, std::uint32_t line, std::uint32_t column) {
  auto text = base::line_of(source, line);
  if (column == 0 || column > text.size()) return {};
  text.remove_prefix(column - 1);
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return text.substr(
      0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_part) - text.begin()));
}

// Whether the parameter list of a lambda begins at `column`: "[=](auto x)".
bool is_lambda_at(std::string_view source, std::uint32_t line, std::uint32_t column) {
  auto text = base::line_of(source, line);
  if (column == 0 || column > text.size() || text[column - 1] != '(') return false;
  text = text.substr(0, column - 1);
  const auto last = text.find_last_not_of(" \t");
  return last != std::string_view::npos && text[last] == ']';
}

std::string quoted_or(std::string_view word, std::string_view otherwise) {
  return word.empty() ? std::string(otherwise) : fmt::format("'{}'", word);
}

// x of `identifier "x" is undefined` and of `namespace "std" has no member "x"`; empty otherwise.
std::string_view missing_name(std::string_view message) {
  const bool is_missing = message.ends_with(" is undefined") ||
                          message.find("\"std\" has no member") != std::string_view::npos;
  const auto end = message.rfind('"');
  if (!is_missing || end == std::string_view::npos || end == 0) return {};
  const auto begin = message.rfind('"', end - 1);
  if (begin == std::string_view::npos) return {};
  return message.substr(begin + 1, end - begin - 1);
}

// A hint on names that people forget who are used to nvcc, which includes more by itself.
std::string hint_for(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kIntegers = {
      "int8_t",  "int16_t",  "int32_t",  "int64_t",  "intptr_t",
      "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uintptr_t"};
  static constexpr std::array<std::string_view, 7> kVotes = {
      "__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"};
  static constexpr std::array<std::string_view, 5> kHost = {"cerr", "cout", "endl", "string",
                                                            "vector"};
  static constexpr std::array<std::string_view, 3> kOrder = {"min", "max", "swap"};
  if (std::ranges::count(kIntegers, name) != 0) return "; add #include <cstdint>";
  if (name.starts_with("FLT_") || name.starts_with("DBL_")) return "; add #include <cfloat>";
  if (std::ranges::count(kHost, name) != 0) return "; only host code has it";
  if (name.starts_with("cuda")) return "; the CUDA runtime's functions are for host code";
  if (std::ranges::count(kVotes, name) != 0) {
    return fmt::format("; it is {}_sync(mask, ...) since CUDA 9", name);
  }
  if (std::ranges::count(kOrder, name) != 0) {
    return fmt::format("; device code has {}",
                       name == "swap" ? "cuda::std::swap, by #include <cuda/std/utility>"
                                      : fmt::format("{} without std::", name));
  }
  return "";
}

// NVRTC's words where they help a student; ours where they speak of its own options.
std::string reword(const Entry& entry, const LogContext& context) {
  const auto has = [&](std::string_view part) {
    return entry.message.find(part) != std::string_view::npos;
  };
  const bool in_main_file = entry.file == context.compiled_name;
  const bool in_own_header =
      !context.folder.empty() && entry.file.starts_with(context.folder + "/");
  const auto word =
      in_main_file ? identifier_at(context.source, entry.line, entry.column) : std::string_view{};
  const bool names_host_function =
      has("is considered a host function") || has("explicitly marked as a __host__ function");
  if (!in_main_file && !in_own_header) {
    if (!names_host_function) return std::string(entry.message);
    return "this header of the toolkit holds host functions, which the compiler of device code "
           "refuses; include only what the kernel needs, <cub/block/block_reduce.cuh> rather than "
           "<cub/cub.cuh> say";
  }
  if (has("is considered a host function")) {
    if (in_main_file && is_lambda_at(context.source, entry.line, entry.column)) {
      return "the compiler takes a lambda with auto parameters for a host function: give each "
             "parameter a type, or write a struct with a __device__ operator()";
    }
    return fmt::format(
        "{} is a host function; a submission is device code: put __device__ or __global__ before "
        "it, or take it out",
        quoted_or(word, "this"));
  }
  if (has("explicitly marked as a __host__ function")) {
    return fmt::format(
        "{} is marked __host__; a submission is device code: make it __device__ or __global__, or "
        "take it out",
        quoted_or(word, "this"));
  }
  if (has("is considered a host variable")) {
    return fmt::format(
        "{} is a host variable; a submission is device code: put __device__ or __constant__ "
        "before it, or make it constexpr",
        quoted_or(word, "this"));
  }
  if (has("device-side kernel launch could not be processed")) {
    return "a kernel cannot launch kernels here: dynamic parallelism is not supported";
  }
  if (has("cannot open source file") || has("could not open source file")) {
    return fmt::format(
        "{}; a submission can include the CUDA toolkit's headers and files of its own folder, "
        "nothing else",
        entry.message);
  }
  return std::string(entry.message) + hint_for(missing_name(entry.message));
}

// Names of nested template instances grow without bound.
std::string shortened(std::string message) {
  if (message.size() <= kMaxMessageBytes) return message;
  auto end = kMaxMessageBytes;
  while ((message[end] & 0xc0) == 0x80) --end;  // not inside a character of UTF-8
  return message.substr(0, end) + "...";
}

}  // namespace

std::string shown_path(std::string_view path, const LogContext& context) {
  namespace fs = std::filesystem;
  const bool is_main_file = path.ends_with(context.compiled_name) &&
                            path.size() <= context.compiled_name.size() + 1 &&
                            (path.size() == context.compiled_name.size() || path.front() == '/');
  if (is_main_file) return context.shown_name;
  const auto below = [&](const std::string& folder) -> std::optional<std::string> {
    const auto prefix = folder + "/";
    if (folder.empty() || !path.starts_with(prefix)) return std::nullopt;
    return std::string(path.substr(prefix.size()));
  };
  if (const auto rest = below(context.folder)) {
    return (fs::path(context.shown_name).parent_path() / *rest).string();
  }
  std::string shown(path);
  for (const auto& folder : context.toolkit_folders) {
    if (const auto rest = below(folder); rest && rest->size() < shown.size()) shown = *rest;
  }
  return shown;
}

bool is_of_toolkit(std::string_view path, const LogContext& context) {
  return std::any_of(context.toolkit_folders.begin(), context.toolkit_folders.end(),
                     [&](const auto& folder) { return path.starts_with(folder + "/"); });
}

CompilerLog parse_compiler_log(std::string_view log, const LogContext& context) {
  CompilerLog out;
  std::size_t left_out = 0;
  std::set<std::tuple<std::string_view, std::uint32_t, std::uint32_t>> places;
  for (const auto& entry : split_entries(log, context)) {
    if (!entry.is_error) {
      out.warnings += fmt::format("{}:{}: {}\n{}", shown_path(entry.file, context), entry.line,
                                  entry.message, entry.excerpt);
    } else if (entry.file == kNameMap) {
      out.has_expression_errors = true;
    } else if (entry.message == "out of memory") {
      out.is_out_of_memory = true;
    } else if (!places.insert({entry.file, entry.line, entry.column}).second) {
      continue;  // a second complaint about the same word says no more than the first
    } else if (out.errors.size() >= kMaxDiagnostics) {
      left_out += 1;
    } else {
      out.errors.push_back(compile_error(shown_path(entry.file, context), entry.line, entry.column,
                                         shortened(reword(entry, context))));
    }
  }
  if (left_out != 0) {
    out.errors.push_back(
        compile_error(context.shown_name, 0, 0,
                      fmt::format("and {} more error{}", left_out, left_out == 1 ? "" : "s")));
  }
  return out;
}

}  // namespace warpgrade::compile
