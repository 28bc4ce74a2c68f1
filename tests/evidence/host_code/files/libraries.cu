// SPDX-License-Identifier: Apache-2.0
// Headers of the toolkit, of the course and of the submission.

//--- complex_numbers
// A struct with __host__ __device__ functions; Mandelbrot; host code writes the image.
// left out: write_pgm, main
#include <cstdio>
#include <fstream>
#include <vector>
struct Complex {
  float re, im;
  __host__ __device__ Complex(float r, float i) : re(r), im(i) {}
  __host__ __device__ float norm2() const { return re * re + im * im; }
  __host__ __device__ Complex operator*(const Complex& o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __host__ __device__ Complex operator+(const Complex& o) const { return Complex(re + o.re, im + o.im); }
};
__global__ void mandelbrot(unsigned char* out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  Complex c(3.0f * x / w - 2, 2.0f * y / h - 1), z(0, 0);
  int i = 0;
  while (i < most && z.norm2() < 4) {
    z = z * z + c;
    ++i;
  }
  out[y * w + x] = i * 255 / most;
}
void write_pgm(const char* path, const std::vector<unsigned char>& pixels, int w) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << w << ' ' << pixels.size() / w << "\n255\n";
  file.write(reinterpret_cast<const char*>(pixels.data()), pixels.size());
}
int main() {
  std::vector<unsigned char> pixels(512 * 512);
  mandelbrot<<<dim3(16, 16), dim3(32, 32)>>>(nullptr, 512, 512, 100);
  write_pgm("m.pgm", pixels, 512);
}

//--- cub_block_primitives
// CUB's block and warp primitives in a kernel, from <cub/cub.cuh>.
// left out: main
#include <cub/cub.cuh>
#include <cstdio>

template <int Threads>
__device__ int block_total(int value) {
  using Reduce = cub::BlockReduce<int, Threads>;
  __shared__ typename Reduce::TempStorage storage;
  return Reduce(storage).Sum(value);
}

