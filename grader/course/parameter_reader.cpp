// SPDX-License-Identifier: Apache-2.0
#include "grader/course/parameter_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "common/base/text.h"
#include "grader/course/exercise.h"
#include "grader/course/launch_reader.h"
#include "grader/text/messages.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::course {
namespace {

// `ulps` is a key of its own.
constexpr std::array<std::string_view, 3> kComparedBy = {"bits", "total", "pieces(LENGTH)"};
// In the order of verify::IndexKind: "below(n)".
constexpr std::array<std::string_view, 5> kIndexNames = {"below", "starts", "skewed_starts",
                                                         "mostly_equal", "shuffled"};
constexpr std::array<std::string_view, 4> kRoles = {"out", "in", "inout", "scratch"};
constexpr std::array<std::string_view, 8> kTablesByName = {"shapes", "roles",  "same", "fill",
                                                           "types",  "values", "ulps", "magnitude"};

// The place of the first comma outside of parentheses, or npos.
std::size_t outer_comma(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] == ',' && depth == 0) return i;
  }
  return std::string_view::npos;
}

class ParameterReader {
 public:
  explicit ParameterReader(text::Table& table) : table_(table) {
    for (const auto key : kTablesByName) read(key);
    read("compare");
    read_structs();
  }

  std::vector<Parameter> parameters(const std::vector<Declared>& declared) {
    // A misspelt name causes a missing shape, so find it first.
    for (const auto& one : declared) add_names(one);
    check_names();
    std::vector<Parameter> out;
    for (const auto& one : declared) out.push_back(parameter(one));
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
    const auto* members = members_of(declared);
    if (members == nullptr) return;
    used_.insert(declared.base);
    for (const auto& member : *members) names_.push_back(declared.name + '.' + member.name);
  }

  // The members of a struct that is declared by value, or nullptr.
  const std::vector<Declared>* members_of(const Declared& declared) const {
    const auto found = structs_.find(declared.base);
    return found == structs_.end() || declared.is_pointer ? nullptr : &found->second;
  }

  Parameter parameter(const Declared& declared) {
    if (const auto* members = members_of(declared)) return structure(declared, *members);
    return std::visit([](const auto& one) -> Parameter { return one; },
                      field(declared, declared.name));
  }

  StructParameter structure(const Declared& declared, const std::vector<Declared>& members) {
    StructParameter out{declared.name, {}};
    for (const auto& member : members) {
      if (members_of(member) != nullptr) fail_at(member, "a struct within a struct is not known");
      out.fields.push_back(field(member, out.name + '.' + member.name));
    }
    const auto bytes = layout_of(out).bytes;
    if (bytes <= kMostStructBytes) return out;
    fail_at(declared,
            fmt::format("the struct has {} bytes, but a kernel takes at most {} of parameters",
                        bytes, kMostStructBytes));
  }

  // A parameter, or a field of one, that is not a struct.
  Field field(const Declared& declared, const std::string& name) {
    if (const auto* of = find("same", name)) {
      return SameParameter{name, text("same", name, *of), table_.where("same", *of)};
    }
    const auto* given = find("types", name);
    const auto type = given == nullptr ? type_of(declared, name) : given_type(name, *given);
    if (declared.is_pointer) return buffer(declared, name, type);
    const auto* value = find("values", name);
    return ValueParameter{name, type, declared.is_bool && given == nullptr,
                          value == nullptr ? text::Expression{declared.name, declared.where}
                                           : table_.expression_of("values", *value)};
  }

  verify::ElementType given_type(const std::string& name, const toml::node& given) const {
    const auto type = verify::element_type(text("types", name, given));
    if (!type) fail("types", name, "must be one of i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64");
    return *type;
  }

  verify::ElementType type_of(const Declared& declared, const std::string& name) const {
    if (declared.element && !(declared.is_bool && declared.is_pointer)) return *declared.element;
    const auto base = base::escape_controls(declared.base);
    fail_at(declared,
            fmt::format("`{}` has the type `{}`, which is not a number: list the members of a "
                        "struct, structs = {{ {} = \"float* out, int n\" }}, or give the type of "
                        "the elements, types = {{ {} = \"f32\" }}",
                        name, base, base, name));
  }

  BufferParameter buffer(const Declared& declared, const std::string& name,
                         verify::ElementType type) {
    BufferParameter out{name, type, {}, {}, {}, {}};
    std::string_view role = declared.is_constant ? "in" : "out";
    if (const auto* given = find("roles", name)) {
      role = kRoles.at(chosen("roles", name, *given, kRoles));
      if (role == "scratch" && name != declared.name) {
        fail("roles", name, "a field is \"out\", \"in\" or \"inout\"");
      }
    }
    if (role == "in" || role == "inout") out.content = verify::Fill{};
    if (role == "out" || role == "inout") out.comparison = EqualBits{};
    read_shape(declared, out);
    if (const auto* fill = find("fill", name)) {
      if (!out.is_input()) {
        fail("fill", name, "only a buffer of role \"in\" or \"inout\" is filled");
      }
      const auto where = table_.expression_of("fill", *fill).where();
      auto content = fill_from({text("fill", out.name, *fill), where}, out.type);
      if (const auto* why = std::get_if<std::string>(&content)) fail("fill", out.name, *why);
      out.content = std::get<Content>(std::move(content));
    }
    read_comparison(out);
    return out;
  }

