// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | trap_function_pointer.cu:9:28: trap: calls a function through the pointer 0x0, which points to no function; first set the pointer, or construct the object with the virtual function, on the device
// |     9 | extern "C" __global__ void k(int* out) { out[threadIdx.x] = chosen(threadIdx.x); }
// |       |                            ^
// |       block (0, 0, 0), thread (0, 0, 0)
typedef int (*Function)(int);
__device__ Function chosen;  // never set
extern "C" __global__ void k(int* out) { out[threadIdx.x] = chosen(threadIdx.x); }
