// SPDX-License-Identifier: Apache-2.0
// What Nsight Compute counts for a single launch of one warp with one access pattern.
//
// These counts are the evidence for the counting rules of partial masks, wide, overlapping
// and narrow words, atomics and local memory. Every launch is one warp, so nothing else is
// in flight and the counters are exact. The pattern is a kernel parameter (constant bank),
// so that only the instructions under test access memory. These are inline PTX: the compiler
// can neither drop nor merge them. Standard output is a CSV with one row per launch, in
// order: launch, kind, bytes, pattern, mask, 32 byte offsets. merge_probes.py joins it with
// ncu's table by launch number. For the commands, see
// tests/evidence/golden/README.md.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "fill.h"

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "probes.cu:%d: %s: %s\n", line, call, cudaGetErrorName(error));
  std::exit(1);
}

struct Pattern {
  unsigned mask;
  unsigned offset[32];  // Bytes, one per lane.
};

// Keeps a loaded value alive without a memory access. Callers add the mask to values narrower than
// 32 bits: otherwise the assembler sees that the trap is unreachable and drops the load.
__device__ __forceinline__ void use(unsigned value) {
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0x9e3779b9; @p trap; }" ::"r"(value));
}

__device__ __forceinline__ void settle() { __nanosleep(2000); }

#define LOAD1(space, address)                                                      \
  {                                                                                \
    unsigned a;                                                                    \
    asm volatile("ld." space ".u8 %0, [%1];" : "=r"(a) : "l"(address) : "memory"); \
    use(a + p.mask);                                                               \
  }
#define LOAD2(space, address)                                                       \
  {                                                                                 \
    unsigned short a;                                                               \
    asm volatile("ld." space ".u16 %0, [%1];" : "=h"(a) : "l"(address) : "memory"); \
    use(a + p.mask);                                                                \
  }
#define LOAD4(space, address)                                                       \
  {                                                                                 \
    unsigned a;                                                                     \
    asm volatile("ld." space ".u32 %0, [%1];" : "=r"(a) : "l"(address) : "memory"); \
    use(a);                                                                         \
  }
#define LOAD8(space, address)                          \
  {                                                    \
    unsigned a, b;                                     \
    asm volatile("ld." space ".v2.u32 {%0, %1}, [%2];" \
                 : "=r"(a), "=r"(b)                    \
                 : "l"(address)                        \
                 : "memory");                          \
    use(a);                                            \
    use(b);                                            \
  }
