// SPDX-License-Identifier: Apache-2.0
// Parses PTX text into a Module.
//
// This is the outer level of the text: version, target, variables with their initial values,
// functions and files. FunctionParser parses the bodies of functions.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "common/base/error.h"
#include "common/ptx/function_parser.h"
#include "common/ptx/module.h"

namespace warpgrade::ptx {
namespace {

struct Directive {
  std::string_view text;
  StateSpace space{};
};
constexpr Directive kSpaces[] = {
    {".global", StateSpace::kGlobal},      {".shared", StateSpace::kShared},
    {".shared::cta", StateSpace::kShared}, {".local", StateSpace::kLocal},
    {".const", StateSpace::kConstant},     {".param", StateSpace::kParam},
    {".param::entry", StateSpace::kParam}, {".param::func", StateSpace::kParam},
};

struct TypeDirective {
  std::string_view text;
  Type type{};
};
constexpr TypeDirective kTypes[] = {
    {".pred", Type::kPred},   {".b8", Type::kB8},         {".b16", Type::kB16},
    {".b32", Type::kB32},     {".b64", Type::kB64},       {".b128", Type::kB128},
    {".u8", Type::kU8},       {".u16", Type::kU16},       {".u32", Type::kU32},
    {".u64", Type::kU64},     {".s8", Type::kS8},         {".s16", Type::kS16},
    {".s32", Type::kS32},     {".s64", Type::kS64},       {".f16", Type::kF16},
    {".f16x2", Type::kF16x2}, {".bf16", Type::kBf16},     {".bf16x2", Type::kBf16x2},
    {".u16x2", Type::kU16x2}, {".s16x2", Type::kS16x2},   {".f32", Type::kF32},
    {".f64", Type::kF64},     {".e4m3x2", Type::kE4m3x2}, {".e5m2x2", Type::kE5m2x2},
    {".tf32", Type::kTf32},
};

// Limit on the size of a variable. No GPU has that much memory.
constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 40;

// Limit on PTX text in bytes. Parsing needs thirty times that in memory; no real kernel comes
// close.
constexpr std::size_t kMostTextBytes = std::size_t{32} << 20;

// The header built into NVRTC: intrinsics only, no code whose execution order matters.
constexpr std::string_view kBuiltInHeader = "__nv_nvrtc_builtin_header.h";

// In the path of an installed Python package, such as Triton itself.
constexpr std::string_view kPackages = "-packages/";

Refusal unsupported(std::string message) {
  Refusal diagnostic;
  diagnostic.kind = base::DiagnosticKind::kUnsupported;
  diagnostic.message = std::move(message);
  return diagnostic;
}

class ModuleParser {
 public:
  ModuleParser(const std::string& text, const std::string& file)
      : cursor_(tokenize(text)), file_(file), is_ptx_(file.ends_with(".ptx")) {
    const bool uses_reserved = text.find(kReservedShared) != std::string::npos;
    if (uses_reserved) module_.variables.push_back(reserved_shared());
  }

  Module run() {
    while (!cursor_.at_end()) parse_directive();
    for (std::size_t i = 0; i < module_.functions.size(); ++i) resolve_locations(i);
    return std::move(module_);
  }

 private:
  void parse_directive() {
    const auto directive = cursor_.peek().text;
    const auto space = state_space(directive);
    if (directive == ".version") {
      cursor_.next();
      parse_version();
    } else if (directive == ".target") {
      cursor_.next();
      module_.target = cursor_.expect_word("a target");
      while (cursor_.accept(",")) cursor_.expect_word("a target option");
    } else if (directive == ".address_size") {
      cursor_.next();
      if (cursor_.expect_integer() != 64) cursor_.fail("only 64-bit addresses are supported");
    } else if (directive == ".visible" || directive == ".weak" || directive == ".common") {
      cursor_.next();
    } else if (directive == ".extern") {
      cursor_.next();
      is_extern_ = true;
    } else if (directive == ".entry" || directive == ".func") {
      cursor_.next();
      parse_function(directive == ".entry");
      is_extern_ = false;
    } else if (space != StateSpace::kGeneric) {
      cursor_.next();
      parse_variable(space);
      is_extern_ = false;
    } else if (directive == ".file") {
      parse_file();
    } else if (directive == ".section") {
      while (!cursor_.at("{") && !cursor_.at_end()) cursor_.next();
      cursor_.skip_braces();  // debugging information
    } else if (directive == ".pragma") {
      cursor_.skip_statement();
    } else if (cursor_.peek().kind == Token::Kind::kDot) {
      module_.unsupported.push_back(unsupported(fmt::format(
          "PTX line {}: directive '{}' is not supported", cursor_.peek().line, directive)));
      cursor_.skip_statement();
    } else {
      cursor_.fail("expected a directive");
    }
  }

