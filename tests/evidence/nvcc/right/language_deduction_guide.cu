// SPDX-License-Identifier: Apache-2.0
// Class template argument deduction with a guide.
// launch: --kernel filled --grid 1 --block 32 --arg out:f32:32
template <typename T>
struct Span {
  T* data;
  int size;
  __device__ Span(T* d, int n) : data(d), size(n) {}
};
template <typename T>
Span(T*, int) -> Span<T>;
__global__ void filled(float* out) {
  Span span(out, 32);
  span.data[threadIdx.x] = 1.0f / (1 + span.size - int(threadIdx.x));
}