#define LOAD16(space, address)                                 \
  {                                                            \
    unsigned a, b, c, d;                                       \
    asm volatile("ld." space ".v4.u32 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)          \
                 : "l"(address)                                \
                 : "memory");                                  \
    use(a);                                                    \
    use(b);                                                    \
    use(c);                                                    \
    use(d);                                                    \
  }
#define STORE1(space, address) \
  asm volatile("st." space ".u8 [%0], %1;" ::"l"(address), "r"(1u) : "memory")
#define STORE2(space, address) \
  asm volatile("st." space ".u16 [%0], %1;" ::"l"(address), "h"((unsigned short)1) : "memory")
#define STORE4(space, address) \
  asm volatile("st." space ".u32 [%0], %1;" ::"l"(address), "r"(1u) : "memory")
#define STORE8(space, address) \
  asm volatile("st." space ".v2.u32 [%0], {%1, %1};" ::"l"(address), "r"(1u) : "memory")
#define STORE16(space, address) \
  asm volatile("st." space ".v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(address), "r"(1u) : "memory")

// Loads and stores of one width, in shared and then in global memory. ncu counts each of the four
// instructions separately.
#define ACCESS(bytes)                                                              \
  __global__ void access##bytes(const __grid_constant__ Pattern p, char* global) { \
    __shared__ __align__(128) char shared[16384];                                  \
    const unsigned lane = threadIdx.x;                                             \
    const size_t s = __cvta_generic_to_shared(shared) + p.offset[lane];            \
    char* g = global + p.offset[lane];                                             \
    const bool active = (p.mask >> lane & 1) != 0;                                 \
    settle();                                                                      \
    if (active) STORE##bytes("shared", s);                                         \
    settle();                                                                      \
    if (active) LOAD##bytes("shared", s);                                          \
    settle();                                                                      \
    if (active) LOAD##bytes("global", g);                                          \
    settle();                                                                      \
    if (active) STORE##bytes("global", g);                                         \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

// The same 4-byte accesses with generic addresses, and a read-only global load (ld.global.nc).
__global__ void generic4(const __grid_constant__ Pattern p, char* global) {
  __shared__ __align__(128) char shared[16384];
  const unsigned lane = threadIdx.x;
  // The assembler cannot tell which space a pointer is in, so it must use generic accesses.
  char* s = (p.mask != 0 ? shared : global) + p.offset[lane];
  char* g = (p.mask != 0 ? global : shared) + p.offset[lane];
  if ((p.mask >> lane & 1) == 0) return;
  asm volatile("st.u32 [%0], %1;" ::"l"(s), "r"(1u) : "memory");
  settle();
  unsigned a;
  asm volatile("ld.u32 %0, [%1];" : "=r"(a) : "l"(s) : "memory");
  use(a);
  settle();
  asm volatile("ld.u32 %0, [%1];" : "=r"(a) : "l"(g) : "memory");
  use(a);
  settle();
  asm volatile("st.u32 [%0], %1;" ::"l"(g), "r"(1u) : "memory");
}
__global__ void readonly4(const __grid_constant__ Pattern p, char* global) {
  const unsigned lane = threadIdx.x;
  if ((p.mask >> lane & 1) == 0) return;
  unsigned a;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(a) : "l"(global + p.offset[lane]));
  use(a);
}

// Atomics in shared and then in global memory: atom (result used), red (no result),
// compare-and-swap, floats, 64 bits, and C++ atomicAdd with its result used and dropped.
#define ATOMIC(name, shared_code, global_code)                            \
  __global__ void name(const __grid_constant__ Pattern p, char* global) { \
    __shared__ __align__(128) unsigned shared[4096];                      \
    const unsigned lane = threadIdx.x;                                    \
    const size_t s = __cvta_generic_to_shared(shared) + p.offset[lane];   \
    char* g = global + p.offset[lane];                                    \
    const bool active = (p.mask >> lane & 1) != 0;                        \
    if (active) {                                                         \
      shared_code;                                                        \
    }                                                                     \
    settle();                                                             \
    if (active) {                                                         \
      global_code;                                                        \
    }                                                                     \
  }
#define ATOM_U32(space, address)                        \
  {                                                     \
    unsigned a;                                         \
    asm volatile("atom." space ".add.u32 %0, [%1], %2;" \
                 : "=r"(a)                              \
                 : "l"(address), "r"(lane + 1)          \
                 : "memory");                           \
    use(a);                                             \
  }
#define RED_U32(space, address) \
  asm volatile("red." space ".add.u32 [%0], %1;" ::"l"(address), "r"(lane + 1) : "memory")
#define CAS_B32(space, address)                            \
  {                                                        \
    unsigned a;                                            \
    asm volatile("atom." space ".cas.b32 %0, [%1], 0, %2;" \
                 : "=r"(a)                                 \
                 : "l"(address), "r"(lane + 1)             \
                 : "memory");                              \
    use(a);                                                \
  }
#define EXCH_B32(space, address)                         \
  {                                                      \
    unsigned a;                                          \
    asm volatile("atom." space ".exch.b32 %0, [%1], %2;" \
                 : "=r"(a)                               \
                 : "l"(address), "r"(lane + 1)           \
                 : "memory");                            \
    use(a);                                              \
  }
#define RED_F32(space, address) \
  asm volatile("red." space ".add.f32 [%0], %1;" ::"l"(address), "f"(1.0f) : "memory")
#define ATOM_U64(space, address)                                   \
  {                                                                \
    unsigned long long b;                                          \
    asm volatile("atom." space ".add.u64 %0, [%1], %2;"            \
                 : "=l"(b)                                         \
                 : "l"(address), "l"((unsigned long long)lane + 1) \
                 : "memory");                                      \
    use((unsigned)b);                                              \
  }
ATOMIC(atom_u32, ATOM_U32("shared", s), ATOM_U32("global", g))
ATOMIC(red_u32, RED_U32("shared", s), RED_U32("global", g))
ATOMIC(cas_b32, CAS_B32("shared", s), CAS_B32("global", g))
ATOMIC(exch_b32, EXCH_B32("shared", s), EXCH_B32("global", g))
ATOMIC(red_f32, (void)0, RED_F32("global", g))
ATOMIC(atom_u64, ATOM_U64("shared", s), ATOM_U64("global", g))
ATOMIC(cxx_add_used, shared[0] = 0;
       use(atomicAdd(shared + p.offset[lane] / 4, 1u)), use(atomicAdd((unsigned*)g, 1u)))
ATOMIC(cxx_add_dropped, shared[0] = 0;
       atomicAdd(shared + p.offset[lane] / 4, 1u), atomicAdd((unsigned*)g, 1u))

// One store to and one load from a local array. p.offset is each lane's byte offset within its own
// array.
template <typename T>
__device__ __forceinline__ void local_access(const Pattern& p, char* global) {
  volatile T array[64];
  const unsigned lane = threadIdx.x;
  if ((p.mask >> lane & 1) == 0) return;
  const unsigned index = p.offset[lane] / sizeof(T);
  array[index] = (T)lane;
  settle();
  // The same index, hidden from the assembler so that it cannot forward the stored value.
  const unsigned long long value = array[__shfl_sync(p.mask, index, lane)];
  use((unsigned)(value ^ value >> 32) + p.mask);
}
__global__ void local1(const __grid_constant__ Pattern p, char* g) {
  local_access<unsigned char>(p, g);
}
__global__ void local2(const __grid_constant__ Pattern p, char* g) {
  local_access<unsigned short>(p, g);
}
__global__ void local4(const __grid_constant__ Pattern p, char* g) { local_access<unsigned>(p, g); }
__global__ void local8(const __grid_constant__ Pattern p, char* g) {
  local_access<unsigned long long>(p, g);
}

struct Named {
  std::string name;
  Pattern pattern;
};

static Named make(const std::string& name, unsigned mask, unsigned bytes,
                  const std::function<unsigned(unsigned)>& element) {
  Named n{name, {mask, {}}};
  for (unsigned lane = 0; lane < 32; ++lane) n.pattern.offset[lane] = bytes * element(lane);
  return n;
}

static std::vector<Named> patterns(unsigned bytes) {
  constexpr unsigned kAll = 0xffffffffU;
  std::vector<Named> all;
  const auto add = [&](const std::string& name, unsigned mask,
                       const std::function<unsigned(unsigned)>& element) {
    all.push_back(make(name, mask, bytes, element));
  };
  const auto same = [](unsigned l) { return l; };
  add("contiguous", kAll, same);
  add("lower_half", 0xffffU, same);
  add("upper_half", 0xffff0000U, same);
  add("even_lanes", 0x55555555U, same);
  add("odd_lanes", 0xaaaaaaaaU, same);
  add("every_fourth", 0x11111111U, same);
  add("quarter_0", 0xffU, same);
  add("quarters_0_and_2", 0x00ff00ffU, same);
  add("low_quads", 0x0f0f0f0fU, same);
  add("lane_0", 1U, same);
  add("lane_31", 1U << 31, same);
  add("lanes_0_and_16", 0x00010001U, same);
  add("lanes_0_and_16_one_word", 0x00010001U, [](unsigned) { return 0U; });
  add("lanes_0_and_16_one_bank", 0x00010001U, [&](unsigned l) { return l / 16 * (128 / bytes); });
  add("lanes_0_and_1_one_bank", 3U, [&](unsigned l) { return l * (128 / bytes); });
  add("broadcast", kAll, [](unsigned) { return 0U; });
  add("broadcast_lower_half", 0xffffU, [](unsigned) { return 0U; });
  add("halves_on_the_same_words", kAll, [](unsigned l) { return l % 16; });
  add("quarters_on_the_same_words", kAll, [](unsigned l) { return l % 8; });
  add("pairs_on_one_word", kAll, [](unsigned l) { return l / 2; });
  add("even_lanes_compact", 0x55555555U, [](unsigned l) { return l / 2; });
  add("two_words_alternating", kAll, [&](unsigned l) { return l % 2 * (128 / bytes); });
  add("reversed", kAll, [](unsigned l) { return 31 - l; });
  add("neighbours_swapped", kAll, [](unsigned l) { return l ^ 1; });
  add("halves_interleaved", kAll, [](unsigned l) { return l % 16 * 2 + l / 16; });
  add("shifted_by_one", kAll, [](unsigned l) { return l + 1; });
  add("shifted_by_32_bytes", kAll, [&](unsigned l) { return l + 32 / bytes; });
  for (const unsigned stride : {2U, 3U, 4U, 5U, 8U, 16U, 17U, 32U}) {
    const auto strided = [stride](unsigned l) { return l * stride; };
    add("stride_" + std::to_string(stride), kAll, strided);
    if (stride == 2 || stride == 4 || stride == 16) {
      add("stride_" + std::to_string(stride) + "_lower_half", 0xffffU, strided);
      add("stride_" + std::to_string(stride) + "_even_lanes", 0x55555555U, strided);
    }
  }
  add("lower_contiguous_upper_stride_8", kAll,
      [](unsigned l) { return l < 16 ? l : 64 + (l - 16) * 8; });
  add("lower_broadcast_upper_contiguous", kAll, [](unsigned l) { return l < 16 ? 5 : l; });
  for (unsigned seed = 0; seed < 16; ++seed) {
    // Random word numbers below 16, 32, 64 or 128; every second pattern has a random mask.
    const unsigned range = 16U << (seed % 4);
    const unsigned mask = seed % 2 == 0 ? kAll : warpgrade::golden::hash(1000 + seed);
    add("random_" + std::to_string(seed), mask,
        [seed, range](unsigned l) { return warpgrade::golden::hash(seed * 32 + l + 77) % range; });
  }
  return all;
}

static int launches = 0;

static void launch(void (*kernel)(const Pattern, char*), const char* kind, unsigned bytes,
                   const Named& n, char* global) {
  kernel<<<1, 32>>>(n.pattern, global);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::printf("%d,%s,%u,%s,%08x,", launches++, kind, bytes, n.name.c_str(), n.pattern.mask);
  for (int lane = 0; lane < 32; ++lane) {
    std::printf("%s%u", lane == 0 ? "" : " ", n.pattern.offset[lane]);
  }
  std::printf("\n");
}

int main() {
  char* global = nullptr;
  CHECK(cudaMalloc(&global, 1 << 20));
  CHECK(cudaMemset(global, 0, 1 << 20));
  std::printf("launch,kind,bytes,pattern,mask,offsets\n");
  for (const Named& n : patterns(4)) launch(access4, "access", 4, n, global);
  for (const Named& n : patterns(8)) launch(access8, "access", 8, n, global);
  for (const Named& n : patterns(16)) launch(access16, "access", 16, n, global);

  const std::vector<std::string> few = {
      "contiguous", "lower_half", "even_lanes",        "lane_0",   "broadcast",
      "stride_8",   "stride_32",  "pairs_on_one_word", "random_0", "random_1"};
  const auto for_few = [&](void (*kernel)(const Pattern, char*), const char* kind, unsigned bytes) {
    for (const Named& n : patterns(bytes)) {
      for (const std::string& name : few) {
        if (n.name == name) launch(kernel, kind, bytes, n, global);
      }
    }
  };
  for_few(atom_u32, "atom_u32", 4);
  for_few(red_u32, "red_u32", 4);
  for_few(cas_b32, "cas_b32", 4);
  for_few(exch_b32, "exch_b32", 4);
  for_few(red_f32, "red_f32", 4);
  for_few(atom_u64, "atom_u64", 8);
  for_few(cxx_add_used, "cxx_add_used", 4);
  for_few(cxx_add_dropped, "cxx_add_dropped", 4);
  for_few(generic4, "generic", 4);
  for_few(readonly4, "readonly", 4);

  constexpr unsigned kAll = 0xffffffffU;
  const auto local = [&](void (*kernel)(const Pattern, char*), unsigned bytes) {
    launch(kernel, "local", bytes, make("same_element", kAll, bytes, [](unsigned) { return 3U; }),
           global);
    launch(kernel, "local", bytes,
           make("same_element_lower_half", 0xffffU, bytes, [](unsigned) { return 3U; }), global);
    launch(kernel, "local", bytes, make("own_element", kAll, bytes, [](unsigned l) { return l; }),
           global);
    launch(kernel, "local", bytes,
           make("two_elements", kAll, bytes, [](unsigned l) { return l % 2 * 8; }), global);
    launch(kernel, "local", bytes, make("lane_0", 1U, bytes, [](unsigned) { return 3U; }), global);
  };
  local(local1, 1);
  local(local2, 2);
  local(local4, 4);
  local(local8, 8);
  for (const Named& n : patterns(1)) launch(access1, "access", 1, n, global);
  for (const Named& n : patterns(2)) launch(access2, "access", 2, n, global);
  return 0;
}
