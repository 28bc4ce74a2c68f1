// SPDX-License-Identifier: Apache-2.0
// Mistakes in the use of CUDA's extensions. corpus.py describes the parts.

//--- cuda_address_of_thread_idx
// Incrementing blockIdx.
__global__ void kernel(int* out) {
  while (blockIdx.x < 10) ++blockIdx.x;
  out[threadIdx.x] = 1;
}

//--- cuda_asm_constraint
// Inline PTX with an x86 constraint.
__global__ void kernel(int* out) {
  int r = 1;
  asm("add.s32 %0, %0, 1;" : "+a"(r));
  out[threadIdx.x] = r;
}

//--- cuda_asm_instruction
// Inline PTX with an instruction that does not exist.
__global__ void kernel(int* out) {
  int r;
  asm("plus.s32 %0, %1, %2;" : "=r"(r) : "r"(1), "r"(2));
  out[threadIdx.x] = r;
}

//--- cuda_asm_operand
// Inline PTX with an operand that does not exist.
__global__ void kernel(int* out) {
  int r;
  asm("add.s32 %0, %1, %2;" : "=r"(r) : "r"(1));
  out[threadIdx.x] = r;
}

//--- cuda_asm_semicolon
// Inline PTX without a semicolon.
__global__ void kernel(int* out) {
  int r;
  asm("mov.u32 %0, %%laneid" : "=r"(r));
  out[threadIdx.x] = r;
}

//--- cuda_asm_type
// Inline PTX with a float in an integer register.
__global__ void kernel(int* out, float x) {
  int r;
  asm("mov.s32 %0, %1;" : "=r"(r) : "r"(x));
  out[threadIdx.x] = r;
}

//--- cuda_assert_two
// assert() with a message as a second argument.
#include <cassert>
__global__ void kernel(int* out, int n) {
  assert(n > 0, "n must be positive");
  out[threadIdx.x] = n;
}

//--- cuda_assign_thread_idx
// Assigning to threadIdx.
__global__ void kernel(int* out) {
  threadIdx.x = 0;
  out[threadIdx.x] = 1;
}

//--- cuda_auto_parameter_host
// An undefined name in a kernel template.
template <typename T>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = value + undefined_offset;
}
template __global__ void fill<int>(int*, int);

//--- cuda_constant_in_kernel
// __constant__ inside a kernel.
__global__ void kernel(int* out) {
  __constant__ int table[2] = {1, 2};
  out[threadIdx.x] = table[threadIdx.x % 2];
}

//--- cuda_constant_run_time_init
// A __constant__ variable initialized at run time.
int seed();
__constant__ int base = seed();
__global__ void kernel(int* out) { out[threadIdx.x] = base; }

//--- cuda_constant_too_large
// More than 64 KB of constant memory.
__constant__ int table[20000];
__global__ void kernel(int* out) { out[threadIdx.x] = table[threadIdx.x]; }

//--- cuda_device_dynamic_init
// A __device__ variable whose constructor runs at run time.
struct Value {
  int x;
  __host__ __device__ Value(int v) : x(v * v) {}
};
int start();
__device__ Value value(start());
__global__ void kernel(int* out) { out[threadIdx.x] = value.x; }

//--- cuda_device_static_member
// A static __device__ member.
struct Config {
  static __device__ int step;
};
__device__ int Config::step = 6;
__global__ void stepped(int* out) { out[threadIdx.x] = Config::step * threadIdx.x; }

