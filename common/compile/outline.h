// SPDX-License-Identifier: Apache-2.0
// The declarations of a C++ source: where each begins and ends, what it is and what it is called.
//
// It reads tokens, not C++: types, names and macros mean nothing to it but the few words below.
// Namespaces, `extern "C"` blocks and classes are entered, so that a member function is an item of
// its own inside its class's; bodies of functions are not. In each branch of an #if reading goes on
// from the state before it, so that two heads with one body are two items at most. Where the text
// is not read right, an item is too large or missing: whoever uses the items has to ask the
// compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/tokens.h"

namespace warpgrade::compile {

enum class ItemKind : std::uint8_t {
  kFunction,  ///< Declared or defined; also a variable with its initial value in parentheses.
  kType,      ///< A class, struct, union or enumeration, with variables declared along with it.
  kOther,     ///< A variable, an alias, an assertion, what a macro makes.
  kInclude,   ///< An #include with its file's name spelt out.
};

struct Item {
  ItemKind kind = ItemKind::kOther;
  std::size_t begin = 0;
  std::size_t end = 0;       ///< One past its last byte.
  std::size_t head_end = 0;  ///< The body's first character; `end` if there is none.
  std::string name;          ///< "main", "<vector>"; empty where it is not clear.
  std::size_t constexpr_at = std::string_view::npos;  ///< The word `constexpr`.
  bool is_device = false;   ///< Names an execution or memory space of the device, or a part does.
  bool is_member = false;   ///< Lies in a class.
  bool is_virtual = false;  ///< Without it, the class would have another layout.
  bool is_static = false;
  bool is_assertion = false;    ///< static_assert
  bool looks_device = false;    ///< Its body has what only device code has: threadIdx, say.
  bool launches = false;        ///< Its body has a `<<<`.
  bool is_conditional = false;  ///< Lies in an #if.
};

/// Macros that a source defines, as far as an outline depends on them.
struct Macros {
  std::set<std::string, std::less<>> device;     ///< Their text names a space of the device.
  std::set<std::string, std::less<>> functions;  ///< They take arguments.
};

/// Adds the macros that `text` defines, whose tokens are `tokens`.
void add_macros(std::string_view text, const std::vector<Token>& tokens, Macros& macros);

/// The items of `text` in the order of their ends.
std::vector<Item> outline(std::string_view text, const std::vector<Token>& tokens,
                          const Macros& macros);

}  // namespace warpgrade::compile
