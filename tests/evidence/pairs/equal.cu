// SPDX-License-Identifier: Apache-2.0
// Pairs of kernels that compute the same in unusual ways. `run.py` splits this file at its marks.
//--- vectors_and_a_tail
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i < n % 4) out[n / 4 * 4 + i] = in[n / 4 * 4 + i];
}
//--- swaps_in_place
// options: --size n=1..512 --grid 1 --block 256 --arg inout:f32:n --arg same:0 --arg i32:n
__global__ void old(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n / 2; ++i) {
    float first = in[i];
    out[i] = in[n - 1 - i];
    out[n - 1 - i] = first;
  }
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = threadIdx.x;
  if (i >= n / 2) return;
  float first = in[i], last = in[n - 1 - i];
  out[i] = last, out[n - 1 - i] = first;
}
//--- lanes_that_match
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg inout:u32:16 --arg in:u32:n --arg i32:n
__global__ void old(unsigned* bins, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] % 16], 1);
}
__global__ void fresh(unsigned* bins, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned same = __match_any_sync(__activemask(), in[i] % 16);
  if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&bins[in[i] % 16], __popc(same));
}
//--- one_block_for_all
// options: --size n=1..3000 --grid 1 --block 128 --old-grid ceil_div(n,256) --old-block 256 --arg out:f32:n --arg in:f32:n --arg i32:n
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  for (int i = n - 1 - threadIdx.x; i >= 0; i -= blockDim.x) out[i] = in[i] * in[i];
}
//--- selects_by_masks
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = i % 3 == 0 ? in[i] : in[n - 1 - i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned mask = -(i % 3 == 0), a = __float_as_uint(in[i]), b = __float_as_uint(in[n - 1 - i]);
  out[i] = __uint_as_float((a & mask) | (b & ~mask));
}
//--- recursion
// options: --size n=1..300 --grid ceil_div(n,64) --block 64 --arg out:u32:n --arg i32:n
__device__ __noinline__ unsigned digits(unsigned x) { return x < 10 ? x : x % 10 + digits(x / 10); }
__global__ void old(unsigned* out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = digits(i * i);
}
__global__ void fresh(unsigned* out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  unsigned sum = 0;
  for (unsigned x = i * i; x > 0; x /= 10) sum += x % 10;
  if (i < n) out[i] = sum;
}
//--- division_by_multiplication
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:u32:n --arg in:u32:n --arg i32:n
__global__ void old(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  unsigned divisor = n > 0 ? 10 : 1;
  if (i < n) out[i] = in[i] / divisor;
}
__global__ void fresh(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = __umulhi(in[i], 0xcccccccdu) >> 3;
}
//--- last_block_adds
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --old-grid 1 --old-block 1 --arg out:u32:1 --arg scratch:u32:ceil_div(n,256) --arg in:u32:n --arg i32:n
__device__ unsigned arrived;
__global__ void old(unsigned* out, unsigned* part, const unsigned* in, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  out[0] = sum;
}
__global__ void fresh(unsigned* out, volatile unsigned* part, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x, sum = __syncthreads_or(0);
  __shared__ unsigned total;
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  if (i < n) atomicAdd(&total, in[i]);
  __syncthreads();
  if (threadIdx.x != 0) return;
  part[blockIdx.x] = total;
  __threadfence();
  if (atomicAdd(&arrived, 1) != gridDim.x - 1) return;
  __threadfence();
  unsigned all = 0;
  for (int b = 0; b < gridDim.x; ++b) all += part[b];
  out[0] = all;
}
//--- network_of_four
// options: --size n=1..500 --grid ceil_div(n,64) --block 64 --arg out:i32:4*n --arg in:i32:4*n --arg i32:n
__global__ void old(int* out, const int* in, int n) {
  int i = blockIdx.x * 64 + threadIdx.x, v[4];
  if (i >= n) return;
  for (int k = 0; k < 4; ++k) {
    int at = k;
    for (; at > 0 && v[at - 1] > in[4 * i + k]; --at) v[at] = v[at - 1];
    v[at] = in[4 * i + k];
  }
  for (int k = 0; k < 4; ++k) out[4 * i + k] = v[k];
}
__global__ void fresh(int* out, const int* in, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  int4 v = reinterpret_cast<const int4*>(in)[i];
  int a = min(v.x, v.y), b = max(v.x, v.y), c = min(v.z, v.w), d = max(v.z, v.w);
  int low = max(a, c), high = min(b, d);
  reinterpret_cast<int4*>(out)[i] = make_int4(min(a, c), min(low, high), max(low, high), max(b, d));
}
//--- all_threads_set_one_flag
// options: --size n=1..2000 --grid ceil_div(n,256) --block 256 --arg inout:u32:1 --arg in:u32:n --arg i32:n
__global__ void old(unsigned* found, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && in[i] % 7 == 3) atomicExch(found, 1);
}
__global__ void fresh(unsigned* found, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && in[i] % 7 == 3) *found = 1;
}
//--- dynamic_shared_memory
// options: --size n=1..2000 --grid ceil_div(n,256) --block 256 --shared 1024 --old-shared 0 --arg out:f32:n --arg in:f32:n --arg i32:n
__global__ void old(float* out, const float* in, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + tile[0];
}
__global__ void fresh(float* out, const float* in, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + *tile;
}
//--- bytes_by_prmt
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:u32:n --arg in:u32:n --arg i32:n
__global__ void old(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned x = in[i];
  out[i] = x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
__global__ void fresh(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = __byte_perm(in[i], 0, 0x0123);
}
//--- largest_by_compare_and_swap
// options: --size n=1..1000 --grid ceil_div(n,64) --block 64 --old-grid 1 --old-block 1 --arg inout:u32:1 --arg in:u32:n --arg i32:n
__global__ void old(unsigned* most, const unsigned* in, int n) {
  for (int i = 0; i < n; ++i) *most = max(*most, in[i]);
}
__global__ void fresh(unsigned* most, const unsigned* in, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  unsigned seen = *static_cast<volatile unsigned*>(most);
  while (seen < in[i]) {
    unsigned before = atomicCAS(most, seen, in[i]);
    if (before == seen) break;
    seen = before;
  }
}
