// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of mma_kernels.h and mma_probes.h on a GPU:
//
//     mma ptx                     the PTX of all of them, for ptxas -arch=sm_90
//     mma numbers FILE.cubin OUT  digests of their results into OUT, raw words of the first
//                                 tiles into OUT.bin
//     mma counters FILE.cubin     launches each probe, and one tile of each case, once, for ncu
//     mma times FILE.cubin        clocks of an mma, in a chain and with a scheduler full of warps
//
// nvcc -std=c++20 -I ROOT -Xcompiler -fopenmp mma.cu -lcuda
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/evidence/cuda/mma_probes.h"

namespace {

using namespace mma_cases;

void check(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "mma.cu:%d: %s: %s\n", line, call, name);
  std::exit(1);
}
#define CHECK(call) check(call, #call, __LINE__)

constexpr std::size_t kBytes = std::size_t{1} << 30;
constexpr int kChain = 1024;  // dependent instructions
CUdeviceptr in_words;
CUdeviceptr out_words;

void launch(CUmodule module, const std::string& name, unsigned blocks, unsigned threads) {
  CUfunction function;
  CHECK(cuModuleGetFunction(&function, module, name.c_str()));
  void* arguments[] = {&in_words, &out_words};
  CHECK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuCtxSynchronize());
}

/// A chain of kChain dependent products between two clock readings.
std::string chain_text(const Case& c) {
  const bool wide = c.source == Format::kF64;
  const int unit = wide ? 2 : 1;
  const std::string p = wide ? "%v" : "%w";
  const int sources = (c.a + c.b) / unit;
  auto text = opening("chain_" + c.name, wide, sources + c.d / unit);
  for (int i = 0; i < sources + c.d / unit; ++i) {
    text += std::string("  ld.global") + (wide ? ".b64 " : ".b32 ") + p + std::to_string(i) +
            ", [%rd0+" + std::to_string(4 * unit * i) + "];\n";
  }
  text += "  .reg .pred %p;\n  mov.u32 %r2, 0;\n  bar.sync 0;\n  mov.u64 %rd4, %clock64;\nLOOP:\n";
  const auto d = list(p, sources, c.d / unit);
  for (int i = 0; i < 8; ++i) {
    text += "  mma.sync.aligned." + c.text + " " + d + ", " + list(p, 0, c.a / unit) + ", " +
            list(p, c.a / unit, c.b / unit) + ", " + d + ";\n";
  }
  text += "  add.u32 %r2, %r2, 8;\n  setp.lt.u32 %p, %r2, " + std::to_string(kChain) +
          ";\n  @%p bra LOOP;\n  mul.wide.u32 %rd2, %r0, 64;\n  add.u64 %rd2, %rd1, %rd2;\n";
  for (int i = 0; i < c.d / unit; ++i) {
    text += std::string("  st.global") + (wide ? ".b64" : ".b32") + " [%rd2+65536], " + p +
            std::to_string(sources + i) + ";\n";
  }
  return text +
         "  mov.u64 %rd5, %clock64;\n  sub.u64 %rd6, %rd5, %rd4;\n"
         "  st.global.u64 [%rd2], %rd6;\n  ret;\n}\n";
}

void print_ptx() {
  auto text = kHead;
  for (const auto& c : cases()) text += kernel_text(c) + chain_text(c);
  for (const auto& c : wmma_cases()) text += kernel_text(c);
  for (const auto& p : probes()) text += p.text;
  std::fputs(text.c_str(), stdout);
}

template <typename AnyCase>
void measure(CUmodule module, const std::vector<AnyCase>& all, unsigned tiles, std::FILE* text,
             std::FILE* raw) {
  std::uint32_t id = 0;
  for (const auto& c : all) {
    const std::size_t n = input_words(c);
    const std::size_t o = output_words(c);
    std::vector<std::uint32_t> in(tiles * n);
    std::vector<std::uint32_t> out(tiles * o);
#pragma omp parallel for
    for (unsigned t = 0; t < tiles; ++t) {
      for (unsigned i = 0; i < n; ++i) in[t * n + i] = input_word(c, id, t, i);
    }
    CHECK(cuMemcpyHtoD(in_words, in.data(), 4 * in.size()));
    launch(module, c.name, tiles, 32);
    CHECK(cuMemcpyDtoH(out.data(), out_words, 4 * out.size()));
    std::fwrite(out.data(), 4, 4 * kKinds * o, raw);
    std::size_t first = 0;
    for (std::size_t end = 4 * kKinds; end <= tiles; first = end, end *= 4) {
      std::fprintf(text, "%s %zu %zu %016llx\n", c.name.c_str(), first, end,
                   static_cast<unsigned long long>(digest(&out[first * o], (end - first) * o)));
    }
    ++id;
  }
}

void print_times(CUmodule module) {
  for (const auto& c : cases()) {
    std::printf("%s:", c.name.c_str());
    for (const unsigned threads : {32U, 512U}) {
      std::vector<unsigned long long> clocks(8 * threads);
      for (int i = 0; i < 2; ++i) launch(module, "chain_" + c.name, 1, threads);
      CHECK(cuMemcpyDtoH(clocks.data(), out_words, 64 * threads));
      unsigned long long most = 0;
      for (unsigned i = 0; i < threads; ++i) most = std::max(most, clocks[8 * i]);
      // Each of the four schedulers has threads / 128 warps.
      std::printf(" %s %.2f", threads == 32 ? "latency" : "interval",
                  static_cast<double>(most) / kChain / std::max(1U, threads / 128));
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "ptx") {
    print_ptx();
    return 0;
  }
  if (argc < 3) return 2;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<char> image((std::istreambuf_iterator<char>(file)), {});
  CHECK(cuModuleLoadData(&module, image.data()));
  CHECK(cuMemAlloc(&in_words, kBytes));
  CHECK(cuMemAlloc(&out_words, kBytes));
  CHECK(cuMemsetD8(in_words, 0, 1 << 24));
  if (mode == "numbers" && argc > 3) {
    const std::string out = argv[3];
    std::FILE* text = std::fopen(out.c_str(), "w");
    std::FILE* raw = std::fopen((out + ".bin").c_str(), "wb");
    measure(module, cases(), 4 * kKinds * 1024, text, raw);
    measure(module, wmma_cases(), 4 * kKinds * 64, text, raw);
    std::fclose(text);
    std::fclose(raw);
  }
  if (mode == "counters") {
    for (const auto& c : cases()) launch(module, c.name, 1, 32);
    for (const auto& c : wmma_cases()) launch(module, c.name, 1, 32);
    for (const auto& p : probes()) launch(module, p.name, 1, 32);
  }
  if (mode == "times") print_times(module);
  return 0;
}
