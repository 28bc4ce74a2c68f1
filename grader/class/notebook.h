// SPDX-License-Identifier: Apache-2.0
// The work in a Jupyter notebook: cells that are submissions.
//
// In: the files of a student. Out: the same files with the work of each notebook beside it, as if
// the student had saved the cells as files. The last cell of an exercise counts:
//
//   %%grade LAB/EXERCISE     the submission, as `warpgrade` grades it in the notebook
//   %%writefile copy.cu      a file; with -a it is continued
//   %%cu, %%cuda             a kernel, if its name fits one exercise that no cell above is for
//
// A notebook without such a cell is open with its reason, and so is a cell with a whole program:
// its kernel is compiled without the host's part.
#pragma once

#include <string>
#include <vector>

#include "grader/class/hand_in.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

bool is_notebook(std::string_view path);

/// Adds the work of the notebooks among `files` to them and removes the notebooks, which it
/// accounts for in `out`. `source` names the place before their paths.
void take_notebooks(const course::Course& course, const std::vector<course::Selected>& selected,
                    const std::string& student, const std::string& source,
                    std::vector<FoundFile>& files, HandedIn& out);

}  // namespace warpgrade::grader::class_book
