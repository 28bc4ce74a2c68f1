// SPDX-License-Identifier: Apache-2.0
// Whole programs with launches.

//--- asynchronous_copies
// cuda::pipeline and cuda::barrier in kernels beside host code.
// left out: main
#include <cuda/barrier>
#include <cuda_pipeline.h>
#include <vector>
__global__ void staged(float* out, const float* in) {
  __shared__ float tile[128];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];
}
int main() {
  std::vector<float> v(128);
  staged<<<1, 128>>>(nullptr, v.data());
}

//--- constant_memory
// Constant and device variables that host code copies to and from.
// left out: upload, read_back
#include <cstdio>
#define RADIUS 4
__constant__ float coefficients[2 * RADIUS + 1];
__device__ unsigned long long visits;
__managed__ int flag = 1;
__global__ void stencil(float* out, const float* in, int n) {
  __shared__ float tile[128 + 2 * RADIUS];
  int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
  tile[l] = g < n ? in[g] : 0;
  if (threadIdx.x < RADIUS) {
    tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
    tile[l + 128] = g + 128 < n ? in[g + 128] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = -RADIUS; k <= RADIUS; ++k) sum += coefficients[k + RADIUS] * tile[l + k];
  if (g < n) out[g] = sum * flag;
  atomicAdd(&visits, 1ull);
}
void upload(const float* from) { cudaMemcpyToSymbol(coefficients, from, sizeof(coefficients)); }
unsigned long long read_back() {
  unsigned long long value;
  cudaMemcpyFromSymbol(&value, visits, sizeof value);
  return value;
}

//--- cooperative_launch
// Cooperative groups in the kernel, a cooperative launch in main().
// left out: main
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <iostream>
namespace cg = cooperative_groups;
__global__ void warp_sums(int* out, const int* in) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int sum = cg::reduce(warp, in[block.thread_rank()], cg::plus<int>());
  if (warp.thread_rank() == 0) out[warp.meta_group_rank()] = sum;
}
int main() {
  int *in = nullptr, *out = nullptr;
  void* arguments[] = {&out, &in};
  cudaLaunchCooperativeKernel((void*)warp_sums, dim3(1), dim3(128), arguments, 0, 0);
  std::cout << cudaGetLastError();
}

//--- dynamic_shared_memory
// extern __shared__ in a kernel, and a launch that passes the size.
// left out: main
#include <cstdlib>
#include <cstring>
extern __shared__ unsigned char scratch[];
__global__ void reverse(int* data, int n) {
  int* s = reinterpret_cast<int*>(scratch);
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  data[t] = s[n - t - 1];
}
int main() {
  const int n = 64;
  int a[n], *d;
  memset(a, 0, sizeof a);
  cudaMalloc(&d, n * sizeof(int));
  reverse<<<1, n, n * sizeof(int)>>>(d, n);
  cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost);
  return a[0] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

//--- histogram_with_atomics
// Shared memory atomics, and a host check that sorts pairs.
// left out: Bin, check
#include <algorithm>
#include <utility>
#include <vector>
using Bin = std::pair<int, std::vector<unsigned>>;
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
bool check(std::vector<Bin> bins) {
  std::sort(bins.begin(), bins.end(), [](const Bin& a, const Bin& b) { return a.first < b.first; });
  return !bins.empty() && bins.front().second.size() > 0;
}

//--- host_globals
// Host variables at namespace scope, in all forms.
// left out: verbose, h_input, start_time, seeds, stop_time, counter, main
#include <ctime>
#define N 256
int verbose = 0;
float *h_input, *h_output, **rows;
static clock_t start_time, stop_time2;
unsigned seeds[4] = {1, 2, 3, 4};
extern double stop_time;
inline int counter{7};
const int block_size = N;
const float pi = 3.14159f;
__global__ void angle(float* x) { x[threadIdx.x] = pi * threadIdx.x / block_size; }
int main(void) {
  start_time = clock();
  angle<<<1, block_size>>>(h_input);
  return verbose;
}

//--- kernel_below_main
// Forward declarations of host functions and of the kernel; main() comes first.
// left out: init, check, main, init, check
#include <stdio.h>
#include <stdlib.h>

void init(float *x, int n);
int check(const float *x, int n);
__global__ void saxpy(int n, float a, const float *x, float *y);

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  float *h = (float *)malloc(n * sizeof(float)), *x, *y;
  init(h, n);
  cudaMalloc((void **)&x, n * sizeof(float));
  cudaMalloc((void **)&y, n * sizeof(float));
  saxpy<<<(n + 127) / 128, 128>>>(n, 2.0f, x, y);
  return check(h, n);
}

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void init(float *x, int n) {
  for (int i = 0; i < n; ++i) x[i] = i;
}

int check(const float *x, int n) {
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] != i) ++wrong;
  }
  return wrong;
}

