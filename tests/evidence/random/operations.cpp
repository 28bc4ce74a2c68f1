// SPDX-License-Identifier: Apache-2.0
// The kinds of values, their edge values, and the functions that execute PTX operations.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "tests/evidence/random/generator.h"

namespace warpgrade::programs {
namespace {

struct Row {
  std::string_view name;
  std::uint32_t bits;
};

constexpr std::array<Row, kKinds> kRows = {{{"u8", 8},
                                            {"s8", 8},
                                            {"u16", 16},
                                            {"s16", 16},
                                            {"u32", 32},
                                            {"s32", 32},
                                            {"u64", 64},
                                            {"s64", 64},
                                            {"f32", 32},
                                            {"f64", 64},
                                            {"f16", 16},
                                            {"bf16", 16},
                                            {"f16x2", 32},
                                            {"bf16x2", 32},
                                            {"bool", 1}}};

// Floating point values of moderate size, so that not all sums and products over- or underflow.
std::uint64_t tame(Random& random, std::uint32_t width) {
  const auto sign = random.next() << (width - 1);
  switch (width) {
    case 64:
      return sign | (std::uint64_t{1011} + random.below(24)) << 52 | random.next() >> 12;
    case 32:
      return (sign | (115 + random.below(24)) << 23 | random.below(1U << 23)) & 0xffffffffU;
    default:
      return (sign | (10 + random.below(10)) << 10 | random.below(1U << 10)) & 0xffffU;
  }
}

std::uint64_t special(Random& random, std::uint32_t width) {
  static const std::vector<std::uint64_t> k64 = {
      0x7ff0000000000000U, 0xfff0000000000000U, 0x7ff8000000000001U, 0xfff4000000000000U,
      0x0000000000000001U, 0x800fffffffffffffU, 0x3ff0000000000000U, 0xbff0000000000001U,
      0x7fefffffffffffffU, 0x41dfffffffc00000U, 0xc1e0000000000000U, 0x43e0000000000000U,
      0x0010000000000000U, 0x8000000000000000U, 0x7fffffffffffffffU, 0x47efffffe0000000U};
  static const std::vector<std::uint64_t> k32 = {
      0x7f800000U, 0xff800000U, 0x7fc00000U, 0xffa00001U, 0x00000001U, 0x807fffffU, 0x3f800000U,
      0xbf800001U, 0x7f7fffffU, 0x4f000000U, 0xcf000000U, 0x5f000000U, 0x00800000U, 0x80000000U,
      0x7fffffffU, 0x7c00fc00U, 0x7e01fe00U, 0x3c000001U, 0x7f80ff80U, 0x3f803f81U};
  static const std::vector<std::uint64_t> k16 = {0x7c00, 0xfc00, 0x7e00, 0xfd01, 0x0001, 0x83ff,
                                                 0x3c00, 0xbc01, 0x7bff, 0x7f80, 0xff80, 0x7fc1,
                                                 0x0080, 0x8000, 0x7fff, 0x3f80};
  static const std::vector<std::uint64_t> k8 = {0x7f, 0x80, 0xff};
  switch (width) {
    case 64:
      return random.pick(k64);
    case 32:
      return random.pick(k32);
    case 16:
      return random.pick(k16);
    default:
      return random.pick(k8);
  }
}

}  // namespace

std::string_view name(Kind kind) { return kRows[static_cast<std::size_t>(kind)].name; }

std::uint32_t bits(Kind kind) { return kRows[static_cast<std::size_t>(kind)].bits; }

bool is_integer(Kind kind) { return kind <= Kind::kS64; }

bool is_signed(Kind kind) {
  return kind == Kind::kS8 || kind == Kind::kS16 || kind == Kind::kS32 || kind == Kind::kS64;
}

std::uint64_t edge_bits(Random& random, std::uint32_t width) {
  const auto ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  switch (random.below(6)) {
    case 0:
      return special(random, width);
    case 1:
      return (std::uint64_t{random.below(19)} - 6) & ones;
    case 2:
      return width >= 16 ? tame(random, width) : random.next() & ones;
    case 3:
      return width >= 16 ? tame(random, width) : random.next() & ones;
    case 4:
      return std::rotl(std::uint64_t{1}, static_cast<int>(random.below(width))) & ones;
    default:
      return random.next() & ones;
  }
}

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
