// SPDX-License-Identifier: Apache-2.0
#include "tests/evidence/random/operations.h"

#include <fmt/format.h>

namespace warpgrade::programs {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

// Constraint letter, and how a value is converted to a register of the assembly and back.
struct Register {
  char letter;
  const char* type;
  const char* in;   // Wraps the value.
  const char* out;  // Wraps the register.
};

Register register_of(Kind kind) {
  switch (kind) {
    case Kind::kU16:
    case Kind::kS16:
      return {'h', "u16", "(u16)", ""};
    case Kind::kU64:
    case Kind::kS64:
      return {'l', "u64", "(u64)", ""};
    case Kind::kF32:
      return {'f', "f32", "", ""};
    case Kind::kF64:
      return {'d', "f64", "", ""};
    case Kind::kF16:
      return {'h', "u16", "__half_as_ushort", "make_f16"};
    case Kind::kBf16:
      return {'h', "u16", "__bfloat16_as_ushort", "make_bf16"};
    case Kind::kF16x2:
      return {'r', "u32", "word", "make_f16x2"};
    case Kind::kBf16x2:
      return {'r', "u32", "word", "make_bf16x2"};
    default:
      return {'r', "u32", "(u32)", ""};
  }
}

// Whether the compiler may turn it into neg.s16, which ptxas compiles wrongly (ptx_operations.cpp).
bool may_negate(const Operation& operation) {
  if (operation.is_ptx || (operation.result != Kind::kU16 && operation.result != Kind::kS16)) {
    return false;
  }
  const auto& text = operation.text;
  return text.find(" - ") != std::string::npos || text.find(" * ") != std::string::npos ||
         text.starts_with("quotient");
}

}  // namespace

void OperationList::each_to(Kind result, const std::vector<Kind>& kinds, const std::string& text,
                            const std::vector<Kind>& sources, std::uint32_t architecture) {
  for (const auto kind : kinds) {
    Operation operation;
    operation.result = result == kSame ? kind : result;
    operation.text = text;
    operation.is_ptx = text.find("%0") != std::string::npos;
    if (may_negate(operation)) operation.text = "cut(" + operation.text + ")";
    replace_all(operation.text, "$T", std::string(name(kind)));
    replace_all(operation.text, "$P", std::string(name(kind)));
    replace_all(operation.text, "$U", bits(kind) == 64 ? "u64" : "u32");
    replace_all(operation.text, "$W", std::to_string(bits(kind)));
    replace_all(operation.text, "$N", std::to_string(bits(kind) / 2));
    for (const auto source : sources) {
      operation.sources.push_back(source == kSame ? kind : source);
    }
    operation.architecture = architecture;
    operation.weight = weight_;
    operations_.push_back(operation);
  }
}

void OperationList::each(const std::vector<Kind>& kinds, const std::string& text,
                         const std::vector<Kind>& sources, std::uint32_t architecture) {
  each_to(kSame, kinds, text, sources, architecture);
}

const std::vector<Operation>& operations() {
  static const auto all = [] {
    OperationList list;
    add_cpp_operations(list);
    add_ptx_operations(list);
    return list.take();
  }();
  return all;
}

std::string ptx_function_name(std::size_t index) { return fmt::format("ptx_{}", index); }

std::string ptx_function(std::size_t index) {
  const auto& operation = operations()[index];
  std::string parameters;
  std::string inputs;
  for (std::size_t i = 0; i < operation.sources.size(); ++i) {
    const auto kind = operation.sources[i];
    const auto source = register_of(kind);
    // A conversion preserves part of a NaN's payload.
    const bool converted = kind == Kind::kF64 && operation.text.find("cvt") != std::string::npos;
    parameters += fmt::format("{}{} s{}", i == 0 ? "" : ", ", name(kind), i);
    inputs += fmt::format("{}\"{}\"({}(s{}))", i == 0 ? "" : ", ", source.letter,
                          converted ? "canonical" : source.in, i);
  }
  const auto result = register_of(operation.result);
  return fmt::format(
      "INLINE {} {}({}) {{\n  {} r;\n  asm(\"{}\" : \"={}\"(r) : {});\n  return {}(r);\n}}\n",
      name(operation.result), ptx_function_name(index), parameters, result.type, operation.text,
      result.letter, inputs,
      is_integer(operation.result) ? fmt::format("({})", name(operation.result)) : result.out);
}

}  // namespace warpgrade::programs