//--- lambdas_in_main
// Lambdas in host code, with braces and default arguments.
// left out: twice, main
#include <functional>
#include <vector>
__global__ void put(int* x, int v) { x[threadIdx.x] = v; }
auto twice = [](int x) { return 2 * x; };
int main() {
  auto launch = [&](int* p, auto... values) { (put<<<1, 32>>>(p, values), ...); };
  std::function<void(int)> f = [=](int v = 3) mutable { if (v > 0) { launch(nullptr, v, v + 1); } };
  f(twice(2));
  return [] { return 0; }();
}

//--- main_in_an_if
// main() between #ifndef and #endif; macros that the kernel uses are defined in it.
// left out: main
__device__ int step();
#ifndef NO_MAIN
int main() {
#define STEP 4
#if STEP > 3
  return STEP;
#else
  return 0;
#endif
}
#endif
__device__ int step() { return STEP; }
__global__ void walk(int* x) { x[threadIdx.x * step()] = step(); }

//--- marked_host
// Functions marked __host__, and functions marked __host__ __device__.
// left out: on_host, declared, both_marked, run
__host__ float on_host(float x) { return x + 1; }
__host__ int declared(int);
static __host__ inline int both_marked(int x) { return x; }
__host__ __device__ float shared_helper(float x) { return x * 3; }
__device__ __host__ static int swapped(int x) { return x - 1; }
__global__ void use(float* x) { x[threadIdx.x] = shared_helper(x[swapped(threadIdx.x + 1)]); }
__host__ void run(float* x) { use<<<1, both_marked(32)>>>(x); }

//--- no_host_code
// No host code at all: compiled unchanged.
// left out: nothing
const int kStep = 2;
__global__ void plain(int* x) { x[threadIdx.x * kStep] = 1; }

//--- openmp
// OpenMP and other pragmas inside and outside host functions.
// left out: cpu_saxpy, time_now
#include <omp.h>
#pragma once_upon_a_time
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (int k = 0; k < 4; ++k)
    if (i + k * 64 < n) y[i + k * 64] += a * x[i + k * 64];
}
void cpu_saxpy(int n, float a, const float* x, float* y) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) y[i] = 0;
}
#pragma pack(push, 4)
struct Packed {
  char c;
  double d;
};
#pragma pack(pop)
double time_now() {
#pragma pack(push, 1)
  struct Local { char c; int i; };
#pragma pack(pop)
  return sizeof(Local);
}
__global__ void sizes(int* x) { x[0] = sizeof(Packed); }

//--- plain_c
// C in the style of the 1990s: goto, comma operators, ternaries, K&R braces.
// left out: usage, main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BLOCK 64
static int usage(const char *prog)
{
  fprintf(stderr, "usage: %s [-n N]\n", prog); return 1;
}
__global__ void
iota(int *p, int n)
{
    int i = blockIdx.x*BLOCK + threadIdx.x;

    if (i < n)
        p[i] = i;
}
int
main(int argc, char *argv[])
{
    int i, n = 100, *d = NULL, rc = 0;

    for (i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-n")) n = atoi(argv[++i]); else goto bad;
    if (cudaMalloc((void**)&d, n*sizeof *d)) { rc = 2; goto out; }
    iota<<<(n + BLOCK - 1)/BLOCK, BLOCK>>>(d, n);
out:
    cudaFree(d);
    return rc;
bad:
    return usage(argv[0]);
}

//--- plain_main
// A kernel, followed by main() that launches it.
// left out: main
#include <cstdio>

__global__ void add(float* out, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 20;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    b[i] = 2.0f;
  }
  add<<<(n + 255) / 256, 256>>>(c, a, b, n);
  cudaDeviceSynchronize();
  printf("%f\n", c[0]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}

//--- reference_on_the_cpu
// The same algorithm on the CPU, as an overload and under its own name.
// left out: transpose, transpose_cpu, equal, main
#include <cmath>
#include <iostream>
#include <vector>
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
void transpose(std::vector<float>& out, const std::vector<float>& in, int width) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i % width * (in.size() / width) + i / width] = in[i];
}
void transpose_cpu(float* out, const float* in, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) out[x * height + y] = in[y * width + x];
}
bool equal(const float* a, const float* b, int n, float epsilon = 1e-6f) {
  for (int i = 0; i < n; ++i)
    if (std::fabs(a[i] - b[i]) > epsilon) return false;
  return true;
}
int main() {
  std::vector<float> a(1024), b(1024);
  transpose(b, a, 32);
  transpose_cpu(b.data(), a.data(), 32, 32);
  std::cout << std::boolalpha << equal(a.data(), b.data(), 1024);
}