__global__ void totals(const int* in, int* out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  int total = block_total<128>(i < n ? in[i] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

__global__ void prefix(int* data) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage;
  int value = data[threadIdx.x];
  Scan(storage).InclusiveSum(value, value);
  data[threadIdx.x] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  totals<<<8, 128>>>(in, out, 1024);
  prefix<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

//--- cub_for_the_whole_device
// <cub/cub.cuh> for a DeviceReduce call in a host function.
// left out: sum_all
#include <cub/cub.cuh>

__global__ void negate(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = -x[i];
}

cudaError_t sum_all(const int* in, int* out, int n) {
  void* scratch = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
  cudaMalloc(&scratch, bytes);
  return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
}

//--- half_precision
// Halves in kernels, and a conversion loop on the host.
// left out: to_half, main
#include <cuda_fp16.h>
#include <vector>
__global__ void haxpy(int n, half a, const half* x, half* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}
static std::vector<half> to_half(const std::vector<float>& in) {
  std::vector<half> out;
  for (float v : in) out.push_back(__float2half(v));
  return out;
}
int main() { haxpy<<<1, 1>>>(1, __float2half(1.0f), nullptr, nullptr); return (int)to_half({}).size(); }

//--- header_of_the_course
// A header that the grader does not have, needed by host code only.
// left out: <course/context.h>, "../common/timer.hpp", context, solve
#include <course/context.h>
#include "../common/timer.hpp"
__global__ void halve(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 0.5f;
}
static course::Context context("halve");
COURSE_EXPORT void solve(float* x, int n) {
  course::Timer timer(context);
  halve<<<(n + 255) / 256, 256>>>(x, n);
}

//--- libraries_of_the_toolkit
// cuBLAS, cuRAND, cuFFT and the profiler's headers, used only by the host.
// left out: handle, gemm, check_status
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <cufft.h>
#include <curand.h>
__global__ void bias(float* x, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += b[i % 16];
}
static cublasHandle_t handle;
void gemm(const float* a, const float* b, float* c, int n) {
  const float one = 1, zero = 0;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cudaProfilerStart();
  bias<<<n, 256>>>(c, a, n);
}
const char* check_status(cufftResult r) { return r == CUFFT_SUCCESS ? "ok" : "bad"; }

//--- own_header_of_both_sides
// A header in the submission's folder with device and host functions.
// left out: main, check, Stopwatch, seconds, show, print_all
#include "headers/both.h"
__global__ void gain(float* x, int n) {
  int i = global_index();
  if (i < n) x[i] = amplify(x[i]);
}
int main() {
  Stopwatch watch;
  gain<<<1, 32>>>(nullptr, 0);
  check(cudaDeviceSynchronize());
  show(watch.seconds());
}

//--- own_header_of_the_host
// A header with only host functions, types and globals.
// left out: main, Matrix, history, load
#include "headers/host_only.h"
__global__ void clear(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
int main() {
  Matrix m = load("a.bin");
  clear<<<m.rows, m.columns>>>(m.values.data());
  history.push_back(m);
}

//--- random_numbers_on_the_device
// curand_kernel.h in kernels, and a host function that seeds the generators.
// left out: seed_all
#include <curand_kernel.h>
#include <ctime>
__global__ void init(curandStatePhilox4_32_10_t* states, unsigned long long seed) {
  curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]);
}
__global__ void draw(curandStatePhilox4_32_10_t* states, float* out) {
  out[threadIdx.x] = curand_uniform(&states[threadIdx.x]);
}
void seed_all(curandStatePhilox4_32_10_t* states) { init<<<1, 64>>>(states, time(nullptr)); }

//--- streams_of_the_library
// Global std objects: strings, streams, maps; using declarations and aliases.
// left out: cout, string, Table, Name, registry, log_file, remember, main
#include <fstream>
#include <iostream>
#include <map>
#include <string>
using std::cout;
using std::string;
using Table = std::map<std::string, int>;
typedef std::string Name;
static Table registry;
std::ofstream log_file("log.txt");
void remember(const Name& name, int value) { registry[name] = value; }
__global__ void tag(int* x) { x[threadIdx.x] = threadIdx.x ^ 5; }
int main() {
  remember("tag", 1);
  cout << string("x") << registry.size();
}

//--- thrust_left_at_the_head
// Thrust headers at the top; host and device vectors in main().
// left out: main
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <iostream>

__global__ void square(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}

int main() {
  thrust::host_vector<float> h(1024, 3.0f);
  thrust::device_vector<float> d = h;
  square<<<4, 256>>>(thrust::raw_pointer_cast(d.data()), d.size());
  thrust::sort(d.begin(), d.end());
  std::cout << thrust::reduce(d.begin(), d.end()) << std::endl;
}

//--- timer_class
// A host class with events as members and inline member functions.
// left out: GpuTimer, GpuTimer, start, stop, bench
#include <stdexcept>

struct GpuTimer {
  cudaEvent_t start_, stop_;
  GpuTimer() {
    cudaEventCreate(&start_);
    cudaEventCreate(&stop_);
  }
  ~GpuTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  void start() { cudaEventRecord(start_, 0); }
  float stop() {
    float ms = 0;
    cudaEventRecord(stop_, 0);
    cudaEventSynchronize(stop_);
    if (cudaEventElapsedTime(&ms, start_, stop_) != cudaSuccess) throw std::runtime_error("time");
    return ms;
  }
};

__global__ void copy(float4* out, const float4* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

float bench(float4* out, const float4* in, int n) {
  GpuTimer timer;
  timer.start();
  copy<<<n / 256, 256>>>(out, in, n);
  return timer.stop();
}

//--- vectors_and_chrono
// std::vector in parameters and results, std::chrono, range-based loops.
// left out: make_input, time_it, main
#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <vector>

__global__ void scale(float* data, float factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] *= factor;
}

std::vector<float> make_input(std::size_t n) {
  std::mt19937 generator(42);
  std::uniform_real_distribution<float> distribution(0.0f, 1.0f);
  std::vector<float> values(n);
  std::generate(values.begin(), values.end(), [&] { return distribution(generator); });
  return values;
}

template <typename Function>
double time_it(Function&& function) {
  const auto begin = std::chrono::high_resolution_clock::now();
  function();
  cudaDeviceSynchronize();
  const std::chrono::duration<double, std::milli> took =
      std::chrono::high_resolution_clock::now() - begin;
  return took.count();
}

int main() {
  auto host = make_input(1 << 16);
  float* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(float));
  cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  std::cout << time_it([&] { scale<<<64, 256>>>(device, 2.0f, host.size()); }) << " ms\n";
  for (float& value : host) value = 0;
}
