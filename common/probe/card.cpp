// SPDX-License-Identifier: Apache-2.0
#include "common/probe/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/compile/compiler.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"
#include "common/measure/comparison.h"
#include "common/memory/lines.h"
#include "common/run/launch.h"

namespace warpgrade::probe {

// The kernels that measure a card's numbers. All have the same parameters,
//
//   kernel(unsigned* out, const unsigned* in, unsigned a, unsigned b, unsigned c),
//
// where `in` contains zeros: adding a loaded value makes one load wait for another. Kernels that
// measure time themselves store clocks of their multiprocessor in out[0].

/// CUDA C++; a comment at each kernel explains a, b and c.
const char* const kProbeSource = R"(
#define PROBE(name) \
  extern "C" __global__ void name(unsigned* out, const unsigned* in, unsigned a, unsigned b, \
                                  unsigned c)

__device__ void leave(unsigned* out, long long begin, long long end, unsigned result) {
  if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = static_cast<unsigned>(end - begin);
  if (result == 0x12345) out[1] = result;
}

// a operations, each on the result of the one before.
PROBE(chain) {
  float x = __uint_as_float(b);
  const float factor = x;
  const long long begin = clock64();
#pragma unroll 16
  for (unsigned i = 0; i < a; ++i) x = fmaf(x, factor, factor);
  const long long end = clock64();
  leave(out, begin, end, __float_as_uint(x));
}

// a operations of each thread, a multiple of 64, four chains of them at a time.
PROBE(issue) {
  const float factor = __uint_as_float(b);
  float x[4] = {factor, factor + 1, factor + 2, factor + 3};
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < a; i += 64) {
#pragma unroll
    for (int k = 0; k < 64; ++k) x[k % 4] += factor;
  }
  __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, __float_as_uint(x[0] + x[1] + x[2] + x[3]));
}

// Clocks in out[0], nanoseconds in out[1]: of a operations in a chain.
PROBE(clock_rate) {
  float x = __uint_as_float(b);
  const float factor = x;
  unsigned long long from, to;
  const long long begin = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
#pragma unroll 16
  for (unsigned i = 0; i < a; ++i) x = fmaf(x, factor, factor);
  if (__float_as_uint(x) == 0x12345) out[2] = 1;
  const long long end = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
  out[0] = static_cast<unsigned>(end - begin);
  out[1] = static_cast<unsigned>(to - from);
}

// a loads of a word of shared memory that holds its own address.
PROBE(shared_chain) {
  __shared__ unsigned word;
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&word));
  word = own;
  __syncthreads();
  unsigned at = own;
  const long long begin = clock64();
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  const long long end = clock64();
  leave(out, begin, end, at);
}

// a barriers.
PROBE(barriers) {
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i) __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, 0);
}

// c words of `in` are loaded into L2; then one thread loads a of b + 1 words, each in another line.
PROBE(load_chain) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < c; i += blockDim.x) sum += __ldcg(in + i);
  __syncthreads();
  if (threadIdx.x != 0) return;
  const unsigned mask = b;
  unsigned at = sum;
  const long long begin = clock64();
  for (unsigned i = 0; i < a; ++i) at += 37u * 2081u * 32u + __ldcg(in + (at & mask));
  const long long end = clock64();
  leave(out, begin, end, at);
}

// Each warp copies a lines of its own within b + 1 words, one after the other.
PROBE(warp_copies) {
  const unsigned step = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < a; ++i) {
    const unsigned loaded = __ldcg(in + (at & b));
    out[at & b] = loaded;
    at += step + loaded;
  }
}

// The first word of a lane. Each line holds c lanes, and a warp's lines are neighbours.
__device__ unsigned first_word(unsigned c) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  return warp * 977u * 32u * 32u + lane / c * 32u + lane % c;
}
constexpr unsigned kStep = 32u * 1024u + 32u;  // Words from one request of a warp to the next.

// a requests of a warp to b + 1 words in L2, with c lanes on a line.
PROBE(lines_load) {
  unsigned at = first_word(c), sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += kStep) sum += __ldcg(in + (at & b));
  if (sum == 0x12345) out[0] = sum;
}

PROBE(lines_store) {
  unsigned at = first_word(c);
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += kStep) out[at & b] = i;
}

PROBE(lines_reduce) {
  unsigned at = first_word(c);
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += kStep) atomicAdd(out + (at & b), threadIdx.x % 32);
}

// a pieces of 16 bytes of each thread within b + 1 of them.
PROBE(stream_load) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += threads) {
    const uint4 v = __ldcg(reinterpret_cast<const uint4*>(in) + (at & b));
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 0x12345) out[0] = sum;
}

PROBE(stream_store) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (unsigned i = 0; i < a; ++i, at += threads) {
    reinterpret_cast<uint4*>(out)[at & b] = make_uint4(i, i, i, i);
  }
}

// One word in every b, of a words.
PROBE(gaps) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned sum = 0;
#pragma unroll 4
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < a / b; i += threads) {
    sum += __ldcg(in + static_cast<unsigned long long>(i) * b);
  }
  if (sum == 0x12345) out[0] = sum;
}