  void read_comparison(BufferParameter& out) {
    const auto* compare = find("compare", out.name);
    const auto* ulps = find("ulps", out.name);
    const auto* magnitude = find("magnitude", out.name);
    if (magnitude != nullptr && ulps == nullptr) {
      fail("magnitude", out.name, "says of which number `ulps` are; give `ulps`, too");
    }
    if (compare == nullptr && ulps == nullptr) return;
    if (!out.is_output()) {
      fail(compare != nullptr ? "compare" : "ulps", out.name,
           "only a buffer of role \"out\" or \"inout\" is compared");
    }
    if (compare != nullptr) {
      auto pieces = pieces_of(out, *compare);
      if (pieces) {
        out.comparison = std::move(*pieces);
      } else if (chosen("compare", out.name, *compare, kComparedBy) == 1) {
        out.comparison = EqualTotal{};
      }
    }
    if (ulps == nullptr) return;
    if (compare != nullptr) fail("compare", out.name, "has no meaning beside `ulps`");
    if (!verify::is_float(out.type)) fail("ulps", out.name, "`ulps` is for floats");
    auto& within =
        out.comparison.emplace<WithinUlps>(WithinUlps{table_.expression_of("ulps", *ulps), {}});
    if (magnitude != nullptr) within.magnitude = table_.expression_of("magnitude", *magnitude);
  }

  // "pieces(1024)"; nullopt if the comparison is another one.
  std::optional<EqualPieces> pieces_of(const BufferParameter& out, const toml::node& node) const {
    constexpr std::string_view kBegin = "pieces(";
    const auto given = text("compare", out.name, node);
    if (!given.starts_with(kBegin) || !given.ends_with(')')) return std::nullopt;
    if (out.is_input()) {
      fail("compare", out.name, "`pieces` is for a buffer of role \"out\"");
    }
    if (verify::is_float(out.type) || verify::size_of(out.type) < sizeof(std::uint32_t)) {
      fail("compare", out.name, "`pieces` is for integers of 4 or 8 bytes");
    }
    const auto where = table_.expression_of("compare", node).where();
    return EqualPieces{{given.substr(kBegin.size(), given.size() - kBegin.size() - 1), where}};
  }

  // "height x width", or the number of elements.
  void read_shape(const Declared& declared, BufferParameter& out) {
    const auto* shape = find("shapes", out.name);
    if (shape == nullptr) {
      fail_at(declared, fmt::format("`{}` has no shape; an example: shapes = {{ {} = \"height x "
                                    "width\" }}",
                                    out.name, out.name));
    }
    const auto why = read_sides(table_.expression_of("shapes", *shape), out);
    if (!why.empty()) fail("shapes", out.name, why);
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
                                       base::escape_controls(name),
                                       text::did_you_mean(name, names_), text::joined(names_)));
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
      fail(key, name, text::not_one_of(given, choices));
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

  text::Table& table_;
  std::map<std::string, Entries> given_;
  std::map<std::pair<std::string, std::string>, base::SourceLocation> places_;
  std::map<std::string, std::vector<Declared>> structs_;
  std::set<std::string> used_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<Parameter> read_parameters(text::Table& table, const std::vector<Declared>& declared) {
  return ParameterReader(table).parameters(declared);
}

std::vector<Parameter> read_parameters(text::Table& table) {
  if (!table.accept("parameters")) return {};
  const auto what = fmt::format("{}: `parameters`", table.what());
  return read_parameters(
      table, parse_declarations(table.text("parameters"), table.where("parameters"), what));
}

std::string read_sides(const text::Expression& shape, BufferParameter& out) {
  std::vector<std::string> sides;
  std::string_view rest = shape.text();
  for (auto at = rest.find(" x "); at != std::string_view::npos; at = rest.find(" x ")) {
    sides.emplace_back(rest.substr(0, at));
    rest.remove_prefix(at + 3);
  }
  sides.emplace_back(rest);
  if (sides.size() > 3) return "has more than three sides";
  auto rows = sides.size() > 1 ? sides.front() : "1";
  if (sides.size() > 2) rows = fmt::format("({}) * ({})", sides[0], sides[1]);
  out.columns = {sides.back(), shape.where()};
  out.rows = {std::move(rows), shape.where()};
  return {};
}

std::variant<Content, std::string> fill_from(const text::Expression& given,
                                             verify::ElementType type) {
  const std::string_view all = given.text();
  const auto open = all.find('(');
  const std::string name(all.substr(0, open));
  if (open == std::string_view::npos) {
    const auto* found = std::ranges::find(kFillNames, name);
    if (found == kFillNames.end()) return text::not_one_of(name, kFillNames);
    return Content(static_cast<verify::Fill>(found - kFillNames.begin()));
  }
  const auto* found = std::ranges::find(kIndexNames, name);
  if (found == kIndexNames.end()) return text::not_one_of(name, kIndexNames);
  if (!all.ends_with(')')) return "has no `)` at its end";
  const auto kind = static_cast<verify::IndexKind>(found - kIndexNames.begin());
  const auto bytes = verify::size_of(type);
  if (kind == verify::IndexKind::kMostlyEqual) {
    if (verify::is_float(type)) return "`mostly_equal` is for integers";
  } else if (verify::is_float(type) || (bytes != 4 && bytes != 8)) {
    return "indices are integers of 4 or 8 bytes";
  }
  const std::string numbers(all.substr(open + 1, all.size() - open - 2));
  const auto comma = outer_comma(numbers);
  Indices out{kind, {numbers.substr(0, comma), given.where()}, {}};
  if (comma == std::string::npos) return Content(std::move(out));
  if (kind != verify::IndexKind::kStarts && kind != verify::IndexKind::kSkewedStarts) {
    return "only `starts` and `skewed_starts` have a second expression";
  }
  out.has_edges = text::Expression{numbers.substr(comma + 1), given.where()};
  return Content(std::move(out));
}

}  // namespace warpgrade::grader::course
