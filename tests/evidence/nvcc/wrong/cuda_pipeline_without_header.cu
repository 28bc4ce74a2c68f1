// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline without its header.
#include <cuda/barrier>
__global__ void kernel(int* out) {
  auto pipe = cuda::make_pipeline();
  pipe.producer_commit();
  out[threadIdx.x] = 1;
}
