// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=9
// says: Rows 2 k and 2 k + 1 are turned by the same number, so their words of a column share a bank;
//   exclusive-or with the row itself.

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float words[32 * 32];
  const auto slot = [](unsigned line, unsigned lane) {
    return line * 32u + ((lane ^ (line >> 1)) & 31u);
  };
  const unsigned lane = threadIdx.x;
  unsigned line = threadIdx.y;
  do {
    const unsigned y = blockIdx.y * 32 + line, x = blockIdx.x * 32 + lane;
    if (y < height && x < width) words[slot(line, lane)] = in[y * width + x];
    line += 8;
  } while (line < 32);
  __syncthreads();
  line = threadIdx.y;
  do {
    const unsigned y = blockIdx.x * 32 + line, x = blockIdx.y * 32 + lane;
    if (y < width && x < height) out[y * height + x] = words[slot(lane, line)];
    line += 8;
  } while (line < 32);
}
