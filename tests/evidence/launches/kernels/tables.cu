// SPDX-License-Identifier: Apache-2.0
// Look-ups in tables: random reads of tables that fit in L1, in L2 or in neither, tables in shared
// and constant memory, binary searches, interpolation in one, two and three dimensions, and
// k-mer counts.

__device__ unsigned hashed(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

// `times` independent random reads per thread.
template <class T>
__global__ void random_reads(T* out, const T* table, unsigned mask, int times) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < times; ++t) sum += table[hashed(i * times + t) & mask];
  out[i] = sum;
}

// Each read's address depends on the previous value.
__global__ void dependent_reads(unsigned* out, const unsigned* table, unsigned mask, int times) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = hashed(i);
  for (int t = 0; t < times; ++t) at = hashed(at ^ table[at & mask]);
  out[i] = at;
}

// A lane group of 8 reads 32 consecutive bytes of a random record.
__global__ void random_records(float* out, const float* table, unsigned mask, int times) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < times; ++t) {
    sum += table[(hashed(i / 8 * times + t) & mask) * 8 + i % 8];
  }
  out[i] = sum;
}

// Each thread reads a whole record of 32 bytes.
__global__ void random_record_a_thread(float4* out, const float4* table, unsigned mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned record = hashed(i) & mask;
  const float4 a = table[2 * record];
  const float4 b = table[2 * record + 1];
  out[i] = make_float4(a.x + b.x, a.y * b.y, a.z - b.z, a.w + b.w);
}

// Binary search of random keys among 2 i (`sorted` is iota).
__global__ void search_sorted(unsigned* out, const unsigned* sorted, const unsigned* keys,
                              int table, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i] % (2U * table);
  int low = 0;
  int high = table;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (2 * sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  out[i] = low;
}

// The top levels of the search are in shared memory: 256 equally spaced keys.
__global__ void search_two_levels(unsigned* out, const unsigned* sorted, const unsigned* keys,
                                  int table, int n) {
  __shared__ unsigned top[256];
  const int step = table / 256;  // table is a multiple of 256
  for (int k = threadIdx.x; k < 256; k += blockDim.x) top[k] = 2 * sorted[k * step + step - 1];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i] % (2U * table - 2);
  int low = 0;
  int high = 255;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (top[middle] < key) low = middle + 1;
    else high = middle;
  }
  low *= step;
  high = low + step - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (2 * sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  out[i] = low;
}

// A search tree of fan-out 9 with nodes of 8 words; `levels` of them, by arithmetic on the node.
__global__ void search_wide_tree(unsigned* out, const uint4* nodes, const unsigned* keys,
                                 int levels, unsigned most, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned node = 0;
  for (int level = 0; level < levels; ++level) {
    const uint4 a = nodes[2 * node];
    const uint4 b = nodes[2 * node + 1];
    const unsigned child = (a.x < key) + (a.y < key) + (a.z < key) + (a.w < key) + (b.x < key) +
                           (b.y < key) + (b.z < key) + (b.w < key);
    node = (node * 9 + 1 + child) % most;
  }
  out[i] = node;
}

// Piecewise linear interpolation in a table of `cells` + 1 values.
__global__ void interpolate_line(float* out, const float* in, const float* table, int cells,
                                 int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i] * cells;
  const int k = min(static_cast<int>(x), cells - 1);
  const float part = x - k;
  out[i] = table[k] + part * (table[k + 1] - table[k]);
}

// The same with the table in shared memory.
__global__ void interpolate_shared(float* out, const float* in, const float* table, int cells,
                                   int n) {
  extern __shared__ float own[];
  for (int k = threadIdx.x; k <= cells; k += blockDim.x) own[k] = table[k];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float x = in[i] * cells;
    const int k = min(static_cast<int>(x), cells - 1);
    const float part = x - k;
    out[i] = own[k] + part * (own[k + 1] - own[k]);
  }
}

// Equation of state: bilinear interpolation of two quantities in a table of side x side.
__global__ void interpolate_plane(float2* out, const float2* in, const float2* table, int side,
                                  int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 p = in[i];
  const float x = p.x * (side - 1);
  const float y = p.y * (side - 1);
  const int a = min(static_cast<int>(x), side - 2);
  const int b = min(static_cast<int>(y), side - 2);
  const float u = x - a;
  const float v = y - b;
  const float2 c00 = table[b * side + a];
  const float2 c01 = table[b * side + a + 1];
  const float2 c10 = table[(b + 1) * side + a];
  const float2 c11 = table[(b + 1) * side + a + 1];
  const float w00 = (1 - u) * (1 - v);
  const float w01 = u * (1 - v);
  const float w10 = (1 - u) * v;
  const float w11 = u * v;
  out[i] = make_float2(w00 * c00.x + w01 * c01.x + w10 * c10.x + w11 * c11.x,
                       w00 * c00.y + w01 * c01.y + w10 * c10.y + w11 * c11.y);
}

// A colour cube: trilinear interpolation in 33 x 33 x 33 colours, for pixels of three floats.
__global__ void colour_cube(float* out, const float* in, const float4* cube, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float part[3];
  int at[3];
  for (int c = 0; c < 3; ++c) {
    const float x = in[3 * i + c] * 32;
    at[c] = min(static_cast<int>(x), 31);
    part[c] = x - at[c];
  }
  float sum[3] = {0, 0, 0};
#pragma unroll
  for (int corner = 0; corner < 8; ++corner) {
    const int a = corner & 1;
    const int b = corner >> 1 & 1;
    const int c = corner >> 2;
    const float weight = (a ? part[0] : 1 - part[0]) * (b ? part[1] : 1 - part[1]) *
                         (c ? part[2] : 1 - part[2]);
    const float4 colour = cube[((at[2] + c) * 33 + at[1] + b) * 33 + at[0] + a];
    sum[0] += weight * colour.x;
    sum[1] += weight * colour.y;
    sum[2] += weight * colour.z;
  }
  for (int c = 0; c < 3; ++c) out[3 * i + c] = sum[c];
}

struct Curve {
  float values[256];
};
__device__ constexpr Curve make_curve() {
  Curve curve{};
  for (int k = 0; k < 256; ++k) curve.values[k] = static_cast<float>(k * k) / 65025.0F;
  return curve;
}
__constant__ Curve curve = make_curve();

// A tone curve in constant memory: lanes with different indices are served one after the other.
__global__ void constant_curve(float* out, const unsigned* in, int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned four = in[i] & mask;
  out[i] = curve.values[four & 255] + curve.values[four >> 8 & 255] +
           curve.values[four >> 16 & 255] + curve.values[four >> 24];
}

// Counts k-mers of a packed sequence: two bits per base, sixteen per word.
__global__ void count_kmers(unsigned* counts, const unsigned* bases, int words, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words - 1) return;
  const unsigned long long both =
      static_cast<unsigned long long>(bases[i + 1]) << 32 | bases[i];
  for (int k = 0; k < 16; ++k) {
    atomicAdd(&counts[static_cast<unsigned>(both >> (2 * k)) & mask], 1U);
  }
}
