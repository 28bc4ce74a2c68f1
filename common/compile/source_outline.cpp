// SPDX-License-Identifier: Apache-2.0
// Reads a C++ source as tokens, and its declarations with their ranges, kinds and names.
//
// Three steps build on each other: the characters of words, the tokens, the outline.
// SourceOutline has all three for one source. Nothing here is a compiler: macros are not
// expanded, and every branch of an #if is read. No types or names are known. If the text is
// misread, an item is too large or missing. Therefore users of the items verify them with the
// compiler.
#include "common/compile/source_outline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade::compile {
namespace {

constexpr auto kNowhere = std::string_view::npos;

// Longest first. `>` is always a separate token, because `>>` may end two template argument lists.
constexpr std::array<std::string_view, 17> kOperators = {"<<<", "<=>", "<<=", "::", "->", "<<",
                                                         "==",  "!=",  "<=",  ">=", "+=", "-=",
                                                         "*=",  "/=",  "%=",  "&=", "|="};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> read() {
    std::vector<Token> out;
    bool is_first = true;  // on its line, ignoring comments and blanks
    for (std::size_t at = 0; at < text_.size();) {
      if (const auto after = skip(at); after != at) {
        is_first |= text_[at] == '\n';
        at = after;
        continue;
      }
      const auto token = next(at, is_first);
      out.push_back(token);
      is_first = false;
      at = std::max(token.end, at + 1);
    }
    return out;
  }

 private:
  bool starts(std::size_t at, std::string_view with) const {
    return text_.substr(at, with.size()) == with;
  }
  char at_or_zero(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  // Position after the first line end at or after `at` without a backslash before it.
  std::size_t logical_line_end(std::size_t at) const {
    while (true) {
      const auto end = text_.find('\n', at);
      if (end == kNowhere) return text_.size();
      if (end == 0 || text_[end - 1] != '\\') return end;
      at = end + 1;
    }
  }

  std::size_t comment_end(std::size_t at) const {
    if (starts(at, "//")) return logical_line_end(at);
    const auto close = text_.find("*/", at + 2);
    return close == kNowhere ? text_.size() : close + 2;
  }

  bool is_comment(std::size_t at) const { return starts(at, "//") || starts(at, "/*"); }

  // Position after one blank, splice or comment at `at`; `at` if none is there.
  std::size_t skip(std::size_t at) const {
    const char c = text_[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return at + 1;
    if (c == '\\') return at + 1 + (at_or_zero(at + 1) == '\n' ? 1 : 0);
    return is_comment(at) ? comment_end(at) : at;
  }

  // Position after the literal whose quote is at `at`.
  std::size_t literal_end(std::size_t at) const {
    const char quote = text_[at];
    for (auto i = at + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        i += 1;
      } else if (text_[i] == quote) {
        return i + 1;
      } else if (text_[i] == '\n') {
        return i;
      }
    }
    return text_.size();
  }

  // Position after the raw string whose quote is at `at`.
  std::size_t raw_end(std::size_t at) const {
    const auto open = text_.find('(', at);
    constexpr std::size_t kLongestDelimiter = 16;
    if (open == kNowhere || open - at - 1 > kLongestDelimiter) return literal_end(at);
    const auto end = ")" + std::string(text_.substr(at + 1, open - at - 1)) + "\"";
    const auto close = text_.find(end, open);
    return close == kNowhere ? text_.size() : close + end.size();
  }

  // Comments in a directive may span lines; comments and strings may contain text like its end.
  std::size_t directive_end(std::size_t at) const {
    while (at < text_.size() && text_[at] != '\n') {
      if (is_comment(at)) {
        at = comment_end(at);
      } else if (text_[at] == '\\') {
        at += 2;
      } else if (text_[at] == '"') {
        at = literal_end(at);
      } else {
        at += 1;
      }
    }
    return std::min(at, text_.size());
  }

  std::size_t number_end(std::size_t at) const {
    while (at < text_.size()) {
      const char c = text_[at];
      const char before = at > 0 ? text_[at - 1] : '\0';
      const bool is_sign =
          (c == '+' || c == '-') && std::string_view("eEpP").find(before) != kNowhere;
      const bool is_separator = c == '\'' && is_word(at_or_zero(at + 1));
      if (!is_word(c) && c != '.' && !is_sign && !is_separator) break;
      at += 1;
    }
    return at;
  }

  Token next(std::size_t at, bool is_first) const {
    const char c = text_[at];
    if (is_first && (c == '#' || starts(at, "%:"))) {
      return {TokenKind::kDirective, at, directive_end(at)};
    }
    if (is_digit(c) || (c == '.' && is_digit(at_or_zero(at + 1)))) {
      return {TokenKind::kNumber, at, number_end(at)};
    }
    if (c == '"' || c == '\'') return {TokenKind::kLiteral, at, literal_end(at)};
    if (is_word(c)) return word_or_literal(at);
    for (const auto text : kOperators) {
      if (starts(at, text)) return {TokenKind::kPunctuator, at, at + text.size()};
    }
    return {TokenKind::kPunctuator, at, at + 1};
  }

  Token word_or_literal(std::size_t at) const {
    auto end = at;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const auto word = text_.substr(at, end - at);
    const bool is_prefix = word.size() <= 3 && (word == "R" || word == "L" || word == "u" ||
                                                word == "U" || word == "u8" || word == "LR" ||
                                                word == "uR" || word == "UR" || word == "u8R");
    const char quote = at_or_zero(end);
    if (is_prefix && quote == '"') {
      return {TokenKind::kLiteral, at, word.ends_with('R') ? raw_end(end) : literal_end(end)};
    }
    if (is_prefix && quote == '\'' && !word.ends_with('R')) {
      return {TokenKind::kLiteral, at, literal_end(end)};
    }
    return {TokenKind::kWord, at, end};
  }

  std::string_view text_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).read(); }

namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> kSpaces = {"__device__", "__global__", "__constant__",
                                                     "__shared__", "__managed__"};
// Without blockDim and gridDim, which many host functions use as variable names.
constexpr std::array<std::string_view, 4> kDeviceOnly = {"threadIdx", "blockIdx", "__syncthreads",
                                                         "__shared__"};
constexpr std::array<std::string_view, 4> kClassKeys = {"class", "struct", "union", "enum"};
// Words before a parenthesis that does not open a parameter list.
constexpr std::array<std::string_view, 12> kWithArguments = {
    "alignas",  "__align__",   "__attribute__",    "__launch_bounds__", "__declspec", "decltype",
    "noexcept", "__maxnreg__", "__cluster_dims__", "explicit",          "throw",      "__typeof__"};
// Words after a parameter list that do not begin another declaration.
constexpr std::array<std::string_view, 6> kAfterParameters = {"const",    "volatile", "noexcept",
                                                              "override", "final",    "try"};
constexpr std::array<std::string_view, 3> kAccess = {"public", "private", "protected"};

bool is_any(std::string_view word, Words words) { return std::ranges::count(words, word) != 0; }

// The state of the current declaration.
struct Reading {
  bool is_open = false;
  Item item;
  std::string nest;                // its open brackets
  std::string_view first, before;  // its first token, and the latest one
  TokenKind before_kind{};
  std::string_view last_word;
  std::string_view before_angle;  // the word before `<` of template arguments
  std::size_t angle_depth = 0;
  bool has_comma = false;          // declares further variables
  std::size_t template_depth = 0;  // depth of `<` in a template's parameter list
  bool is_body = false;            // the open brackets are a function's body
  bool is_group_of_words = false;  // the open bracket follows a word of kWithArguments
  bool has_parameters = false, has_assignment = false, has_initialisers = false;
  bool has_class_key = false, is_enum = false, wants_type_name = false;
  bool is_namespace = false, is_alias = false, is_operator = false;
};

struct Scope {
  bool is_class = false;
  Reading outer;  // the class's declaration, which continues after its members
};

struct State {
  std::vector<Scope> scopes;
  Reading now;
};

struct Conditional {
  State before;
  std::optional<State> first;  // at the end of the first branch
  bool is_zero = false;        // inside the branch of `#if 0`
};

// The directive's name and the rest: {"include", "<vector>"}.
std::pair<std::string_view, std::string_view> parts_of(std::string_view directive) {
  constexpr std::string_view kHorizontal = " \t\f\v\r";
  directive.remove_prefix(directive.starts_with("%:") ? 2 : 1);
  const auto begin = std::min(directive.find_first_not_of(kHorizontal), directive.size());
  directive.remove_prefix(begin);
  const auto end = std::min(directive.find_first_of(" \t\f\v\r\n(\"</"), directive.size());
  auto rest = directive.substr(end);
  rest.remove_prefix(std::min(rest.find_first_not_of(kHorizontal), rest.size()));
  return {directive.substr(0, end), rest};
}

