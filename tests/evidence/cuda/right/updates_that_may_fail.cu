// SPDX-License-Identifier: Apache-2.0
// launch: --grid 4 --block 64 --arg out:i32:1 --arg in:i32:512:iota
__device__ int parent[256], token, tail, next[260];
__device__ float sum;
__device__ int root(int x) {
  volatile int* p = parent;
  int at = p[x];
  while (at != x) {
    const int above = p[at];
    if (above != at) atomicCAS(&parent[x], at, above);  // a failure: the path is already shorter
    x = at;
    at = above;
  }
  return x;
}
extern "C" __global__ void k(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicExch(&parent[i], min(i, in[i]));
  for (int a = i, b = in[i] * 7 % 256;;) {
    a = root(a), b = root(b);
    if (a == b || atomicCAS(&parent[max(a, b)], max(a, b), min(a, b)) == max(a, b)) break;
  }
  // The outer exchange returns what another thread has put there meanwhile.
  for (float v = 1; v != 0;) v = atomicExch(&sum, atomicExch(&sum, 0.0f) + v);
  // The word is its own lock: -1 says that a thread has the value.
  for (int v = -1; v == -1;) {
    v = atomicExch(&token, -1);
    if (v != -1) atomicExch(&token, 3 * v + 1 & 0xffff);
  }
  // Michael and Scott's queue: any thread may move the tail on.
  for (int after = -1; after != 0;) {
    const int last = *static_cast<volatile int*>(&tail);
    after = atomicCAS(&next[last], 0, i + 1);
    atomicCAS(&tail, last, after == 0 ? i + 1 : after);
  }
  if (i == 0) *out = 0;
}
