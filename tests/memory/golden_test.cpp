// SPDX-License-Identifier: Apache-2.0
// Compares our counters with an H200's. The accesses of each kernel are written down by hand, warp
// by warp, and counted on the profile h200. Requests, sectors, shared instructions and (in small
// launches) wavefronts and conflicts must agree exactly, L2 and DRAM within the bounds that
// counters.h states.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/ptx/module.h"
#include "tests/evidence/golden/csv.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::golden_test {

constexpr std::uint64_t kIn = 0x700000000000;
constexpr std::uint64_t kOut = 0x710000000000;

using golden::Row;

std::vector<Row> golden_rows() { return golden::read_csv(WARPGRADE_GOLDEN "/counters.csv"); }

/// Calls `warp` for each row of warps of each tile: (block x, block y, row of the tile).
void each_tile_row(Counters& counters, std::uint64_t n,
                   const std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)>& warp) {
  for (std::uint64_t block = 0; block < n / 32 * (n / 32); ++block) {
    counters.on_block_begin(block);
    for (std::uint64_t row = 0; row < 32; ++row) warp(block % (n / 32), block / (n / 32), row);
    counters.on_block_end();
  }
}

/// Lanes along row y from column x of an n x n matrix of floats.
Addresses along_row(std::uint64_t base, std::uint64_t n, std::uint64_t x, std::uint64_t y) {
  return lanes([&](auto l) { return base + 4 * (y * n + x + l); });
}
/// Lanes along column x from row y.
Addresses along_column(std::uint64_t base, std::uint64_t n, std::uint64_t x, std::uint64_t y) {
  return lanes([&](auto l) { return base + 4 * ((y + l) * n + x); });
}

/// The kernels with a tile of `pitch` floats per row. They differ in the order of reads from the
/// tile and in the destination of the tile. The order of warps does not affect these counts.
void tiled(Counters& counters, std::uint64_t n, std::uint64_t pitch, bool by_columns,
           bool swap_tiles, bool diagonal) {
  each_tile_row(counters, n, [&](auto x, auto y, auto row) {
    if (diagonal) {
      const auto shifted = (x + y) % (n / 32);
      y = x;
      x = shifted;
    }
    load(counters, along_row(kIn, n, 32 * x, 32 * y + row));
    store_shared(counters, lanes([&](auto l) { return 4 * (row * pitch + l); }));
    load_shared(counters, lanes([&](auto l) {
                  return 4 * (by_columns ? l * pitch + row : row * pitch + l);
                }));
    if (swap_tiles) std::swap(x, y);
    store(counters, along_row(kOut, n, 32 * x, 32 * y + row));
  });
}

/// Calls `warp` for each warp of 64 blocks of 8 warps: (block, number of the warp's first thread).
void probe(Counters& counters, const std::function<void(std::uint64_t, std::uint64_t)>& warp) {
  for (std::uint64_t block = 0; block < 64; ++block) {
    counters.on_block_begin(block);
    for (std::uint64_t first = 0; first < 256; first += 32) warp(block, first);
    counters.on_block_end();
  }
}

/// Fills shared memory from the input, then reads it with stride s modulo its length.
void shared_probe(Counters& counters, std::uint64_t elements, std::uint64_t s,
                  std::uint32_t bytes) {
  probe(counters, [&](auto block, auto first) {
    for (std::uint64_t k = first; k < elements; k += 256) {
      load(counters, lanes([&](auto l) { return kIn + (k + l) * bytes; }), bytes);
      store_shared(counters, lanes([&](auto l) { return (k + l) * bytes; }), bytes);
    }
    load_shared(counters, lanes([&](auto l) { return (first + l) * s % elements * bytes; }), bytes);
    store(counters, lanes([&](auto l) { return kOut + (256 * block + first + l) * bytes; }), bytes);
  });
}