class Reader {
 public:
  Reader(std::string_view text, const std::vector<Token>& tokens, const Macros& macros)
      : text_(text), tokens_(tokens), macros_(macros) {}

  std::vector<Item> read() {
    for (index_ = 0; index_ < tokens_.size(); ++index_) {
      const auto& token = tokens_[index_];
      if (token.kind == TokenKind::kDirective) {
        directive(token);
      } else {
        feed(token);
      }
    }
    return std::move(items_);
  }

 private:
  std::string_view text_of(const Token& token) const { return word_of(token, text_); }
  Reading& now() { return state_.now; }

  std::string_view next_text() const {
    for (auto i = index_ + 1; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != TokenKind::kDirective) return text_of(tokens_[i]);
    }
    return {};
  }

  void directive(const Token& token) {
    const auto [name, rest] = parts_of(text_of(token));
    if (name == "include") include(token, rest);
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      conditionals_.push_back({state_, std::nullopt, name == "if" && rest.starts_with('0')});
    } else if (conditionals_.empty()) {
      return;
    } else if (name.starts_with("el")) {  // else, elif, elifdef, elifndef
      auto& all = conditionals_.back();
      if (!all.first && !all.is_zero) all.first = std::move(state_);
      all.is_zero = false;
      state_ = all.before;
    } else if (name == "endif") {
      auto& all = conditionals_.back();
      if (all.first) state_ = *std::move(all.first);
      if (all.is_zero) state_ = std::move(all.before);
      conditionals_.pop_back();
    }
  }

  void include(const Token& token, std::string_view name) {
    const char close = name.starts_with('<') ? '>' : '"';
    const auto end = name.find(close, 1);
    if (!name.starts_with('<') && !name.starts_with('"')) return;
    if (end == std::string_view::npos) return;
    Item item;
    item.kind = ItemKind::kInclude;
    item.begin = token.begin;
    item.end = item.head_end = token.end;
    item.name = name.substr(0, end + 1);
    items_.push_back(std::move(item));
  }

  void feed(const Token& token) {
    const auto text = text_of(token);
    if (!now().is_open) {
      if (text == ";") return;
      if (text == "}") return close_scope();
      now() = {};
      now().is_open = true;
      now().item.begin = token.begin;
      now().item.is_conditional = !conditionals_.empty();
      now().first = text;
    }
    if (!now().nest.empty()) {
      nested(token, text);
    } else if (now().template_depth != 0) {
      template_parameters(token, text);
    } else {
      outside_brackets(token, text);
    }
    if (!now().is_open) return;
    now().before = text;
    now().before_kind = token.kind;
  }

  static bool is_opening(std::string_view text) {
    return text == "(" || text == "[" || text == "{";
  }

  // Inside brackets, only their balance counts, and hints in a body.
  void nested(const Token& token, std::string_view text) {
    auto& it = now();
    if (it.is_body) {
      it.item.looks_device |= is_any(text, kDeviceOnly);
      it.item.launches |= text == "<<<";
    }
    if (is_opening(text)) {
      it.nest += text[0];
    } else if (text == ")" || text == "]" || text == "}") {
      const char open = text == ")" ? '(' : text == "]" ? '[' : '{';
      // A brace also closes brackets left open inside it; other unmatched brackets are ignored.
      const auto mate = it.nest.rfind(open);
      if (mate == std::string::npos) {
        if (text == "}") close_scope();
        return;
      }
      if (open != '{' && mate + 1 != it.nest.size()) return;
      it.nest.resize(mate);
      if (it.nest.empty()) closed(token, text);
    }
  }

  void template_parameters(const Token& token, std::string_view text) {
    if (text == "<") now().template_depth += 1;
    if (text == ">") now().template_depth -= 1;
    if (text == ";" || text == "}") {
      now().template_depth = 0;
      outside_brackets(token, text);
    } else if (is_opening(text)) {
      now().is_group_of_words = true;
      now().nest += text[0];
    }
  }

  // Called after a bracket of the declaration itself was closed.
  void closed(const Token& token, std::string_view text) {
    auto& it = now();
    const bool was_group_of_words = std::exchange(it.is_group_of_words, false);
    if (was_group_of_words) return;
    const auto next = next_text();
    if (text == ")") {
      const bool is_macro = is_macro_call_;
      is_macro_call_ = false;
      const bool goes_on = next.empty() || !is_word(next[0]) || is_any(next, kAfterParameters);
      if (is_macro && !goes_on) return finish(token.end);
      it.has_parameters |= !it.has_assignment;
    } else if (text == "}" && it.is_body) {
      if (next == "catch") {
        it.is_body = false;
        it.has_initialisers = false;
        return;
      }
      finish(token.end);
    } else if (text == "}" && !it.has_assignment && !it.has_initialisers && !it.is_enum) {
      if (next != ";" && next != "," && next != "=") finish(token.end);
    }
  }

  void outside_brackets(const Token& token, std::string_view text) {
    auto& it = now();
    if (token.kind == TokenKind::kWord) return word(token, text);
    if (text == ";") return finish(token.end);
    if (text == "}") return close_scope();
    if (text == "{") return brace(token);
    if (text == "(") {
      parenthesis();
    } else if (text == "[") {
      it.nest += '[';
    } else if (text == "<" && it.before == "template") {
      it.template_depth = 1;
    } else if (text == "<") {
      if (it.angle_depth++ == 0) it.before_angle = it.before;
    } else if (text == ">" && it.angle_depth != 0) {
      it.angle_depth -= 1;
    } else if (text == ",") {
      it.has_comma |= it.angle_depth == 0;
    } else if (text == "=") {
      it.has_assignment |= !it.is_operator || it.has_parameters;
    } else if (text == ":" && it.has_parameters && !it.has_assignment) {
      it.has_initialisers = true;
    } else if (text == ":" && is_any(it.first, kAccess)) {
      it.is_open = false;
    }
  }

  void word(const Token& token, std::string_view text) {
    auto& it = now();
    const bool is_head = !it.has_parameters && !it.has_assignment;
    it.item.is_device |= is_any(text, kSpaces) || macros_.device.contains(text);
    if (it.wants_type_name && !it.item.is_device && !is_any(text, kWithArguments)) {
      it.item.name = text;
      it.wants_type_name = text == "class" || text == "struct";  // enum class
    }
    if (is_head && !it.has_class_key && is_any(text, kClassKeys)) {
      it.has_class_key = it.wants_type_name = true;
      it.is_enum = text == "enum";
    }
    if (text == "namespace") it.is_namespace = it.first == "namespace" || it.first == "inline";
    if (text == "using" || text == "typedef") it.is_alias = true;
    if (text == "operator" && is_head) it.is_operator = true;
    if (text == "virtual") it.item.is_virtual = true;
    if (text == "static") it.item.is_static = true;
    if (text == "static_assert") it.item.is_assertion = true;
    if (text == "constexpr" && is_head && it.item.constexpr_at == std::string_view::npos) {
      it.item.constexpr_at = token.begin;
    }
    if (is_head && !it.has_comma && it.angle_depth == 0) it.last_word = text;
  }

  void parenthesis() {
    auto& it = now();
    // struct ALIGNED(16) S
    const bool is_attribute = it.has_class_key && it.item.name == it.before;
    it.is_group_of_words =
        it.before == "operator" || is_any(it.before, kWithArguments) || is_attribute;
    it.wants_type_name |= is_attribute;
    is_macro_call_ = it.before == it.first && macros_.functions.contains(it.first);
    if (!it.is_group_of_words && !it.has_parameters) {
      it.item.name = it.is_operator     ? "operator"
                     : it.before == ">" ? it.before_angle
                                        : it.last_word;
    }
    it.nest += '(';
  }

  void brace(const Token& token) {
    auto& it = now();
    const bool is_block = it.before_kind == TokenKind::kLiteral && it.first == "extern";
    const bool is_value =
        it.has_assignment || (it.has_initialisers && it.before != "try" &&
                              (it.before_kind == TokenKind::kWord || it.before == ">"));
    if ((it.is_namespace && !it.has_assignment) || is_block) {
      state_.scopes.push_back({});
      it = {};
    } else if (it.has_class_key && !it.is_enum && !it.has_parameters && !is_value) {
      it.item.head_end = token.begin;
      state_.scopes.push_back({true, std::move(it)});
      it = {};
    } else {
      it.is_body = it.has_parameters && !is_value;
      if (it.is_body && it.item.head_end == 0) it.item.head_end = token.begin;
      it.nest += '{';
    }
  }

  void finish(std::size_t end) {
    auto& it = now();
    auto item = std::move(it.item);
    item.end = end;
    if (item.head_end == 0) item.head_end = end;
    if (it.has_class_key && !it.has_parameters) {
      item.kind = ItemKind::kType;
    } else if (it.has_parameters && !it.is_alias && !item.is_assertion) {
      item.kind = ItemKind::kFunction;
    }
    if (item.name.empty() || it.is_alias) item.name = it.last_word;
    it = {};
    auto& scopes = state_.scopes;
    item.is_member = std::ranges::any_of(scopes, &Scope::is_class);
    if (item.is_member && scopes.back().is_class) {
      auto& outer = scopes.back().outer.item;
      outer.is_device |= item.is_device;
      outer.looks_device |= item.looks_device;
    }
    items_.push_back(std::move(item));
  }

  // At the brace that closes a namespace or a class; extra braces are ignored.
  void close_scope() {
    now() = {};
    if (state_.scopes.empty()) return;
    auto scope = std::move(state_.scopes.back());
    state_.scopes.pop_back();
    if (!scope.is_class) return;
    now() = std::move(scope.outer);
    now().before = "}";
    now().before_kind = TokenKind::kPunctuator;
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  const Macros& macros_;
  std::size_t index_ = 0;
  bool is_macro_call_ = false;  // the open bracket belongs to a leading `MACRO(`
  State state_;
  std::vector<Conditional> conditionals_;
  std::vector<Item> items_;
};

}  // namespace