//--- scan_of_many_launches
// A scan with several launches from a recursive host function.
// left out: scan_level, inclusive_scan
#include <vector>
constexpr unsigned kThreads = 256;
__global__ void scan_blocks(int* data, int* sums, unsigned n) {
  __shared__ int s[2][kThreads];
  unsigned i = blockIdx.x * kThreads + threadIdx.x, in = 0;
  s[0][threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned d = 1; d < kThreads; d *= 2, in ^= 1) {
    s[in ^ 1][threadIdx.x] = s[in][threadIdx.x] + (threadIdx.x >= d ? s[in][threadIdx.x - d] : 0);
    __syncthreads();
  }
  if (i < n) data[i] = s[in][threadIdx.x];
  if (threadIdx.x == kThreads - 1 && sums) sums[blockIdx.x] = s[in][threadIdx.x];
}
__global__ void add_sums(int* data, const int* sums, unsigned n) {
  unsigned i = (blockIdx.x + 1) * kThreads + threadIdx.x;
  if (i < n) data[i] += sums[blockIdx.x];
}
static void scan_level(int* data, unsigned n, std::vector<int*>& scratch, unsigned level) {
  unsigned blocks = (n + kThreads - 1) / kThreads;
  scan_blocks<<<blocks, kThreads>>>(data, blocks > 1 ? scratch[level] : nullptr, n);
  if (blocks == 1) return;
  scan_level(scratch[level], blocks, scratch, level + 1);
  add_sums<<<blocks - 1, kThreads>>>(data, scratch[level], n);
}
void inclusive_scan(int* data, unsigned n) {
  std::vector<int*> scratch;
  for (unsigned m = n; m > 1; m = (m + kThreads - 1) / kThreads) {
    scratch.push_back(nullptr);
    cudaMalloc(&scratch.back(), m / kThreads * sizeof(int) + 4);
  }
  scan_level(data, n, scratch, 0);
  for (int* p : scratch) cudaFree(p);
}

//--- streams_and_graphs
// Streams, events and graphs in host functions.
// left out: kStreams, streams, build, overlap
#include <array>
__global__ void work(float* x, int n, int offset) {
  int i = offset + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = __sinf(x[i]);
}
static int kStreams = 4;
cudaStream_t streams[4];
struct Graph {
  cudaGraph_t graph{};
  cudaGraphExec_t exec{};
};
Graph build(float* x, int n) {
  Graph out;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  work<<<n / 256, 256, 0, streams[0]>>>(x, n, 0);
  cudaStreamEndCapture(streams[0], &out.graph);
  return out;
}
void overlap(float* x, int n) {
  for (int s = 0; s < kStreams; s++) {
    cudaStreamCreate(&streams[s]);
    work<<<n / kStreams / 256, 256, 0, streams[s]>>>(x, n, s * n / kStreams);
  }
}

//--- template_kernel_and_switch
// A template kernel that a host function instantiates in a switch.
// left out: launch_reduce
// instances: reduce<64> reduce<128> reduce<256>
template <unsigned Size>
__global__ void reduce(float* out, const float* in, unsigned n) {
  __shared__ float s[Size];
  unsigned i = blockIdx.x * Size + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned h = Size / 2; h > 0; h /= 2) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

void launch_reduce(float* out, const float* in, unsigned n, unsigned threads) {
  unsigned blocks = (n + threads - 1) / threads;
  switch (threads) {
    case 64: reduce<64><<<blocks, 64>>>(out, in, n); break;
    case 128: reduce<128><<<blocks, 128>>>(out, in, n); break;
    default: reduce<256><<<blocks, 256>>>(out, in, n); break;
  }
}

//--- tensor_cores
// A tensor core product, with host code that fills halves.
// left out: fill_random, main
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdlib>
using namespace nvcuda;
__global__ void product(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
void fill_random(half* p, int n) {
  while (n-- > 0) p[n] = __float2half(rand() / (float)RAND_MAX);
}
int main() { product<<<1, 32>>>(nullptr, nullptr, nullptr); }

//--- textures
// A texture object created by host code.
// left out: make_texture
#include <cstring>
__global__ void lookup(float* out, cudaTextureObject_t texture, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(texture, i);
}
cudaTextureObject_t make_texture(float* data, size_t bytes) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.sizeInBytes = bytes;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

//--- warp_shuffles
// Device functions called by another device function, next to host tests.
// left out: test_sum, test_max, main
#include <cassert>
#include <cstdio>
__device__ __forceinline__ float warp_sum(float v) {
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}
static __device__ float warp_max(float v) {
  for (int d = 16; d; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, d));
  return v;
}
__device__ float softmax(float v) {
  const float e = expf(v - warp_max(v));
  return e / warp_sum(e);
}
__global__ void rows(float* x) {
  assert(blockDim.x == 32);
  x[blockIdx.x * 32 + threadIdx.x] = softmax(x[blockIdx.x * 32 + threadIdx.x]);
}
static bool test_sum() { return true; }
static bool test_max() { return true; }
int main() {
  bool (*tests[])() = {test_sum, test_max};
  for (auto test : tests) printf("%s\n", test() ? "ok" : "FAILED");
}
