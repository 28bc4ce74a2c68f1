// SPDX-License-Identifier: Apache-2.0
// Reports with pictures made by hand, for the tests of renderers.
#pragma once

#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report {

/// A load of `in` (64 x 32 floats) down a column: lane l at in[l][0], 32 sectors.
inline PicturedLine column_load() {
  PicturedLine out;
  out.line.where = {"labs/coalescing/copy.cu", 2, 0};
  out.line.operation = {run::Space::kGlobal, run::Operation::kLoad};
  out.line.bytes = 4;
  out.line.memory = {"in", 4096, 64 * 32 * 4};
  out.rows = 64;
  out.columns = 32;
  PicturedRequest request;
  request.traced.mask = run::kFullMask;
  request.block = {3, 1, 0};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    request.traced.address.at(lane) = 4096 + 128 * lane;
  }
  RequestCost cost;
  cost.sectors = 32;
  cost.used_bytes = 128;
  request.costs = {cost};
  out.requests = {request};
  return out;
}

/// A load from `tile` of two lanes that meet in bank 2.
inline PicturedLine conflicting_load() {
  PicturedLine out;
  out.line.where = {"labs/coalescing/copy.cu", 2, 0};
  out.line.operation = {run::Space::kShared, run::Operation::kLoad};
  out.line.bytes = 4;
  out.line.memory = {"tile", 0, 4096};
  PicturedRequest request;
  request.traced.mask = 0x3;
  request.traced.address = {8, 136};
  RequestCost cost;
  cost.wavefronts = 2;
  cost.conflicts = 1;
  cost.words = {{0, 2, 0}, {1, 2, 1}};
  request.costs = {cost};
  out.requests = {request};
  return out;
}

/// Rows 1 and 2 of 4 x 4 elements are wrong, the latter never written.
inline WrongMap small_map() {
  WrongMap out;
  out.output = "out";
  out.rows = 4;
  out.columns = 4;
  out.wrong = 8;
  out.unwritten = 4;
  out.text = "8 of 16 elements of out are wrong, 4 of them never written: rows 1 to 2";
  out.cells.resize(16);
  for (std::size_t x = 0; x < 4; ++x) {
    out.cells[4 + x] = {1, 0};
    out.cells[8 + x] = {1, 1};
  }
  return out;
}

/// slow_copy() with both lines.
inline Report pictured_copy() {
  auto report = slow_copy();
  Pictures pictures;
  pictures.case_name = "large";
  pictures.devices = {{"h200", "NVIDIA H200", 32, 4}};
  pictures.lines = {column_load(), conflicting_load()};
  pictures.counted = {
      {"labs/coalescing/copy.cu", 2, {run::Space::kGlobal, run::Operation::kLoad}, 10, 320, 0}};
  pictures.times = {{"large",
                     {{"n", 64}},
                     "h200",
                     2e-6,
                     0.1,
                     timing::Bound::kDram,
                     {{timing::Bound::kDram, 1.9e-6}}}};
  report.exercises[0].pictures = pictures;
  return report;
}

}  // namespace warpgrade::grader::report
