// SPDX-License-Identifier: Apache-2.0
// Finds a kernel by the name that an author uses, and explains why it is missing.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/conditionals.h"
#include "common/compile/directives.h"
#include "common/compile/instances.h"
#include "common/compile/program.h"
#include "common/compile/signature.h"

namespace warpgrade::compile {
namespace {

using Found = std::variant<const Kernel*, base::Diagnostic>;

// A program and the kernel to find in it.
struct Search {
  const Program& program;
  std::string asked;      // the name as given
  std::string name;       // without blanks
  std::string signature;  // as given
  std::vector<Declaration> declarations;
};

// A definition if there is one.
const Declaration* declared(const Search& search, std::string_view name) {
  const auto plain = base_name(name);
  const auto at = plain.rfind(':');
  const auto last = at == std::string_view::npos ? plain : plain.substr(at + 1);
  const Declaration* out = nullptr;
  for (const auto& one : search.declarations) {
    if (one.name != last) continue;
    if (out == nullptr || (one.is_definition && !out->is_definition)) out = &one;
  }
  return out;
}

// "; expected: template <int Factor> __global__ void red(float* partial)", or empty.
std::string expectation(const Search& search) {
  if (search.signature.empty()) return {};
  std::string_view rest = search.signature;
  std::string head;
  if (rest.starts_with("template")) {
    const auto end = rest.find('>');
    head = std::string(rest.substr(0, end + 1)) + " ";
    rest.remove_prefix(std::min(rest.find_first_not_of(' ', end + 1), rest.size()));
  }
  if (!rest.starts_with("__global__")) head += "__global__ void ";
  return fmt::format("; expected: {}{}", head, rest);
}

base::Diagnostic complain(const Search& search, const Declaration* where,
                          const std::string& message) {
  return compile_error(search.program.file, where == nullptr ? 0 : where->line,
                       where == nullptr ? 0 : where->column, message + expectation(search));
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const auto& part : parts) {
    if (&part != &parts.front()) out += between;
    out += part;
  }
  return out;
}

// Only an exercise fixes the signature; everybody else may name an instance.
std::string is_a_template(const Search& search, std::string_view name) {
  if (!search.signature.empty()) {
    return fmt::format("'{}' is a template here, but must be a plain kernel", name);
  }
  const auto named = named_instances(search.program.source, name);
  if (named.size() > 1) {
    return fmt::format("'{}' is a template, and the file names several instances; name one: '{}'",
                       name, join(named, "', '"));
  }
  return fmt::format("'{}' is a template; name an instance, such as '{}'", name,
                     named.empty() ? example_instance(search.program.source, name) : named.front());
}

std::string kernel_list(const Program& program) {
  if (program.kernels.empty()) return "the file has no kernel";
  std::vector<std::string> names;
  for (const auto& kernel : program.kernels) names.push_back("'" + kernel.signature + "'");
  return fmt::format("the file has {}", join(names, ", "));
}

// The function templates that the file defines with this name.
std::vector<const Declaration*> templates_named(const Search& search, std::string_view name) {
  std::vector<const Declaration*> out;
  for (const auto& item : search.declarations) {
    if (item.name == name && item.is_template && item.is_definition) out.push_back(&item);
  }
  return out;
}

// Explains why `found`, which has the right name, is not the kernel.
std::string explain_declaration(const Search& search, const Declaration& found) {
  const auto plain = base_name(search.name);
  const bool wants_template = plain != search.name;
  const auto templates = templates_named(search, found.name);
  const auto is_global = [](const Declaration* item) { return item->is_global; };
  if (wants_template && templates.size() > 1 && std::ranges::any_of(templates, is_global)) {
    return fmt::format("{} templates are named '{}', but exactly one must fit {}", templates.size(),
                       plain, search.name);
  }
  if (!found.is_global) {
    return fmt::format("'{}' is a __device__ function; a kernel is a __global__ one", plain);
  }
  if (found.is_template && !wants_template) return is_a_template(search, plain);
  if (!found.is_template && wants_template) {
    return fmt::format("'{}' is a plain kernel here, but must be a template", plain);
  }
  if (wants_template) {
    return fmt::format("the kernel template '{}' cannot be instantiated as {}", plain, search.name);
  }
  return fmt::format("the compiler made no kernel of '{}'", plain);
}

// Why the compiler has no kernel of `found`, which the text has; empty if unknown.
std::string reason_without_kernel(const Search& search, const Declaration& found) {
  const auto part =
      left_out_by(search.program.source, found.line, /*has_options=*/search.signature.empty());
  if (!part.empty()) return ": " + part;
  if (found.is_definition) return {};
  return fmt::format(": line {} only declares it; its body is missing", found.line);
}

// A host function that was left out and may be the kernel; nullptr if not found.
const LeftOut* left_out_as_host_code(const Search& search) {
  const auto& items = search.program.left_out;
  const auto found = std::ranges::find(items, base_name(search.name), &LeftOut::name);
  return found == items.end() ? nullptr : &*found;
}

// "; not included: "kernels.h" (line 3)": files that may contain the kernel; or empty.
std::string not_included(const Search& search) {
  std::vector<std::string> names;
  for (const auto& item : search.program.left_out) {
    if (!is_include(item)) continue;
    names.push_back(fmt::format("{} (line {})", base::escape_controls(item.name), item.line));
  }
  return names.empty() ? "" : "; not included: " + join(names, ", ");
}

base::Diagnostic explain_missing(const Search& search) {
  const auto& name = search.name;
  const auto& kernels = search.program.kernels;
  for (const auto& kernel : kernels) {
    const auto found = parse_signature(kernel.signature).name;
    if (found != name && base_name(found) == name) {
      return complain(search, declared(search, name), is_a_template(search, name));
    }
    if (found.ends_with("::" + name)) {
      return complain(search, declared(search, name),
                      fmt::format("the kernel '{}' must not be in a namespace", found));
    }
  }
  if (const auto* found = declared(search, name)) {
    auto message = explain_declaration(search, *found);
    const bool is_plain = found->is_global && !found->is_template && base_name(name) == name;
    if (is_plain) message += reason_without_kernel(search, *found);
    return complain(search, found, message);
  }
  if (const auto* found = left_out_as_host_code(search)) {
    const Declaration where{found->name, found->line, found->column};
    return complain(search, &where,
                    fmt::format("'{}' is a host function here; put __global__ before it", name));
  }
  std::vector<std::string> names;
  for (const auto& kernel : kernels) {
    names.emplace_back(base_name(parse_signature(kernel.signature).name));
  }
  for (const auto& declaration : search.declarations) {
    if (declaration.is_global) names.push_back(declaration.name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (const auto near = base::nearest(base_name(name), views); !near.empty()) {
    return complain(search, declared(search, near),
                    fmt::format("no kernel is named '{}'; did you mean '{}'?", name, near));
  }
  return complain(search, nullptr,
                  fmt::format("no kernel is named '{}'; {}{}", name, kernel_list(search.program),
                              not_included(search)));
}

// The kernels that the name can mean: `fill(float*)` selects an overload. `f` means `A::f` if no
// signature is expected and no kernel has the name f.
std::vector<const Kernel*> candidates_for(const Search& search) {
  const auto wanted = parse_signature(search.asked);
  const bool has_list = search.asked.ends_with(')');
  const auto select = [&](auto&& has_name) {
    std::vector<const Kernel*> out;
    for (const auto& kernel : search.program.kernels) {
      const auto found = parse_signature(kernel.signature);
      if (!has_name(found.name)) continue;
      if (has_list && !std::ranges::equal(found.parameters, wanted.parameters, is_same_type)) {
        continue;
      }
      out.push_back(&kernel);
    }
    return out;
  };
  const auto name = has_list ? wanted.name : search.name;
  auto out = select([&](const std::string& found) { return found == name; });
  if (out.empty() && search.signature.empty()) {
    out = select([&](const std::string& found) { return found.ends_with("::" + name); });
  }
  // The only instance of a template.
  if (out.empty() && search.signature.empty() && name.find('<') == std::string::npos) {
    out = select([&](const std::string& found) { return base_name(found) == name; });
    if (out.size() > 1) out.clear();  // explain_missing() lists them.
  }
  return out;
}

// The parameter list of an extern "C" kernel is known only by its layout in the PTX.
bool layout_matches(const Kernel& kernel, const Signature& expected) {
  return std::ranges::equal(
      kernel.parameters, expected.parameters, [](const Parameter& found, const std::string& type) {
        const auto size = size_of(type);
        if (size == 0) return true;  // a vector or a struct of unknown size
        return found.size_bytes == size && found.is_float == (type == "float" || type == "double");
      });
}

// "parameters of 8, 8, 4 bytes", the only known fact about an extern "C" kernel's parameters.
std::string layout(const Kernel& kernel) {
  if (kernel.parameters.empty()) return "no parameters";
  std::vector<std::string> sizes;
  for (const auto& parameter : kernel.parameters) {
    sizes.push_back((parameter.is_float ? "floating-point " : "") +
                    std::to_string(parameter.size_bytes));
  }
  return "parameters of " + join(sizes, ", ") + " bytes";
}

// Whether the kernel has the expected parameters, if any are expected.
bool has_parameters(const Search& search, const Kernel& kernel) {
  if (search.signature.empty()) return true;
  const auto expected = parse_signature(search.signature);
  const bool is_extern_c = kernel.signature.find('(') == std::string::npos;
  if (is_extern_c) return layout_matches(kernel, expected);
  return std::ranges::equal(parse_signature(kernel.signature).parameters, expected.parameters,
                            is_same_type);
}

Found check_parameters(const Search& search, const Kernel& kernel) {
  if (has_parameters(search, kernel)) return &kernel;
  const bool is_extern_c = kernel.signature.find('(') == std::string::npos;
  const auto found = is_extern_c ? layout(kernel) : to_string(parse_signature(kernel.signature));
  return complain(
      search, declared(search, search.name),
      fmt::format("the kernel '{}' has the wrong parameter list: found {}", search.name, found));
}

}  // namespace

const Kernel& only_kernel(const Program& program, const std::string& option) {
  if (program.kernels.size() == 1) return program.kernels.front();
  std::string all;
  for (const auto& kernel : program.kernels) all += "\n  " + kernel.signature;
  for (const auto& one : find_declarations(program.source)) {
    const bool is_made = std::ranges::any_of(program.kernels, [&](const Kernel& kernel) {
      const auto name = parse_signature(kernel.signature).name;
      const auto plain = std::string(base_name(name));
      return plain == one.name || plain.ends_with("::" + one.name);
    });
    if (!one.is_global || !one.is_definition || is_made) continue;
    const auto named = named_instances(program.source, one.name);
    const auto part = left_out_by(program.source, one.line, /*has_options=*/true);
    if (!part.empty()) {
      all += fmt::format("\n  {} (not compiled: {})", one.name, part);
    } else if (one.is_template) {
      all += fmt::format(
          "\n  {} (a template; such as {})", one.name,
          named.empty() ? example_instance(program.source, one.name) : join(named, ", "));
    }
  }
  throw base::UsageError(fmt::format("{} has {}; name one by {}{}",
                                     base::escape_controls(program.file),
                                     base::counted(program.kernels.size(), "kernel"), option, all));
}

Found find_kernel(const Program& program, const std::string& name, const std::string& signature) {
  Search search{program, name, name, signature, find_declarations(program.source)};
  std::erase(search.name, ' ');
  for (const auto& [expression, lowered] : program.lowered) {
    auto plain = expression;
    std::erase(plain, ' ');
    if (plain != search.name) continue;
    const auto kernel = std::ranges::find(program.kernels, lowered, &Kernel::name);
    if (kernel != program.kernels.end()) return check_parameters(search, *kernel);
    return explain_missing(search);
  }
  auto candidates = candidates_for(search);
  if (candidates.empty()) return explain_missing(search);
  // The launched overload is the one with the expected parameters.
  if (!search.signature.empty() && candidates.size() > 1) {
    std::vector<const Kernel*> fitting;
    std::ranges::copy_if(candidates, std::back_inserter(fitting),
                         [&](const Kernel* kernel) { return has_parameters(search, *kernel); });
    if (!fitting.empty()) candidates = std::move(fitting);
  }
  if (candidates.size() > 1) {
    std::vector<std::string> found;
    for (const auto* kernel : candidates) found.push_back(kernel->signature);
    const auto list = join(found, " and ");
    const auto message =
        search.signature.empty()
            ? fmt::format("{} kernels are named '{}'; choose one by its full name: {}",
                          candidates.size(), name, list)
            : fmt::format(
                  "{} kernels are named '{}', but exactly one must have the expected parameters: "
                  "{}",
                  candidates.size(), name, list);
    return complain(search, declared(search, search.name), message);
  }
  return check_parameters(search, *candidates.front());
}

}  // namespace warpgrade::compile
