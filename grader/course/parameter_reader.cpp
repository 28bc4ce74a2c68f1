// SPDX-License-Identifier: Apache-2.0
#include "grader/course/parameter_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "common/base/text.h"
#include "grader/course/launch_reader.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

// In the order of OutputComparison. `ulps` is a key of its own.
constexpr std::array<std::string_view, 2> kComparedBy = {"bits", "total"};
// In the order of verify::IndexKind: "below(n)".
constexpr std::array<std::string_view, 4> kIndexNames = {"below", "starts", "skewed_starts",
                                                         "mostly_equal"};
constexpr std::array<std::string_view, 4> kPointerRoleNames = {"out", "in", "inout", "scratch"};
constexpr std::array<Role, 4> kPointerRoles = {Role::kOut, Role::kIn, Role::kInOut, Role::kScratch};
constexpr std::array<std::string_view, 7> kTablesByName = {"shapes", "roles",  "same", "fill",
                                                           "types",  "values", "ulps"};

class ParameterReader {
 public:
  explicit ParameterReader(Table& table) : table_(table) {
    for (const auto key : kTablesByName) read(key);
    read("compare");
    read_structs();
  }

  std::vector<Parameter> parameters(const std::vector<Declared>& declared) {
    // A misspelt name causes a missing shape, so find it first.
    for (const auto& one : declared) add_names(one);
    check_names();
    std::vector<Parameter> out;
    for (const auto& one : declared) out.push_back(parameter(one, ""));
    return out;
  }

 private:
  using Entries = std::map<std::string, const toml::node*>;

  void read(std::string_view key) {
    for (auto& named : table_.named(key)) {
      places_[{std::string(key), named.name}] = named.where;
      given_[std::string(key)].emplace(std::move(named.name), named.node);
    }
  }

  // { Scaling = "float* out, int n" }: the members of each type.
  void read_structs() {
    for (auto& named : table_.named("structs")) {
      const auto text = named.node->value_exact<std::string>();
      if (!text) fail("structs", named.name, "must be the members, as of a prototype, in quotes");
      const auto what =
          fmt::format("{}: `structs`: `{}`", table_.what(), base::escape_controls(named.name));
      structs_[named.name] = parse_declarations(*text, named.where, what);
      if (structs_[named.name].empty()) {
        fail("structs", named.name, "has no members");
      }
      places_[{"structs", named.name}] = named.where;
    }
  }

  void add_names(const Declared& declared) {
    names_.push_back(declared.name);
    const auto found = structs_.find(declared.base);
    if (found == structs_.end() || declared.is_pointer) return;
    used_.insert(declared.base);
    for (const auto& member : found->second) names_.push_back(declared.name + '.' + member.name);
  }

  Parameter parameter(const Declared& declared, const std::string& structure) {
    Parameter out;
    out.name = structure + declared.name;
    const auto found = structs_.find(declared.base);
    if (found != structs_.end() && !declared.is_pointer) {
      if (!structure.empty()) fail_at(declared, "a struct within a struct is not known");
      out.role = Role::kStruct;
      for (const auto& member : found->second) {
        out.fields.push_back(parameter(member, out.name + '.'));
      }
      check_size(out, declared);
      return out;
    }
    if (const auto* of = find("same", out.name)) {
      out.role = Role::kSame;
      out.of = text("same", out.name, *of);
      out.of_where = table_.where("same", *of);
      return out;
    }
    read_type(declared, out);
    if (declared.is_pointer) {
      read_buffer(declared, structure, out);
    } else {
      out.role = Role::kValue;
      const auto* value = find("values", out.name);
      out.value = value == nullptr ? Expression{declared.name, declared.where}
                                   : table_.expression_of("values", *value);
    }
    return out;
  }

  void read_type(const Declared& declared, Parameter& out) {
    if (const auto* given = find("types", out.name)) {
      const auto type = verify::element_type(text("types", out.name, *given));
      if (!type) {
        fail("types", out.name, "must be one of i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");
      }
      out.type = type.value();
      return;
    }
    out.is_bool = declared.is_bool && !declared.is_pointer;
    if (declared.element && !(declared.is_bool && declared.is_pointer)) {
      out.type = declared.element.value();
      return;
    }
    const auto base = base::escape_controls(declared.base);
    fail_at(declared,
            fmt::format("`{}` has the type `{}`, which is not a number: list the members of a "
                        "struct, structs = {{ {} = \"float* out, int n\" }}, or give the type of "
                        "the elements, types = {{ {} = \"f32\" }}",
                        out.name, base, base, out.name));
  }

  void read_buffer(const Declared& declared, const std::string& structure, Parameter& out) {
    out.role = declared.is_constant ? Role::kIn : Role::kOut;
    if (const auto* role = find("roles", out.name)) {
      out.role = kPointerRoles.at(chosen("roles", out.name, *role, kPointerRoleNames));
      if (out.role == Role::kScratch && !structure.empty()) {
        fail("roles", out.name, "a field is \"out\", \"in\" or \"inout\"");
      }
    }
    read_shape(declared, out);
    if (const auto* fill = find("fill", out.name)) {
      if (!out.is_filled()) {
        fail("fill", out.name, "only a buffer of role \"in\" or \"inout\" is filled");
      }
      read_fill(*fill, out);
    }
    const auto* compare = find("compare", out.name);
    const auto* ulps = find("ulps", out.name);
    if ((compare != nullptr || ulps != nullptr) && !out.is_compared()) {
      fail(compare != nullptr ? "compare" : "ulps", out.name,
           "only a buffer of role \"out\" or \"inout\" is compared");
    }
    if (compare != nullptr) {
      out.comparison =
          static_cast<OutputComparison>(chosen("compare", out.name, *compare, kComparedBy));
    }
    if (ulps == nullptr) return;
    if (compare != nullptr) fail("compare", out.name, "has no meaning beside `ulps`");
    if (!verify::is_float(out.type)) fail("ulps", out.name, "`ulps` is for floats");
    out.comparison = OutputComparison::kUlps;
    out.ulps = table_.expression_of("ulps", *ulps);
  }

