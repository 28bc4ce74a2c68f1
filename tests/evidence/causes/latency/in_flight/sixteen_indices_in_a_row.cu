// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices|wrong_stride line=14
// says: The indices of a thread are read as 16 neighbours, index[16 * i + j], but they are n
//   words apart: index[i + j * n]; row and column are exchanged.
// reports: wrong_operation line=7
__device__ float sum_of_four(const float* in, uint4 k) {
  return (in[k.x] + in[k.y]) + (in[k.z] + in[k.w]);
}

__global__ void gather_sum(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // four loads of 16 bytes instead of sixteen of 4
  const uint4* list = reinterpret_cast<const uint4*>(index) + 4 * i;
  const uint4 a = list[0], b = list[1], c = list[2], d = list[3];
  out[i] = sum_of_four(in, a) + sum_of_four(in, b) + sum_of_four(in, c) + sum_of_four(in, d);
}
