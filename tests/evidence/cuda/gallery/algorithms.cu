// SPDX-License-Identifier: Apache-2.0
// Sums, scans, sorts, matrices and stencils.

//--- bitonic_sort
// Bitonic sort of 256 words per block.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned keys[256];
  const unsigned base = blockIdx.x * 256;
  for (unsigned i = threadIdx.x; i < 256; i += 128) keys[i] = in[base + i];
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const bool up = (low & size) == 0;
      const unsigned a = keys[low];
      const unsigned b = keys[low + stride];
      if ((a > b) == up) {
        keys[low] = b;
        keys[low + stride] = a;
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += 128) out[base + i] = keys[i];
}

//--- convolution_constant
// 5 x 5 convolution of a 32 x 32 image; the weights are an initialized __constant__ array.
// launch: grid 2,2 block 16,16

__constant__ float weights[25] = {1,  4, 6, 4,  1,  4,  16, 24, 16, 4, 6, 24, 36,
                                  24, 6, 4, 16, 24, 16, 4,  1,  4,  6, 4, 1};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const int sx = min(max(x + dx, 0), 31);
      const int sy = min(max(y + dy, 0), 31);
      sum += weights[(dy + 2) * 5 + dx + 2] * static_cast<float>(in[sy * 32 + sx] & 0xff);
    }
  }
  out[y * 32 + x] = __float_as_uint(sum / 256.0F);
}

//--- half_matrix_multiply
// Product of two 32 x 32 matrices of half, summed in float.
// launch: grid 4,4 block 8,8
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 32; ++k) {
    const __half a = __uint2half_rn(in[y * 32 + k] & 0x3ff);
    const __half b = __hdiv(__uint2half_rn(in[k * 32 + x] & 0x3ff), __float2half(128.0F));
    sum += __half2float(a) * __half2float(b);
  }
  out[y * 32 + x] = __float_as_uint(sum);
}

//--- histogram_shared
// Histogram of bytes, private to a block in shared memory, merged with atomics.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < 4096; i += 1024) {
    const unsigned word = in[i];
    atomicAdd(&bins[word & 255], 1U);
    atomicAdd(&bins[word >> 8 & 255], 1U);
  }
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

//--- matrix_multiply
// Tiled product of two 32 x 32 matrices of floats, tiles of 8 x 8 in shared memory.
// launch: grid 4,4 block 8,8

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float a[8][8];
  __shared__ float b[8][8];
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    a[threadIdx.y][threadIdx.x] =
        static_cast<float>(in[y * 32 + tile * 8 + threadIdx.x] & 0xfff) / 1000.0F;
    b[threadIdx.y][threadIdx.x] =
        static_cast<float>(in[1024 + (tile * 8 + threadIdx.y) * 32 + x] & 0xfff) / 1000.0F;
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  out[y * 32 + x] = __float_as_uint(sum);
}

//--- matrix_multiply_double
// Untiled product of two 32 x 32 matrices of doubles; folds each result into one word.
// launch: grid 4,4 block 8,8

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  double sum = 0;
  for (int k = 0; k < 32; ++k) {
    sum +=
        (static_cast<double>(in[y * 32 + k]) / 3.0) * (static_cast<double>(in[k * 32 + x]) / 7.0);
  }
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(sum));
  out[y * 32 + x] = static_cast<unsigned>(bits) ^ static_cast<unsigned>(bits >> 32);
}

//--- n_body
// Forces between 256 bodies, tiles in shared memory, exact division and square root.
// launch: grid 4 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float4 tile[64];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const auto body = [&](unsigned at) {
    return make_float4(static_cast<float>(in[at] & 0xff), static_cast<float>(in[at] >> 8 & 0xff),
                       static_cast<float>(in[at] >> 16 & 0xff), static_cast<float>(in[at] >> 24));
  };
  const float4 me = body(i);
  float3 force = make_float3(0, 0, 0);
  for (unsigned t = 0; t < 4; ++t) {
    tile[threadIdx.x] = body(t * 64 + threadIdx.x);
    __syncthreads();
    for (int k = 0; k < 64; ++k) {
      const float dx = tile[k].x - me.x;
      const float dy = tile[k].y - me.y;
      const float dz = tile[k].z - me.z;
      const float square = dx * dx + dy * dy + dz * dz + 0.01F;
      const float s = tile[k].w / (square * sqrtf(square));
      force.x += dx * s;
      force.y += dy * s;
      force.z += dz * s;
    }
    __syncthreads();
  }
  out[i] = __float_as_uint(force.x) ^ __float_as_uint(force.y) * 3 ^ __float_as_uint(force.z) * 5;
}

//--- odd_even_sort
// Odd-even transposition sort of 128 signed words per block.
// launch: grid 8 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ int keys[128];
  const unsigned t = threadIdx.x;
  keys[t] = static_cast<int>(in[blockIdx.x * 128 + t]);
  keys[t + 64] = static_cast<int>(in[blockIdx.x * 128 + t + 64]);
  for (unsigned step = 0; step < 128; ++step) {
    __syncthreads();
    const unsigned i = 2 * t + step % 2;
    if (i + 1 < 128 && keys[i] > keys[i + 1]) {
      const int a = keys[i];
      keys[i] = keys[i + 1];
      keys[i + 1] = a;
    }
  }
  __syncthreads();
  out[blockIdx.x * 128 + t] = static_cast<unsigned>(keys[t]);
  out[blockIdx.x * 128 + t + 64] = static_cast<unsigned>(keys[t + 64]);
}

