// SPDX-License-Identifier: Apache-2.0
// Hash tables in global memory. Keys are the bits of random buffers; 0 marks an empty slot. A
// random buffer also serves as a filled table: a slot is empty if the low bits of its word are zero
// (mask `holes`), so probes have a geometric length.

__device__ unsigned hash_1(unsigned i) {
  i = (i ^ (i >> 16)) * 0x7feb352dU;
  i = (i ^ (i >> 15)) * 0x846ca68bU;
  return i ^ (i >> 16);
}

__device__ unsigned hash_2(unsigned i) {
  i = (i ^ (i >> 17)) * 0xed5ad4bbU;
  i = (i ^ (i >> 11)) * 0xac4c1b51U;
  return i ^ (i >> 15);
}

// Inserts with linear probing; at most 64 probes. A key that finds no room counts as lost.
__global__ void insert_linear(unsigned* table, unsigned* lost, const unsigned* keys, int n,
                              unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i] | 1;
  unsigned slot = hash_1(key) & mask;
  for (int probe = 0; probe < 64; ++probe) {
    const unsigned seen = atomicCAS(&table[slot], 0U, key);
    if (seen == 0 || seen == key) return;
    slot = (slot + 1) & mask;
  }
  atomicAdd(lost, 1U);
}

// Key and value packed in 64 bits; quadratic probing.
__global__ void insert_pairs(unsigned long long* table, unsigned* lost, const unsigned* keys,
                             const unsigned* values, int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long pair = static_cast<unsigned long long>(keys[i] | 1) << 32 | values[i];
  unsigned slot = hash_1(keys[i] | 1) & mask;
  for (int probe = 1; probe <= 32; ++probe) {
    const unsigned long long seen = atomicCAS(&table[slot], 0ULL, pair);
    if (seen == 0 || seen >> 32 == pair >> 32) return;
    slot = (slot + probe) & mask;
  }
  atomicAdd(lost, 1U);
}

// Counts words: finds or claims the key's slot, then adds to its counter.
__global__ void count_words(unsigned* table, unsigned* counts, const unsigned* keys, int n,
                            unsigned distinct, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = (keys[i] & distinct) + 1;
  unsigned slot = hash_2(key) & mask;
  for (int probe = 0; probe < 64; ++probe) {
    unsigned seen = *reinterpret_cast<volatile unsigned*>(&table[slot]);
    if (seen == 0) seen = atomicCAS(&table[slot], 0U, key);
    if (seen == 0 || seen == key) {
      atomicAdd(&counts[slot], 1U);
      return;
    }
    slot = (slot + 1) & mask;
  }
}

// Looks keys up with linear probing.
__global__ void find_linear(unsigned* out, const unsigned* table, const unsigned* keys, int n,
                            unsigned mask, unsigned holes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned slot = hash_1(key) & mask;
  int probes = 0;
  unsigned seen = table[slot];
  while (seen != key && (seen & holes) != 0 && probes < 128) {
    slot = (slot + 1) & mask;
    seen = table[slot];
    ++probes;
  }
  out[i] = seen == key ? slot : probes;
}

// The same with double hashing: every probe is a new sector.
__global__ void find_double_hashing(unsigned* out, const unsigned* table, const unsigned* keys,
                                    int n, unsigned mask, unsigned holes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  const unsigned step = hash_2(key) | 1;
  unsigned slot = hash_1(key) & mask;
  int probes = 0;
  unsigned seen = table[slot];
  while (seen != key && (seen & holes) != 0 && probes < 128) {
    slot = (slot + step) & mask;
    seen = table[slot];
    ++probes;
  }
  out[i] = seen == key ? slot : probes;
}

