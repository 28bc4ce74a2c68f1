// SPDX-License-Identifier: Apache-2.0
// Converts the entries of NVRTC's log (log_entries.h) to diagnostics.
//
// The first part recognises typing mistakes behind an error and suggests a correction. Examples
// are a wrong letter in a name, a missing brace, and a keyword as a name. The second part chooses
// the errors to show, shortens them, and adds hints.
#include "common/compile/compiler_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/error_details.h"
#include "common/compile/log_context.h"
#include "common/compile/log_entries.h"
#include "common/compile/program.h"
#include "common/compile/shims.h"
#include "common/compile/source_outline.h"

namespace warpgrade::compile {
namespace {

// clang-format off
constexpr auto kCudaNames = std::to_array<std::string_view>({
    "__all_sync", "__any_sync", "__ballot_sync", "__brev", "__clz", "__constant__", "__device__",
    "__expf", "__fdividef", "__ffs", "__float_as_int", "__forceinline__", "__fmaf_rn",
    "__funnelshift_l", "__global__", "__host__", "__int_as_float", "__launch_bounds__", "__ldg",
    "__logf", "__managed__", "__match_any_sync", "__mulhi", "__noinline__", "__popc", "__powf",
    "__reduce_add_sync", "__restrict__", "__shared__", "__shfl_down_sync", "__shfl_sync",
    "__shfl_up_sync", "__shfl_xor_sync", "__sinf", "__syncthreads", "__syncthreads_and",
    "__syncthreads_count", "__syncthreads_or", "__syncwarp", "__threadfence",
    "__threadfence_block", "__umulhi", "assert", "atomicAdd", "atomicAnd", "atomicCAS",
    "atomicDec", "atomicExch", "atomicInc", "atomicMax", "atomicMin", "atomicOr", "atomicSub",
    "atomicXor", "blockDim", "blockIdx", "clock64", "cosf", "double", "double2", "expf", "extern",
    "fabsf", "float", "float2", "float3", "float4", "floorf", "fmaxf", "fminf", "gridDim", "int2",
    "int3", "int4", "logf", "make_double2", "make_float2", "make_float3", "make_float4",
    "make_int2", "make_int4", "malloc", "memcpy", "memset", "powf", "printf", "return", "roundf",
    "rsqrtf", "sinf", "sizeof", "sqrtf", "static_cast", "struct", "tanhf", "template", "threadIdx",
    "typename", "uint2", "uint4", "unsigned", "volatile", "warpSize",
});
constexpr auto kKeywords = std::to_array<std::string_view>({
    "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const", "constexpr",
    "continue", "default", "delete", "do", "double", "else", "enum", "explicit", "export",
    "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "not", "nullptr", "operator", "or", "private", "protected", "public",
    "register", "return", "short", "signed", "sizeof", "static", "struct", "switch", "template",
    "this", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
    "virtual", "void", "volatile", "while", "xor",
});
constexpr auto kDirectives = std::to_array<std::string_view>({
    "define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "pragma",
    "undef",
});
// clang-format on

// The source up to an error, and the tokens there.
struct Place {
  std::string_view text;
  std::vector<Token> tokens;
  std::size_t offset = 0;
  std::size_t next = 0;  // index of the first token at the error or later

