// SPDX-License-Identifier: Apache-2.0
// A host template with explicit instantiations and a specialisation.
// left out: fill, fill, fill, fill, type_name, type_name, type_name
// instances: fill_kernel<int> fill_kernel<float>
#include <string>
#include <vector>
template <typename T>
__global__ void fill_kernel(T* out, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}
template __global__ void fill_kernel<int>(int*, int, int);

template <typename T>
void fill(T* out, T value, int n);

template <typename T>
void fill(T* out, T value, int n) {
  fill_kernel<T><<<(n + 255) / 256, 256>>>(out, value, n);
}
template void fill<int>(int*, int, int);
template void fill<float>(float*, float, int);

template <typename T>
std::string type_name() {
  return "?";
}
template <>
std::string type_name<int>() {
  return "int";
}
template <>
std::string type_name<float>() {
  return "float";
}
