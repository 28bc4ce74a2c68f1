// SPDX-License-Identifier: Apache-2.0
// Reductions: Mark Harris' steps, last block, shuffles, arg max, float min and max, Kahan.
//
// launch: interleaved_modulo grid 8 block 128
// launch: interleaved_stride grid 8 block 128
// launch: sequential_first_add grid 8 block 128
// launch: unrolled_templates grid 4 block 256
// launch: last_block grid 16 block 128
// launch: shuffles_and_atomics grid 4 block 192
// launch: arg_max grid 4 block 256
// launch: float_extremes grid 4 block 256
// launch: kahan_and_welford grid 1 block 64
// launch: dot_and_norm grid 4 block 128 shared 2048
// launch: dynamic_arrays grid 4 block 64 shared 1600

extern "C" __global__ void interleaved_modulo(unsigned* out, const unsigned* in) {
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = s[t];
}
extern "C" __global__ void interleaved_stride(unsigned* out, const unsigned* in) {
  __shared__ float s[128];
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t] * 1e-9f;
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    const unsigned index = 2 * d * t;
    if (index < blockDim.x) s[index] += s[index + d];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = __float_as_uint(s[t]);
}
extern "C" __global__ void sequential_first_add(unsigned* out, const unsigned* in) {
  __shared__ double s[128];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  s[t] = in[i] * 0x1p-8 + in[i + blockDim.x] * 0x1p-7;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = static_cast<unsigned>(__double2ll_rn(s[t]));
}

