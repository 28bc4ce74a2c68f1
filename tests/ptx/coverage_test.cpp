// SPDX-License-Identifier: Apache-2.0
// Audits instructions.def: every row, each of its types and each of its modifiers must be in a case
// or a matrix product (tests/evidence/cuda/mma_cases.h) that was measured on the H200, or in
// exemptions.h.
//
// A case covers its own text and the functions that it calls. The surrounding loads and stores,
// which all cases share, do not count. Some required forms are not columns of the table: ld and st
// of each type in each space and as vectors, and cvt between every two types.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "tests/evidence/cuda/mma_kernels.h"
#include "tests/ptx/case.h"
#include "tests/ptx/exemptions.h"

namespace warpgrade::ptx_test::coverage_test {

using ptx::Opcode;
using ptx::Type;
using Forms = std::set<std::string>;

constexpr std::string_view kModifierTexts[] = {
#define MODIFIER(id, text) text,
#include "common/ptx/modifiers.def"
#undef MODIFIER
};

constexpr std::string_view kTypeTexts[] = {
    "",        ".pred", ".b8",  ".b16",   ".b32",   ".b64",    ".b128",   ".u8",    ".u16",
    ".u32",    ".u64",  ".s8",  ".s16",   ".s32",   ".s64",    ".f16",    ".f16x2", ".bf16",
    ".bf16x2", ".f32",  ".f64", ".u16x2", ".s16x2", ".e4m3x2", ".e5m2x2", ".tf32"};

std::string_view text_of(Type type) { return kTypeTexts[static_cast<std::size_t>(type)]; }

// Adds a form that an instruction covers or that its row requires: the mnemonic alone, or with a
// type or a modifier ("add", "add .f32", "add .ftz").
void add_form(Forms& forms, std::string_view mnemonic, std::string_view part) {
  forms.insert(part.empty() ? std::string(mnemonic) : fmt::format("{} {}", mnemonic, part));
}

void add_modifiers(Forms& forms, std::string_view mnemonic, const ptx::ModifierSet& modifiers) {
  for (std::size_t m = 0; m < std::size(kModifierTexts); ++m) {
    if (modifiers.has(static_cast<ptx::Modifier>(m))) add_form(forms, mnemonic, kModifierTexts[m]);
  }
}

std::string_view space_of(const ptx::Instruction& in) {
  switch (in.space) {
    case ptx::StateSpace::kGlobal:
      return ".global";
    case ptx::StateSpace::kShared:
      return ".shared";
    case ptx::StateSpace::kLocal:
      return ".local";
    case ptx::StateSpace::kConstant:
      return ".const";
    case ptx::StateSpace::kParam:
      return ".param";
    default:
      return ".generic";
  }
}

bool accesses(Opcode opcode) { return opcode == Opcode::ld || opcode == Opcode::st; }

void add_instruction(Forms& forms, const ptx::Instruction& in) {
  const auto mnemonic = ptx::row_of(in.opcode).mnemonic;
  add_form(forms, mnemonic, "");
  add_form(forms, mnemonic, text_of(in.types[0]));
  add_modifiers(forms, mnemonic, in.modifiers);
  if (accesses(in.opcode)) {
    add_form(forms, mnemonic, fmt::format("{}{}", space_of(in), text_of(in.types[0])));
    if (in.vector > 1) {
      add_form(forms, mnemonic,
               fmt::format("{}.v{}{}", space_of(in), in.vector, text_of(in.types[0])));
    }
  }
  if (in.opcode == Opcode::cvt) {
    add_form(forms, mnemonic, fmt::format("{}{}", text_of(in.types[0]), text_of(in.types[1])));
  }
}

// Adds the mma and wmma instructions of kernels with one matrix product each.
void add_products(Forms& forms) {
  auto text = mma_cases::kHead;
  for (const auto& c : mma_cases::cases()) text += mma_cases::kernel_text(c);
  for (const auto& c : mma_cases::wmma_cases()) text += mma_cases::kernel_text(c);
  for (const auto& function : ptx::parse(text, "mma.ptx").functions) {
    for (const auto& in : function.instructions) {
      if (in.opcode == Opcode::mma || in.opcode == Opcode::wmma) add_instruction(forms, in);
    }
  }
}

Forms covered_forms() {
  Forms forms;
  add_products(forms);
  for (const auto& c : read_cases()) {
    const auto text = module_text(c);
    const auto line = text_line(text, c);
    const auto module = ptx::parse(text, "case.ptx");
    for (const auto& function : module.functions) {
      const bool is_called = c.text.find(" " + function.name + ",") != std::string::npos;
      for (const auto& in : function.instructions) {
        if (function.is_entry ? in.ptx_line == line : is_called) add_instruction(forms, in);
      }
    }
  }
  return forms;
}

// Adds the forms that ld and st of each type must have beyond the columns of their rows.
void add_accesses(Forms& forms, std::string_view mnemonic, Type type) {
  for (const auto* space : {".generic", ".global", ".shared", ".local"}) {
    add_form(forms, mnemonic, fmt::format("{}{}", space, text_of(type)));
    for (const auto count : {2U, 4U}) {
      if (count * ptx::size_of(type) > 16) continue;
      add_form(forms, mnemonic, fmt::format("{}.v{}{}", space, count, text_of(type)));
    }
  }
  if (mnemonic == "ld") add_form(forms, mnemonic, fmt::format(".const{}", text_of(type)));
}

constexpr Type kNumbers[] = {Type::kU8,  Type::kU16,  Type::kU32, Type::kU64,
                             Type::kS8,  Type::kS16,  Type::kS32, Type::kS64,
                             Type::kF16, Type::kBf16, Type::kF32, Type::kF64};

void add_conversions(Forms& forms) {
  for (const auto to : kNumbers) {
    for (const auto from : kNumbers) {
      add_form(forms, "cvt", fmt::format("{}{}", text_of(to), text_of(from)));
    }
  }
}

Forms demanded_forms() {
  Forms forms;
  for (const auto& row : ptx::instruction_table()) {
    if (!row.unsupported.empty()) continue;
    add_form(forms, row.mnemonic, "");
    add_modifiers(forms, row.mnemonic, row.modifiers);
    for (std::size_t t = 0; t < std::size(kTypeTexts); ++t) {
      const auto type = static_cast<Type>(t);
      if ((row.types & ptx::bit_of(type)) == 0) continue;
      add_form(forms, row.mnemonic, text_of(type));
      if (accesses(row.opcode)) add_accesses(forms, row.mnemonic, type);
    }
  }
  add_conversions(forms);
  return forms;
}

const Forms& covered() {
  static const auto forms = covered_forms();
  return forms;
}

TEST(Coverage, EveryFormOfTheTableHasACaseOrAnExemption) {
  Forms exempt;
  for (const auto& exemption : kExemptions) exempt.emplace(exemption.form);
  for (const auto& form : demanded_forms()) {
    EXPECT_TRUE(covered().contains(form) || exempt.contains(form))
        << "'" << form << "' is in common/ptx/instructions.def, but in no case. Add one to "
        << "tests/ptx/cases and measure it (tests/evidence/golden/README.md), or say in "
        << "tests/ptx/exemptions.h which test covers it.";
  }
}

TEST(Coverage, NoExemptionIsStale) {
  const auto demanded = demanded_forms();
  for (const auto& exemption : kExemptions) {
    EXPECT_TRUE(demanded.contains(std::string(exemption.form)))
        << "'" << exemption.form << "' is in no row of the table: delete its exemption";
    EXPECT_FALSE(covered().contains(std::string(exemption.form)))
        << "'" << exemption.form << "' has a case now: delete its exemption";
    EXPECT_FALSE(exemption.reason.empty());
    const auto path = fmt::format("{}/../../{}", WARPGRADE_PTX_TESTS, exemption.file);
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(std::string::npos, text.find(exemption.test))
        << exemption.file << " has no " << exemption.test << ", which '" << exemption.form
        << "' counts on";
  }
}

}  // namespace warpgrade::ptx_test::coverage_test