void add_macros(std::string_view text, const std::vector<Token>& tokens, Macros& macros) {
  for (const auto& token : tokens) {
    if (token.kind != TokenKind::kDirective) continue;
    const auto line = parts_of(word_of(token, text));
    const auto& directive = line.first;
    const auto& rest = line.second;
    if (directive != "define") continue;
    const auto parts = tokens_of(rest);
    if (parts.empty()) continue;
    const auto part = [&](const Token& one) { return rest.substr(one.begin, one.end - one.begin); };
    const auto name = part(parts[0]);
    if (rest.substr(parts[0].end).starts_with('(')) macros.functions.emplace(name);
    const bool is_device = std::any_of(parts.begin() + 1, parts.end(), [&](const Token& one) {
      return is_any(part(one), kSpaces) || macros.device.contains(part(one));
    });
    if (is_device) macros.device.emplace(name);
  }
}

std::vector<Item> outline(std::string_view text, const std::vector<Token>& tokens,
                          const Macros& macros) {
  return Reader(text, tokens, macros).read();
}

const Item* item_at(const std::vector<Item>& items, std::size_t offset) {
  const Item* found = nullptr;
  for (const auto& item : items) {
    if (item.kind == ItemKind::kInclude || offset < item.begin || offset >= item.end) continue;
    if (found == nullptr || item.end - item.begin < found->end - found->begin) found = &item;
  }
  return found;
}

SourceOutline::SourceOutline(std::string_view source) : text(source), tokens(tokens_of(source)) {
  Macros macros;
  add_macros(text, tokens, macros);
  items = outline(text, tokens, macros);
}

std::span<const Token> SourceOutline::within(std::size_t begin, std::size_t end) const {
  const auto first = std::ranges::lower_bound(tokens, begin, {}, &Token::begin);
  const auto last = std::ranges::lower_bound(tokens, end, {}, &Token::begin);
  return {first, last};
}

bool SourceOutline::has_word(std::span<const Token> part, std::string_view wanted) const {
  return std::ranges::any_of(part, [&](const Token& token) { return word(token) == wanted; });
}

bool is_device_function(const Item& item) {
  return item.kind == ItemKind::kFunction && item.is_device && item.head_end < item.end;
}

std::string_view line_text(std::string_view source, std::uint32_t number) {
  for (; number > 1 && !source.empty(); --number) {
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  }
  return source.substr(0, source.find('\n'));
}

}  // namespace warpgrade::compile