template <unsigned kBlock>
__device__ void warp_reduce(volatile unsigned* s, unsigned t) {
  unsigned v = s[t];
  if (kBlock >= 64) {
    v += s[t + 32];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (kBlock >= 32) {
    v += s[t + 16];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (kBlock >= 16) {
    v += s[t + 8];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (kBlock >= 8) {
    v += s[t + 4];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (kBlock >= 4) {
    v += s[t + 2];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
  if (kBlock >= 2) {
    v += s[t + 1];
    __syncwarp();
    s[t] = v;
    __syncwarp();
  }
}
template <unsigned kBlock>
__device__ void reduce6(unsigned* out, const unsigned* in, unsigned n) {
  __shared__ unsigned s[kBlock];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * kBlock * 2 + t; i < n; i += kBlock * 2 * gridDim.x) {
    sum += in[i];
    if (i + kBlock < n) sum += in[i + kBlock];
  }
  s[t] = sum;
  __syncthreads();
  if (kBlock >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if (kBlock >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (kBlock >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) warp_reduce<kBlock>(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void unrolled_templates(unsigned* out, const unsigned* in) {
  switch (blockDim.x) {
    case 512:
      reduce6<512>(out, in, 4001);
      break;
    case 256:
      reduce6<256>(out, in, 4001);
      break;
    case 128:
      reduce6<128>(out, in, 4001);
      break;
    case 64:
      reduce6<64>(out, in, 4001);
      break;
  }
}

__device__ unsigned blocks_done = 0;
__device__ float partial_sums[16];
extern "C" __global__ void last_block(unsigned* out, const unsigned* in) {
  __shared__ float s[128];
  __shared__ bool is_last;
  const unsigned t = threadIdx.x;
  const auto sum_block = [&](float value) {
    s[t] = value;
    __syncthreads();
    for (unsigned d = 64; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];
      __syncthreads();
    }
    return s[0];
  };
  const float sum = sum_block(in[blockIdx.x * 128 + t] * 0x1p-16f);
  if (t == 0) {
    partial_sums[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  const float total = sum_block(t < gridDim.x ? static_cast<volatile float*>(partial_sums)[t] : 0);
  if (t == 0) out[0] = __float_as_uint(total), blocks_done = 0;
}

template <typename T>
__inline__ __device__ T warp_sum(T value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}
extern "C" __global__ void shuffles_and_atomics(unsigned* out, const unsigned* in) {
  __shared__ int block_sum;
  __shared__ unsigned long long wide_sum;
  if (threadIdx.x == 0) block_sum = 0, wide_sum = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = warp_sum(static_cast<int>(in[i]) >> 6);
  const long long wide = warp_sum(static_cast<long long>(in[i]) * static_cast<int>(in[i + 768]));
  const double real = warp_sum(in[i] / 3.0);
  const float single = warp_sum(in[i] / 7.0f);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&block_sum, sum);
    atomicAdd(&wide_sum, static_cast<unsigned long long>(wide));
    out[16 + i / 32] = __double2hiint(real) ^ __double2loint(real) ^ __float_as_uint(single);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(reinterpret_cast<int*>(out), block_sum);
    atomicAdd(reinterpret_cast<unsigned long long*>(out) + 1, wide_sum);
  }
}

struct Best {
  float value;
  int index;
};
__device__ Best better(Best a, Best b) {
  return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b;
}
extern "C" __global__ void arg_max(unsigned* out, const unsigned* in) {
  __shared__ Best best[256];
  const int t = threadIdx.x;
  best[t] = {static_cast<float>(in[blockIdx.x * 256 + t] % 200), t};
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) best[t] = better(best[t], best[t + d]);
  }
  __syncthreads();
  out[blockIdx.x * 256 + t] = best[t].index | static_cast<unsigned>(best[t].value) << 16;
}

__device__ float atomicMaxFloat(float* address, float value) {
  int* as_int = reinterpret_cast<int*>(address);
  int old = *as_int, assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ void atomicMinFloat(float* address, float value) {
  if (!signbit(value))
    atomicMin(reinterpret_cast<int*>(address), __float_as_int(value));
  else
    atomicMax(reinterpret_cast<unsigned*>(address), __float_as_uint(value));
}
__device__ double atomicAddDouble(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
extern "C" __global__ void float_extremes(unsigned* out, const unsigned* in) {
  __shared__ float low, high;
  __shared__ double sum;
  if (threadIdx.x == 0) low = 1e30f, high = -1e30f, sum = 0;
  __syncthreads();
  const float value = static_cast<float>(static_cast<int>(in[blockIdx.x * 256 + threadIdx.x]));
  atomicMaxFloat(&high, value);
  atomicMinFloat(&low, value);
  atomicAddDouble(&sum, value);
  atomicAddDouble(reinterpret_cast<double*>(out) + 100, value);
  __syncthreads();
  if (threadIdx.x < 4) {
    const unsigned words[] = {__float_as_uint(low), __float_as_uint(high),
                              static_cast<unsigned>(__double2loint(sum)),
                              static_cast<unsigned>(__double2hiint(sum))};
    out[blockIdx.x * 4 + threadIdx.x] = words[threadIdx.x];
  }
}

extern "C" __global__ void kahan_and_welford(unsigned* out, const unsigned* in) {
  float sum = 0, lost = 0, mean = 0, m2 = 0;
  for (int k = 0; k < 64; ++k) {
    const float x = in[threadIdx.x + 64 * k] * 0x1p-20f;
    const float y = __fsub_rn(x, lost), t = __fadd_rn(sum, y);
    lost = __fsub_rn(__fsub_rn(t, sum), y);
    sum = t;
    const float delta = x - mean;
    mean += delta / (k + 1);
    m2 += delta * (x - mean);
  }
  out[4 * threadIdx.x] = __float_as_uint(sum);
  out[4 * threadIdx.x + 1] = __float_as_uint(lost);
  out[4 * threadIdx.x + 2] = __float_as_uint(mean);
  out[4 * threadIdx.x + 3] = __float_as_uint(sqrtf(m2 / 63));
}

extern __shared__ double dynamic[];
extern "C" __global__ void dot_and_norm(unsigned* out, const unsigned* in) {
  double2* s = reinterpret_cast<double2*>(dynamic);
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const double x = in[i], y = static_cast<int>(in[i + 512]);
  s[t] = make_double2(x * y, x * x);
  for (unsigned d = blockDim.x >> 1; d; d >>= 1) {
    __syncthreads();
    if (t >= d) continue;
    s[t].x += s[t + d].x;
    s[t].y += s[t + d].y;
  }
  if (t == 0) {
    reinterpret_cast<double*>(out)[2 * blockIdx.x] = s[0].x;
    reinterpret_cast<double*>(out)[2 * blockIdx.x + 1] = sqrt(s[0].y);
  }
}

extern "C" __global__ void dynamic_arrays(unsigned* out, const unsigned* in) {
  extern __shared__ __align__(16) unsigned char bytes[];
  double* doubles = reinterpret_cast<double*>(bytes);                   // 64 x 8
  float4* quads = reinterpret_cast<float4*>(&doubles[64]);              // 64 x 16
  unsigned char* small = reinterpret_cast<unsigned char*>(&quads[64]);  // 64
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  doubles[t] = in[i] * 0.5;
  quads[t] = make_float4(in[i] & 1, in[i] & 2, in[i] & 4, in[i] & 8);
  small[t] = in[i] >> 24;
  __syncthreads();
  const float4 q = quads[t ^ 5];
  out[i] = static_cast<unsigned>(doubles[63 - t]) + static_cast<unsigned>(q.x + q.y + q.z + q.w) +
           small[(t + 7) % 64];
}
