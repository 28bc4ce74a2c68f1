// SPDX-License-Identifier: Apache-2.0
// In which order a scheduler serves its warps, and which instructions share a pipe. All warps of
// one SM run the same chain from a common start. Their end times show whether the warps take turns
// (all end late) or the oldest goes first (one group after another). Prints one row per
// measurement.
//
//     nvcc -O3 -arch=sm_90 order.cu -o order; (echo what,of,clocks; ./order) > order.csv
#include <cstdio>

__device__ unsigned smid() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// What: 0 __expf, 1 expf, 2 double division, 3 fma of doubles, 4 fma, 5 integer division.
template <int What>
__global__ void chain(long long* ends, float* out, int steps, double c, unsigned d) {
  float v = threadIdx.x * 1e-3F;
  double w = v;
  unsigned u = threadIdx.x;
  __syncthreads();
  const long long begin = clock64();
  for (int s = 0; s < steps; ++s) {
    if constexpr (What == 0) v = __expf(v) * 0.25F;
    if constexpr (What == 1) v = expf(v) * 0.25F;
    if constexpr (What == 2) w = 1.5 / (w + 0.5);
    if constexpr (What == 3) w = w * 0.75 + c;
    if constexpr (What == 4) v = v * 0.75F + 0.25F;
    if constexpr (What == 5) u = u / d + 0x7fffffffU;
  }
  const long long end = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = v + w + u;
  if (threadIdx.x % 32 == 0) ends[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = end - begin;
}

template <int What>
void order(const char* name, int warps, int steps, long long* ends, float* out) {
  long long got[32];
  for (int i = 0; i < 2; ++i) {
    chain<What><<<1, 32 * warps>>>(ends, out, steps, 0.25, 1000003U);
    cudaMemcpy(got, ends, 8 * warps, cudaMemcpyDeviceToHost);
  }
  for (int w = 0; w < warps; w += 4)
    printf("end of %d %s of %d warps by warp,%d,%.2f\n", steps, name, warps, w,
           1.0 * got[w] / steps);
}

#define MIX(name, type, constraint, code)                                  \
  __global__ void name(long long* clocks, type* out, type a, type b) {     \
    type v[4];                                                             \
    for (int c = 0; c < 4; ++c) v[c] = (type)(threadIdx.x + 1.5 + c);      \
    long long begin = 0;                                                   \
    for (int r = 0; r < 17; ++r) {                                         \
      if (r == 1) {                                                        \
        __syncthreads();                                                   \
        begin = clock64();                                                 \
      }                                                                    \
      _Pragma("unroll") for (int s = 0; s < 16; ++s)                       \
          _Pragma("unroll") for (int c = 0; c < 4; ++c) asm volatile(      \
              code : "+" constraint(v[c]) : constraint(a), constraint(b)); \
    }                                                                      \
    __syncthreads();                                                       \
    const long long end = clock64();                                       \
    if (threadIdx.x == 0) *clocks = end - begin;                           \
    out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];                          \
  }
MIX(dfma_own, double, "d", "fma.rn.f64 %0, %0, %1, %2;")
MIX(rcp_4dfma, double, "d",
    "{.reg .f64 t; rcp.approx.ftz.f64 t, %0; fma.rn.f64 %0, %0, %1, t; fma.rn.f64 %0, %0, %1, %2; "
    "fma.rn.f64 %0, %0, %1, %2; fma.rn.f64 %0, %0, %1, %2;}")
MIX(rcp64_only, double, "d", "{.reg .f64 t; rcp.approx.ftz.f64 t, %0; mov.b64 %0, t;}")
MIX(ex2_8fma, float, "f",
    "{ex2.approx.ftz.f32 %0, %0; fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 "
    "%0, %0, %1, %2; fma.rn.f32 %0, %0, %1, %2; fma.rn.f32 %0, %0, %1, %2;}")
MIX(ex2_4alu, float, "f",
    "{.reg .f32 t; ex2.approx.ftz.f32 %0, %0; min.f32 %0, %0, %1; max.f32 %0, %0, %2; min.f32 %0, "
    "%0, %1; max.f32 %0, %0, %2;}")
MIX(add_own, unsigned, "r", "{add.u32 %0, %0, %1; xor.b32 %0, %0, %2;}")
MIX(add_mad, unsigned, "r", "{mad.lo.u32 %0, %0, %1, %2; xor.b32 %0, %0, %2;}")
MIX(shr_add, unsigned, "r", "{.reg .u32 t; shr.u32 t, %0, 3; add.u32 %0, t, %1;}")
MIX(wide, unsigned, "r",
    "{.reg .u64 t; .reg .u32 l; mul.wide.u32 t, %0, %1; mov.b64 {l, %0}, t; xor.b32 %0, %0, l;}")
MIX(fma_own, float, "f", "fma.rn.f32 %0, %0, %1, %2;")
MIX(popc_add, unsigned, "r", "{popc.b32 %0, %0; add.u32 %0, %0, %1;}")

template <class T>
void mix(const char* name, void (*kernel)(long long*, T*, T, T), long long* clocks, void* out) {
  long long got = 0;
  for (int i = 0; i < 2; ++i) {
    kernel<<<1, 1024>>>(clocks, (T*)out, (T)3, (T)5);
    cudaMemcpy(&got, clocks, 8, cudaMemcpyDeviceToHost);
  }
  printf("clocks a warp and scheduler,%s,%.2f\n", name, got / (16 * 16 * 4 * 8.0));
}

int main() {
  long long* ends;
  void* out;
  cudaMalloc(&ends, 4096);
  cudaMalloc(&out, 1 << 20);
#define M(k) mix(#k, k, ends, out)
  M(dfma_own);
  M(rcp_4dfma);
  M(rcp64_only);
  M(ex2_8fma);
  M(ex2_4alu);
  M(add_own);
  M(add_mad);
  M(shr_add);
  M(wide);
  M(fma_own);
  M(popc_add);
  for (int warps : {4, 32}) {
    order<0>("__expf", warps, 1024, ends, (float*)out);
    order<1>("expf", warps, 1024, ends, (float*)out);
    order<2>("double division", warps, 1024, ends, (float*)out);
    order<3>("double fma", warps, 1024, ends, (float*)out);
    order<4>("fma", warps, 1024, ends, (float*)out);
    order<5>("integer division", warps, 1024, ends, (float*)out);
  }
  return cudaGetLastError() != cudaSuccess;
}