/// Replays `kernel`; returns false if this file does not implement it.
bool replay(Counters& counters, const std::string& kernel, std::uint64_t arg) {
  const auto copy = [&](auto from, auto to) {
    each_tile_row(counters, arg, [&](auto x, auto y, auto row) {
      load(counters, from(kIn, arg, x, y, row));
      store(counters, to(kOut, arg, x, y, row));
    });
    return true;
  };
  const auto straight = [](auto base, auto n, auto x, auto y, auto row) {
    return along_row(base, n, 32 * x, 32 * y + row);
  };
  const auto turned = [](auto base, auto n, auto x, auto y, auto row) {
    return along_column(base, n, 32 * y + row, 32 * x);
  };
  const auto strided = [&](std::uint64_t s, std::uint64_t from, std::uint64_t to,
                           std::uint32_t bytes) {
    probe(counters, [&](auto block, auto first) {
      const std::uint64_t i = 256 * block + first;
      load(counters, lanes([&](auto l) { return kIn + ((i + l) * s + from) * bytes; }), bytes);
      store(counters, lanes([&](auto l) { return kOut + (i + l + to) * bytes; }), bytes);
    });
    return true;
  };
  if (kernel == "copy_scalar") return copy(straight, straight);
  if (kernel == "transpose_naive_read") return copy(straight, turned);
  if (kernel == "transpose_naive_write") return copy(turned, straight);
  if (kernel == "copy_shared") return tiled(counters, arg, 32, false, false, false), true;
  if (kernel == "transpose_conflict") return tiled(counters, arg, 32, true, true, false), true;
  if (kernel == "transpose_padded") return tiled(counters, arg, 33, true, true, false), true;
  if (kernel == "transpose_diagonal") return tiled(counters, arg, 33, true, true, true), true;
  if (kernel == "transpose_fine") return tiled(counters, arg, 33, true, false, false), true;
  if (kernel == "transpose_coarse") return tiled(counters, arg, 33, false, true, false), true;
  if (kernel == "probe_gstride") return strided(arg, 0, 0, 4);
  if (kernel == "probe_g64") return strided(arg, 0, 0, 8);
  if (kernel == "probe_goffset") return strided(1, arg, arg, 4);
  if (kernel == "probe_sstride") return shared_probe(counters, 256 * 33, arg, 4), true;
  if (kernel == "probe_s64") return shared_probe(counters, 256 * 16, arg, 8), true;
  if (kernel == "probe_s128") return shared_probe(counters, 256 * 8, arg, 16), true;
  return false;
}

void expect_near(const Row& row, const Metrics& ours, const std::string& name, double relative) {
  const double theirs = std::stod(row.at(name));
  EXPECT_NEAR(theirs, ours.at(name), relative * theirs) << name;
}

