// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_store line=26
// says: The tile is loaded by rows, but thread t stores the point of column t / 8 and row t % 8,
//   so a warp writes eight rows, four words of each.
// reports: partial_sectors line=34
constexpr int kPitch = 36;

__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float box[10 * kPitch];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;

  // The ten rows of the box; row 0 is the row above the block.
  for (int r = ty; r < 10; r += 8) {
    const int gy = y0 + r - 1;
    if (gy < 0 || gy >= height) continue;
    const float* row = in + (long long)gy * width;
    float* to = box + r * kPitch;
    if (x0 + tx < width) to[tx + 1] = row[x0 + tx];
    if (tx == 0 && x0 > 0) to[0] = row[x0 - 1];
    if (tx == 31 && x0 + 32 < width) to[33] = row[x0 + 32];
  }
  __syncthreads();

  const int t = ty * 32 + tx;
  const int c = t >> 3, r = t & 7;
  const int x = x0 + c, y = y0 + r;
  if (x >= width || y >= height) return;

  const float* p = box + (r + 1) * kPitch + c + 1;
  float v = *p;
  if (x != 0 && y != 0 && x != width - 1 && y != height - 1)
    v = 0.2f * (v + p[-1] + p[1] + p[-kPitch] + p[kPitch]);
  out[(long long)y * width + x] = v;
}
