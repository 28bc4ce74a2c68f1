// SPDX-License-Identifier: Apache-2.0
// Vector types. corpus.py describes the parts.

//--- vectors_dim3
// dim3 and uint3 as values.
// launch: --kernel places --grid 2,2 --block 8,4 --arg out:i32:128
__device__ int flat(uint3 at, dim3 extent) { return (at.z * extent.y + at.y) * extent.x + at.x; }
__global__ void places(int* out) {
  const dim3 block(blockDim.x, blockDim.y);
  const int i = flat(blockIdx, gridDim) * 32 + flat(threadIdx, block);
  out[i] = i * 2;
}

//--- vectors_double2_longlong
// double2, longlong2 and int4 in arrays.
// launch: --kernel pairs --grid 1 --block 32 --arg out:f64:64
__global__ void pairs(double2* out) {
  const longlong2 l = make_longlong2(1ll << 33, threadIdx.x);
  const int4 i = make_int4(1, 2, 3, 4);
  out[threadIdx.x] = make_double2(l.x / 3.0, double(l.y * i.w));
}

//--- vectors_float4_loads
// float4 loads and stores through reinterpret_cast.
// launch: --kernel quads --grid 1 --block 32 --arg in:f32:128:iota --arg out:f32:128
__global__ void quads(const float* in, float* out) {
  float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
  v.x += v.w;
  v.y = -v.y;
  reinterpret_cast<float4*>(out)[31 - threadIdx.x] = v;
}

//--- vectors_make
// make_float2 to make_float4, members, and a sum of members.
// launch: --kernel sums --grid 1 --block 32 --arg out:f32:32
__global__ void sums(float* out) {
  const float2 a = make_float2(threadIdx.x, 1);
  const float3 b = make_float3(a.x, a.y, 2);
  float4 c = make_float4(b.x, b.y, b.z, 3);
  c.w *= 2;
  out[threadIdx.x] = c.x + c.y * c.z - c.w;
}

//--- vectors_narrow
// char4, uchar4, short2 and ushort3 with conversions.
// launch: --kernel narrow --grid 1 --block 32 --arg out:i32:32
__global__ void narrow(int* out) {
  const char4 c = make_char4(threadIdx.x, -1, 100, threadIdx.x * 9);
  const uchar4 u = make_uchar4(threadIdx.x * 17, 255, 3, 4);
  const short2 s = make_short2(threadIdx.x * 3000, -5);
  const ushort3 t = {1, 2, 65535};
  out[threadIdx.x] = c.x + c.y + c.w + u.x + u.y + s.x * s.y + t.z;
}

//--- vectors_operators
// User-defined operators for float3.
// launch: --kernel rays --grid 1 --block 32 --arg out:f32:96
inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__global__ void rays(float3* out) {
  const float3 a = make_float3(threadIdx.x, 1, 2), b = make_float3(0.5f, -1, 3);
  out[threadIdx.x] = a + dot(a, b) * b;
}
