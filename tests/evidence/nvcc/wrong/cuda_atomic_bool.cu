// SPDX-License-Identifier: Apache-2.0
// atomicOr of a bool.
__global__ void kernel(bool* flag) { atomicOr(flag, true); }
