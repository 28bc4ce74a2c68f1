// SPDX-License-Identifier: Apache-2.0
// Latency and issue rate of instructions, in clocks of one SM. A dependent chain in one warp gives
// the latency; 32 warps with four chains each give the rate of a scheduler. Also measures taken
// branches, float atomics of several warps on a word of shared memory, and blocks that do nothing.
// Prints one row per measurement: what, of, clocks (or nanoseconds).
//
//     nvcc -O3 -arch=sm_90 issue.cu -o issue; (echo what,of,clocks; ./issue) > issue.csv
#include <cstdio>

#define F1(name, code)                                                  \
  struct name {                                                         \
    using T = float;                                                    \
    static __device__ T start() { return threadIdx.x * 0.01F + 1.1F; }  \
    static __device__ void step(T& v) { asm volatile(code : "+f"(v)); } \
  };
#define I1(name, code)                                                  \
  struct name {                                                         \
    using T = unsigned;                                                 \
    static __device__ T start() { return threadIdx.x + 3; }             \
    static __device__ void step(T& v) { asm volatile(code : "+r"(v)); } \
  };
#define D1(name, code)                                                  \
  struct name {                                                         \
    using T = double;                                                   \
    static __device__ T start() { return threadIdx.x * 0.01 + 1.1; }    \
    static __device__ void step(T& v) { asm volatile(code : "+d"(v)); } \
  };
F1(ex2, "ex2.approx.ftz.f32 %0, %0;")
F1(rsq, "rsqrt.approx.ftz.f32 %0, %0;")
F1(lg2, "lg2.approx.ftz.f32 %0, %0;")
F1(sine, "sin.approx.ftz.f32 %0, %0;")
F1(tanhf_, "tanh.approx.f32 %0, %0;")
F1(fma_, "fma.rn.f32 %0, %0, %0, %0;")
F1(add_, "add.rn.f32 %0, %0, %0;")
F1(fmin_, "{.reg .f32 t; neg.f32 t, %0; min.f32 %0, %0, t;}")
F1(f2i_i2f, "{.reg .s32 t; cvt.rzi.s32.f32 t, %0; cvt.rn.f32.s32 %0, t;}")
F1(f2ll_ll2f, "{.reg .s64 t; cvt.rzi.s64.f32 t, %0; cvt.rn.f32.s64 %0, t;}")
F1(f2d_d2f, "{.reg .f64 t; cvt.f64.f32 t, %0; cvt.rn.f32.f64 %0, t;}")
F1(f2h_h2f, "{.reg .b16 t; cvt.rn.f16.f32 t, %0; cvt.f32.f16 %0, t;}")
F1(round_, "cvt.rni.f32.f32 %0, %0;")
I1(popc, "popc.b32 %0, %0;")
I1(clz, "clz.b32 %0, %0;")
I1(brev, "brev.b32 %0, %0;")
I1(lop, "{.reg .u32 t; lop3.b32 %0, %0, 0x12345, %0, 0x96;}")
I1(shl_lop, "{.reg .u32 t; shl.b32 t, %0, 13; xor.b32 %0, %0, t;}")
I1(shr_lop, "{.reg .u32 t; shr.u32 t, %0, 17; xor.b32 %0, %0, t;}")
I1(shf, "shf.l.wrap.b32 %0, %0, %0, 7;")
I1(mad, "mad.lo.u32 %0, %0, %0, %0;")
I1(madhi, "mad.hi.u32 %0, %0, %0, %0;")
I1(prmt, "prmt.b32 %0, %0, %0, 0x1032;")
I1(imin_, "{.reg .u32 t; not.b32 t, %0; min.u32 %0, %0, t;}")
I1(setp_sel, "{.reg .pred p; setp.gt.u32 p, %0, 77777; selp.b32 %0, %0, 13, p;}")
I1(shfl, "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;")
I1(vote, "{.reg .pred p; setp.gt.u32 p, %0, 77; vote.sync.ballot.b32 %0, p, 0xffffffff;}")
I1(redux, "redux.sync.add.u32 %0, %0, 0xffffffff;")
D1(fma64, "fma.rn.f64 %0, %0, %0, %0;")
D1(add64, "add.rn.f64 %0, %0, %0;")
D1(rcp64, "rcp.approx.ftz.f64 %0, %0;")

