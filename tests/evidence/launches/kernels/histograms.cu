// SPDX-License-Identifier: Apache-2.0
// Histograms of random words with 16 to 65,536 bins: in registers or private columns of shared
// memory, one per block, straight to global memory, sorted by match, joint (two-dimensional), and
// of values that concentrate on few bins. `mask` is the number of bins minus 1.

// A private column of 8-bit counters per thread; 64 bins, blocks of 128, at most 255 words per
// thread.
__global__ void private_bytes(unsigned* bins, const unsigned* in, int n) {
  __shared__ unsigned char own[64][128];
  for (int b = 0; b < 64; ++b) own[b][threadIdx.x] = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
    own[in[i] & 63][threadIdx.x] += 1;
  }
  __syncthreads();
  if (threadIdx.x >= 64) return;
  unsigned sum = 0;
  for (int t = 0; t < 128; ++t) sum += own[threadIdx.x][(t + threadIdx.x) & 127];
  atomicAdd(&bins[threadIdx.x], sum);
}

// Counters in registers, selected by comparison; 16 bins.
__global__ void private_registers(unsigned* bins, const unsigned* in, int n) {
  unsigned own[16] = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned value = in[i] & 15;
#pragma unroll
    for (int b = 0; b < 16; ++b) own[b] += value == b;
  }
#pragma unroll
  for (int b = 0; b < 16; ++b) {
    const unsigned sum = __reduce_add_sync(~0U, own[b]);
    if (threadIdx.x % 32 == 0) atomicAdd(&bins[b], sum);
  }
}

// Dynamic shared memory has one counter per bin.
__global__ void shared_bins(unsigned* bins, const unsigned* in, int n, unsigned mask) {
  extern __shared__ unsigned own[];
  for (unsigned b = threadIdx.x; b <= mask; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[(in[i] >> 7) & mask], 1U);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b <= mask; b += blockDim.x) {
    const unsigned count = own[b];
    if (count > 0) atomicAdd(&bins[b], count);
  }
}

__global__ void global_bins(unsigned* bins, const unsigned* in, int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[(in[i] >> 7) & mask], 1U);
}

// Equal bins within a warp are counted first; one lane of each adds to global memory.
__global__ void matched_bins(unsigned* bins, const unsigned* in, int n, unsigned mask) {
  const int stride = gridDim.x * blockDim.x;
  const int lane = threadIdx.x % 32;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += stride) {
    const unsigned bin = i < n ? (in[i] >> 7) & mask : ~0U;
    const unsigned same = __match_any_sync(~0U, bin);
    if (i < n && __ffs(same) - 1 == lane) {
      atomicAdd(&bins[bin], static_cast<unsigned>(__popc(same)));
    }
  }
}

// The bin is the number of leading zeros of a random word: half of all words are in bin 0.
__global__ void skewed_bins(unsigned* bins, const unsigned* in, int n) {
  __shared__ unsigned own[33];
  for (int b = threadIdx.x; b < 33; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[__clz(in[i])], 1U);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 33; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}

// The joint histogram of two images; 64 x 64 bins in shared memory.
__global__ void joint_bins(unsigned* bins, const unsigned char* a, const unsigned char* b,
                           int width, int height) {
  __shared__ unsigned own[64 * 64];
  for (int k = threadIdx.x; k < 64 * 64; k += blockDim.x) own[k] = 0;
  __syncthreads();
  for (int y = blockIdx.x; y < height; y += gridDim.x) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
      const int i = y * width + x;
      atomicAdd(&own[(a[i] >> 2) * 64 + (b[i] >> 2)], 1U);
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 64 * 64; k += blockDim.x) {
    if (own[k] > 0) atomicAdd(&bins[k], own[k]);
  }
}

// Points in the unit square counted on a grid of `side` x `side` cells.
__global__ void points_on_grid(unsigned* cells, const float2* points, int n, int side) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 p = points[i];
  atomicAdd(&cells[static_cast<int>(p.y * side) * side + static_cast<int>(p.x * side)], 1U);
}

// The distances of all pairs of `n` points, in 512 bins; blocks of 256 with a tile of the others.
__global__ void pair_distances(unsigned* bins, const float* x, const float* y, const float* z,
                               int n) {
  __shared__ float others[3][256];
  __shared__ unsigned own[512];
  for (int b = threadIdx.x; b < 512; b += 256) own[b] = 0;
  const int i = blockIdx.x * 256 + threadIdx.x;  // n is a multiple of 256
  const float px = x[i];
  const float py = y[i];
  const float pz = z[i];
  for (int first = 0; first < n; first += 256) {
    __syncthreads();
    others[0][threadIdx.x] = x[first + threadIdx.x];
    others[1][threadIdx.x] = y[first + threadIdx.x];
    others[2][threadIdx.x] = z[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      const float dx = others[0][k] - px;
      const float dy = others[1][k] - py;
      const float dz = others[2][k] - pz;
      const float distance = sqrtf(dx * dx + dy * dy + dz * dz);
      atomicAdd(&own[min(511, static_cast<int>(distance * 256))], 1U);
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 512; b += 256) atomicAdd(&bins[b], own[b]);
}
