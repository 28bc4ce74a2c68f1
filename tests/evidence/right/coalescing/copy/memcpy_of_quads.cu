// SPDX-License-Identifier: Apache-2.0
// A memcpy of 16 bytes, which looks like one load. The sizes are __grid_constant__ parameters.
// deserves: fail mechanism, 0 points; the compiler, like nvcc, turns it into sixteen one-byte
//   loads, each of which moves 16 sectors
__global__ void copy(float* out, const float* in, const __grid_constant__ int width,
                     const __grid_constant__ int height) {
  const unsigned n = width * height;
  const unsigned t = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 32 + threadIdx.x;
  if (4 * t + 3 < n) {
    float4 v;
    memcpy(&v, reinterpret_cast<const float4*>(in) + t, sizeof(v));
    memcpy(reinterpret_cast<float4*>(out) + t, &v, sizeof(v));
  } else {
    for (unsigned i = 4 * t; i < n && i < 4 * t + 4; ++i) out[i] = in[i];
  }
}
