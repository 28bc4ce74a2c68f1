// SPDX-License-Identifier: Apache-2.0
// If the width is even, 16 lanes copy a row of 32 floats as float2, two rows per warp at a time.
template <typename Word>
__device__ void copy_words(Word* out, const Word* in, int width, int height) {
  constexpr int kWords = 32 * sizeof(float) / sizeof(Word);
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int column = blockIdx.x * kWords + thread % kWords;
  for (int y = thread / kWords; y < 32; y += 256 / kWords) {
    const int row = blockIdx.y * 32 + y;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}

__global__ void copy(float* out, const float* in, int width, int height) {
  if (width & 1)
    copy_words<float>(out, in, width, height);
  else
    copy_words<float2>((float2*)out, (const float2*)in, width >> 1, height);
}
