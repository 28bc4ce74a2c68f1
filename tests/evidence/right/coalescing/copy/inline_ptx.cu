// SPDX-License-Identifier: Apache-2.0
// Loads and stores in inline PTX, with the streaming hint .cs.
__device__ __forceinline__ float load_stream(const float* p) {
  float v;
  asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}

__device__ __forceinline__ void store_stream(float* p, float v) {
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (column < width && row + 8 * k < height)
      v[k] = load_stream(in + (row + 8 * k) * width + column);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (column < width && row + 8 * k < height)
      store_stream(out + (row + 8 * k) * width + column, v[k]);
}
