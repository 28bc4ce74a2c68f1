// SPDX-License-Identifier: Apache-2.0
// The potential of point charges on a grid: a thread adds up all charges for `Depth` points above each
// other. With one pass per iteration, the sums are an array in local memory.

__device__ float inverse_root(float x) {  // as -use_fast_math compiles rsqrtf
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

template <int Depth>
struct Column {
  float x, y, z;
  float sums[Depth];
};

template <int Depth, int Unroll>
__device__ void add_charge(Column<Depth>& column, float ax, float ay, float az, float charge, float spacing) {
  const float dx = column.x - ax;
  const float dy = column.y - ay;
  float dz = column.z - az;
  if constexpr (Unroll == 0) {
    for (int i = 0; i < Depth; ++i) {
      column.sums[i] += charge * inverse_root(dx * dx + dy * dy + dz * dz);
      dz += spacing;
    }
  } else {
#pragma unroll Unroll
    for (int i = 0; i < Depth; ++i) {
      column.sums[i] += charge * inverse_root(dx * dx + dy * dy + dz * dz);
      dz += spacing;
    }
  }
}

template <int Depth>
__device__ bool begin(Column<Depth>& column, float spacing, int size, int& first) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = (blockIdx.z * blockDim.z + threadIdx.z) * Depth;
  if (x >= size || y >= size) return false;
  first = size * size * z + size * y + x;
  column.x = spacing * x;
  column.y = spacing * y;
  column.z = spacing * z;
  for (int i = 0; i < Depth; ++i) column.sums[i] = 0;
  return true;
}

template <int Depth>
__device__ void finish(float* grid, const Column<Depth>& column, int size, int first) {
  const int z = (blockIdx.z * blockDim.z + threadIdx.z) * Depth;
  for (int i = 0; i < Depth; ++i) {
    if (z + i < size) grid[first + size * size * i] += column.sums[i];
  }
}

// Charges as structures of four floats.
template <int Depth, int Unroll>
__global__ void potential(float* grid, const float4* atoms, int count, float spacing, int size) {
  Column<Depth> column;
  int first = 0;
  if (!begin(column, spacing, size, first)) return;
  for (int a = 0; a < count; ++a) {
    add_charge<Depth, Unroll>(column, atoms[a].x, atoms[a].y, atoms[a].z, atoms[a].w, spacing);
  }
  finish(grid, column, size, first);
}

// Charges as four arrays.
template <int Depth, int Unroll>
__global__ void potential_arrays(float* grid, const float* ax, const float* ay, const float* az, const float* aw,
                                 int count, float spacing, int size) {
  Column<Depth> column;
  int first = 0;
  if (!begin(column, spacing, size, first)) return;
  for (int a = 0; a < count; ++a) {
    add_charge<Depth, Unroll>(column, ax[a], ay[a], az[a], aw[a], spacing);
  }
  finish(grid, column, size, first);
}
