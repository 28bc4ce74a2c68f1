// SPDX-License-Identifier: Apache-2.0
// Mistakes of types. corpus.py describes the parts.

//--- type_abstract_object
// An object of an abstract class.
struct Shape {
  __device__ virtual float area() const = 0;
};
__global__ void kernel(float* out) {
  Shape s;
  out[threadIdx.x] = s.area();
}

//--- type_ambiguous_overload
// A call that matches two overloads equally well.
__device__ float f(float a, double b) { return a + b; }
__device__ float f(double a, float b) { return a - b; }
__global__ void kernel(float* out) { out[threadIdx.x] = f(1, 2); }

//--- type_array_assignment
// Assigning whole arrays.
__global__ void kernel(int* out) {
  int a[2] = {1, 2}, b[2];
  b = a;
  out[threadIdx.x] = b[0];
}

//--- type_arrow_on_struct
// The operator -> on a struct instead of a pointer.
struct Node {
  int value;
};
__global__ void kernel(int* out) {
  Node node = {3};
  out[threadIdx.x] = node->value;
}

//--- type_assign_call
// Assigning to the result of a function.
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { twice(3) = out[0]; }

//--- type_binding_count
// A structured binding with the wrong number of names.
struct Pair {
  int a, b;
};
__global__ void kernel(int* out) {
  auto [x, y, z] = Pair{1, 2};
  out[threadIdx.x] = x + y + z;
}

//--- type_bitwise_and_float
// A bitwise AND of floats.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = in[0] & in[1]; }

//--- type_call_variable
// Calling a variable.
__global__ void kernel(int* out) {
  int size = 3;
  out[threadIdx.x] = size();
}

//--- type_constant_assignment
// Assigning to a literal.
__global__ void kernel(int* out, int n) {
  if (4 = n) out[threadIdx.x] = 1;
}

//--- type_deleted_copy
// Copying an object whose copy constructor is deleted.
struct Handle {
  int value = 1;
  Handle() = default;
  Handle(const Handle&) = delete;
};
__global__ void kernel(int* out) {
  Handle a;
  Handle b = a;
  out[threadIdx.x] = b.value;
}

//--- type_dereference_number
// Dereferencing a number.
__global__ void kernel(int* out, int n) { out[threadIdx.x] = *n; }

//--- type_dim3_arithmetic
// threadIdx itself as an index.
__global__ void kernel(int* out) { out[threadIdx] = 1; }

//--- type_dim3_product
// Multiplying blockIdx by blockDim as vectors.
__global__ void kernel(int* out) {
  int i = blockIdx * blockDim + threadIdx;
  out[i] = 1;
}

//--- type_dot_on_pointer
// The operator . on a pointer.
struct Node {
  int value;
};
__global__ void kernel(int* out, Node* nodes) { out[threadIdx.x] = nodes.value; }

//--- type_drop_const
// A pointer to const passed to a function that writes.
__device__ void clear(float* p) { *p = 0; }
__global__ void kernel(const float* in) { clear(in + threadIdx.x); }

//--- type_float2_scale
// float2 has no operator * with a scalar.
__global__ void kernel(float2* out, const float2* in) { out[threadIdx.x] = 2.0f * in[threadIdx.x]; }

//--- type_float4_sum
// float4 has no operator +.
__global__ void kernel(float4* out, const float4* in) { out[threadIdx.x] = in[0] + in[threadIdx.x]; }

//--- type_float_index
// A float as an index.
__global__ void kernel(float* out) {
  float i = threadIdx.x;
  out[i] = 1;
}

//--- type_float_modulo
// The operator % on floats.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = in[threadIdx.x] % 2.0f; }

//--- type_float_shift
// Shifting a float.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = in[threadIdx.x] << 1; }

//--- type_kernel_returns
// A kernel with a return type other than void.
__global__ int kernel(int* out) {
  out[threadIdx.x] = 1;
  return 0;
}

//--- type_lambda_capture
// A lambda that uses a variable without capturing it.
__global__ void kernel(int* out) {
  int n = threadIdx.x;
  auto f = [](int x) { return x + n; };
  out[threadIdx.x] = f(1);
}

//--- type_lambda_const_capture
// A lambda that modifies a captured copy without mutable.
__global__ void kernel(int* out) {
  int n = 0;
  auto next = [n]() { return ++n; };
  out[threadIdx.x] = next();
}

//--- type_malloc_without_cast
// malloc without a cast.
__global__ void kernel(int* out) {
  int* p = malloc(16);
  out[threadIdx.x] = p != nullptr;
  free(p);
}

//--- type_missing_return_type_auto
// An auto function with two return types.
__device__ auto pick(bool b) {
  if (b) return 1;
  return 2.0f;
}
__global__ void kernel(float* out) { out[threadIdx.x] = pick(true); }

//--- type_name_of_half
// A function named half, which libcu++ already declares as a type.
#include <cuda/std/optional>
__device__ cuda::std::optional<int> half(int x) {
  if (x % 2 != 0) return cuda::std::nullopt;
  return x / 2;
}
__global__ void find(const int* in, int* out) { out[threadIdx.x] = half(in[threadIdx.x]).value_or(-1); }

//--- type_nan_switch
// A switch over a float.
__global__ void kernel(int* out, const float* in) {
  switch (in[threadIdx.x]) {
    case 1: out[threadIdx.x] = 1; break;
  }
}

//--- type_negative_array_size
// An array of negative size.
__global__ void kernel(int* out) {
  int a[4 - 8];
  out[threadIdx.x] = sizeof a;
}