  // version := .version major.minor
  void parse_version() {
    const auto text = cursor_.next().text;
    const auto point = text.find('.');
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    std::from_chars(text.data(), text.data() + std::min(point, text.size()), major);
    if (point == std::string_view::npos) cursor_.fail("expected a version such as 9.0");
    std::from_chars(text.data() + point + 1, text.data() + text.size(), minor);
    module_.version = major * 10 + minor;
  }

  // file := .file number "name" [, time, size]
  void parse_file() {
    cursor_.next();
    const auto number = static_cast<std::uint32_t>(cursor_.expect_integer());
    if (cursor_.peek().kind != Token::Kind::kString) cursor_.fail("expected a file's name");
    auto name = cursor_.next().text;
    const bool is_of_toolkit = name.starts_with('<') && name.ends_with('>');
    if (is_of_toolkit) {
      name = name.substr(1, name.size() - 2);
      toolkit_files_.insert(number);
    }
    if (name.ends_with(kBuiltInHeader)) built_in_files_.insert(number);
    if (name.find(kPackages) != std::string_view::npos) package_files_.insert(number);
    files_[number] = name;
    while (cursor_.accept(",")) cursor_.expect_integer();
  }

  // function := .entry | .func [(result, ...)] name [(parameter, ...)] attribute... (; | body)
  void parse_function(bool is_entry) {
    Function function;
    function.is_entry = is_entry;
    function.ptx_line = cursor_.peek().line;
    if (cursor_.at("(")) function.results = parse_parameters();
    function.name = cursor_.expect_word("a function's name");
    if (cursor_.at("(")) function.parameters = parse_parameters();
    while (cursor_.peek().kind == Token::Kind::kDot) {
      const auto attribute = cursor_.next();
      if (attribute.text == ".blocksareclusters") {
        function.unsupported.push_back(
            unsupported("grids of clusters (__block_size__) are not simulated"));
      }
      base::Dim3 extent{1, 1, 1};
      for (auto* size : {&extent.x, &extent.y, &extent.z}) {
        if (cursor_.peek().kind != Token::Kind::kNumber) break;
        *size = static_cast<std::uint32_t>(cursor_.expect_integer());
        if (!cursor_.accept(",")) break;
      }
      if (attribute.text == ".maxntid") function.most_threads = base::volume(extent);
      if (attribute.text == ".reqntid") function.required_block = extent;
      function.needs_clusters |= attribute.text == ".explicitcluster";
      if (attribute.text == ".reqnctapercluster") function.cluster = extent;
    }
    function.is_declaration = cursor_.accept(";");
    const bool has_body = !function.is_declaration;
    // Declared before its body, which may call it.
    const auto index = declare(std::move(function));
    if (!has_body) return;
    auto& defined = module_.functions[index];
    locations_[index] = FunctionParser(cursor_, module_, defined, registers_).parse();
    registers_ += defined.registers.size();
  }

  // A declaration and the definition that follows it are one function.
  std::size_t declare(Function function) {
    const auto [entry, added] = function_indices_.try_emplace(function.name, locations_.size());
    const auto index = entry->second;
    if (added) {
      module_.functions.push_back(std::move(function));
      locations_.emplace_back();
    } else if (module_.functions[index].is_declaration) {
      module_.functions[index] = std::move(function);
    } else if (!function.is_declaration) {
      cursor_.fail(fmt::format("function '{}' stands twice", function.name));
    }
    return index;
  }