  // The name of a fill, or one with a number: "below(n)".
  void read_fill(const toml::node& fill, Parameter& out) {
    const auto given = text("fill", out.name, fill);
    const auto open = given.find('(');
    if (open == std::string::npos) {
      out.fill = static_cast<verify::Fill>(chosen("fill", out.name, fill, kFillNames));
      return;
    }
    const auto name = given.substr(0, open);
    const auto found = std::ranges::find(kIndexNames, name);
    if (found == kIndexNames.end()) fail("fill", out.name, not_one_of(name, kIndexNames));
    if (!given.ends_with(')')) fail("fill", out.name, "has no `)` at its end");
    const auto bytes = verify::size_of(out.type);
    out.indices = static_cast<verify::IndexKind>(found - kIndexNames.begin());
    if (out.indices == verify::IndexKind::kMostlyEqual) {
      if (verify::is_float(out.type)) fail("fill", out.name, "`mostly_equal` is for integers");
    } else if (verify::is_float(out.type) || (bytes != 4 && bytes != 8)) {
      fail("fill", out.name, "indices are integers of 4 or 8 bytes");
    }
    out.index_bound = {given.substr(open + 1, given.size() - open - 2),
                       table_.expression_of("fill", fill).where};
  }

  // "height x width", or the number of elements.
  void read_shape(const Declared& declared, Parameter& out) {
    const auto* shape = find("shapes", out.name);
    if (shape == nullptr) {
      fail_at(declared, fmt::format("`{}` has no shape; an example: shapes = {{ {} = \"height x "
                                    "width\" }}",
                                    out.name, out.name));
    }
    const auto all = table_.expression_of("shapes", *shape);
    std::vector<std::string> sides;
    std::string_view rest = all.text;
    for (auto at = rest.find(" x "); at != std::string_view::npos; at = rest.find(" x ")) {
      sides.emplace_back(rest.substr(0, at));
      rest.remove_prefix(at + 3);
    }
    sides.emplace_back(rest);
    if (sides.size() > 3) fail("shapes", out.name, "has more than three sides");
    out.columns = {sides.back(), all.where};
    out.rows = {"1", all.where};
    if (sides.size() > 1) out.rows.text = sides.front();
    if (sides.size() > 2) out.rows.text = fmt::format("({}) * ({})", sides[0], sides[1]);
  }

  void check_size(const Parameter& structure, const Declared& declared) const {
    const auto bytes = layout_of(structure).bytes;
    if (bytes <= kMostStructBytes) return;
    fail_at(declared,
            fmt::format("the struct has {} bytes, but a kernel takes at most {} of parameters",
                        bytes, kMostStructBytes));
  }

  // Checks that every name in the tables is the name of a parameter.
  void check_names() const {
    for (const auto& [place, where] : places_) {
      const auto& [key, name] = place;
      const bool is_type = key == "structs";
      if (is_type ? used_.contains(name) : std::ranges::find(names_, name) != names_.end())
        continue;
      base::fail_at(where, fmt::format("{}: `{}`: unknown parameter {}`{}`{}; the parameters "
                                       "are: {}",
                                       table_.what(), key, is_type ? "of type " : "",
                                       base::escape_controls(name), did_you_mean(name, names_),
                                       joined(names_)));
    }
  }

  const toml::node* find(const std::string& key, const std::string& name) const {
    const auto entries = given_.find(key);
    if (entries == given_.end()) return nullptr;
    const auto found = entries->second.find(name);
    return found == entries->second.end() ? nullptr : found->second;
  }

  std::string text(const std::string& key, const std::string& name, const toml::node& node) const {
    const auto value = node.value_exact<std::string>();
    if (!value) fail(key, name, fmt::format("must be a string, but is {}", base::type_name(node)));
    return *value;
  }

  std::size_t chosen(const std::string& key, const std::string& name, const toml::node& node,
                     std::span<const std::string_view> choices) const {
    const auto given = text(key, name, node);
    const auto found = std::ranges::find(choices, given);
    if (found == choices.end()) {
      fail(key, name, not_one_of(given, choices));
    }
    return static_cast<std::size_t>(found - choices.begin());
  }

  [[noreturn]] void fail(const std::string& key, const std::string& name,
                         const std::string& why) const {
    const auto place = places_.find({key, name});
    const auto where = place == places_.end() ? table_.where(key) : place->second;
    base::fail_at(where, fmt::format("{}: `{}`: `{}`: {}", table_.what(), key,
                                     base::escape_controls(name), why));
  }

  [[noreturn]] void fail_at(const Declared& declared, const std::string& why) const {
    base::fail_at(declared.where, fmt::format("{}: parameter {}", table_.what(), why));
  }

  Table& table_;
  std::map<std::string, Entries> given_;
  std::map<std::pair<std::string, std::string>, base::SourceLocation> places_;
  std::map<std::string, std::vector<Declared>> structs_;
  std::set<std::string> used_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<Parameter> read_parameters(Table& table, const std::vector<Declared>& declared) {
  return ParameterReader(table).parameters(declared);
}

std::vector<Parameter> read_parameters(Table& table) {
  if (!table.may_have("parameters")) return {};
  const auto what = fmt::format("{}: `parameters`", table.what());
  return read_parameters(
      table, parse_declarations(table.text("parameters"), table.where("parameters"), what));
}

}  // namespace warpgrade::grader
