// SPDX-License-Identifier: Apache-2.0
// cause: no_tile|redundant_loads line=9
// says: The loads are volatile, so they bypass L1, and each of the five loads of a point goes to
//   L2: load plainly, or keep the block's points in shared memory.
// never: Neighbouring lanes must
struct Plane {
  const volatile float* points;
  int width;
  __device__ float at(int x, int y) const { return points[y * width + x]; }
};

__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const Plane plane = {in, width};
  float v = plane.at(x, y);
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    v = 0.2f * (v + plane.at(x - 1, y) + plane.at(x + 1, y) + plane.at(x, y - 1) + plane.at(x, y + 1));
  out[y * width + x] = v;
}