constexpr int kSteps = 64;
constexpr int kRounds = 16;

template <class Op, int Chains>
__global__ void timed(long long* clocks, typename Op::T* out) {
  typename Op::T v[Chains];
  for (int c = 0; c < Chains; ++c) v[c] = Op::start();
  long long begin = 0;
  for (int r = 0; r < kRounds + 1; ++r) {
    if (r == 1) {  // the first round warms the instruction cache
      __syncthreads();
      begin = clock64();
    }
#pragma unroll
    for (int s = 0; s < kSteps; ++s)
#pragma unroll
      for (int c = 0; c < Chains; ++c) Op::step(v[c]);
  }
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *clocks = end - begin;
  typename Op::T sum = v[0];
  for (int c = 1; c < Chains; ++c) sum += v[c];
  out[threadIdx.x] = sum;
}

template <class Op>
void row(const char* name, long long* clocks, void* out) {
  using T = typename Op::T;
  long long alone = 0;
  long long many = 0;
  for (int i = 0; i < 2; ++i) {
    timed<Op, 1><<<1, 32>>>(clocks, static_cast<T*>(out));
    cudaMemcpy(&alone, clocks, 8, cudaMemcpyDeviceToHost);
    timed<Op, 4><<<1, 1024>>>(clocks, static_cast<T*>(out));
    cudaMemcpy(&many, clocks, 8, cudaMemcpyDeviceToHost);
  }
  printf("latency,%s,%.2f\n", name, 1.0 * alone / (kSteps * kRounds));
  printf("clocks a warp and scheduler,%s,%.2f\n", name, many / (kSteps * kRounds * 4 * 8.0));
}

// A loop that is not unrolled.
template <int Work>
__global__ void loops(long long* clocks, float* out, int n) {
  float v = threadIdx.x;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
#pragma unroll
    for (int w = 0; w < Work; ++w) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v));
  }
  const long long end = clock64();
  if (threadIdx.x == 0) *clocks = end - begin;
  out[threadIdx.x] = v;
}

// A loop with a branch around its body: no lane, half of the lanes, or all lanes execute the body.
__global__ void branches(long long* clocks, float* out, int n, int below) {
  float v = threadIdx.x;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    if (static_cast<int>(threadIdx.x) < below) {
#pragma unroll
      for (int w = 0; w < 32; ++w) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v));
    }
    asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(v));
  }
  const long long end = clock64();
  if (threadIdx.x == 0) *clocks = end - begin;
  out[threadIdx.x] = v;
}

