// SPDX-License-Identifier: Apache-2.0
// The six kernels that exercises profiling/predict and profiling/resident ask about. Nothing is edited here.
//
// Launches on an H200, which has 132 multiprocessors. `shared` is dynamic shared memory per block.
//
//   kernel      grid   block   shared
//   stream      8448   256
//   columns     2112   256
//   polynomial  2112   256
//   invert      2112   256
//   window       528   128     49152
//   ones         560   512
//
// Predict first. Then profile a kernel, for example:
//   ./warpgrade profile labs/profiling/reference.cu --kernel stream --grid 8448 --block 256 \
//     --device h200 --arg out:f32:2162688 --arg in:f32:34603008:zeros

// Adds 16 numbers per thread.
__global__ void stream(float* out, const float* in) {
  const float4* in4 = reinterpret_cast<const float4*>(in);
  const unsigned first = blockIdx.x * 4 * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const float4 v = in4[first + k * blockDim.x];
    sum += v.x + v.y + v.z + v.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Adds the numbers of a row of a tile of 32 x 32 per thread.
__global__ void columns(float* out, const float* in) {
  __shared__ float tile[32 * 32];
  const unsigned first = blockIdx.x * 1024;
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = in[first + i];
  __syncthreads();
  const unsigned row = threadIdx.x % 32;
  float sum = 0;
  for (unsigned column = 0; column < 32; ++column) sum += tile[32 * row + column];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Evaluates a polynomial of degree 512.
__global__ void polynomial(float* out, const float* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  float y = x;
  for (int k = 0; k < 512; ++k) y = y * x + 0.5f;
  out[i] = y;
}

// Inverts 16 bytes per thread, one after the other.
__global__ void invert(unsigned char* out, const unsigned char* in) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (unsigned k = 0; k < 16; ++k) out[i + k * threads] = 255 - in[i + k * threads];
}

// Adds 32 numbers per thread, each times a factor from a table in shared memory.
__global__ void window(float* out, const float* in) {
  extern __shared__ float factor[];
  factor[threadIdx.x] = 1.0f / (1 + threadIdx.x);
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 32; ++k) sum += in[i + k * threads] * factor[(threadIdx.x + k) % 128];
  out[i] = sum;
}

// Counts the 1 bits of 32 bytes per thread.
__global__ void ones(unsigned* out, const unsigned char* in) {
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 32; ++k) sum += __popc(in[i + k * threads]);
  out[i] = sum;
}
