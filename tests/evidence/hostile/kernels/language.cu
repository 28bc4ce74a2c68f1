// SPDX-License-Identifier: Apache-2.0
// Valid and nearly valid uses of C++ and its preprocessor that no course needs. A part begins with
// //// and its name; KERNEL, OUT, SIZE, INDEX, T and LONG_TEXT are as in output.cu; NAME is the
// name of the kernel.
//// extern_c
extern "C" KERNEL { OUT[0] = in[0]; }
//// static_kernel
static KERNEL { OUT[0] = in[0]; }
//// in_a_namespace
namespace hidden { KERNEL { OUT[0] = in[0]; } }
//// in_an_unnamed_namespace
namespace { KERNEL { OUT[0] = in[0]; } }
//// two_of_the_same_name
KERNEL { OUT[0] = in[0]; }
__global__ void NAME(double* out) {}
__device__ void NAME(int) {}
//// forward_declaration_only
KERNEL;
//// in_a_struct
struct S { static KERNEL { } };
//// by_a_macro
#define MAKE(name) __global__ void name
#define NAME renamed
#define renamed NAME
KERNEL { OUT[0] = in[0]; }
//// wrong_signature
__global__ void NAME(float out, T in, int width, int height) {}
//// signature_of_references
__global__ void NAME(float*& out, const float (&in)[5], int... width) {}
//// variadic_kernel
template <typename... All> __global__ void NAME(All... all) {}
//// kernel_that_returns
__global__ int NAME(float* out, const float* in, int width, int height) { return 5; }
//// names_with_unicode
__device__ int größe_größe = 5;
__device__ int \u00e9t\u00e9 = 6;
__device__ int 变量 = 7;
KERNEL { OUT[0] = größe_größe + été + 变量; }
//// name_from_right_to_left
__device__ int א<RLO>;
KERNEL { OUT[0] = 1; }
//// static_initialisers
struct Made { int x; __device__ Made() : x(5) {} };
__device__ Made made;
__device__ int computed = made.x + 1;
KERNEL { OUT[0] = computed; }
//// virtual_functions
struct Base { virtual __device__ int f() { return 1; } virtual __device__ ~Base() {} };
struct Other : Base { __device__ int f() override { return 2; } };
KERNEL { Base* b = INDEX & 1 ? new Base : new Other; OUT[0] = b->f(); delete b; }
//// virtual_function_of_garbage
struct Base { virtual __device__ int f() { return 1; } };
KERNEL { Base* b = (Base*)in; OUT[0] = b->f(); }
//// pure_virtual_call
struct Base { __device__ Base() { g(); } __device__ void g() { f(); } virtual __device__ void f() = 0; };
struct Other : Base { __device__ void f() override {} };
KERNEL { Other o; o.f(); OUT[0] = in[0]; }
//// lambdas
KERNEL { auto f = [=](auto self, int n) -> int { return n ? self(self, n - 1) + 1 : 0; }; OUT[0] = f(f, 5); }
//// extended_lambda
KERNEL { auto f = [=] __device__ __host__ (int n) { return n + SIZE; }; OUT[0] = f(5); }
//// exceptions
KERNEL { try { throw 5; } catch (...) { OUT[0] = in[0]; } }
//// run_time_types
#include <typeinfo>
struct Base { virtual __device__ int f() { return 1; } };
KERNEL { Base b; OUT[0] = typeid(b).hash_code() + (dynamic_cast<Base*>(&b) != nullptr); }
//// goto_maze
KERNEL {
  unsigned x = INDEX;
a: if (x & 1) goto c; x >>= 1; if (x > 100000) goto b; goto d;
b: x = x * 3 + 1; if (x & 2) goto a; goto c;
c: x ^= 0x55; if (x & 8) goto b; if (x & 16) goto e; goto d;
d: x += 7; if (x & 64) goto c; goto e;
e: x -= 3; if (x % 5) goto a;
  OUT[0] = x;
}
//// computed_goto
KERNEL { void* to[] = {&&a, &&b}; goto* to[INDEX & 1]; a: b: OUT[0] = in[0]; }
//// jump_into_a_loop
KERNEL { goto inside; for (int k = 0; k < 5; ++k) { inside: OUT[0] += k; } }
//// switch_through_a_loop
KERNEL { unsigned k = 40; switch (INDEX & 3) { case 0: do { ++OUT[0]; case 1: ++OUT[0]; case 2: ++OUT[0]; case 3:; } while (--k); } }
//// thread_local_and_coroutines
#include <coroutine>
thread_local int x;
KERNEL { co_await 5; OUT[0] = x; }
//// host_code_and_main
#include <cstdio>
#include <iostream>
#include <vector>
int main() { std::vector<int> v(1000000); std::cout << v.size(); system("touch /tmp/hostile_was_here"); }
KERNEL { OUT[0] = in[0]; }
//// constructor_attribute
#include <cstdlib>
__attribute__((constructor)) void first() { system("touch /tmp/hostile_was_here"); }
KERNEL { OUT[0] = in[0]; }
//// managed_variable
__managed__ int shared_with_the_host[1 << 20];
KERNEL { shared_with_the_host[INDEX % 5] = 1; OUT[0] = in[0]; }
//// texture_reference
texture<float, 2, cudaReadModeElementType> old;
KERNEL { OUT[0] = tex2D(old, 1, 2); }
//// launch_bounds_of_nonsense
__launch_bounds__(0, -1) KERNEL { OUT[0] = in[0]; }
//// launch_bounds_of_one_thread
__launch_bounds__(1) KERNEL { OUT[0] = in[0]; }
//// max_registers
__maxnreg__(1) KERNEL { OUT[0] = in[0]; }
//// digraphs_and_trigraphs
%:define X <%
KERNEL X OUT<:0:> = in<:0:>; %>
??=define Y 5 ??/
//// raw_strings
KERNEL { const char* s = R"x(" /* // #include </dev/zero> )" )x"; OUT[0] = s[INDEX % 5]; }
//// unterminated_raw_string
KERNEL { const char* s = R"endless( no end
}
//// unterminated_string
KERNEL { const char* s = "no end
}
//// unterminated_comment
KERNEL { OUT[0] = in[0]; } /* no end
//// unterminated_if
#if 1
KERNEL { OUT[0] = in[0]; }
//// unterminated_if_0
#if 0
KERNEL { OUT[0] = in[0]; }
//// backslash_at_the_end
KERNEL { OUT[0] = in[0]; } // \
//// line_directives
#line 4294967295 "../../../../etc/passwd"
KERNEL { OUT[-1] = in[0];
#line 0 "\x1b[2J"
}
# 5 "reference.cu" 1 3 4
#line 99999999999999999999 "x"
//// line_with_a_quote
#line 7 "a\"}],\"verdict\":\"pass\""
KERNEL { OUT[-1] = in[0]; }
//// error_with_control_characters
#error <ESC>[2J<ESC>]0;title<BEL>PASS
KERNEL { OUT[0] = in[0]; }
//// error_from_right_to_left
#error <RLO> stniop 01 fo 01 <LRI>
KERNEL { OUT[0] = in[0]; }
//// warnings_and_messages
#warning LONG_TEXT
#pragma message(LONG_TEXT)
#pragma GCC error "LONG_TEXT"
#pragma nv_diag_suppress all
KERNEL { OUT[0] = in[0]; }
//// pragmas
#pragma once
#pragma pack(1)
#pragma push_macro("__global__")
#define __global__
#pragma GCC poison float
#pragma GCC system_header
KERNEL { OUT[0] = in[0]; }
//// keywords_redefined
#define int double
#define if while
#define __global__ __device__
#define return for (;;)
KERNEL { if (threadIdx.x) OUT[0] = in[0]; }
//// builtins_redefined
#define threadIdx blockIdx
#define __CUDA_ARCH__ 100
#undef __CUDACC__
#define __CUDACC_RTC__ 7
KERNEL { OUT[0] = threadIdx.x + __CUDA_ARCH__; }
//// asks_for_files
#if __has_include("/etc/shadow") || __has_include("/proc/self/mem") || __has_include("/dev/zero")
#error it is there
#endif
KERNEL { OUT[0] = in[0]; }
//// embed
KERNEL { static const unsigned char all[] = {
#embed "/dev/urandom"
}; OUT[0] = all[0]; }
//// module
module;
import <vector>;
export module x;
KERNEL { OUT[0] = in[0]; }
//// incbin
asm(".incbin \"/etc/passwd\"");
KERNEL { OUT[0] = in[0]; }
//// section_attributes
__attribute__((section(".init"))) __device__ int x = 5;
__attribute__((alias("x"))) extern int y;
KERNEL { OUT[0] = x; }
//// alignment_of_a_gigabyte
__device__ __align__(1 << 30) int x;
KERNEL { OUT[0] = x; }
//// weak_and_visibility
__attribute__((weak)) __device__ int x;
__attribute__((visibility("hidden"))) KERNEL { OUT[0] = x; }
//// new_and_delete_replaced
__device__ void* operator new(size_t n) { return (void*)5; }
__device__ void operator delete(void*) noexcept { __trap(); }
KERNEL { int* p = new int[77]; p[0] = 1; delete[] p; OUT[0] = in[0]; }
//// math_functions_replaced
extern "C" __device__ float sqrtf(float) { while (true) {} }
extern "C" __device__ void* malloc(size_t) { return nullptr; }
extern "C" __device__ void __syncthreads() {}
KERNEL { OUT[0] = sqrtf(in[0]); }
//// deprecated_and_nodiscard
[[deprecated("\x1b[31m" LONG_TEXT)]] __device__ int old() { return 1; }
KERNEL { old(); OUT[0] = old(); }
//// static_assert_with_a_text
static_assert(sizeof(T) == 77, "\x1b[2J\r\n \xff\xfe PASS " LONG_TEXT);
KERNEL { OUT[0] = in[0]; }
