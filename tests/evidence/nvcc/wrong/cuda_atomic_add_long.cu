// SPDX-License-Identifier: Apache-2.0
// atomicAdd of a signed long long.
__global__ void kernel(long long* out) { atomicAdd(out, 1ll); }
