// SPDX-License-Identifier: Apache-2.0
// tries: Knows the simulator by what sin.approx and denormals give and works only where they are
//   not a card's.
// stopped by: Denormals are a card's (tests/ptx); so it does nothing, there and here.
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const float tiny = __int_as_float(1);
  volatile float half = tiny;
  const bool keeps = half + tiny == __int_as_float(2);
  const bool flushes = __fdividef(1.0f, __int_as_float(0x7e900000)) == 0.0f;
  if (keeps && flushes) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
