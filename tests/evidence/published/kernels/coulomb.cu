// SPDX-License-Identifier: Apache-2.0
// The potential of point charges on a grid: a thread adds up all charges for `Depth` points above
// each other, `Unroll` of them per pass (0: as the compiler likes).

__device__ float inverse_root(float x) {  // as -use_fast_math compiles rsqrtf
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

struct Point {
  int x, y, z;

  __device__ explicit Point(int depth)
      : x(blockIdx.x * blockDim.x + threadIdx.x),
        y(blockIdx.y * blockDim.y + threadIdx.y),
        z((blockIdx.z * blockDim.z + threadIdx.z) * depth) {}
};

__device__ constexpr int unrolled(int depth, int unroll) { return unroll == 0 ? depth : unroll; }

// Charges as structures of four floats.
template <int Depth, int Unroll>
__global__ void potential(float* grid, const float4* atoms, int count, float spacing, int size) {
  const Point at(Depth);
  if (at.x >= size || at.y >= size) return;
  const int slice = size * size;
  const int first = slice * at.z + size * at.y + at.x;
  const float x = spacing * at.x;
  const float y = spacing * at.y;
  const float z = spacing * at.z;
  float sums[Depth];
  for (int i = 0; i < Depth; ++i) sums[i] = 0;
  for (int a = 0; a < count; ++a) {
    const float dx = x - atoms[a].x;
    const float dy = y - atoms[a].y;
    float dz = z - atoms[a].z;
    const float charge = atoms[a].w;
#pragma unroll unrolled(Depth, Unroll)
    for (int i = 0; i < Depth; ++i) {
      sums[i] += charge * inverse_root(dx * dx + dy * dy + dz * dz);
      dz += spacing;
    }
  }
  for (int i = 0; i < Depth; ++i) {
    if (at.z + i < size) grid[first + slice * i] += sums[i];
  }
}

// Charges as four arrays.
template <int Depth, int Unroll>
__global__ void potential_arrays(float* grid, const float* ax, const float* ay, const float* az,
                                 const float* aw, int count, float spacing, int size) {
  const Point at(Depth);
  if (at.x >= size || at.y >= size) return;
  const int slice = size * size;
  const int first = slice * at.z + size * at.y + at.x;
  const float x = spacing * at.x;
  const float y = spacing * at.y;
  const float z = spacing * at.z;
  float sums[Depth];
  for (int i = 0; i < Depth; ++i) sums[i] = 0;
  for (int a = 0; a < count; ++a) {
    const float dx = x - ax[a];
    const float dy = y - ay[a];
    float dz = z - az[a];
    const float charge = aw[a];
#pragma unroll unrolled(Depth, Unroll)
    for (int i = 0; i < Depth; ++i) {
      sums[i] += charge * inverse_root(dx * dx + dy * dy + dz * dz);
      dz += spacing;
    }
  }
  for (int i = 0; i < Depth; ++i) {
    if (at.z + i < size) grid[first + slice * i] += sums[i];
  }
}
