// SPDX-License-Identifier: Apache-2.0
// User-defined operators for float3.
// launch: --kernel rays --grid 1 --block 32 --arg out:f32:96
inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__global__ void rays(float3* out) {
  const float3 a = make_float3(threadIdx.x, 1, 2), b = make_float3(0.5f, -1, 3);
  out[threadIdx.x] = a + dot(a, b) * b;
}
