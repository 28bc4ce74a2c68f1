// SPDX-License-Identifier: Apache-2.0
// Enumerations and a struct that host and device share.
// left out: to_string, launch
enum class Order { rows, columns, diagonal };
enum Flags : unsigned { kNone = 0, kFast = 1 << 0, kSafe = 1 << 1 };
struct Config {
  Order order = Order::rows;
  unsigned flags = kNone;
};
const char* to_string(Order order) {
  switch (order) {
    case Order::rows: return "rows";
    case Order::columns: return "columns";
    default: return "diagonal";
  }
}
__global__ void index(int* out, Config config) {
  int i = threadIdx.x;
  switch (config.order) {
    case Order::rows: out[i] = i; break;
    case Order::columns: out[i] = 31 - i; break;
    default: out[i] = (config.flags & kFast) ? i * i : 0;
  }
}
void launch(int* out) { index<<<1, 32>>>(out, Config{Order::diagonal, kFast | kSafe}); }
