// SPDX-License-Identifier: Apache-2.0
// Inclusive and exclusive scans within blocks, and bitonic and odd-even sorts: many barriers,
// shared memory with and without conflicts, shuffles. Each block works on its own elements.

// blockDim.x is Threads for all kernels below.
template <int Threads>
__global__ void hillis_steele(float* out, const float* in, int n) {
  __shared__ float sums[2][Threads];
  const int i = blockIdx.x * Threads + threadIdx.x;
  int now = 0;
  sums[0][threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < Threads; offset *= 2) {
    float sum = sums[now][threadIdx.x];
    if (threadIdx.x >= offset) sum += sums[now][threadIdx.x - offset];
    now = 1 - now;
    sums[now][threadIdx.x] = sum;
    __syncthreads();
  }
  if (i < n) out[i] = sums[now][threadIdx.x];
}

// Two elements per thread, up and down a tree. Padded adds a word after every 32.
template <int Threads, bool Padded>
__global__ void blelloch(float* out, const float* in) {
  __shared__ float sums[2 * Threads + (Padded ? 2 * Threads / 32 : 0)];
  const auto at = [](int i) { return Padded ? i + i / 32 : i; };
  const int t = threadIdx.x;
  const int base = blockIdx.x * 2 * Threads;
  sums[at(t)] = in[base + t];
  sums[at(t + Threads)] = in[base + t + Threads];
  int offset = 1;
  for (int d = Threads; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) sums[at(offset * (2 * t + 2) - 1)] += sums[at(offset * (2 * t + 1) - 1)];
    offset *= 2;
  }
  if (t == 0) sums[at(2 * Threads - 1)] = 0;
  for (int d = 1; d <= Threads; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int low = at(offset * (2 * t + 1) - 1);
      const int high = at(offset * (2 * t + 2) - 1);
      const float before = sums[low];
      sums[low] = sums[high];
      sums[high] += before;
    }
  }
  __syncthreads();
  out[base + t] = sums[at(t)];
  out[base + t + Threads] = sums[at(t + Threads)];
}

__device__ float warp_scan(float value) {
  const int lane = threadIdx.x % 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    const float other = __shfl_up_sync(~0U, value, offset);
    if (lane >= offset) value += other;
  }
  return value;
}

template <int Threads>
__global__ void by_shuffles(float* out, const float* in, int n) {
  __shared__ float warps[32];
  const int i = blockIdx.x * Threads + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float sum = warp_scan(i < n ? in[i] : 0);
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const float of_warps = warp_scan(lane < Threads / 32 ? warps[lane] : 0);
    warps[lane] = of_warps;
  }
  __syncthreads();
  if (warp > 0) sum += warps[warp - 1];
  if (i < n) out[i] = sum;
}

// Each thread first scans four consecutive elements by itself.
template <int Threads>
__global__ void four_a_thread(float4* out, const float4* in) {
  __shared__ float warps[32];
  const int i = blockIdx.x * Threads + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float4 v = in[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const float through = warp_scan(v.w);
  if (lane == 31) warps[warp] = through;
  __syncthreads();
  if (warp == 0) warps[lane] = warp_scan(lane < Threads / 32 ? warps[lane] : 0);
  __syncthreads();
  const float before = through - v.w + (warp > 0 ? warps[warp - 1] : 0);
  out[i] = make_float4(v.x + before, v.y + before, v.z + before, v.w + before);
}

// Sorts 2 * Threads elements per block.
template <int Threads, class T>
__global__ void bitonic(T* out, const T* in) {
  __shared__ T keys[2 * Threads];
  const int base = blockIdx.x * 2 * Threads;
  const int t = threadIdx.x;
  keys[t] = in[base + t];
  keys[t + Threads] = in[base + t + Threads];
  for (int size = 2; size <= 2 * Threads; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int low = 2 * t - (t & (step - 1));
      const bool up = (low & size) == 0;
      const T a = keys[low];
      const T b = keys[low + step];
      if ((a > b) == up) {
        keys[low] = b;
        keys[low + step] = a;
      }
    }
  }
  __syncthreads();
  out[base + t] = keys[t];
  out[base + t + Threads] = keys[t + Threads];
}

template <int Threads>
__global__ void odd_even(int* out, const int* in) {
  __shared__ int keys[2 * Threads];
  const int base = blockIdx.x * 2 * Threads;
  const int t = threadIdx.x;
  keys[t] = in[base + t];
  keys[t + Threads] = in[base + t + Threads];
  for (int round = 0; round < 2 * Threads; ++round) {
    __syncthreads();
    const int low = 2 * t + (round & 1);
    if (low + 1 < 2 * Threads && keys[low] > keys[low + 1]) {
      const int key = keys[low];
      keys[low] = keys[low + 1];
      keys[low + 1] = key;
    }
  }
  __syncthreads();
  out[base + t] = keys[t];
  out[base + t + Threads] = keys[t + Threads];
}

// One step of a bitonic sort of the whole buffer, from `in` to `out`; partners are 2^step apart.
__global__ void bitonic_step(int* out, const int* in, int step, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = ((i >> step) << (step + 1)) | (i & ((1 << step) - 1));
  const int high = low | (1 << step);
  const int a = in[low];
  const int b = in[high];
  const bool up = ((low >> size) & 1) == 0;
  const bool turn = (a > b) == up;
  out[low] = turn ? b : a;
  out[high] = turn ? a : b;
}

// Bitonic sort of a warp's 32 elements with shuffles.
__global__ void warp_sort(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  int key = in[i];
  for (int size = 2; size <= 32; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = __shfl_xor_sync(~0U, key, step);
      const bool up = (lane & size) == 0;
      const bool first = (lane & step) == 0;
      key = (up == first) ? min(key, other) : max(key, other);
    }
  }
  out[i] = key;
}
