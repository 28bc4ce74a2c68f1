// SPDX-License-Identifier: Apache-2.0
// Audits instructions.def: every row, each of its types and each of its modifiers must be in a case
// or a matrix product (tests/evidence/cuda/mma_cases.h) that was measured on the H200, or in
// kExemptions.
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

namespace warpgrade::ptx_test::coverage_test {

// A part of a row of instructions.def that no case covers, with the reason and with the test that
// covers it instead.
struct Exemption {
  std::string_view form;  ///< For example "trap", "add .f32", "ld .ca".
  std::string_view reason;
  std::string_view file;  ///< Below the root. The file must contain `test`.
  std::string_view test;
};

constexpr std::string_view kRank = "an edge value is not an address of shared memory";
constexpr std::string_view kRankFile = "tests/ptx/behaviours/cluster_rank.ptx";

constexpr std::string_view kCluster = "needs addresses of shared memory, or a barrier of its own";
constexpr std::string_view kClusterFile = "tests/sim/exec/uncommon/cooperative_test.cpp";
constexpr std::string_view kBarrierFile = "tests/sim/cluster_test.cpp";

constexpr std::string_view kCorpusFile = "tests/evidence/nvcc/right/cluster.cu";

constexpr std::string_view kBulk = "moves bytes that several threads see";
constexpr std::string_view kBulkFile = "tests/sim/exec/uncommon/async_test.cpp";

constexpr std::string_view kTiles = "moves elements between lanes, which cases do not show";
constexpr std::string_view kTilesFile = "tests/ptx/behaviours/matrix_tiles.ptx";

constexpr Exemption kExemptions[] = {
    {"brkpt", "ends the kernel and leaves no result to compare", "tests/sim/exec/control_test.cpp",
     "TEST(Breakpoint, IsTheKernelsOwnFaultWhereItIsReached)"},
    {"trap", "ends the kernel and leaves no result to compare", "tests/sim/exec/control_test.cpp",
     "TEST(Trap, EndsTheKernelAndNamesTheThread)"},
    {"getctarank", kRank, kRankFile, "getctarank.shared::cluster"},
    {"getctarank .shared::cluster", kRank, kRankFile, "getctarank.shared::cluster"},
    {"getctarank .u32", kRank, kRankFile, "getctarank.shared::cluster.u32"},
    {"getctarank .u64", kRank, kRankFile, "getctarank.shared::cluster.u64"},
    {"mapa", kCluster, kClusterFile, "mapa.shared::cluster.u32"},
    {"mapa .shared::cluster", kCluster, kClusterFile, "mapa.shared::cluster.u32"},
    {"mapa .u32", kCluster, kClusterFile, "mapa.shared::cluster.u32"},
    {"mapa .u64", kCluster, kClusterFile, "mapa.u64"},
    {"ld .shared::cluster", kCluster, kClusterFile, "ld.shared::cluster.u64"},
    {"st .shared::cluster", kCluster, kClusterFile, "st.shared::cluster.u64"},
    {"atom .shared::cluster", kCluster, kClusterFile, "atom.shared::cluster.add.u64"},
    {"red .shared::cluster", kCluster, kClusterFile, "red.shared::cluster.add.u64"},
    {"cvta .shared::cluster", kCluster, kClusterFile, "cvta.shared::cluster.u64"},
    {"isspacep .shared::cluster", kCluster, kClusterFile, "isspacep.shared::cluster"},
    {"mbarrier .shared::cluster", kCluster, kCorpusFile,
     "mbarrier.arrive.release.cluster.shared::cluster.b64"},
    {"st .async", kCluster, kCorpusFile, "st.async.shared::cluster"},
    {"st .mbarrier::complete_tx::bytes", kCluster, kCorpusFile, "mbarrier::complete_tx::bytes"},
    {"red .async", kCluster, kCorpusFile, "red.async.relaxed.cluster.shared::cluster"},
    {"red .mbarrier::complete_tx::bytes", kCluster, kCorpusFile, "mbarrier::complete_tx::bytes"},
    {"barrier .cluster", kCluster, kBarrierFile, "barrier.cluster.arrive"},
    {"barrier .wait", kCluster, kBarrierFile, "barrier.cluster.wait"},
    {"barrier .acquire", kCluster, kBarrierFile, "barrier.cluster.wait.acquire"},
    {"barrier .release", kCluster, kBarrierFile, "barrier.cluster.arrive.release"},
    {"barrier .relaxed", kCluster, kBarrierFile, "barrier.cluster.arrive.relaxed"},
    {"cp .bulk", kBulk, kBulkFile,
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"},
    {"cp .bulk_group", kBulk, kBulkFile, "cp.async.bulk.global.shared::cta.bulk_group"},
    {"cp .mbarrier::complete_tx::bytes", kBulk, kBulkFile,
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"},
    {"cp .shared::cluster", kBulk, kBulkFile,
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"},
    {"cp .read", kBulk, kBulkFile, "cp.async.bulk.wait_group.read"},
    {"cp .reduce", kBulk, kBulkFile, "cp.reduce.async.bulk.global.shared::cta.bulk_group."},
    {"cp .prefetch", kBulk, kBulkFile, "cp.async.bulk.prefetch.L2.global"},
    {"cp .L2", kBulk, kBulkFile, "cp.async.bulk.prefetch.L2.global"},
    {"cp .multicast::cluster", kBulk, kBulkFile, "multicast::cluster"},
    {"mbarrier .expect_tx", kBulk, kBulkFile, "mbarrier.expect_tx"},
    {"mbarrier .complete_tx", kBulk, kBulkFile, "mbarrier.complete_tx"},
    {"cp .add", kBulk, kBulkFile, "add.u64"},
    {"cp .min", kBulk, kBulkFile, "min.s64"},
    {"cp .max", kBulk, kBulkFile, "max.u32"},
    {"cp .inc", kBulk, kBulkFile, "inc.u32"},
    {"cp .dec", kBulk, kBulkFile, "dec.u32"},
    {"cp .and", kBulk, kBulkFile, "and.b64"},
    {"cp .or", kBulk, kBulkFile, "or.b32"},
    {"cp .xor", kBulk, kBulkFile, "xor.b64"},
    {"cp .noftz", kBulk, kBulkFile, "add.noftz.f16"},
    {"cp .u32", kBulk, kBulkFile, "max.u32"},
    {"cp .s32", kBulk, kBulkFile, "add.s32"},
    {"cp .u64", kBulk, kBulkFile, "add.u64"},
    {"cp .s64", kBulk, kBulkFile, "min.s64"},
    {"cp .b32", kBulk, kBulkFile, "or.b32"},
    {"cp .f32", kBulk, kBulkFile, "add.f32"},
    {"cp .f64", kBulk, kBulkFile, "add.f64"},
    {"cp .f16", kBulk, kBulkFile, "add.noftz.f16"},
    {"cp .bf16", kBulk, kBulkFile, "max.bf16"},
    {"cp .f16x2", kBulk, kBulkFile, "add.noftz.f16x2"},
    {"cp .bf16x2", kBulk, kBulkFile, "add.noftz.bf16x2"},
    {"ldmatrix", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"ldmatrix .b16", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"ldmatrix .aligned", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"ldmatrix .m8n8", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"ldmatrix .sync", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"ldmatrix .trans", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"ldmatrix .x1", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16"},
    {"ldmatrix .x2", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x2.shared.b16"},
    {"ldmatrix .x4", kTiles, kTilesFile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"},
    {"stmatrix", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"stmatrix .b16", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"stmatrix .aligned", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"stmatrix .m8n8", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"stmatrix .sync", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"stmatrix .trans", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"stmatrix .x1", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x1.shared.b16"},
    {"stmatrix .x2", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x2.shared.b16"},
    {"stmatrix .x4", kTiles, kTilesFile, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"},
    {"movmatrix", kTiles, kTilesFile, "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"movmatrix .b16", kTiles, kTilesFile, "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"movmatrix .aligned", kTiles, kTilesFile, "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"movmatrix .m8n8", kTiles, kTilesFile, "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"movmatrix .sync", kTiles, kTilesFile, "movmatrix.sync.aligned.m8n8.trans.b16"},
    {"movmatrix .trans", kTiles, kTilesFile, "movmatrix.sync.aligned.m8n8.trans.b16"},
};

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
        << "kExemptions which test covers it.";
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