// Cuckoo table with three places per key.
__global__ void find_cuckoo(unsigned* out, const unsigned long long* table, const unsigned* keys,
                            int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  const unsigned long long a = table[hash_1(key) & mask];
  const unsigned long long b = table[hash_2(key) & mask];
  const unsigned long long c = table[(hash_1(key) ^ (hash_2(key) * 5)) & mask];
  unsigned value = 0;
  if (a >> 32 == key) value = static_cast<unsigned>(a);
  if (b >> 32 == key) value = static_cast<unsigned>(b);
  if (c >> 32 == key) value = static_cast<unsigned>(c);
  out[i] = value ^ static_cast<unsigned>(a ^ b ^ c);
}

// Cuckoo inserts: a key evicts the one in its place, which moves to its other place; at most 24
// moves.
__global__ void insert_cuckoo(unsigned* table, unsigned* lost, const unsigned* keys, int n,
                              unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = keys[i] | 1;
  unsigned slot = hash_1(key) & mask;
  for (int move = 0; move < 24; ++move) {
    const unsigned evicted = atomicExch(&table[slot], key);
    if (evicted == 0 || evicted == key) return;
    key = evicted;
    const unsigned first = hash_1(key) & mask;
    slot = slot == first ? hash_2(key) & mask : first;
  }
  atomicAdd(lost, 1U);
}

// Buckets of 8 words: eight lanes look up one key together.
__global__ void find_in_buckets(unsigned* out, const unsigned* table, const unsigned* keys, int n,
                                unsigned buckets) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int lane = threadIdx.x % 8;
  if (i >= n) return;  // n is a multiple of 4
  const unsigned key = keys[i];
  const unsigned word = table[(hash_1(key) % buckets) * 8 + lane];
  const unsigned found = __ballot_sync(~0U, word % 16 == key % 16);
  const unsigned own = (found >> (threadIdx.x % 32 / 8 * 8)) & 255;
  if (lane == 0) out[i] = own == 0 ? 8 : __ffs(own) - 1;
}

// Follows chains: a node's successor is a hash of its word; a chain ends at words with two zero
// bits.
__global__ void walk_chains(unsigned* out, const uint2* nodes, const unsigned* keys, int n,
                            unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = hash_1(keys[i]) & mask;
  unsigned sum = 0;
  for (int step = 0; step < 32; ++step) {
    const uint2 node = nodes[at];
    sum += node.y;
    if ((node.x & 3) == 0) break;
    at = hash_2(node.x) & mask;
  }
  out[i] = sum;
}

// A table per block in shared memory removes duplicates from the block's 1024 keys.
__global__ void distinct_in_block(unsigned* counts, const unsigned* keys, unsigned distinct) {
  __shared__ unsigned table[2048];
  for (int k = threadIdx.x; k < 2048; k += blockDim.x) table[k] = 0;
  __syncthreads();
  int mine = 0;
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
    const unsigned key = (keys[blockIdx.x * 1024 + k] & distinct) + 1;
    unsigned slot = hash_1(key) & 2047;
    unsigned seen = atomicCAS(&table[slot], 0U, key);
    while (seen != 0 && seen != key) {
      slot = (slot + 1) & 2047;
      seen = atomicCAS(&table[slot], 0U, key);
    }
    mine += seen == 0;
  }
  mine = __reduce_add_sync(~0U, mine);
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

// Bloom filter with four bits per key.
__global__ void bloom_insert(unsigned* bits, const unsigned* keys, int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = hash_1(keys[i]);
  const unsigned b = hash_2(keys[i]) | 1;
  for (int k = 0; k < 4; ++k) {
    const unsigned bit = (a + k * b) & mask;
    atomicOr(&bits[bit / 32], 1U << (bit % 32));
  }
}

// Stops at the first zero bit; half of all bits are set.
__global__ void bloom_query(unsigned char* out, const unsigned* bits, const unsigned* keys, int n,
                            unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = hash_1(keys[i]);
  const unsigned b = hash_2(keys[i]) | 1;
  bool present = true;
  for (int k = 0; k < 6 && present; ++k) {
    const unsigned bit = (a + k * b) & mask;
    present = (bits[bit / 32] >> (bit % 32)) & 1;
  }
  out[i] = present;
}
