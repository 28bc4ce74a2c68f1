// SPDX-License-Identifier: Apache-2.0
// Comments, macros and branches of the preprocessor.

//--- comments_everywhere
// Comments inside of heads and bodies, with braces, quotes and directives in them.
// left out: main
/* main() { */
int /* the result */ main /* of */ ( /* nothing } */ )  // {
{
  // it's "unbalanced {
  /*
#endif
   } */
  return 0;  // }
}
__global__ /* void */ void /* int */ mark(int* /* out */ x) {  // }
  x[threadIdx.x] = /* 1 */ 2;
}

//--- dead_text
// #if 0 around text that is not C++, with unclosed braces.
// left out: main
#if 0
This isn't C++ {{{ it's a note: "unfinished
int main( {
#endif
__global__ void one(int* x) { x[threadIdx.x] = 1; }
#if 0
}}} '
#elif 1
int main() { one<<<1, 1>>>(nullptr); }
#else
void main2() { {{
#endif
__global__ void two(int* x) { x[threadIdx.x] = 2; }

//--- error_macro
// An error-checking macro, used only in host functions.
// left out: gpuAssert, run
#include <cstdio>
#include <cstdlib>
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}
#define TILE 16
__global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < N / TILE; ++t) {
    a[threadIdx.y][threadIdx.x] = A[row * N + t * TILE + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}
void run(const float* A, const float* B, float* C, int N) {
  dim3 block(TILE, TILE), grid(N / TILE, N / TILE);
  matmul<<<grid, block>>>(A, B, C, N);
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaDeviceSynchronize());
}

//--- heads_of_two_branches
// Two function heads in the branches of an #if share one body.
// left out: process
#include <cstdio>
#define WITH_STREAM 1
__global__ void inc(int* x) { x[threadIdx.x]++; }
#if WITH_STREAM
void process(int* x, cudaStream_t stream) {
#else
void process(int* x) {
  cudaStream_t stream = 0;
#endif
  inc<<<1, 32, 0, stream>>>(x);
#ifdef VERBOSE
  if (x) {
    printf("verbose {\n");
#else
  {
#endif
    cudaStreamSynchronize(stream);
  }
}
__global__ void dec(int* x) { x[threadIdx.x]--; }

//--- literals_of_the_user
// User-defined literals in host code, and digit separators.
// left out: operator, operator, main
#include <string>
long long operator""_KiB(unsigned long long n) { return n * 1024; }
std::string operator""_s(const char* text, std::size_t size) { return {text, size}; }
constexpr int kCount = 1'024;
__global__ void ones(int* x) {
  for (int i = threadIdx.x; i < kCount; i += 3'2) x[i] = 0x1'0;
}
int main() { return (int)(4_KiB + "a'{"_s.size()); }

//--- macro_without_semicolon
// Macros of a host test library, invoked without semicolons before the next declaration.
// left out: REGISTER, TEST_CASE, TEST_CASE, main
#include <cstdio>
#define REGISTER(name) static int registered_##name = 1;
#define TEST_CASE(name) static void test_##name()
#define ALIGNED(n) __attribute__((aligned(n)))
REGISTER(alpha)
struct ALIGNED(16) Quad {
  float v[4];
};
__global__ void quads(Quad* q) { q[threadIdx.x].v[1] = q[threadIdx.x].v[2]; }
TEST_CASE(first) { quads<<<1, 1>>>(nullptr); }
TEST_CASE(second) {
  printf("%d\n", registered_alpha);
}
int main() {
  test_first();
  test_second();
}

//--- macros_for_spaces
// Macros for __host__, __device__ and __global__, as in headers for two compilers.
// left out: host_only, main
#ifdef __CUDACC__
#define HD __host__ __device__
#define D_INLINE static __device__ __forceinline__
#define KERNEL __global__ void
#else
#define HD
#define D_INLINE static inline
#define KERNEL void
#endif
#include <math.h>
HD float length(float x, float y) { return sqrtf(x * x + y * y); }
D_INLINE float twice(float x) { return 2 * x; }
KERNEL norms(float* out, const float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(length(x[i], y[i]));
}
float host_only(float x) { return length(x, x); }
int main() { return host_only(1.0f) > 0 ? 0 : 1; }

//--- macros_that_make_kernels
// A macro that defines kernels, and one that defines host functions to launch them.
// left out: LAUNCHER, LAUNCHER, main
#define ELEMENTWISE(name, op)                                                \
  __global__ void name(float* out, const float* a, const float* b, int n) {  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                           \
    if (i < n) out[i] = a[i] op b[i];                                        \
  }
#define LAUNCHER(name)                                                   \
  void launch_##name(float* out, const float* a, const float* b, int n) { \
    name<<<(n + 255) / 256, 256>>>(out, a, b, n);                         \
  }
ELEMENTWISE(plus, +)
ELEMENTWISE(times, *)
LAUNCHER(plus)
LAUNCHER(times)
int main() {
  launch_plus(nullptr, nullptr, nullptr, 0);
  launch_times(nullptr, nullptr, nullptr, 0);
}

//--- raw_strings
// Raw strings and strings with braces, quotes and kernels in them.
// left out: text, more, usage, main
#include <cstdio>
const char* text = R"cuda(
__global__ void fake(int* x) { x[0] = "}"; // )" not yet
)cuda";
static const char* more = R"(int main() { )" "}} \" {";
void usage() {
  puts(R"(usage: "prog" {a|b)");
  puts("a \\");
  putchar('{');
  putchar('"');
  putchar('\'');
}
__global__ void real(int* x) { x[threadIdx.x] = '}' + 1'000; }
int main() { usage(); /* } */ return text[0] + more[0]; }

//--- spliced_lines
// Lines continued with a backslash, in macros, comments and code.
// left out: main
#define BOUND(i, n) \
  if (i >= n)       \
  return
// a comment that goes on \
int main() { not code
__global__ void bound(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  BOUND(i, n);
  x[i] = i;
}
int \
main() \
{ \
  return 0; \
}
