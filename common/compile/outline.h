// SPDX-License-Identifier: Apache-2.0
// The declarations of a C++ source: their ranges, kinds and names.
//
// It reads tokens, not C++, and knows no types, names or macros except the few words below.
// It enters namespaces, `extern "C"` blocks and classes, so a member function is a separate
// item inside its class's item; it does not enter function bodies. Each branch of an #if
// continues from the state before it, so two heads with one body become at most two items. If
// the text is misread, an item is too large or missing, so users of the items must verify them with
// the compiler.
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

}  // namespace warpgrade::compile
