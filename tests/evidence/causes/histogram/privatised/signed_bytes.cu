// SPDX-License-Identifier: Apache-2.0
// cause: out_of_bounds|wrong_index line=10
// says: The bytes are read as char, which is signed: values from 128 on index before the bins.
__global__ void histogram(unsigned* hist, const unsigned char* data, unsigned size) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  const char* text = (const char*)data;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < size; i += gridDim.x * 256)
    atomicAdd(&local[text[i]], 1); 
  __syncthreads();
  atomicAdd(&hist[threadIdx.x], local[threadIdx.x]);
}
