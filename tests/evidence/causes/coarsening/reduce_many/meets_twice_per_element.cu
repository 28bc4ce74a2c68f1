// SPDX-License-Identifier: Apache-2.0
// cause: barriers line=17
// says: The block meets twice for each element that a thread adds, so its loads cannot overlap; add up in a
//   register and meet once at the end.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float box[1024];
  const auto block = cg::this_thread_block();
  const unsigned t = block.thread_rank(), size = block.size();
  float own = 0;
  const unsigned step = gridDim.x * size;
  for (unsigned base = blockIdx.x * size; base < n && base + step > base; base += step) {
    box[t] = base + t < n ? in[base + t] : 0.0f;
    block.sync();
    own += box[size - 1 - t];
    block.sync();
  }
  for (int o = 16; o; o /= 2) own += __shfl_xor_sync(~0u, own, o);
  if (t % 32 == 0) box[t / 32] = own;
  block.sync();
  if (t == 0) {
    float all = 0;
    for (unsigned k = 0; k < size / 32; ++k) all += box[k];
    partial[blockIdx.x] = all;
  }
}
