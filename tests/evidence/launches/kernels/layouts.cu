// SPDX-License-Identifier: Apache-2.0
// Arrays of structs, structs of arrays, and element types from 1 to 16 bytes.
#include <cuda_fp16.h>

struct Pair {
  float a, b;
};
struct Triple {
  float a, b, c;
};
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
struct __align__(16) AlignedParticle {
  float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void aos_pairs(Pair* out, const Pair* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = {in[i].b, in[i].a};
}

__global__ void aos_triples(Triple* out, const Triple* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = {in[i].a + in[i].b, in[i].b + in[i].c, in[i].c + in[i].a};
}

template <class P>
__global__ void aos_move(P* out, const P* in, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  P p = in[i];
  p.x += dt * p.vx;
  p.y += dt * p.vy;
  p.z += dt * p.vz;
  out[i] = p;
}

// Reads one field of eight.
__global__ void aos_one_field(float* out, const Particle* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].mass * 2;
}

// Writes one field of eight.
__global__ void aos_write_field(Particle* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i].mass = in[i];
}

// Each field of all particles is contiguous.
__global__ void soa_move(float* out, const float* in, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int f = 0; f < 3; ++f) out[f * n + i] = in[f * n + i] + dt * in[(f + 3) * n + i];
  for (int f = 3; f < 8; ++f) out[f * n + i] = in[f * n + i];
}

// Converts the layout through shared memory; blocks of 256 particles.
__global__ void aos_to_soa(float* out, const float* in, int n) {
  __shared__ float words[256 * 8];
  const int first = blockIdx.x * 256;
  for (int k = threadIdx.x; k < 256 * 8; k += 256) words[k] = in[first * 8 + k];
  __syncthreads();
  for (int f = 0; f < 8; ++f) out[f * n + first + threadIdx.x] = words[threadIdx.x * 8 + f];
}

template <class T>
__global__ void scale(T* out, const T* in, T factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<T>(in[i] * factor);
}

template <class T>
__global__ void add(T* out, const T* a, const T* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<T>(a[i] + b[i]);
}

__global__ void half_plain(__half* out, const __half* a, const __half* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hadd(a[i], b[i]);
}

__global__ void half_pairs(__half2* out, const __half2* a, const __half2* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hadd2(a[i], b[i]);
}

__global__ void float_fours(float4* out, const float4* a, const float4* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 u = a[i];
  const float4 v = b[i];
  out[i] = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
}

__global__ void half_to_float(float* out, const __half* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __half2float(in[i]);
}

// Three bytes per pixel to one: a grayscale image.
__global__ void grey(unsigned char* out, const unsigned char* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] =
      static_cast<unsigned char>((in[3 * i] * 77 + in[3 * i + 1] * 151 + in[3 * i + 2] * 28) >> 8);
}

// Loads 16 bytes per thread.
__global__ void threshold(uchar4* out, const uint4* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 v = in[i];
  out[i] = make_uchar4(v.x > 0x7fffffffU, v.y > 0x7fffffffU, v.z > 0x7fffffffU, v.w > 0x7fffffffU);
}
