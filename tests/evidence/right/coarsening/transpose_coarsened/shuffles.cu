// SPDX-License-Identifier: Apache-2.0
// Transposes 8 x 8 squares in registers, without a barrier. Four warps process the even tiles, four
// the odd ones.
template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  const int lane = threadIdx.x, top = blockIdx.y * 32 + (threadIdx.y & 3) * 8;
  for (int c = threadIdx.y >> 2; c < Factor; c += 2) {
    const int left = (blockIdx.x * Factor + c) * 32;
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = left + lane < width && top + k < height ? in[(top + k) * width + left + lane] : 0;
#pragma unroll
    for (int step = 1; step < 8; step *= 2)
#pragma unroll
      for (int k = 0; k < 8; ++k)
        if (!(k & step)) {
          const float got = __shfl_xor_sync(~0u, lane & step ? v[k] : v[k | step], step);
          if (lane & step)
            v[k] = got;
          else
            v[k | step] = got;
        }
    const int column = top + lane % 8;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const int row = left + lane / 8 * 8 + k;
      if (row < width && column < height) out[row * height + column] = v[k];
    }
  }
}
