// SPDX-License-Identifier: Apache-2.0
// #if 0 around text that is not C++, with unclosed braces.
// left out: main
#if 0
This isn't C++ {{{ it's a note: "unfinished
int main( {
#endif
__global__ void one(int* x) { x[threadIdx.x] = 1; }
#if 0
}}} '
#elif 1
int main() { one<<<1, 1>>>(nullptr); }
#else
void main2() { {{
#endif
__global__ void two(int* x) { x[threadIdx.x] = 2; }