  std::string_view word(std::size_t i) const {
    return i < tokens.size() ? word_of(tokens[i], text) : std::string_view();
  }
  std::string_view at() const { return word(next); }
  // The token before the error, ignoring directives.
  std::string_view before() const {
    for (auto i = next; i > 0; --i) {
      if (tokens[i - 1].kind != TokenKind::kDirective) return word(i - 1);
    }
    return {};
  }
};

Place place_of(std::string_view text, std::uint32_t line, std::uint32_t column) {
  Place out{text, tokens_of(text), 0, 0};
  const auto whole = base::line_of(text, line);
  out.offset =
      static_cast<std::size_t>(whole.data() - text.data()) + (column == 0 ? 0 : column - 1);
  out.next = static_cast<std::size_t>(
      std::ranges::lower_bound(out.tokens, out.offset, {}, &Token::begin) - out.tokens.begin());
  return out;
}

std::string did_you_mean(std::string_view name, const Place& place) {
  if (name.size() < 3) return "";  // a single letter resembles everything
  std::set<std::string_view> names(kCudaNames.begin(), kCudaNames.end());
  for (std::size_t i = 0; i < place.tokens.size(); ++i) {
    if (place.tokens[i].kind == TokenKind::kWord) names.insert(place.word(i));
  }
  names.erase(name);
  for (const auto keyword : kKeywords) {
    if (std::ranges::count(kCudaNames, keyword) == 0) names.erase(keyword);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto near = base::nearest(name, views);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

// The macro on the line of the error whose definition ends with a semicolon, and its line.
std::optional<std::pair<std::string, std::uint32_t>> macro_with_semicolon(const Place& place,
                                                                          std::uint32_t line) {
  std::set<std::string_view> words;
  for (const auto& token : tokens_of(base::line_of(place.text, line))) {
    if (token.kind == TokenKind::kWord) {
      words.insert(base::line_of(place.text, line).substr(token.begin, token.end - token.begin));
    }
  }
  for (std::size_t i = 0; i < place.tokens.size(); ++i) {
    if (place.tokens[i].kind != TokenKind::kDirective) continue;
    const auto inside = place.word(i).substr(1);
    const auto parts = tokens_of(inside);
    const auto part = [&](std::size_t n) {
      return inside.substr(parts[n].begin, parts[n].end - parts[n].begin);
    };
    if (parts.size() < 3 || part(0) != "define" || part(parts.size() - 1) != ";") continue;
    if (!words.contains(part(1))) continue;
    const auto before = place.text.substr(0, place.tokens[i].begin);
    return std::pair{std::string(part(1)),
                     static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1};
  }
  return std::nullopt;
}

// The number of open braces before the error.
int open_braces(const Place& place) {
  int depth = 0;
  for (std::size_t i = 0; i < place.next; ++i) {
    if (place.word(i) == "{") ++depth;
    if (place.word(i) == "}") --depth;
  }
  return depth;
}

// The line of the token before the error if it differs from `line`; else 0.
std::uint32_t end_of_earlier_line(const Place& place, std::uint32_t line) {
  if (place.next == 0) return 0;
  const auto before = place.text.substr(0, place.tokens[place.next - 1].end);
  const auto found = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  return found < line ? found : 0;
}

std::string hint_for_syntax(std::string_view message, const Place& place, std::uint32_t line) {
  if (message == "expected an identifier" && std::ranges::count(kKeywords, place.at()) != 0) {
    return fmt::format("; '{}' is a keyword of C++: choose another name", place.at());
  }
  if (const auto macro = macro_with_semicolon(place, line)) {
    return fmt::format("; line {} defines {} with a ';' at its end: remove it", macro->second,
                       macro->first);
  }
  if (const auto end = end_of_earlier_line(place, line);
      end != 0 && message.starts_with("expected a \";\"") && place.at() != "{") {
    return fmt::format("; it is missing at the end of line {}", end);
  }
  const bool begins_body = place.at() == "{";
  if (const auto end = end_of_earlier_line(place, line);
      end != 0 && message == "expected a \")\"" && begins_body) {
    return fmt::format("; it is missing at the end of line {}", end);
  }
  if (message == "expected a declaration" && begins_body && place.before() == ";") {
    return "; remove the ';' between the head of the function and its body";
  }
  if (message == "expected a declaration" && place.at() == "}") {
    return "; this '}' closes nothing: one too many is here or above";
  }
  if (message == "expected a \";\"" && begins_body && open_braces(place) > 0) {
    return "; a function cannot be inside another one: a '}' is missing above";
  }
  if (message == "explicit type is missing (\"int\" assumed)" && place.before() == "__global__") {
    return fmt::format("; write void before '{}'", place.at());
  }
  return "";
}

std::string hint_for_character(const Place& place) {
  const auto rest = place.text.substr(std::min(place.offset, place.text.size()));
  constexpr std::array<std::string_view, 6> kQuotes = {"“", "”", "„", "‘", "’", "´"};
  const auto is_front = [&](std::string_view one) { return rest.starts_with(one); };
  if (std::ranges::any_of(kQuotes, is_front)) {
    return "; this is a quotation mark from a text editor: type \" or '";
  }
  if (rest.starts_with("\u00a0")) return "; this is a no-break space: type a plain one";
  if (rest.starts_with("−") || rest.starts_with("–")) return "; this is a dash: type a plain -";
  const bool is_ascii = rest.empty() || static_cast<unsigned char>(rest.front()) < 0x80;
  return is_ascii ? "" : "; this character is not part of C++";
}

}  // namespace

std::string hint_for_slip(std::string_view message, std::string_view source, std::uint32_t line,
                          std::uint32_t column) {
  const auto place = place_of(source, line, column);
  if (message.ends_with(" is undefined")) return did_you_mean(last_quoted(message), place);
  if (message == "unrecognized token") return hint_for_character(place);
  if (message == "unrecognized preprocessing directive") {
    const std::vector<std::string_view> views(kDirectives.begin(), kDirectives.end());
    const auto inside = place.text.substr(std::min(place.offset, place.text.size()));
    const auto tokens = tokens_of(inside);
    const auto word = tokens.empty() ? std::string_view() : inside.substr(0, tokens[0].end);
    const auto near = base::nearest(word, views);
    return near.empty() ? "" : fmt::format("; did you mean '#{}'?", near);
  }
  const bool is_index = message.find("\"const uint3\"") != std::string_view::npos ||
                        message.find("\"const dim3\"") != std::string_view::npos;
  if (message.starts_with("no suitable conversion") && is_index) {
    return fmt::format("; '{}' has the members x, y and z: name one", place.at());
  }
  return hint_for_syntax(message, place, line);
}

std::uint32_t line_before_include(std::string_view source) {
  const auto tokens = tokens_of(source);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const auto text = word_of(tokens[i], source);
    const auto parts =
        tokens[i].kind == TokenKind::kDirective ? tokens_of(text.substr(1)) : std::vector<Token>();
    if (parts.empty() ||
        text.substr(1 + parts[0].begin, parts[0].end - parts[0].begin) != "include")
      continue;
    const auto& last = tokens[i - 1];
    if (last.kind == TokenKind::kDirective || source[last.end - 1] == ';') continue;
    const auto before = source.substr(0, last.begin);
    return static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  }
  return 0;
}

namespace {

constexpr std::size_t kMaxMessageBytes = 400;

// The identifier at `column` of line `line` of `source`; empty if the column has none.
std::string_view identifier_at(std::string_view source, std::uint32_t line, std::uint32_t column) {
  auto text = base::line_of(source, line);
  if (column == 0 || column > text.size()) return {};
  text.remove_prefix(column - 1);
  return text.substr(0, static_cast<std::size_t>(
                            std::ranges::find_if_not(text, base::is_word_letter) - text.begin()));
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
  return is_missing ? last_quoted(message) : std::string_view();
}

// A hint for names from headers that nvcc includes implicitly.
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

// cuRAND belongs to a toolkit, but its package is large and optional beside the wheel. A file that
// includes it is right, so its absence is a failure of the tool.
void require_curand(std::string_view message, const LogContext& context) {
  static constexpr std::array<std::string_view, 3> kHeaders = {
      "\"curand.h\"", "\"curand_kernel.h\"", "\"curand_mtgp32_kernel.h\""};
  const bool is_named = std::ranges::any_of(kHeaders, [&](std::string_view header) {
    return message.find(header) != std::string_view::npos;
  });
  const bool is_there = std::ranges::any_of(context.toolkit_folders, [](const std::string& folder) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(std::filesystem::path(folder) / "curand_kernel.h",
                                            ignored);
  });
  if (!is_named || is_there) return;
  throw base::ToolError(
      "this file includes cuRAND, whose headers are not installed: pip install "
      "'warpgrade[curand]'");
}

std::string cannot_include(std::string_view message, const LogContext& context) {
  require_curand(message, context);
  std::string folders;
  for (const auto& folder : context.include_folders) {
    folders += folders.empty() ? "" : ", ";
    folders += base::escape_controls(std::filesystem::path(folder).filename().string());
  }
  const auto rule = folders.empty()
                        ? " and files of its own folder"
                        : fmt::format(
                              ", files of its own folder and of the include folders of the "
                              "course ({})",
                              folders);
  const bool is_helper_math = message.find("helper_math.h\"") != std::string_view::npos;
  return fmt::format(
      "{}; a submission can include the CUDA toolkit's headers{}, nothing else{}", message, rule,
      is_helper_math ? "; helper_math.h is in NVIDIA's cuda-samples, folder Common: put "
                       "a copy beside your file"
                     : "");
}

// The omitted item that the message refers to: x in `identifier "x" is undefined` or `class "S" has
// no member "x"`; nullptr for other messages.
const LeftOut* left_out_name(std::string_view message, const std::vector<LeftOut>& items) {
  const bool misses = message.ends_with(" is undefined") ||
                      message.find("has no member \"") != std::string_view::npos;
  if (!misses) return nullptr;
  const auto found = std::ranges::find_if(items, [&](const LeftOut& item) {
    return !item.name.empty() && message.find("\"" + item.name + "\"") != std::string_view::npos;
  });
  return found == items.end() ? nullptr : &*found;
}

// The column of the name of a file that the compiler cannot open. Its own message points to the end
// of the line.
std::uint32_t include_column(const LogEntry& entry, const LogContext& context) {
  const bool is_refused = entry.message.find("open source file") != std::string_view::npos;
  const auto open = entry.message.find('"');
  const auto close = entry.message.find('"', open + 1);
  if (!is_refused || entry.file != context.compiled_name || close == std::string_view::npos) {
    return entry.column;
  }
  const auto line = base::line_of(context.source, entry.line);
  const auto at = line.find(entry.message.substr(open + 1, close - open - 1));
  const bool is_found = at != std::string_view::npos && at != 0;
  return is_found ? static_cast<std::uint32_t>(at) : entry.column;  // column of its < or "
}

bool is_child_launch(const LogEntry& entry) {
  return entry.message.find("device-side kernel launch could not be processed") !=
         std::string_view::npos;
}

// Whether the error is at the word thrust.
bool is_at_thrust(const LogEntry& entry) {
  auto line = entry.excerpt.substr(0, entry.excerpt.find('\n'));
  line.remove_prefix(std::min<std::size_t>(line.size(), 2 + std::max(entry.column, 1U) - 1));
  return line.starts_with("thrust");
}

// A feature that nvcc supports and NVRTC does not; empty for other errors.
std::string missing_feature(const LogEntry& entry) {
  const auto has = [&](std::string_view part) {
    return entry.message.find(part) != std::string_view::npos;
  };
  if (has("identifier \"alloca\" is undefined") ||
      has("identifier \"__builtin_alloca\" is undefined")) {
    return "alloca(), which warpgrade does not simulate; use an array of constant size";
  }
  const bool is_thrust =
      has("namespace \"thrust\" has no member") ||
      (is_at_thrust(entry) && (has("name followed by \"::\" must be") || has("is undefined") ||
                               has("name must be a namespace name")));
  if (is_thrust) {
    return "Thrust in device code, which warpgrade does not compile; use cuda::std:: or cub, or "
           "write the loop";
  }
  return {};
}

// Whether the error may stem from a name of a feature that the compiler lacks: in `thrust::
// complex<float> z(1, 2);` z is not declared.
bool follows_from_missing_name(const base::Diagnostic& error) {
  static constexpr std::array<std::string_view, 4> kParts = {
      "is undefined", "type name is not allowed", "expected a", "has not been declared"};
  return error.kind == base::DiagnosticKind::kCompileError &&
         std::ranges::any_of(kParts, [&](std::string_view part) {
           return error.message.find(part) != std::string::npos;
         });
}

// NVRTC's text if it helps a student; our own text if it refers to NVRTC's options.
std::string reword(const LogEntry& entry, const LogContext& context) {
  const auto has = [&](std::string_view part) {
    return entry.message.find(part) != std::string_view::npos;
  };
  const bool in_main_file = entry.file == context.compiled_name;
  const bool in_own_header =
      path_below(entry.file, context.folder) || course_header(entry.file, context);
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
  if (has("texture is not a template") || has("surface is not a template")) {
    return "CUDA 12 removed texture and surface references: pass a cudaTextureObject_t (or a "
           "cudaSurfaceObject_t) to the kernel, and read it by tex1Dfetch<float>(object, i)";
  }
  if (has("is undefined in device code")) {
    return fmt::format(
        "{}: it is a constant of the host, and device code may use only the value of a number; put "
        "__constant__ or __device__ before it",
        entry.message);
  }
  if (has("a __global__ function call must be configured")) {
    return fmt::format(
        "{}: host code launches a kernel with <<<...>>>; to call this code from device code, move "
        "it into a __device__ function",
        entry.message);
  }
  if (is_child_launch(entry)) {
    return "a kernel launches a kernel here (dynamic parallelism), which warpgrade cannot run; "
           "launch it from the host, or call its code as a __device__ function";
  }
  if (const auto feature = missing_feature(entry); !feature.empty()) {
    return fmt::format("this line uses {}", feature);
  }
  if (has("cannot open source file") || has("could not open source file")) {
    return cannot_include(entry.message, context);
  }
  if (const auto* item = left_out_name(entry.message, context.left_out)) {
    return fmt::format("{}; line {} has it for the host: put __device__ before it", entry.message,
                       item->line);
  }
  auto hint = hint_for(missing_name(entry.message));
  if (hint.empty() && in_main_file) {
    hint = hint_for_slip(entry.message, context.source, entry.line, entry.column);
  }
  return std::string(entry.message) + hint;
}

// A warning's text, with the consequence if NVRTC does not state it.
std::string warning_text(const LogEntry& entry) {
  if (!entry.message.starts_with("Cannot store to pointer that points to constant memory")) {
    return std::string(entry.message);
  }
  return "device code cannot write to __constant__ memory; the compiler puts a trap here, which "
         "stops the kernel";
}

bool is_syntax_error(const LogEntry& entry) {
  return entry.message.starts_with("expected a") || entry.message == "unrecognized token";
}

// The errors of a log that a student needs: errors in toolkit headers only if the submission has
// none, and after a syntax error none in the rest of its line, which the compiler misreads.
std::vector<LogEntry> own_errors_first(const std::vector<LogEntry>& entries,
                                       const LogContext& context) {
  const auto is_own = [&](const LogEntry& entry) {
    return entry.is_error && entry.file != kNameMap &&
           (!is_of_toolkit(entry.file, context) || requesting_line(entry, context) != 0);
  };
  const bool has_own = std::ranges::any_of(entries, is_own);
  std::vector<LogEntry> out;
  std::set<std::pair<std::string_view, std::uint32_t>> misread;
  for (const auto& entry : entries) {
    const bool is_special = !entry.is_error || entry.file == kNameMap;
    if (!is_special && has_own && !is_own(entry) && entry.message != "out of memory") continue;
    if (!is_special && misread.contains({entry.file, entry.line})) continue;
    if (!is_special && is_syntax_error(entry)) misread.insert({entry.file, entry.line});
    out.push_back(entry);
  }
  return out;
}

// The error in the words of the user's file. An error in a header of the toolkit is shown at the
// line that requests the instance, an error at the end of the source at the last line.
base::Diagnostic error_of(const LogEntry& entry, const LogContext& context) {
  const auto requested = is_of_toolkit(entry.file, context) ? requesting_line(entry, context) : 0;
  auto message = base::shortened(reword(entry, context), kMaxMessageBytes);
  if (requested != 0) {
    message += fmt::format(" (in {}:{})", shown_path(entry.file, context), entry.line);
  }
  const auto details = details_of(entry, context);
  if (!details.empty() && message.ends_with(':')) message.pop_back();  // The list follows.
  message += details;
  if (requested != 0) return compile_error(context.shown_name, requested, 0, message);
  if (entry.line != 0) {
    return compile_error(shown_path(entry.file, context), entry.line,
                         include_column(entry, context), message);
  }
  const auto last = context.source.find_last_not_of(" \t\r\n");
  const auto line = last == std::string_view::npos ? 0 : line_of_offset(context.source, last);
  return compile_error(context.shown_name, line, 0, "the file ends here: " + message);
}

// Removes the errors that follow from an unfinished function.
void remove_consequences(const Unfinished& cause, const LogContext& context,
                         std::vector<LogEntry>& entries) {
  std::erase_if(entries, [&](const LogEntry& entry) {
    const bool follows = entry.line == 0 || (cause.is_head && entry.line >= cause.first_line);
    return entry.is_error && entry.file == context.compiled_name && follows;
  });
}

// Unused names are less useful than other warnings.
bool is_of_unused_name(const CompilerWarning& warning) {
  return warning.found.message.find("was declared but never referenced") != std::string::npos ||
         warning.found.message.find("was set but never used") != std::string::npos;
}

// Whether the compiler calls something unused that host code, which it does not see, may use: a
// function, or a variable outside of functions.
bool is_for_host(const LogEntry& entry, const LogContext& context) {
  if (!entry.message.ends_with("was declared but never referenced")) return false;
  if (entry.message.starts_with("function ")) return true;
  if (context.left_out.empty() || entry.file != context.compiled_name) return false;
  const auto offset = offset_of(context.source, entry.line, entry.column);
  int depth = 0;
  for (const auto& token : tokens_of(context.source.substr(0, offset))) {
    const auto word = word_of(token, context.source);
    depth += word == "{" ? 1 : word == "}" ? -1 : 0;
  }
  return depth <= 0;
}

CompilerWarning warning_of(const LogEntry& entry, const LogContext& context) {
  CompilerWarning out;
  out.found = compile_error(shown_path(entry.file, context), entry.line, entry.column,
                            base::shortened(warning_text(entry), kMaxMessageBytes));
  out.found.severity = base::Severity::kWarning;
  out.excerpt = entry.excerpt;
  return out;
}

// A syntax error at the start of a header is an error in the text before its #include.
std::optional<base::Diagnostic> error_before_include(const LogEntry& entry,
                                                     const LogContext& context) {
  if (!is_of_toolkit(entry.file, context) || !entry.message.starts_with("expected a")) {
    return std::nullopt;
  }
  const auto line = line_before_include(context.source);
  if (line == 0) return std::nullopt;
  return compile_error(
      context.shown_name, line, 0,
      fmt::format("{} at the end of this line, before the #include that follows", entry.message));
}

}  // namespace

base::Diagnostic missing_include(const LeftOut& item, const LogContext& context) {
  const auto name = without_quotes(item.name);
  return compile_error(
      item.file, item.line, item.column,
      cannot_include(fmt::format("cannot open source file \"{}\"", name), context));
}

std::string text_of(const std::vector<CompilerWarning>& warnings) {
  std::string out;
  for (std::size_t i = 0; i < std::min(warnings.size(), kMostWarnings); ++i) {
    const auto& [found, excerpt] = warnings[i];
    out += fmt::format("{}:{}: {}\n{}", found.where.file, found.where.line, found.message, excerpt);
  }
  if (warnings.size() > kMostWarnings) {
    out += fmt::format("and {} more\n", base::counted(warnings.size() - kMostWarnings, "warning"));
  }
  return out;
}

CompilerLog parse_compiler_log(std::string_view log, const LogContext& context) {
  CompilerLog out;
  std::size_t left_out = 0;
  bool lacks_feature = false;
  std::set<std::tuple<std::string_view, std::uint32_t, std::uint32_t>> places;
  auto entries = own_errors_first(log_entries(log, context.compiled_name), context);
  const auto unfinished = unfinished_function(entries, context);
  if (unfinished) remove_consequences(*unfinished, context, entries);
  for (const auto& entry : entries) {
    if (!entry.is_error) {
      if (is_of_toolkit(entry.file, context) || entry.file == kPreludeName) continue;
      if (is_for_host(entry, context)) continue;
      out.warnings.push_back(warning_of(entry, context));
    } else if (entry.file == kNameMap) {
      out.has_expression_errors = true;
    } else if (entry.message == "out of memory") {
      out.is_out_of_memory = true;
    } else if (!places.insert({entry.file, entry.line, entry.column}).second) {
      continue;  // a repeated complaint about the same word adds nothing
    } else if (out.errors.size() >= kMaxDiagnostics) {
      left_out += 1;
    } else if (auto before = error_before_include(entry, context)) {
      out.errors.push_back(*std::move(before));
      break;  // all further errors follow from this one
    } else {
      out.errors.push_back(error_of(entry, context));
      // A device could run it; the limit is ours.
      const bool is_feature = !missing_feature(entry).empty();
      if (is_child_launch(entry) || is_feature) {
        out.errors.back().kind = base::DiagnosticKind::kUnsupported;
      }
      lacks_feature |= is_feature;
    }
  }
  std::stable_partition(out.warnings.begin(), out.warnings.end(), std::not_fn(is_of_unused_name));
  if (unfinished) {
    out.errors.push_back(compile_error(context.shown_name, unfinished->line, unfinished->column,
                                       unfinished->message));
  }
  if (lacks_feature) {
    std::erase_if(out.errors, follows_from_missing_name);
    const bool has_error = std::ranges::any_of(out.errors, [](const base::Diagnostic& error) {
      return error.kind == base::DiagnosticKind::kCompileError;
    });
    if (!has_error) left_out = 0;
  }
  if (left_out != 0) {
    out.errors.push_back(
        compile_error(context.shown_name, 0, 0,
                      fmt::format("and {} more error{}", left_out, left_out == 1 ? "" : "s")));
  }
  return out;
}

}  // namespace warpgrade::compile
