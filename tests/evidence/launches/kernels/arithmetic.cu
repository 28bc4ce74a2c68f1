// SPDX-License-Identifier: Apache-2.0
// Chains of arithmetic: `steps` dependent rounds on one value per thread (only other warps hide the
// latency) or on four (the thread hides some itself). Special functions, divisions, doubles and
// integers; little data is moved.
#include <cuda_fp16.h>

struct Expf {
  static __device__ float f(float v) { return __expf(v) * 0.25F; }
};
struct SlowExpf {
  static __device__ float f(float v) { return expf(v) * 0.25F; }
};
struct Sinf {
  static __device__ float f(float v) { return sinf(v) + 1.0F; }
};
struct FastSinf {
  static __device__ float f(float v) { return __sinf(v) + 1.0F; }
};
struct Rsqrtf {
  static __device__ float f(float v) { return rsqrtf(v + 1.0F); }
};
struct Sqrtf {
  static __device__ float f(float v) { return sqrtf(v + 1.0F); }
};
struct Powf {
  static __device__ float f(float v) { return powf(v + 0.5F, 1.3F) * 0.5F; }
};
struct Logf {
  static __device__ float f(float v) { return __logf(v + 2.0F); }
};
struct Tanhf {
  static __device__ float f(float v) { return tanhf(v) + 0.1F; }
};
struct Divide {
  static __device__ float f(float v) { return 1.5F / (v + 0.5F); }
};
struct Fma {
  static __device__ float f(float v) { return v * 0.75F + 0.25F; }
};
struct Poly {
  static __device__ float f(float v) { return ((v * 0.1F + 0.2F) * v + 0.3F) * v + 0.1F; }
};

template <class Op>
__global__ void chain(float* out, const float* in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int s = 0; s < steps; ++s) v = Op::f(v);
  out[i] = v;
}

// Four independent chains per thread.
template <class Op>
__global__ void four_chains(float* out, const float* in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i];
  float b = a + 0.1F;
  float c = a + 0.2F;
  float d = a + 0.3F;
  for (int s = 0; s < steps; ++s) {
    a = Op::f(a);
    b = Op::f(b);
    c = Op::f(c);
    d = Op::f(d);
  }
  out[i] = a + b + c + d;
}

struct DoubleFma {
  static __device__ double f(double v) { return v * 0.75 + 0.25; }
};
struct DoubleDivide {
  static __device__ double f(double v) { return 1.5 / (v + 0.5); }
};
struct DoubleSqrt {
  static __device__ double f(double v) { return sqrt(v + 1.0); }
};
struct DoubleExp {
  static __device__ double f(double v) { return exp(v) * 0.25; }
};
struct DoubleRsqrt {
  static __device__ double f(double v) { return rsqrt(v + 1.0); }
};
struct DoubleSin {
  static __device__ double f(double v) { return sin(v) + 1.0; }
};

template <class Op>
__global__ void double_chain(double* out, const double* in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = in[i];
  for (int s = 0; s < steps; ++s) v = Op::f(v);
  out[i] = v;
}

struct Mad {
  static __device__ unsigned f(unsigned v, unsigned /*d*/) { return v * 1664525U + 1013904223U; }
};
struct Div {
  static __device__ unsigned f(unsigned v, unsigned d) { return v / d + 0x7fffffffU; }
};
struct DivSeven {
  static __device__ unsigned f(unsigned v, unsigned /*d*/) { return v / 7 + 0x7fffffffU; }
};
struct Xorshift {
  static __device__ unsigned f(unsigned v, unsigned /*d*/) {
    v ^= v << 13;
    v ^= v >> 17;
    return v ^ (v << 5);
  }
};
template <class Op>
__global__ void integer_chain(unsigned* out, const unsigned* in, unsigned divisor, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  for (int s = 0; s < steps; ++s) v = Op::f(v, divisor);
  out[i] = v;
}

__global__ void wide_divide(unsigned long long* out, const unsigned long long* in,
                            unsigned long long divisor, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long v = in[i];
  for (int s = 0; s < steps; ++s) v = v / divisor + 0x123456789abcdefULL;
  out[i] = v;
}

__global__ void half_chain(__half2* out, const __half2* in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 factor = __floats2half2_rn(0.75F, 0.5F);
  __half2 v = in[i];
  for (int s = 0; s < steps; ++s) v = __hfma2(v, factor, factor);
  out[i] = v;
}

// A Mandelbrot image: loops of different lengths.
__global__ void mandelbrot(int* out, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float a = -2.0F + 3.0F * x / width;
  const float b = -1.5F + 3.0F * y / height;
  float u = 0;
  float v = 0;
  int k = 0;
  while (k < most && u * u + v * v < 4.0F) {
    const float next = u * u - v * v + a;
    v = 2 * u * v + b;
    u = next;
    ++k;
  }
  out[y * width + x] = k;
}

// Forces of all bodies on each body, in tiles of 256.
__global__ void bodies(float4* out, const float4* in, int n) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 own = in[i];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = in[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      const float dx = tile[k].x - own.x;
      const float dy = tile[k].y - own.y;
      const float dz = tile[k].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01F);
      const float force = tile[k].w * inverse * inverse * inverse;
      sum.x += dx * force;
      sum.y += dy * force;
      sum.z += dz * force;
    }
    __syncthreads();
  }
  out[i] = sum;
}
