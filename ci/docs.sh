#!/usr/bin/env bash
# Holds the documentation to what it describes, and builds the site into build/site: pages that are made
# from the sources are as they should be, and each link and anchor of each page leads somewhere.
#
#   ci/docs.sh            # checks and builds
#   ci/docs.sh --serve    # shows the site at http://127.0.0.1:8000, anew with each change
set -euo pipefail
cd "$(dirname "$0")/.."
python=build/docs/bin/python3
[ -x "$python" ] || {
    echo "there is no $python: ci/setup.sh makes it" >&2
    exit 1
}
export NO_MKDOCS_2_WARNING=1 # a notice of the theme's authors

"$python" ci/docs_pages.py
/usr/bin/python3 ci/check_doc_links.py
if [ "${1:-}" = --serve ]; then
    exec "$python" -m mkdocs serve --strict
fi
# Not --quiet, which drops the warnings that --strict counts.
"$python" -m mkdocs build --strict 2>build/site.log || {
    cat build/site.log
    exit 1
}
echo "$(find build/site -name index.html | wc -l) pages in build/site"
