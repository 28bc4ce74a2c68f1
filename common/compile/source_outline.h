// SPDX-License-Identifier: Apache-2.0
// A C++ source as words, tokens and declarations, for rules of nvcc that NVRTC does not check.
//
// It reads tokens, not C++. Users of the items verify them with the compiler.
#pragma once

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

// The characters of C++ and PTX words.

/// Whether `c` can be part of an identifier, keyword or number, including bytes of UTF-8 letters.
inline bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

// The tokens of a C++ source that determine its shape: words, punctuators, and text that must not
// be mistaken for either (literals, comments, directives).
//
// This is not a preprocessor: macros are not expanded, every branch of an #if is read, and a
// backslash at the end of a line is space between tokens, so it may split a word. A literal without
// an end ends with its line.

enum class TokenKind : std::uint8_t {
  kWord,        ///< An identifier or keyword.
  kNumber,      ///< `1'000.5e-3f`
  kLiteral,     ///< A string or character with its prefix, including raw strings.
  kPunctuator,  ///< One character, or `::`, `->`, `<<<`, and operators that contain `=` or `<`.
  kDirective,   ///< From `#` to the last character of its logical line.
};

struct Token {
  TokenKind kind{};
  std::size_t begin = 0;
  std::size_t end = 0;  ///< One past its last byte.
};

/// The tokens of `text` in order, without comments.
std::vector<Token> tokens_of(std::string_view text);

/// The text of a token of `text`.
inline std::string_view word_of(const Token& token, std::string_view text) {
  return text.substr(token.begin, token.end - token.begin);
}

// The declarations of a C++ source: their ranges, kinds and names.
//
// It reads tokens, not C++, and knows no types, names or macros except the few words below.
// It enters namespaces, `extern "C"` blocks and classes, so a member function is a separate
// item inside its class's item; it does not enter function bodies. Each branch of an #if
// continues from the state before it, so two heads with one body become at most two items. If
// the text is misread, an item is too large or missing, so users of the items must verify them with
// the compiler.

enum class ItemKind : std::uint8_t {
  kFunction,  ///< Declared or defined; also a variable initialised with parentheses.
  kType,      ///< A class, struct, union or enumeration, including variables in its declaration.
  kOther,     ///< A variable, an alias, an assertion, an expansion of a macro.
  kInclude,   ///< An #include with a literal file name.
};

struct Item {
  ItemKind kind = ItemKind::kOther;
  std::size_t begin = 0;
  std::size_t end = 0;       ///< One past its last byte.
  std::size_t head_end = 0;  ///< The body's first character; `end` without a body.
  std::string name;          ///< "main", "<vector>"; empty if unclear.
  std::size_t constexpr_at = std::string_view::npos;  ///< The word `constexpr`.
  bool is_device = false;   ///< It, or a part of it, names a device space.
  bool is_member = false;   ///< Inside a class.
  bool is_virtual = false;  ///< The class's layout depends on it.
  bool is_static = false;
  bool is_assertion = false;    ///< static_assert
  bool looks_device = false;    ///< Its body uses names of device code, such as threadIdx.
  bool launches = false;        ///< Its body contains `<<<`.
  bool is_conditional = false;  ///< Inside an #if.
};

/// The macros of a source, as far as an outline depends on them.
struct Macros {
  std::set<std::string, std::less<>> device;     ///< Macros whose text names a device space.
  std::set<std::string, std::less<>> functions;  ///< Macros with arguments.
};

/// Adds the macros defined in `text`, whose tokens are `tokens`.
void add_macros(std::string_view text, const std::vector<Token>& tokens, Macros& macros);

/// The items of `text`, ordered by their ends.
std::vector<Item> outline(std::string_view text, const std::vector<Token>& tokens,
                          const Macros& macros);

/// The smallest item that contains `offset`; nullptr if none does. Ignores #includes.
const Item* item_at(const std::vector<Item>& items, std::size_t offset);

struct SourceOutline {
  explicit SourceOutline(std::string_view source);

  std::string_view word(const Token& token) const { return word_of(token, text); }
  /// The tokens that begin in [begin, end).
  std::span<const Token> within(std::size_t begin, std::size_t end) const;
  bool has_word(std::span<const Token> part, std::string_view wanted) const;

  std::string_view text;
  std::vector<Token> tokens;
  std::vector<Item> items;
};

/// Whether `item` is a device function with a body.
bool is_device_function(const Item& item);

/// Line `number` of `source`, counted from 1, without its newline.
std::string_view line_text(std::string_view source, std::uint32_t number);

}  // namespace warpgrade::compile