TEST(GoldenH200, EveryTransposeCopyAndProbeCountsWhatTheCardCounted) {
  int replayed = 0;
  for (const Row& row : golden_rows()) {
    const std::string& kernel = row.at("kernel");
    const std::uint64_t arg = std::stoull(row.at("arg"));
    SCOPED_TRACE(kernel + " " + row.at("arg"));
    const ptx::Function function;
    run::LaunchContext context;
    context.function = &function;
    context.warps_per_block = 8;
    context.shared_bytes = kernel == "probe_sstride"                               ? 256 * 33 * 4
                           : kernel.starts_with("probe_s")                         ? 32768
                           : row.at("smsp__inst_executed_op_shared_ld.sum") != "0" ? 4224
                                                                                   : 0;
    Counters counters(device::find("h200"));
    counters.on_launch(context);
    if (!replay(counters, kernel, arg)) continue;
    ++replayed;
    const Metrics ours = metrics(counters, function, {});
    for (const std::string name : {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                   "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                   "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                   "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}) {
      expect_near(row, ours, name, 0);
    }
    // None of these kernels branches around a shared access, so its instructions are its requests.
    for (const std::string operation : {"ld", "st"}) {
      EXPECT_EQ(std::stod(row.at("smsp__inst_executed_op_shared_" + operation + ".sum")),
                ours.at("warpgrade__shared_requests_op_" + operation + ".sum"));
    }
    // Under load the card's counters include arbitration: up to 4 % of the shared wavefronts.
    const bool small = arg < 2048;
    const std::string loads = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    const std::string stores = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
    const double noise = small ? 0 : 0.04 * (std::stod(row.at(loads)) + std::stod(row.at(stores)));
    EXPECT_NEAR(std::stod(row.at(loads)), ours.at(loads), noise);
    EXPECT_NEAR(std::stod(row.at(stores)), ours.at(stores), noise);
    if (small) {
      expect_near(row, ours, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 0);
      expect_near(row, ours, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0);
    }
    const bool shared_probe = kernel.starts_with("probe_s");
    const bool overlapping_stores = kernel == "probe_goffset";
    if (!shared_probe) expect_near(row, ours, "lts__t_sectors_op_read.sum", 0.02);
    if (!shared_probe && !overlapping_stores) {
      expect_near(row, ours, "lts__t_sectors_op_write.sum", 0.02);
    }
    if (overlapping_stores) expect_near(row, ours, "lts__t_sectors_op_write.sum", 0.12);
    // A write-heavy launch evicts early (see counters.h).
    const bool evicts = kernel == "transpose_naive_read" && arg == 2048;
    expect_near(row, ours, "dram__bytes_read.sum", evicts ? 0.12 : shared_probe ? 0.05 : 0.01);
    EXPECT_NEAR(std::stod(row.at("dram__bytes_write.sum")), ours.at("dram__bytes_write.sum"),
                evicts ? 3e6 : 0.04 * 16777216);
  }
  EXPECT_EQ(54, replayed);  // all rows except the reductions
}

// A reduction reads its input once, coalesced, and lane 0 of each block writes one float.
TEST(GoldenH200, ReductionsReadWhatTheCardRead) {
  int replayed = 0;
  for (const Row& row : golden_rows()) {
    if (!row.at("kernel").starts_with("reduce")) continue;
    SCOPED_TRACE(row.at("kernel"));
    ++replayed;
    const std::uint64_t requests = std::stoull(row.at("arg")) / 32;
    const std::uint64_t blocks = std::stoull(row.at("grid"));  // stops at the first x
    Counters counters(device::find("h200"));
    run::LaunchContext context;
    context.warps_per_block = 16;
    context.shared_bytes = 2048;
    counters.on_launch(context);
    for (std::uint64_t block = 0; block < blocks; ++block) {
      counters.on_block_begin(block);
      for (std::uint64_t i = block; i < requests; i += blocks) {
        load(counters, lanes([&](auto l) { return kIn + 4 * (32 * i + l); }));
      }
      const Addresses result = lanes([&](auto) { return kOut + 4 * block; });
      access(counters, 1, run::Space::kGlobal, run::Operation::kStore, result, 4, 1);
      counters.on_block_end();
    }
    const Metrics ours = metrics(counters, {}, {});
    for (const std::string name :
         {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
          "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "dram__bytes_write.sum"}) {
      expect_near(row, ours, name, 0);
    }
    expect_near(row, ours, "lts__t_sectors_op_read.sum", 0.02);
    expect_near(row, ours, "dram__bytes_read.sum", 0.01);
    // The card counts up to 400 or a tenth more, and varies between equal stores (see counters.h).
    EXPECT_NEAR(std::stod(row.at("lts__t_sectors_op_write.sum")),
                ours.at("lts__t_sectors_op_write.sum"),
                400 + 0.1 * static_cast<double>(blocks) * 1.5);
  }
  EXPECT_EQ(7, replayed);
}

// The card merges requests of several SMs for one line. The model does not; counters.h gives the
// difference.
TEST(GoldenH200, L2RequestsOfManySmsForOneLineAreNotMerged) {
  Counters counters(device::find("h200"));
  run::LaunchContext context;
  context.warps_per_block = 8;
  counters.on_launch(context);
  replay(counters, "probe_s64", 1);
  const auto ours = static_cast<double>(counters.traffic().l2_read_sectors);
  EXPECT_LT(19726 * 3, ours);
  EXPECT_GT(19726 * 4, ours);
}

}  // namespace warpgrade::memory::golden_test