//--- reduction_cooperative
// Sums, bitwise reductions, minima and maxima with cooperative groups: reduce over tiles of 8, 16
// and 32.
// launch: grid 4 block 256
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto half = cg::tiled_partition<16>(warp);
  const auto eight = cg::tiled_partition<8>(block);
  const unsigned i = blockIdx.x * blockDim.x + block.thread_rank();
  const unsigned value = in[i];
  unsigned result = cg::reduce(warp, value, cg::plus<unsigned>());
  result ^= cg::reduce(half, value, cg::less<unsigned>());
  result ^= cg::reduce(eight, value, cg::bit_xor<unsigned>()) << 1;
  const float sum = cg::reduce(eight, static_cast<float>(value & 0xff), cg::plus<float>());
  block.sync();
  out[i] = result + __float_as_uint(sum) + eight.meta_group_rank();
}

//--- reduction_shared
// Tree reduction in shared memory: one sum and one maximum per block.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float sums[256];
  __shared__ int most[256];
  const unsigned t = threadIdx.x;
  sums[t] = __uint_as_float(0x3f000000 | (in[blockIdx.x * 256 + t] & 0x7fffff));
  most[t] = static_cast<int>(in[blockIdx.x * 256 + t]);
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      sums[t] += sums[t + half];
      most[t] = max(most[t], most[t + half]);
    }
  }
  if (t == 0) {
    out[2 * blockIdx.x] = __float_as_uint(sums[0]);
    out[2 * blockIdx.x + 1] = static_cast<unsigned>(most[0]);
  }
}

//--- saxpy_grid_stride
// A grid-stride loop over a product and a sum that the compiler may contract.
// launch: grid 2 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 1024; i += gridDim.x * blockDim.x) {
    const float x = static_cast<float>(static_cast<int>(in[i])) * 1e-7F;
    const float y = static_cast<float>(static_cast<int>(in[i + 1024])) * 1e-7F;
    out[i] = __float_as_uint(2.7182818F * x + y);
  }
}

//--- scan_blelloch
// Exclusive prefix sum by up-sweep and down-sweep, 128 words per block.
// launch: grid 8 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned data[128];
  const unsigned t = threadIdx.x;
  const unsigned base = blockIdx.x * 128;
  data[2 * t] = in[base + 2 * t] & 0x3ff;
  data[2 * t + 1] = in[base + 2 * t + 1] & 0x3ff;
  unsigned offset = 1;
  for (unsigned d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) data[127] = 0;
  for (unsigned d = 1; d < 128; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const unsigned left = data[offset * (2 * t + 1) - 1];
      data[offset * (2 * t + 1) - 1] = data[offset * (2 * t + 2) - 1];
      data[offset * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  out[base + 2 * t] = data[2 * t];
  out[base + 2 * t + 1] = data[2 * t + 1];
}

//--- scan_cooperative
// Inclusive and exclusive scans of cooperative groups.
// launch: grid 4 block 128
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = cg::inclusive_scan(tile, in[i] & 0xfff, cg::plus<unsigned>());
  out[2 * i + 1] = cg::exclusive_scan(tile, in[i] & 0xfff, cg::plus<unsigned>());
}

//--- scan_hillis_steele
// Inclusive prefix sum of each block's 256 words, double buffered in dynamic shared memory.
// launch: grid 4 block 256 shared 2048

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  extern __shared__ unsigned buffer[];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  buffer[t] = in[blockIdx.x * 256 + t] & 0xff;
  __syncthreads();
  for (unsigned step = 1; step < 256; step *= 2) {
    const unsigned to = 256 - from;
    buffer[to + t] = buffer[from + t] + (t >= step ? buffer[from + t - step] : 0);
    from = to;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = buffer[from + t];
}

//--- scan_shuffle
// Inclusive prefix sum of a block by warp shuffles, with one value per warp in shared memory.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned warps[8];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  unsigned value = in[i] & 0xffff;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffff, value, step);
    if (lane >= static_cast<unsigned>(step)) value += left;
  }
  if (lane == 31) warps[threadIdx.x / 32] = value;
  __syncthreads();
  for (unsigned w = 0; w < threadIdx.x / 32; ++w) value += warps[w];
  out[i] = value;
}

//--- stencil_1d
// Seven-point stencil with a halo in shared memory.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float row[256 + 6];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const auto value = [&](int at) {
    return at < 0 ? 0.0F : static_cast<float>(in[at] & 0xffff) / 65536.0F;
  };
  row[threadIdx.x + 3] = value(i);
  if (threadIdx.x < 3) {
    row[threadIdx.x] = value(i - 3);
    row[threadIdx.x + 259] = value(i + 256);
  }
  __syncthreads();
  float sum = 0;
  for (int k = -3; k <= 3; ++k) sum += row[static_cast<int>(threadIdx.x) + 3 + k] / 7.0F;
  out[i] = __float_as_uint(sum);
}

//--- transpose_padded
// A 32 x 32 transpose through a padded tile.
// launch: grid 1,1 block 32,8

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned tile[32][33];
  for (int j = 0; j < 32; j += 8) {
    tile[threadIdx.y + j][threadIdx.x] = in[(threadIdx.y + j) * 32 + threadIdx.x];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    out[(threadIdx.y + j) * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

//--- vector_add
// Adds two parts of the input as floats.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = static_cast<float>(in[i] & 0xffff) * 0.37F;
  const float b = static_cast<float>(in[i + 1024] & 0xffff) * 1.13F;
  out[i] = __float_as_uint(a + b);
}
