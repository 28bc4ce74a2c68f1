// SPDX-License-Identifier: Apache-2.0
#include "common/probe/card_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/base/error.h"

namespace warpgrade::probe {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint32_t kHalf = 0x3f000000;  // 0.5f: chains of it stay finite
constexpr std::uint32_t kBlockThreads = 1024;
constexpr std::uint32_t kBlockWarps = kBlockThreads / 32;
constexpr double kLineBytes = 128;
constexpr double kSectorBytes = 32;
constexpr double kNano = 1e-9;

class Finder {
 public:
  Finder(Card& card, const Progress& progress) : card_(card), info_(card.info()), tell_(progress) {}

  std::vector<Number> all() {
    take_driver_numbers();
    take_multiprocessor();
    take_l1();
    take_launches();  // the overhead is needed below
    take_l2();
    take_dram();
    return std::move(numbers_);
  }

 private:
  void add(std::string key, std::string value, std::string how) {
    numbers_.push_back({std::move(key), std::move(value), std::move(how)});
  }
  template <typename Count>
  void add_known(const std::string& key, Count value) {
    if (value != 0) add(key, fmt::format("{}", value), "driver");
  }
  void begin(const std::string& key) const { tell_(key); }

  // Clocks per operation of `count`.
  double clocks_each(const Probe& probe, double count) { return card_.words(probe)[0] / count; }
  double busy_seconds(const Probe& probe) {
    const double seconds = card_.seconds(probe) - overhead_;
    if (seconds > 0) return seconds;
    throw base::ToolError("probe " + probe.kernel + " took no time: something else ran meanwhile");
  }

  void take_driver_numbers();
  void take_multiprocessor();
  void take_l1();
  void take_launches();
  void take_l2();
  void take_dram();

  std::uint64_t l1_most_bytes();

  // A power-of-two buffer size that fits in L2, and one that does not.
  std::uint64_t l2_part() const {
    return std::bit_floor(std::clamp(info_.l2_bytes / 3, kMiB / 2, 16 * kMiB));
  }
  std::uint64_t large() const {
    const auto memory = info_.free_bytes != 0 ? info_.free_bytes : info_.memory_bytes;
    return std::bit_floor(std::clamp(memory / 4, 64 * kMiB, 1024 * kMiB));
  }

