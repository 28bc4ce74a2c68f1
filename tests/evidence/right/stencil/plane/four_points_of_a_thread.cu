// SPDX-License-Identifier: Apache-2.0
// 64 threads compute four points of a row each, with 16-byte accesses if rows are aligned.
__device__ float at(const float* in, int x, int y, int width) { return in[y * width + x]; }

__global__ void heat(float* out, const float* in, int width, int height) {
  const int t = threadIdx.y * 32 + threadIdx.x;
  if (t >= 64) return;
  const int x = blockIdx.x * 32 + t % 8 * 4, y = blockIdx.y * 8 + t / 8;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (width % 4 == 0 && y > 0 && y < height - 1) {
    const float4 n = *(const float4*)(in + i - width), c = *(const float4*)(in + i);
    const float4 s = *(const float4*)(in + i + width);
    const float w = x > 0 ? in[i - 1] : 0, e = x + 4 < width ? in[i + 4] : 0;
    float4 r;
    r.x = x > 0 ? 0.2f * (n.x + w + c.x + c.y + s.x) : c.x;
    r.y = 0.2f * (n.y + c.x + c.y + c.z + s.y);
    r.z = 0.2f * (n.z + c.y + c.z + c.w + s.z);
    r.w = x + 4 < width ? 0.2f * (n.w + c.z + c.w + e + s.w) : c.w;
    *(float4*)(out + i) = r;
    return;
  }
  for (int k = 0; k < 4 && x + k < width; ++k) {
    const bool edge = x + k == 0 || y == 0 || x + k == width - 1 || y == height - 1;
    float sum = at(in, x + k, y, width);
    if (!edge) {
      sum += at(in, x + k - 1, y, width) + at(in, x + k + 1, y, width);
      sum = 0.2f * (sum + at(in, x + k, y - 1, width) + at(in, x + k, y + 1, width));
    }
    out[i + k] = sum;
  }
}