// a words are loaded twice; the clocks are those of the second time.
PROBE(l1_twice) {
  unsigned sum = 0;
  long long begin = 0;
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    begin = clock64();
    for (unsigned i = threadIdx.x; i < a; i += blockDim.x) {
      unsigned v;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(in + i + sum));
      sum += v;
    }
    __syncthreads();
  }
  const long long end = clock64();
  leave(out, begin, end, sum);
}

// a requests of each warp, which hit L1: the lanes are on b lines, each at another bank of data.
// The lines lie side by side, or where c is not 0, they are 0, 1, 4, 5, 16, 17, 20 and 21.
PROBE(l1_lines) {
  const unsigned k = threadIdx.x % b;
  const unsigned line = c == 0 ? k : (k & 1) | (k & 2) << 1 | (k & 4) << 2;
  const unsigned* at = in + line * 32u + k % 32u;
  unsigned sum = 0;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(sum) : "l"(at));
  at += sum;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < a; ++i) {
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(sum) : "l"(at));
    at += sum;
  }
  __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, sum);
}

// a loads of shared memory, the lanes b words apart.
PROBE(shared_strides) {
  __shared__ unsigned words[2048];
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = 0;
  unsigned at = static_cast<unsigned>(
      __cvta_generic_to_shared(words + threadIdx.x % 32 * b % 2048));
  unsigned sum = 0;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < a; ++i) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(sum) : "r"(at));
    at += sum;
  }
  __syncthreads();
  const long long end = clock64();
  leave(out, begin, end, sum);
}

PROBE(nothing) {}
)";

/// The compiled kernels for `architecture`, cached for the life of the program. Throws
/// base::ToolError if they do not compile, which means a broken compiler.
static const compile::Program& probe_program(const std::string& architecture) {
  return compile::own_program("the probes of a card", "probes.cu", kProbeSource, architecture);
}

namespace {

constexpr std::uint32_t kSamples = 7;

run::Launch launch_of(const Probe& probe) {
  run::Launch out;
  out.kernel = probe.kernel;
  out.grid.x = probe.blocks;
  out.block.x = probe.threads;
  out.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
  for (const auto number : probe.numbers) out.arguments.emplace_back(run::value_argument(number));
  return out;
}

std::vector<run::Buffer> buffers_of(const Probe& probe) {
  std::vector<run::Buffer> out(2);
  out[0].name = "out";
  out[0].bytes.resize(probe.out_bytes);
  out[1] = {.name = "in", .bytes = {}, .read_only = true};
  out[1].bytes.resize(probe.in_bytes);
  return out;
}

void expect_nothing_found(const Probe& probe, const run::Result& result) {
  if (result.diagnostics.empty()) return;
  throw base::ToolError("probe " + probe.kernel + ": " + base::text(result.diagnostics.front()));
}

}  // namespace

GpuCard::GpuCard(gpu::GpuRunner& runner) : runner_(runner) {
  runner_.load(probe_program(runner.architecture()));
}

std::array<std::uint32_t, 2> GpuCard::words(const Probe& probe) {
  auto buffers = buffers_of(probe);
  expect_nothing_found(probe, runner_.launch(launch_of(probe), buffers, {}));
  std::array<std::uint32_t, 2> out{};
  std::memcpy(out.data(), buffers[0].bytes.data(), sizeof(out));
  return out;
}

double GpuCard::seconds_of_many(const Probe& probe, std::uint32_t launches) {
  run::Sequence sequence;
  sequence.launches.assign(launches, launch_of(probe));
  auto buffers = buffers_of(probe);
  run::Result result;
  auto times = runner_.time(sequence, buffers, kSamples, result);
  expect_nothing_found(probe, result);
  if (times.seconds.empty()) throw base::ToolError("probe " + probe.kernel + " was not timed");
  return measure::median(times.seconds);
}

double GpuCard::copy_seconds(std::uint64_t bytes) {
  return runner_.memcpy_seconds(bytes, kSamples);
}

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint32_t kHalf = 0x3f000000;  // 0.5f: chains of it stay finite
constexpr std::uint32_t kBlockThreads = 1024;
constexpr std::uint32_t kBlockWarps = kBlockThreads / 32;
constexpr double kLineBytes = 128;
using memory::kSectorBytes;
constexpr double kNano = 1e-9;
constexpr const char* kIssue = "warp_instructions_per_clock_per_sm";

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

  begin(kIssue);
  const double issue =
      1 / clocks_each({"issue", 1, kBlockThreads, {kChain, kHalf, 0}}, kChain * kBlockWarps);
  add(kIssue, fmt::format("{:g}", std::round(issue * 4) / 4), "measured: additions of 32 warps");

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
    // The probe adds floats. If their pipe is narrower than the issue slots, it measures the pipe.
    const bool is_pipe = like.sm.pipes.fp32_lanes && key == kIssue;
    if (is_pipe) {
      out += fmt::format("fp32_lanes_per_sm = {:g}  # {}\n", 32 * std::stod(value), how);
    } else {
      out += fmt::format("{} = {}  # {}\n", key, value, how);
    }
  }
  if (!is_same_generation) {
    out += fmt::format("speed_error = {:g}  # nothing of this generation was compared\n",
                       device::kLargestSpeedError);
  }
  return out;
}

}  // namespace warpgrade::probe