//--- type_no_default_constructor
// An array of objects without a default constructor.
struct Cell {
  int value;
  __device__ explicit Cell(int v) : value(v) {}
};
__global__ void kernel(int* out) {
  Cell cells[2];
  out[threadIdx.x] = cells[0].value;
}

//--- type_no_operator
// Adding structs without an operator +.
struct Vector {
  float x, y;
};
__global__ void kernel(Vector* out, const Vector* in) { out[threadIdx.x] = in[0] + in[1]; }

//--- type_not_a_template
// Template arguments on a plain function.
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice<int>(3); }

//--- type_override_nothing
// override without a matching function in the base class.
struct Shape {
  __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
  __device__ float area() override { return 1; }
};
__global__ void kernel(float* out) {
  Square s;
  out[threadIdx.x] = s.area();
}

//--- type_pointer_mismatch
// An int pointer assigned to a float pointer.
__global__ void kernel(float* out, int* in) {
  float* p = in;
  out[threadIdx.x] = p[threadIdx.x];
}

//--- type_pointer_to_value
// A pointer assigned to a float.
__global__ void kernel(float* out, const float* in) {
  float x = in;
  out[threadIdx.x] = x;
}

//--- type_reference_to_temporary
// A literal bound to a non-const reference.
__device__ void increment(int& x) { ++x; }
__global__ void kernel(int* out) {
  increment(3);
  out[threadIdx.x] = 1;
}

//--- type_return_in_kernel
// return with a value in a kernel.
__global__ void kernel(int* out, int n) {
  if (threadIdx.x >= n) return -1;
  out[threadIdx.x] = 1;
}

//--- type_return_value
// A void function that returns a value.
__device__ void square(float x) { return x * x; }
__global__ void kernel(float* out) { square(out[threadIdx.x]); }

//--- type_shared_array_size
// A shared array whose size is known only at run time.
__global__ void kernel(int* out, int n) {
  __shared__ int tile[n];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

//--- type_shared_block_dim
// A shared array of blockDim.x elements.
__global__ void kernel(int* out) {
  __shared__ int tile[blockDim.x];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

//--- type_shift_vector
// Comparing vectors.
__global__ void kernel(int* out, const int2* in) { out[threadIdx.x] = in[0] < in[1]; }

//--- type_static_assert
// A static assertion that fails.
struct Node {
  char kind;
  int value;
};
static_assert(sizeof(Node) == 5, "packed");
__global__ void kernel(int* out) { out[threadIdx.x] = sizeof(Node); }

//--- type_string_to_int
// A string assigned to an int.
__global__ void kernel(int* out) {
  int x = "12";
  out[threadIdx.x] = x;
}

//--- type_struct_argument
// A struct passed instead of a number.
struct Pair {
  int a, b;
};
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) {
  Pair p = {1, 2};
  out[threadIdx.x] = twice(p);
}

//--- type_template_argument
// A type instead of a number as a template argument.
template <int N>
__device__ int times(int x) {
  return N * x;
}
__global__ void kernel(int* out) { out[threadIdx.x] = times<float>(3); }

//--- type_template_conflict
// Arguments that deduce two types for one template parameter.
template <typename T>
__device__ T larger(T a, T b) {
  return a > b ? a : b;
}
__global__ void kernel(float* out) { out[threadIdx.x] = larger(1.0f, 2); }

//--- type_template_deduction
// A template parameter that cannot be deduced.
template <typename T>
__device__ T zero() {
  return T(0);
}
__global__ void kernel(int* out) { out[threadIdx.x] = zero(); }

//--- type_template_runtime_number
// A run-time value as a template argument.
template <int N>
__device__ int times(int x) {
  return N * x;
}
__global__ void kernel(int* out, int n) { out[threadIdx.x] = times<n>(3); }

//--- type_too_few_arguments
// A call with too few arguments.
__device__ float mix(float a, float b, float t) { return a + t * (b - a); }
__global__ void kernel(float* out) { out[threadIdx.x] = mix(1, 2); }

//--- type_too_many_arguments
// A call with too many arguments.
__device__ float square(float x) { return x * x; }
__global__ void kernel(float* out) { out[threadIdx.x] = square(1, 2); }

//--- type_too_many_initializers
// An array with too many initial values.
__global__ void kernel(int* out) {
  int a[2] = {1, 2, 3};
  out[threadIdx.x] = a[threadIdx.x % 2];
}

//--- type_use_void
// Using the result of a void function.
__device__ void clear(float* p) { *p = 0; }
__global__ void kernel(float* out) { out[threadIdx.x] = clear(out); }

//--- type_value_to_pointer
// A number assigned to a pointer.
__global__ void kernel(float* out) {
  float* p = out[0];
  p[threadIdx.x] = 1;
}

//--- type_variable_length_array
// An array whose size is a parameter.
__global__ void kernel(int* out, int n) {
  int room[n];
  room[0] = 1;
  out[threadIdx.x] = room[0];
}

//--- type_void_pointer_index
// Indexing a void pointer.
__global__ void kernel(void* out) { out[threadIdx.x] = 1; }

//--- type_write_const
// Writing through a pointer to const.
__global__ void kernel(const float* in) { in[threadIdx.x] = 1; }

//--- type_write_const_variable
// Modifying a const variable.
__global__ void kernel(int* out) {
  const int i = threadIdx.x;
  i += 32;
  out[i] = 1;
}