  Card& card_;
  const gpu::DeviceInfo& info_;
  const Progress& tell_;
  double clock_hz_ = 0;
  double overhead_ = 0;  // seconds per launch
  std::vector<Number> numbers_;
};

std::uint32_t mask_of(std::uint64_t elements) { return static_cast<std::uint32_t>(elements - 1); }

void Finder::take_driver_numbers() {
  add("product", fmt::format("\"{}\"", info_.name), "driver");
  add("compute", fmt::format("\"{}.{}\"", info_.compute_major, info_.compute_minor), "driver");
  add_known("sm_count", info_.sm_count);
  add_known("max_threads_per_block", info_.max_threads_per_block);
  add_known("max_warps_per_sm", info_.max_threads_per_sm / 32);
  add_known("max_blocks_per_sm", info_.max_blocks_per_sm);
  add_known("registers_per_sm", info_.registers_per_sm);
  add_known("shared_bytes_per_sm", info_.shared_bytes_per_sm);
  add("shared_reserved_per_block", fmt::format("{}", info_.shared_reserved_per_block), "driver");
  add_known("max_shared_bytes_per_block", info_.max_shared_bytes_per_block);
  add_known("l2_bytes", info_.l2_bytes);
}

void Finder::take_multiprocessor() {
  begin("sm_clock");
  const auto [clocks, nanoseconds] = card_.words({"clock_rate", 1, 32, {5'000'000, kHalf, 0}});
  if (nanoseconds == 0) throw base::ToolError("the device's timer stands still");
  clock_hz_ = clocks / (nanoseconds * kNano);
  add("sm_clock", fmt::format("\"{:.0f} MHz\"", clock_hz_ / 1e6), "measured over a long chain");

  begin("alu_latency_clocks");
  constexpr std::uint32_t kChain = 8192;
  add("alu_latency_clocks",
      fmt::format("{:.0f}", clocks_each({"chain", 1, 32, {kChain, kHalf, 0}}, kChain)),
      "measured: multiply-adds in a chain");

  begin("warp_instructions_per_clock_per_sm");
  const double issue =
      1 / clocks_each({"issue", 1, kBlockThreads, {kChain, kHalf, 0}}, kChain * kBlockWarps);
  add("warp_instructions_per_clock_per_sm", fmt::format("{:g}", std::round(issue * 4) / 4),
      "measured: additions of 32 warps");

  begin("shared_latency");
  add("shared_latency",
      fmt::format("\"{:.0f} clocks\"",
                  clocks_each({"shared_chain", 1, 32, {kChain, 0, 0}}, kChain)),
      "measured: loads in a chain");

  begin("shared_banks");
  const auto of_stride = [&](std::uint32_t stride) {
    return clocks_each({"shared_strides", 1, kBlockThreads, {64, stride, 0}}, 64.0 * kBlockWarps);
  };
  const double two = of_stride(2);
  const double all = of_stride(32);
  if (std::abs(two - 2) > 0.5 || std::abs(all - 32) > 4) {
    throw base::ToolError(fmt::format(
        "loads of shared memory take {:.1f} clocks at stride 2 and {:.1f} at stride 32: that is "
        "not the rule of 32 banks of 4 bytes, and no profile has another one for this card",
        two, all));
  }
  add("shared_banks", "\"plain_32\"",
      fmt::format("measured: {:.1f} clocks at stride 2, {:.1f} at 32", two, all));

  begin("barrier_clocks");
  constexpr std::uint32_t kBarriers = 512;
  const double of_one = clocks_each({"barriers", 1, 32, {kBarriers, 0, 0}}, kBarriers);
  const double of_all = clocks_each({"barriers", 1, kBlockThreads, {kBarriers, 0, 0}}, kBarriers);
  const double of_each = std::max(0.0, (of_all - of_one) / (kBlockWarps - 1));
  add("barrier_clocks", fmt::format("{:.1f}", std::max(0.0, of_one - of_each)),
      "measured: with one warp and with 32");
  add("barrier_clocks_per_warp", fmt::format("{:.2f}", of_each), "measured likewise");
}

// The largest footprint that loads as fast the second time as smaller ones.
std::uint64_t Finder::l1_most_bytes() {
  constexpr std::uint64_t kStep = 8 << 10;
  constexpr double kStillFast = 0.7;
  const auto rate = [&](std::uint64_t bytes) {
    const auto words = static_cast<std::uint32_t>(bytes / 4);
    return static_cast<double>(bytes) /
           card_.words({"l1_twice", 1, kBlockThreads, {words, 0, 0}, bytes})[0];
  };
  double fast = rate(kStep);
  std::uint64_t bytes = kStep;
  while (bytes < kMiB) {
    const double next = rate(bytes + kStep);
    if (next < kStillFast * fast) break;
    fast = std::max(fast, next);
    bytes += kStep;
  }
  return bytes;
}

void Finder::take_l1() {
  begin("l1_most_bytes");
  add("l1_most_bytes", fmt::format("\"{} KiB\"", l1_most_bytes() >> 10),
      "measured: so much hits when it is loaded again");

  begin("tag_lookups_per_clock_per_sm");
  constexpr std::uint32_t kRequests = 256;
  const auto clocks = [&](std::uint32_t lines, std::uint32_t apart) {
    return clocks_each({"l1_lines", 1, kBlockThreads, {kRequests, lines, apart}, 4096},
                       kRequests * kBlockWarps);
  };
  const double each = clocks(32, 0);
  add("tag_lookups_per_clock_per_sm",
      fmt::format("{:g}", std::exp2(std::round(std::log2(32 / each)))),
      fmt::format("measured: 32 lines in {:.1f} clocks", each));

  begin("tag_banks");
  // Under one rule, bits 0, 2 and 4 of a line's number select the same bank bit, so these eight
  // lines are in two banks; under the other rule they are in four.
  const double eight = clocks(8, 1);
  add("tag_banks", eight > 3 ? "\"ampere\"" : "\"hopper\"",
      fmt::format("measured: lines 0, 1, 4, 5, 16, 17, 20 and 21 in {:.1f} clocks", eight));
}

void Finder::take_launches() {
  begin("launch_overhead");
  const auto small = large() / 8;
  const double of_small = card_.copy_seconds(small);
  const double of_large = card_.copy_seconds(large());
  const double slope = (of_large - of_small) / static_cast<double>(large() - small);
  overhead_ = std::clamp(of_small - slope * static_cast<double>(small), 0.0, 20e-6);
  add("launch_overhead", fmt::format("\"{:.1f} us\"", overhead_ * 1e6),
      fmt::format("measured: copies of {} and {} MiB", small / kMiB, large() / kMiB));

  begin("launch_gap");
  constexpr std::uint32_t kLaunches = 20;
  constexpr std::uint32_t kChain = 20'000;
  const auto chain = [](std::uint32_t length) { return Probe{"chain", 1, 32, {length, kHalf, 0}}; };
  const double one = card_.seconds(chain(kChain));
  const double busy = card_.seconds(chain(2 * kChain)) - one;
  const double step = (card_.seconds_of_many(chain(kChain), kLaunches) - one) / (kLaunches - 1);
  add("launch_gap", fmt::format("\"{:.0f} ns\"", std::max(0.0, step - busy) / kNano),
      fmt::format("measured: {} launches one after the other, and one", kLaunches));

  begin("blocks_per_second");
  constexpr std::uint32_t kBlocks = 1 << 20;
  add("blocks_per_second",
      fmt::format("{:.3g}", kBlocks / busy_seconds({"nothing", kBlocks, 32, {}})),
      "measured: blocks that do nothing");
}

void Finder::take_l2() {
  const auto bytes = l2_part();
  const auto words = bytes / 4;
  begin("l2_latency");
  constexpr std::uint32_t kLoads = 2048;
  const double clocks = clocks_each({"load_chain",
                                     1,
                                     kBlockThreads,
                                     {kLoads, mask_of(words), static_cast<std::uint32_t>(words)},
                                     bytes},
                                    kLoads);
  add("l2_latency", fmt::format("\"{:.0f} ns\"", clocks / clock_hz_ / kNano),
      fmt::format("measured: {:.0f} clocks, loads in a chain within {} MiB", clocks,
                  static_cast<double>(bytes) / kMiB));

  // Lines per second for requests whose warps have `lanes` lanes per line.
  const auto lines = [&](const char* kernel, std::uint32_t blocks, std::uint32_t lanes,
                         std::uint32_t requests) {
    const double seconds = busy_seconds(
        {kernel, blocks, kBlockThreads, {requests, mask_of(words), lanes}, bytes, bytes});
    return static_cast<double>(blocks) * kBlockWarps * requests * 32 / lanes / seconds;
  };
  const auto few = std::max<std::uint32_t>(1, info_.sm_count / 16);
  const auto all = std::max<std::uint32_t>(1, info_.sm_count);
  const auto port = [&](const char* kernel) {
    return lines(kernel, few, 32, 2048) * kLineBytes / few / clock_hz_;
  };
  begin("port_bytes_per_clock_per_sm");
  add("port_bytes_per_clock_per_sm", fmt::format("{:.1f}", port("lines_load")),
      fmt::format("measured: lines of L2 by {} multiprocessors", few));
  begin("port_stored_bytes_per_clock_per_sm");
  add("port_stored_bytes_per_clock_per_sm", fmt::format("{:.1f}", port("lines_store")),
      "measured likewise");
  begin("l2_load_lines_per_second");
  add("l2_load_lines_per_second", fmt::format("{:.3g}", lines("lines_load", all, 1, 512)),
      "measured: a sector of each");
  begin("l2_store_lines_per_second");
  add("l2_store_lines_per_second", fmt::format("{:.3g}", lines("lines_store", all, 1, 512)),
      "measured: a sector of each, in lines that stay in L2");
  begin("l2_atomic_sectors_per_second");
  add("l2_atomic_sectors_per_second",
      fmt::format("{:.3g}", 2 * lines("lines_reduce", all, 16, 512)),
      "measured: two sectors a line");

  const auto sectors = [&](const char* kernel) {
    constexpr std::uint32_t kPieces = 512;
    const double seconds = busy_seconds(
        {kernel, 2 * all, kBlockThreads, {kPieces, mask_of(bytes / 16), 0}, bytes, bytes});
    return 2.0 * all * kBlockThreads * kPieces * 16 / kSectorBytes / seconds;
  };
  begin("l2_sectors_per_clock");
  add("l2_sectors_per_clock", fmt::format("{:.0f}", sectors("stream_load") / clock_hz_),
      "measured: a stream of 16-byte loads");
  begin("l2_stored_sectors_per_second");
  add("l2_stored_sectors_per_second", fmt::format("{:.3g}", sectors("stream_store")),
      "measured: a stream of 16-byte stores");
}

void Finder::take_dram() {
  const auto bytes = large();
  const auto words = bytes / 4;
  begin("dram_bandwidth");
  const double copied = 2 * static_cast<double>(bytes) / card_.copy_seconds(bytes);
  constexpr double kUsual = 0.9;
  const bool is_known = info_.memory_bytes_per_second > 0;
  const double peak = is_known ? info_.memory_bytes_per_second : copied / kUsual;
  add("dram_bandwidth", fmt::format("\"{:.0f} GB/s\"", peak / 1e9),
      is_known ? "driver: clock and width of the memory" : "[est] from the copy below");
  add("dram_efficiency", fmt::format("{:.3f}", std::min(1.0, copied / peak)),
      fmt::format("measured: the driver's copy moves {:.0f} GB/s", copied / 1e9));

  begin("dram_latency");
  constexpr std::uint32_t kLoads = 2048;
  const double clocks =
      clocks_each({"load_chain", 1, 32, {kLoads, mask_of(words), 0}, bytes}, kLoads);
  add("dram_latency", fmt::format("\"{:.0f} ns\"", clocks / clock_hz_ / kNano),
      fmt::format("measured: {:.0f} clocks, loads in a chain through {} MiB", clocks,
                  bytes / kMiB));

  begin("dram_loaded_latency");
  constexpr std::uint32_t kThreads = 512;
  const auto blocks =
      std::max<std::uint32_t>(1, info_.sm_count * info_.max_threads_per_sm / kThreads);
  constexpr std::uint32_t kSteps = 256;
  const double loaded = busy_seconds({"warp_copies",
                                      blocks,
                                      kThreads,
                                      {kSteps, mask_of(words / 2), 0},
                                      bytes / 2,
                                      bytes / 2}) /
                        kSteps;
  add("dram_loaded_latency", fmt::format("\"{:.0f} ns\"", loaded / kNano),
      "measured: as many warps as there can be copy a line at a time");

  begin("l2_fetch_bytes");
  const auto gaps = [&](std::uint32_t apart) {
    return busy_seconds(
        {"gaps", info_.sm_count * 4, 512, {static_cast<std::uint32_t>(words), apart, 0}, bytes});
  };
  const double ratio = gaps(16) / gaps(8);
  add("l2_fetch_bytes", ratio > 0.75 ? "64" : "32",
      fmt::format("measured: every second sector takes {:.2f} of the time of all", ratio));
}

}  // namespace

std::vector<Number> card_numbers(Card& card, const Progress& progress) {
  return Finder(card, progress).all();
}

std::string profile_text(const gpu::DeviceInfo& info, const device::Profile& like,
                         const std::vector<Number>& numbers, const std::string& date) {
  std::string out = fmt::format(
      "# {}: what the driver says and what probes measured, {}, CUDA driver {}.{}.\n"
      "# Everything else is as on the {}.\n\nlike = \"{}\"\n",
      info.name, date, info.driver_cuda / 1000, info.driver_cuda % 1000 / 10, like.product,
      like.name);
  const bool is_same_generation =
      like.compute.major == info.compute_major && like.compute.minor == info.compute_minor;
  for (const auto& [key, value, how] : numbers) {
    out += fmt::format("{} = {}  # {}\n", key, value, how);
  }
  if (!is_same_generation) {
    out += fmt::format("speed_error = {:g}  # nothing of this generation was compared\n",
                       device::kLargestSpeedError);
  }
  return out;
}

}  // namespace warpgrade::probe