  std::vector<Variable> parse_parameters() {
    std::vector<Variable> parameters;
    cursor_.expect("(");
    while (!cursor_.at(")")) {
      if (cursor_.at(".reg")) cursor_.fail("parameters in registers are not supported");
      cursor_.expect(".param");
      parameters.push_back(parse_declarator(cursor_, StateSpace::kParam));
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect(")");
    return parameters;
  }

  // variable := declarator [= value] ;
  void parse_variable(StateSpace space) {
    auto variable = parse_declarator(cursor_, space);
    variable.is_extern = is_extern_;
    if (cursor_.accept("=")) parse_initial(variable);
    if (variable.bytes == 0) variable.bytes = variable.initial.size();  // x[] = {1, 2, 3}
    cursor_.expect(";");
    module_.variables.push_back(std::move(variable));
  }

  // value := number | symbol [+ n] | generic(symbol [+ n]) | { value, ... }
  void parse_initial(Variable& variable) {
    if (cursor_.accept("{")) {
      while (!cursor_.at("}")) {
        parse_initial(variable);
        if (!cursor_.accept(",")) break;
      }
      cursor_.expect("}");
      return;
    }
    const auto size = size_of(variable.type);
    const auto offset = variable.initial.size();
    if (size > sizeof(std::uint64_t))
      cursor_.fail("an initial value of this type is not supported");
    const bool is_open = variable.bytes == 0;  // an array as long as its initialiser
    if (!is_open && offset + size > variable.bytes) cursor_.fail("too many initial values");
    variable.initial.resize(offset + size);
    if (cursor_.peek().kind == Token::Kind::kWord) {
      parse_relocation(variable, offset);
      return;
    }
    const bool negative = cursor_.accept("-");
    const Token token = cursor_.next();
    std::uint64_t bits = 0;
    if (token.text.starts_with("0f") || token.text.starts_with("0d")) {
      const auto* end = token.text.data() + token.text.size();
      if (std::from_chars(token.text.data() + 2, end, bits, 16).ptr != end) {
        cursor_.fail("malformed initial value");
      }
      if (negative) bits ^= std::uint64_t{1} << (8 * size - 1);
    } else {
      bits = integer_value(token);
      if (negative) bits = 0 - bits;
    }
    std::memcpy(variable.initial.data() + offset, &bits, size);
  }

  void parse_relocation(Variable& variable, std::size_t offset) {
    Variable::Relocation relocation;
    relocation.offset = offset;
    relocation.is_generic = cursor_.accept("generic");
    if (relocation.is_generic) cursor_.expect("(");
    const auto name = cursor_.expect_word("a variable or function");
    if (cursor_.accept("+")) relocation.addend = cursor_.expect_integer();
    if (relocation.is_generic) cursor_.expect(")");
    if (cursor_.accept("+")) relocation.addend += cursor_.expect_integer();  // generic(x)+8
    const auto find = [&](const auto& list) {
      std::uint32_t index = 0;
      while (index < list.size() && list[index].name != name) ++index;
      relocation.index = index;
      return index < list.size();
    };
    if (!find(module_.variables)) {
      relocation.is_function = true;
      if (!find(module_.functions)) cursor_.fail(fmt::format("'{}' is not declared", name));
    }
    variable.relocations.push_back(relocation);
  }

  // Files are named at the end of the text, so places get file names and lines only now. File 1 is
  // the compiled file, unless its name is ./NAME, which contains no code.
  void resolve_locations(std::size_t index) {
    auto& function = module_.functions[index];
    function.locations.assign(1, {});
    function.call_lines.assign(1, 0);
    const auto& places = locations_[index];
    for (const auto& innermost : places) {
      // An instruction of such a header gets the place of its call. An inlined place follows the
      // place of its call.
      const auto is_of_header = [&](std::uint32_t number) {
        return toolkit_files_.contains(number) || built_in_files_.contains(number);
      };
      auto place = innermost;
      while ((is_of_header(place.file) || package_files_.contains(place.file)) &&
             place.inlined_at != 0) {
        place = places[place.inlined_at - 1];
      }
      const auto file = files_.find(place.file);
      const bool is_named = file != files_.end();
      const bool is_other = is_named && file->second.starts_with("./");
      const bool is_compiled = !is_named || (place.file == 1 && !is_other && !is_ptx_);
      const auto shown = is_compiled ? file_ : file->second.substr(is_other ? 2 : 0);
      function.locations.push_back({shown, place.line, place.column});
      auto call = place;
      while (call.inlined_at != 0) call = places[call.inlined_at - 1];
      function.call_lines.push_back(place.inlined_at == 0 ? 0 : call.line);
    }
    for (auto& in : function.instructions) {
      in.is_of_toolkit = in.location != 0 && toolkit_files_.contains(places[in.location - 1].file);
    }
    if (is_ptx_) locate_in_text(function);
    for (auto& diagnostic : function.unsupported) {
      diagnostic.where = function.locations.at(diagnostic.where.line);
    }
  }

  // Gives code without a .loc its line of the PTX text as its place.
  void locate_in_text(Function& function) const {
    for (auto& in : function.instructions) {
      if (in.location != 0) continue;
      auto& all = function.locations;
      if (all.back().file != file_ || all.back().line != in.ptx_line || all.size() == 1) {
        all.push_back({file_, in.ptx_line, 1});
        function.call_lines.push_back(0);
      }
      in.location = static_cast<std::uint32_t>(all.size() - 1);
    }
  }

  TokenCursor cursor_;
  std::string file_;
  bool is_ptx_ = false;  // The text is the source itself, and not made from file_.
  Module module_;
  bool is_extern_ = false;
  std::uint64_t registers_ = 0;  // total of the functions so far
  std::map<std::uint32_t, std::string> files_;
  std::set<std::uint32_t> toolkit_files_;
  std::set<std::uint32_t> built_in_files_;
  std::set<std::uint32_t> package_files_;
  std::vector<std::vector<PendingLocation>> locations_;  // by function
  std::unordered_map<std::string, std::size_t> function_indices_;
};

}  // namespace

StateSpace state_space(std::string_view directive) {
  for (const auto& row : kSpaces) {
    if (row.text == directive) return row.space;
  }
  return StateSpace::kGeneric;
}

Type type_of(std::string_view directive) {
  for (const auto& row : kTypes) {
    if (row.text == directive) return row.type;
  }
  return Type::kNone;
}

Variable parse_declarator(TokenCursor& cursor, StateSpace space) {
  Variable variable;
  variable.space = space;
  std::uint64_t vector = 1;
  for (;;) {
    const auto text = cursor.peek().text;
    if (text == ".align") {
      cursor.next();
      const auto alignment = cursor.expect_integer();
      if (alignment < 1 || alignment > 4096 || !std::has_single_bit(std::uint64_t(alignment))) {
        cursor.fail("an alignment must be a power of two up to 4096");
      }
      variable.alignment = static_cast<std::uint32_t>(alignment);
    } else if (text == ".v2" || text == ".v4") {
      cursor.next();
      vector = static_cast<std::uint64_t>(text[2] - '0');
    } else if (text == ".attribute") {
      cursor.next();  // .managed: host access only, no effect on device code
      cursor.expect("(");
      while (!cursor.at(")") && !cursor.at_end()) cursor.next();
      cursor.expect(")");
    } else if (text == ".ptr") {
      cursor.next();  // the target of a pointer parameter: a hint
      if (state_space(cursor.peek().text) != StateSpace::kGeneric) cursor.next();
    } else {
      break;
    }
    if (type_of(cursor.peek().text) != Type::kNone) variable.type = type_of(cursor.next().text);
  }
  for (const auto* type : {".texref", ".surfref", ".samplerref"}) {
    if (cursor.at(type)) cursor.fail("textures are not simulated");
  }
  if (variable.type == Type::kNone) variable.type = type_of(cursor.next().text);
  if (variable.type == Type::kNone) cursor.fail("expected a type");
  while (cursor.at(".ptr") || state_space(cursor.peek().text) != StateSpace::kGeneric ||
         cursor.at(".align")) {
    if (cursor.next().text == ".align") cursor.expect_integer();
  }
  variable.name = cursor.expect_word("a variable's name");
  variable.bytes = size_of(variable.type) * vector;
  variable.alignment = std::max(variable.alignment, size_of(variable.type));
  while (cursor.accept("[")) {
    const auto count = cursor.at("]") ? 0 : cursor.expect_integer();
    cursor.expect("]");
    if (count < 0 || static_cast<std::uint64_t>(count) > kMaxVariableBytes ||
        variable.bytes * static_cast<std::uint64_t>(count) > kMaxVariableBytes) {
      cursor.fail("an array has an impossible size");
    }
    variable.bytes *= static_cast<std::uint64_t>(count);
  }
  return variable;
}

Module parse(const std::string& text, const std::string& file) {
  if (text.size() > kMostTextBytes) {
    throw base::ToolError(
        fmt::format("the kernels are {} MiB of PTX; at most {} MiB can be read: "
                    "unroll less",
                    text.size() >> 20, kMostTextBytes >> 20));
  }
  return ModuleParser(text, file).run();
}

}  // namespace warpgrade::ptx
