// SPDX-License-Identifier: Apache-2.0
#include "common/compile/slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "common/base/text.h"
#include "common/compile/log_entries.h"
#include "common/compile/tokens.h"

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
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)
                             : std::string_view();
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
    const auto text = source.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
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

}  // namespace warpgrade::compile
