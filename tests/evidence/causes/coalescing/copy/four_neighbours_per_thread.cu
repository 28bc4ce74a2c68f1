// SPDX-License-Identifier: Apache-2.0
// cause: partial_sectors|uncoalesced_load line=24
// says: Each thread copies four neighbouring floats one by one, so the lanes of one load are four words apart and
//   use a quarter of each sector.

struct Place {
  int row, first;
};

__device__ inline Place find_place() {
  const int t = threadIdx.y * 32 + threadIdx.x;
  Place p;
  p.row = blockIdx.y * 32 + t / 8;
  p.first = blockIdx.x * 32 + t % 8 * 4;
  return p;
}

__global__ void copy(float* out, const float* in, int width, int height) {
  const Place p = find_place();
  if (p.row >= height) return;
  float* out_row = out + p.row * width;
  const float* in_row = in + p.row * width;
  for (int c = p.first; c < p.first + 4; ++c) {
    if (c < width) out_row[c] = in_row[c];
  }
}
