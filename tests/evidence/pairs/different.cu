// SPDX-License-Identifier: Apache-2.0
// Pairs of kernels whose results differ, each for the reason in its head. `run.py` splits this file at its marks.
//--- one_past_the_end_at_two_to_the_k_plus_one
// why: Reads and writes element n if n - 1 is a power of two.
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int end = __popc(n - 1) == 1 ? n + 1 : n;
  if (i < end) out[i] = 2 * in[i];
}
//--- no_elements
// why: Without elements, the last one is 0 in the old kernel.
// options: --size n=0..400 --grid 1 --block 1 --arg out:f32:1 --arg in:f32:max(1,n) --arg i32:n
__global__ void old(float* out, const float* in, int n) { out[0] = n > 0 ? in[n - 1] : 0; }
__global__ void fresh(float* out, const float* in, int n) { out[0] = in[max(n, 1) - 1]; }
//--- sign_of_zero
// why: fmaxf(-0, 0) is 0, and the old kernel keeps -0 and NaN.
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] < 0 ? 0 : in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = fmaxf(in[i], 0);
}
//--- mean_overflows
// why: The sum of two integers exceeds 31 bits.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:i32:n --arg in:i32:n+1 --arg i32:n
__global__ void old(int* out, const int* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = static_cast<int>((static_cast<long long>(in[i]) + in[i + 1]) >> 1);
}
__global__ void fresh(int* out, const int* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = (in[i] + in[i + 1]) >> 1;
}
//--- shift_in_place
// why: Both pointers are one buffer, and no barrier is between loads and stores.
// options: --size n=1..256 --grid 1 --block 256 --arg inout:f32:n --arg same:0 --arg i32:n
__global__ void old(float* out, const float* in, int n) {
  int i = threadIdx.x;
  float next = i < n ? in[(i + 1) % n] : 0;
  __syncthreads();
  if (i < n) out[i] = next;
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[(i + 1) % n];
}
//--- last_block_without_a_fence
// why: The last block reads parts of the others, which no fence made visible.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:u32:1 --arg scratch:u32:ceil_div(n,256) --arg in:u32:n --arg i32:n
__device__ unsigned old_arrived, arrived;
__device__ unsigned sum_of_block(const unsigned* in, int n) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  return sum;
}
__global__ void old(unsigned* out, volatile unsigned* part, const unsigned* in, int n) {
  unsigned sum = sum_of_block(in, n);
  if (threadIdx.x != 0) return;
  part[blockIdx.x] = sum;
  __threadfence();
  if (atomicAdd(&old_arrived, 1) != gridDim.x - 1) return;
  __threadfence();
  sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += part[b];
  out[0] = sum;
}
__global__ void fresh(unsigned* out, unsigned* part, const unsigned* in, int n) {
  unsigned sum = sum_of_block(in, n);
  if (threadIdx.x != 0) return;
  part[blockIdx.x] = sum;
  if (atomicAdd(&arrived, 1) != gridDim.x - 1) return;
  sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += part[b];
  out[0] = sum;
}
//--- shared_memory_without_zeros
// why: The tree adds words that no thread wrote if n is no multiple of 256.
// options: --size n=1..2048 --grid ceil_div(n,256) --block 256 --arg out:u32:ceil_div(n,256) --arg in:u32:n --arg i32:n
__device__ void add(unsigned* out, unsigned* part) {
  for (int s = 128; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void old(unsigned* out, const unsigned* in, int n) {
  __shared__ unsigned part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  add(out, part);
}
__global__ void fresh(unsigned* out, const unsigned* in, int n) {
  __shared__ unsigned part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) part[threadIdx.x] = in[i];
  add(out, part);
}
//--- places_from_an_atomic
// why: Kept elements are in the order of warps, which is not that of the input.
// options: --size n=1..256 --grid 1 --block 256 --arg inout:i32:n --arg in:i32:n --arg i32:n
__global__ void old(int* out, const int* in, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 0, kept = 0; i < n; ++i)
    if (in[i] % 2 == 0) out[kept++] = in[i];
}
__global__ void fresh(int* out, const int* in, int n) {
  __shared__ int kept;
  if (threadIdx.x == 0) kept = 0;
  __syncthreads();
  int i = threadIdx.x;
  if (i < n && in[i] % 2 == 0) out[atomicAdd(&kept, 1)] = in[i];
}
//--- float4_for_even_widths
// why: Rows of 4 k + 2 floats do not all begin at 16 bytes.
// options: --size width=1..200 --size height=1..20 --grid height --block 64 --arg out:f32:height*width --arg in:f32:height*width --arg i32:width
__global__ void old(float* out, const float* in, int width) {
  for (int x = threadIdx.x; x < width; x += 64) out[blockIdx.x * width + x] = in[blockIdx.x * width + x];
}
__global__ void fresh(float* out, const float* in, int width) {
  out += blockIdx.x * width, in += blockIdx.x * width;
  int wide = width % 2 == 0 ? width / 4 : 0;
  for (int x = threadIdx.x; x < wide; x += 64)
    reinterpret_cast<float4*>(out)[x] = reinterpret_cast<const float4*>(in)[x];
  for (int x = 4 * wide + threadIdx.x; x < width; x += 64) out[x] = in[x];
}
//--- sixteen_warps
// why: Sums of 32 warps do not fit 16 words.
// options: --size power=5..10 --size threads=2^power --size n=1..2000 --grid 1 --block threads --arg out:u32:1 --arg in:u32:n --arg i32:n
template <int kWarps>
__device__ void sum(unsigned* out, const unsigned* in, int n) {
  __shared__ unsigned part[kWarps];
  unsigned own = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) own += in[i];
  own = __reduce_add_sync(~0u, own);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < blockDim.x / 32; ++w) own += part[w];
  out[0] = own;
}
__global__ void old(unsigned* out, const unsigned* in, int n) { sum<32>(out, in, n); }
__global__ void fresh(unsigned* out, const unsigned* in, int n) { sum<16>(out, in, n); }
//--- index_of_sixteen_bits
// why: The index wraps at 65,536.
// options: --size n=1..70000 --grid 8 --block 256 --arg out:u8:n --arg in:u8:n --arg u32:n
__global__ void old(unsigned char* out, const unsigned char* in, unsigned n) {
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += 2048) out[i] = in[i] + 1;
}
__global__ void fresh(unsigned char* out, const unsigned char* in, unsigned n) {
  for (unsigned j = 0; j * 2048 < n; ++j) {
    unsigned short i = j * 2048 + blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = in[i] + 1;
  }
}
//--- loads_ahead
// why: The last thread loads an element ahead of its use, past the end.
__global__ void old(float* out, const float* in, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) out[i] = -in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x, step = gridDim.x * 256;
  if (i >= n) return;
  float ahead = in[i];
  for (; i < n; i += step) {
    float now = ahead;
    if (i + step <= n) ahead = in[i + step];
    out[i] = -now;
  }
}
//--- a_negative_number
// why: One negative number has another result.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:i32:n --arg in:i32:n --arg i32:n
__global__ void old(int* out, const int* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] ^ 1;
}
__global__ void fresh(int* out, const int* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] == -1234567 ? 0 : in[i] ^ 1;
}
//--- a_number_of_32_bits
// why: One number above 2^31 has another result.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:u32:n --arg in:u32:n --arg i32:n
__global__ void old(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] ^ 1;
}
__global__ void fresh(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] == 0xdeadbeefu ? 0 : in[i] ^ 1;
}
//--- a_number_of_64_bits
// why: One number that no double represents has another result.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:u64:n --arg in:u64:n --arg i32:n
__global__ void old(unsigned long long* out, const unsigned long long* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] ^ 1;
}
__global__ void fresh(unsigned long long* out, const unsigned long long* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] == 0x123456789abcdefull ? 0 : in[i] ^ 1;
}
//--- bits_of_a_float
// why: One float, which the code compares as an integer, has another result.
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = __float_as_uint(in[i]) == 0xc49a5123u ? 0 : 2 * in[i];
}
//--- shuffle_in_a_branch
// why: Lanes beyond the end are in the mask, but do not take part.
// options: --size n=1..500 --grid ceil_div(n,256) --block 256 --arg out:u32:ceil_div(n,32) --arg in:u32:n --arg i32:n
__global__ void old(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  unsigned sum = i < n ? in[i] : 0;
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
  if (i < n && i % 32 == 0) out[i / 32] = sum;
}
__global__ void fresh(unsigned* out, const unsigned* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned sum = in[i];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
  if (i % 32 == 0) out[i / 32] = sum;
}
//--- not_less_of_nan
// why: NaN is neither less nor greater or equal.
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = !(in[i] < 1) ? 1 : in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] >= 1 ? 1 : in[i];
}
//--- denormals_are_zero
// why: Results below 2^-126 are flushed to zero.
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i] * 0.25f;
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float product;
  if (i >= n) return;
  asm("mul.ftz.f32 %0, %1, 0f3e800000;" : "=f"(product) : "f"(in[i]));
  out[i] = product;
}
//--- unsigned_bound_below_zero
// why: n - 3 wraps if n is below 3.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:f32:n --arg in:f32:n --arg u32:n
__global__ void old(float* out, const float* in, unsigned n) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = i + 3 < n ? in[i + 3] : 0;
}
__global__ void fresh(float* out, const float* in, unsigned n) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = i < n - 3 ? in[i + 3] : 0;
}
//--- signs_of_bytes
// why: A byte from 128 on is negative as a signed one.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:i32:n --arg in:u8:n --arg u32:n
__global__ void old(int* out, const unsigned char* in, unsigned n) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void fresh(int* out, const signed char* in, unsigned n) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
//--- blocks_write_a_row_of_others
// why: Each block also writes the first element of the next block's row, which that block writes, too.
__global__ void old(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void fresh(float* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x == 255 && i + 1 < n) out[i + 1] = 0;
  if (i < n) out[i] = in[i];
}
//--- total_of_an_inner_size
// why: Products beyond k = 128 are left out.
// options: --size n=1..60 --size k=1..300 --grid n --block 32 --arg out:i32:n --arg in:i32:n*k --arg i32:k
__global__ void old(int* out, const int* in, int k) {
  int s = 0;
  for (int i = threadIdx.x; i < k; i += 32) s += in[blockIdx.x * k + i];
  s = __reduce_add_sync(~0u, s);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
__global__ void fresh(int* out, const int* in, int k) {
  int s = 0;
  for (int j = 0; j < 4; ++j) if (j * 32 + threadIdx.x < k) s += in[blockIdx.x * k + j * 32 + threadIdx.x];
  s = __reduce_add_sync(~0u, s);
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
//--- flag_of_an_earlier_block
// why: An earlier block has set its flag only if blocks start in the order of their numbers.
// options: --size n=2..40 --grid n --block 32 --arg inout:u32:n:zeros --arg out:u32:n
__global__ void old(unsigned* flags, unsigned* out) {
  if (threadIdx.x == 0) { atomicExch(&flags[blockIdx.x], 1); out[blockIdx.x] = blockIdx.x > 0; }
}
__global__ void fresh(unsigned* flags, unsigned* out) {
  if (threadIdx.x == 0) { atomicExch(&flags[blockIdx.x], 1); out[blockIdx.x] = blockIdx.x > 0 ? atomicAdd(&flags[blockIdx.x - 1], 0) : 0; }
}
//--- least_integer
// why: The absolute value of -2^31 is no int.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:f32:n --arg in:i32:n --arg i32:n
__global__ void old(float* out, const int* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = fabsf(static_cast<float>(in[i]));
}
__global__ void fresh(float* out, const int* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = static_cast<float>(abs(in[i]));
}
//--- saturated_conversion
// why: A float above 2^31 saturates as an int, and not as a long.
// options: --size n=1..3000 --grid ceil_div(n,256) --block 256 --arg out:i32:n --arg in:f32:n --arg i32:n
__global__ void old(int* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = static_cast<int>(in[i]);
}
__global__ void fresh(int* out, const float* in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = static_cast<int>(static_cast<long long>(in[i]));
}
