// SPDX-License-Identifier: Apache-2.0
// Barriers of a block, and kernels that need them. corpus.py describes the parts.

//--- barriers_counts
// __syncthreads_count, __syncthreads_and and __syncthreads_or.
// launch: --kernel votes --grid 1 --block 64 --arg out:i32:64
__global__ void votes(int* out) {
  const int t = threadIdx.x;
  const int count = __syncthreads_count(t % 5 == 0), all = __syncthreads_and(t < 64), any = __syncthreads_or(t == 99);
  out[t] = count * 100 + (all != 0) * 10 + (any != 0);
}

//--- barriers_double_buffer
// Two buffers in shared memory that swap roles.
// launch: --kernel rotated --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
__global__ void rotated(const int* in, int* out) {
  __shared__ int room[2][32];
  int from = 0;
  const int t = threadIdx.x;
  room[0][t] = in[t];
  __syncthreads();
  for (int i = 0; i < 5; ++i) {
    room[1 - from][t] = room[from][(t + 1) % 32] * 2 % 97;
    from = 1 - from;
    __syncthreads();
  }
  out[t] = room[from][t];
}

//--- barriers_histogram
// A shared memory histogram with atomics.
// launch: --kernel histogram --grid 1 --block 64 --arg in:i32:64:iota --arg inout:i32:8:zeros
__global__ void histogram(const int* in, int* bins) {
  __shared__ int own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[in[threadIdx.x] * 5 % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

//--- barriers_last_block
// The last block adds up the results of all blocks, found by a counter and fences.
// launch: --kernel total --grid 4 --block 32 --arg in:i32:128:iota --arg out:i32:4 --arg inout:i32:2:zeros
__global__ void total(const int* in, volatile int* part, int* state) {
  __shared__ bool is_last;
  int sum = in[blockIdx.x * 32 + threadIdx.x];
  sum = __reduce_add_sync(0xffffffff, sum);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(&state[0], 1) == int(gridDim.x) - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) all += part[i];
    state[1] = all;
  }
}

//--- barriers_matrix_product
// A tiled matrix product.
// launch: --kernel product --grid 2,2 --block 8,8 --arg in:f32:256:iota --arg in:f32:256:iota --arg out:f32:256
__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float ta[8][8], tb[8][8];
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 16; k += 8) {
    ta[threadIdx.y][threadIdx.x] = a[y * 16 + k + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 16 + x];
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  c[y * 16 + x] = sum;
}

//--- barriers_reduction
// A tree reduction of a block in shared memory.
// launch: --kernel totals --grid 2 --block 64 --arg in:f32:128:iota --arg out:f32:2
__global__ void totals(const float* in, float* out) {
  __shared__ float part[64];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

//--- barriers_transpose
// A transpose through a padded tile in shared memory.
// launch: --kernel transpose --grid 2,2 --block 8,8 --arg in:f32:256:iota --arg out:f32:256
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[8][9];
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * 16 + x];
  __syncthreads();
  out[(blockIdx.x * 8 + threadIdx.y) * 16 + blockIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
