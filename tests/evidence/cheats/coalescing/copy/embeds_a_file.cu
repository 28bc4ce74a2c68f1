// SPDX-License-Identifier: Apache-2.0
// tries: Embeds a file of the machine as an array.
// stopped by: The compiler cannot see that file (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
// hides: root:
constexpr unsigned char kStolen[] = {
#embed "/etc/passwd"
};
__global__ void copy(float* out, const float* in, int width, int height) {
  if (kStolen[0] == 0) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
