// SPDX-License-Identifier: Apache-2.0
// tries: Uses a thread per row. Its scattered loads are asynchronous copies to shared memory, which
//   the gate on sectors might not count.
// stopped by: Asynchronous copies count as loads (common/sim/exec/uncommon/async.cpp).
// verdict: fail mechanism, 3 points
#include <cuda_pipeline.h>

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ unsigned columns[8];
  __shared__ float values[8];
  const unsigned row = blockIdx.x * 8 + threadIdx.x, t = threadIdx.x;
  if (t >= 8 || row >= rows) return;
  float sum = 0;
  for (unsigned i = row_begin[row]; i < row_begin[row + 1]; ++i) {
    __pipeline_memcpy_async(&columns[t], &column[i], 4);
    __pipeline_memcpy_async(&values[t], &value[i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    sum += values[t] * x[columns[t]];
  }
  y[row] = sum;
}