//--- cuda_extern_array_named_all
// An extern array named like a function in CUDA's headers.
template <typename T>
__device__ T* shared_memory() {
  extern __shared__ double all[];
  return reinterpret_cast<T*>(all);
}
template <typename T>
__global__ void reverse(T* out) {
  T* tile = shared_memory<T>();
  tile[threadIdx.x] = T(threadIdx.x) / 3;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
template __global__ void reverse<double>(double*);

//--- cuda_extern_shared_two_types
// Two extern shared arrays with the same name and different types.
__global__ void a(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void b(float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

//--- cuda_kernel_called
// A kernel called like a function, without a launch.
__global__ void inner(int* out) { out[threadIdx.x] = 1; }
__global__ void outer(int* out) { inner(out); }

//--- cuda_kernel_called_by_host
// A kernel called without <<<>>> in host code.
__global__ void scale(float* out) { out[threadIdx.x] *= 2; }
void run(float* out) { scale(out); }

//--- cuda_kernel_default_static
// A kernel that is also marked __device__.
__global__ __device__ void kernel(int* out) { out[threadIdx.x] = 1; }

//--- cuda_kernel_from_device
// A device function that calls a kernel.
__global__ void clear(int* out) { out[threadIdx.x] = 0; }
__device__ void all(int* out) { clear(out); }
__global__ void kernel(int* out) { all(out); }

//--- cuda_kernel_member
// A kernel as a member function.
struct Solver {
  __global__ void step(int* out) { out[threadIdx.x] = 1; }
};

//--- cuda_kernel_variadic
// A kernel with an ellipsis.
__global__ void kernel(int* out, ...) { out[threadIdx.x] = 1; }

//--- cuda_launch_bounds_run_time
// __launch_bounds__ with a variable.
int threads = 256;
__global__ void __launch_bounds__(threads) kernel(int* out) { out[threadIdx.x] = 1; }

//--- cuda_launch_in_device_function
// A launch from a kernel without relocatable device code.
__global__ void child(int* out) { out[threadIdx.x] = 7; }
__global__ void parent(int* out) {
  if (threadIdx.x == 0) child<<<1, 32>>>(out);
}

//--- cuda_operator_vector_member
// float4 indexed like an array.
__global__ void kernel(float* out, const float4* in) { out[threadIdx.x] = in[threadIdx.x][2]; }

//--- cuda_pragma_unroll_name
// #pragma unroll with a run-time count.
__global__ void kernel(int* out, int n) {
  int sum = 0;
#pragma unroll n
  for (int i = 0; i < n; ++i) sum += i;
  out[threadIdx.x] = sum;
}

//--- cuda_restrict_misspelt
// restrict, which is not a C++ keyword.
__global__ void kernel(int* restrict out, const int* restrict in) { out[threadIdx.x] = in[threadIdx.x]; }

//--- cuda_shared_array_initialized
// A shared array with an initializer.
__global__ void kernel(int* out) {
  __shared__ int bins[4] = {0};
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 4];
}

//--- cuda_shared_initialized
// A shared variable with an initializer.
__global__ void kernel(int* out) {
  __shared__ int sum = 0;
  atomicAdd(&sum, 1);
  __syncthreads();
  out[threadIdx.x] = sum;
}

//--- cuda_shared_too_large
// More than 48 KB of static shared memory.
__global__ void kernel(float* out) {
  __shared__ float tile[128][128];
  tile[threadIdx.x][0] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 32][0];
}

//--- cuda_shared_unsized
// A shared array without a size and without extern.
__global__ void kernel(int* out) {
  __shared__ int tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

//--- cuda_syncthreads_argument
// __syncthreads() with an argument.
__global__ void kernel(int* out) {
  __syncthreads(0);
  out[threadIdx.x] = 1;
}

//--- cuda_syncthreads_count_without
// __syncthreads_count() without its predicate.
__global__ void kernel(int* out) { out[threadIdx.x] = __syncthreads_count(); }

//--- cuda_syncthreads_in_host_device
// __syncthreads() in a __host__ __device__ function.
__host__ __device__ void wait() { __syncthreads(); }
__global__ void kernel(int* out) {
  wait();
  out[threadIdx.x] = 1;
}

//--- cuda_textures_reference
// A texture reference, removed from the toolkit.
texture<float, 1> image;
__global__ void kernel(float* out) { out[threadIdx.x] = tex1Dfetch(image, threadIdx.x); }

//--- cuda_thread_idx_in_host
// threadIdx in a function without __device__.
int position() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void kernel(int* out) { out[position()] = 1; }

//--- cuda_trap_argument
// __trap() with an argument.
__global__ void kernel(int* out) {
  if (out == nullptr) __trap(1);
  out[threadIdx.x] = 1;
}

//--- cuda_two_memory_spaces
// A variable with two memory spaces.
__shared__ __constant__ int table[4];
__global__ void kernel(int* out) { out[threadIdx.x] = table[threadIdx.x % 4]; }

//--- cuda_volatile_constant
// A volatile host constant.
const volatile int limit = 4;
__global__ void kernel(int* out) { out[threadIdx.x] = limit; }