// The lanes of each warp add to one word, which the block shares (stride 0) or the warp owns.
__global__ void shared_sum(long long* clocks, float* out, int n, int stride, int lanes) {
  __shared__ float words[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const long long begin = clock64();
  if (static_cast<int>(threadIdx.x % 32) < lanes)
    for (int i = 0; i < n; ++i) atomicAdd(&words[threadIdx.x / 32 * stride], 1.0F);
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *clocks = end - begin;
  out[threadIdx.x] = words[threadIdx.x];
}

// Latency of L1 or of shared memory.
__global__ void chase(long long* clocks, int* out, const int* in, int n, int shared) {
  __shared__ int words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = in[i];
  __syncthreads();
  int at = threadIdx.x;
  for (int i = 0; i < 32; ++i) at = in[at];
  const long long begin = clock64();
  if (shared) {
#pragma unroll 8
    for (int i = 0; i < n; ++i) at = words[at];
  } else {
#pragma unroll 8
    for (int i = 0; i < n; ++i) at = in[at];
  }
  const long long end = clock64();
  if (threadIdx.x == 0) *clocks = end - begin;
  out[threadIdx.x] = at;
}

__global__ void nothing(int* out, int n) {
  if (n == 1) out[threadIdx.x] = 0;
}
__global__ void stores_one(float* out, float v) {
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}
__global__ void waits(int* out, int n, int clocks) {
  const long long end = clock64() + clocks;
  while (clock64() < end) {
  }
  if (n == 1) out[threadIdx.x] = 0;
}

template <class Launch>
double nanoseconds(Launch launch) {
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  float best = 1e9F;
  for (int i = 0; i < 9; ++i) {
    cudaEventRecord(a);
    launch();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    float ms = 0;
    cudaEventElapsedTime(&ms, a, b);
    best = ms < best ? ms : best;
  }
  return best * 1e6;
}

int main() {
  long long* clocks;
  void* out;
  cudaMalloc(&clocks, 8);
  cudaMalloc(&out, 64 << 20);
#define ROW(name) row<name>(#name, clocks, out)
  ROW(ex2);
  ROW(rsq);
  ROW(lg2);
  ROW(sine);
  ROW(tanhf_);
  ROW(fma_);
  ROW(add_);
  ROW(fmin_);
  ROW(f2i_i2f);
  ROW(f2ll_ll2f);
  ROW(f2d_d2f);
  ROW(f2h_h2f);
  ROW(round_);
  ROW(popc);
  ROW(clz);
  ROW(brev);
  ROW(lop);
  ROW(shl_lop);
  ROW(shr_lop);
  ROW(shf);
  ROW(mad);
  ROW(madhi);
  ROW(prmt);
  ROW(imin_);
  ROW(setp_sel);
  ROW(shfl);
  ROW(vote);
  ROW(redux);
  ROW(fma64);
  ROW(add64);
  ROW(rcp64);
  long long got = 0;
  const auto show = [&](const char* what, double value, double per) {
    cudaMemcpy(&got, clocks, 8, cudaMemcpyDeviceToHost);
    printf("%s,%g,%.2f\n", what, value, got / per);
  };
  for (int threads : {32, 256, 1024}) {
    for (int i = 0; i < 2; ++i) loops<1><<<1, threads>>>(clocks, (float*)out, 4096);
    show("loop of 1 fma by threads", threads, 4096);
    for (int i = 0; i < 2; ++i) loops<4><<<1, threads>>>(clocks, (float*)out, 4096);
    show("loop of 4 fma by threads", threads, 4096);
    for (int i = 0; i < 2; ++i) loops<16><<<1, threads>>>(clocks, (float*)out, 4096);
    show("loop of 16 fma by threads", threads, 4096);
  }
  for (int below : {0, 16, 32}) {
    for (int i = 0; i < 2; ++i) branches<<<1, 32>>>(clocks, (float*)out, 4096, below);
    show("branch over 32 fma taken by lanes from", below, 4096);
  }
  for (int lanes : {1, 4, 32})
    for (int warps : {1, 2, 4, 8, 16, 32})
      for (int stride : {0, 33}) {
        for (int i = 0; i < 2; ++i)
          shared_sum<<<1, 32 * warps>>>(clocks, (float*)out, 64, stride, lanes);
        char text[99];
        snprintf(text, 99, "shared float sum %s word %d lanes by warps", stride ? "own" : "one",
                 lanes);
        show(text, warps, 64);
      }
  int table[1024];
  for (int i = 0; i < 1024; ++i) table[i] = i;
  cudaMemcpy(out, table, 4096, cudaMemcpyHostToDevice);
  for (int shared : {0, 1}) {
    for (int i = 0; i < 2; ++i)
      chase<<<1, 32>>>(clocks, (int*)out + 4096, (const int*)out, 1024, shared);
    show(shared ? "chase in shared memory" : "chase in L1", 32, 1024);
  }
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    for (int blocks : {1, 132, 1320, 13200, 132000, 1056000}) {
      const double ns = nanoseconds([&] { nothing<<<blocks, threads>>>((int*)out, 0); });
      printf("nothing %d blocks by threads (ns),%d,%.0f\n", blocks, threads, ns);
      if (blocks < 100000) continue;
      const double st = nanoseconds([&] { stores_one<<<blocks, threads>>>((float*)out, 1); });
      printf("store of one %d blocks by threads (ns),%d,%.0f\n", blocks, threads, st);
    }
    for (int wait : {1000, 4000}) {
      const int blocks = 13200;
      const double ns = nanoseconds([&] { waits<<<blocks, threads>>>((int*)out, 0, wait); });
      printf("wait %d clocks of 13200 blocks by threads (ns),%d,%.0f\n", wait, threads, ns);
    }
  }
  return cudaGetLastError() != cudaSuccess;
}
