// SPDX-License-Identifier: Apache-2.0
// A study's result as a gnuplot script that draws one SVG: a panel for each table, then the
// pictures of accesses and of partitions.
//
// A sweep is drawn as one marker per run, joined by lines or by the part's own curves, published
// values as hollow markers of the same colour; a table with one value of the axis as bars. Colours
// are Okabe and Ito's for lines and Paul Tol's light ones below text, which people with
// colour-blindness can distinguish; markers and dashes differ too. The script contains no date and
// no path, so the same result gives the same file.
#pragma once

#include <string>

#include "grader/study/study_result.h"

namespace warpgrade::grader::study {

std::string figure_script(const Result& result);

}  // namespace warpgrade::grader::study
