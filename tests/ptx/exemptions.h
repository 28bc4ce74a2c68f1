// SPDX-License-Identifier: Apache-2.0
// Parts of rows of instructions.def that no case covers, each with the reason and with the test
// that covers it instead.
#pragma once

#include <string_view>

namespace warpgrade::ptx_test {

struct Exemption {
  std::string_view form;  ///< In the form of coverage_test.cpp: "trap", "add .f32", "ld .ca".
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

}  // namespace warpgrade::ptx_test
