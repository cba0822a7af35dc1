#!/usr/bin/env bash
# Holds the include matrix: which room may include which (ARCHITECTURE.md has the table).
set -euo pipefail
cd "$(dirname "$0")/.."

# folder | prefix of its headers | rooms whose headers it may include, besides base and its own;
# none: not even base, since it is loaded into foreign programs
matrix='
analyzer/base        | base          |
analyzer/ir          | ir            |
smt/terms            | terms         |
smt/goal             | goal          | terms
smt/solver           | solver        | goal terms
smt/strategies       | strategies    | solver goal terms
analyzer/json        | json          |
analyzer/contract    | contract      | terms json
analyzer/dialect     | dialect       | ir contract terms
analyzer/bytecode    | bytecode      | ir contract
models/tileir_memory | tileir_memory | ir
runtime_check/launch | launch        | ir contract terms
runtime_check/interp | interp        | ir launch tileir_memory
runtime_check/executions | executions | ir launch interp tileir_memory
analyzer/index_space | index_space   | ir contract terms
analyzer/verdict     | verdict       | contract ir tileir_memory
analyzer/question    | question      | verdict index_space tileir_memory strategies solver terms launch interp contract ir
analyzer/order       | order         | question verdict index_space tileir_memory strategies solver terms launch interp contract ir
analyzer/precondition | precondition | order question verdict index_space tileir_memory strategies solver terms launch interp contract ir
analyzer/witness     | witness       | precondition order question verdict index_space tileir_memory strategies solver terms launch interp contract ir
analyzer/rules       | rules         | witness precondition order question verdict index_space tileir_memory strategies solver terms launch interp contract ir
analyzer/report      | report        | verdict ir json
runtime_check/plan   | plan          |
runtime_check/gpu    | gpu           | plan
capture/wire         | wire          | none
capture/recorder     | recorder      | none wire
capture/stand_in     | stand_in      | none wire recorder
capture/preload      | preload       | none wire recorder stand_in
capture/launches     | launches      | wire bytecode ir contract strategies solver terms json
capture/recordings   | recordings    | launches json
analyzer/folders     | folders       |
analyzer/settings    | settings      | folders verdict report json
analyzer/processes   | processes     | solver
analyzer/lookups     | lookups       | processes
analyzer/session     | session       | settings processes verdict report contract dialect bytecode recordings strategies solver terms
analyzer/builds      | builds        | session lookups processes settings folders report dialect bytecode recordings json ir
analyzer/inputs      | inputs        | builds session lookups settings folders rules verdict report contract dialect bytecode launches recordings json strategies solver terms ir
analyzer/cache       | cache         | inputs builds session lookups processes settings folders verdict report bytecode strategies solver terms
analyzer/checking    | checking      | cache inputs builds session lookups processes settings folders rules verdict report index_space launch interp tileir_memory contract bytecode json strategies solver terms ir
analyzer/driver      | driver        | *
runtime_check/run    | run           | *
compilers            | compilers     | *
analyzer/library     | library       | *
capture/exec         | exec          | *
capture/selftest     | selftest      | *
editors/lsp          | lsp           | *
compare              | compare       | *
judge                | judge         | *
analyzer/program     | program       | *
analyzer/faults      | faults        | none
'

# Only these rooms may include headers of these libraries.
libraries='
clang-c/ | analyzer/dialect
toml++/  | analyzer/settings
cjson/   | analyzer/json analyzer/contract analyzer/report analyzer/settings analyzer/builds analyzer/inputs analyzer/checking analyzer/driver analyzer/program capture/launches capture/recordings capture/exec editors/lsp judge compare runtime_check/run
sodium.h | analyzer/lookups analyzer/cache
xxhash.h | capture/recorder capture/recordings capture/launches
stb/     | analyzer/base
zstd.h   | analyzer/bytecode
lz4.h    | analyzer/bytecode
'

wrong=0
complain() {
    echo "$1"
    wrong=$((wrong + 1))
}

rooms=$(echo "$matrix" | awk -F'|' 'NF > 1 { gsub(/ /, "", $2); print $2 }')

# "file:line: header" of every include of a folder
includes_of() {
    find "$1" -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' | sort | xargs -r awk '
        match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+[">]/) {
            split($0, part, /["<>]/); print FILENAME ":" FNR " " part[2] }'
}

while IFS='|' read -r folder own allowed; do
    folder=${folder// /} own=${own// /}
    [ -n "$folder" ] && [ -d "$folder" ] || continue
    while read -r place header; do
        room=${header%%/*}
        [ "$room" != "$header" ] || { [ ! -e "$folder/$header" ] || complain "$place: write \"$own/$header\""; continue; }
        if grep -qx "$room" <<<"$rooms"; then
            own_or_base="base $own"
            [[ " $allowed " != *" none "* ]] || own_or_base=$own
            case " $own_or_base $allowed " in
            *" $room "* | *" * "*) ;;
            *) complain "$place: room '$own' may not include '$header'" ;;
            esac
        fi
        while IFS='|' read -r prefix users; do
            prefix=${prefix// /}
            [ -n "$prefix" ] || continue
            case $header in
            "$prefix"*) case " $users " in *" $folder "*) ;; *) complain "$place: only $users may include <$header>" ;; esac ;;
            esac
        done <<<"$libraries"
    done < <(includes_of "$folder")
done <<<"$matrix"

# What is JSON is printed by one function, which escapes
while read -r place; do
    complain "$place: JSON is printed by json_printed (json/print.h)"
done < <(grep -rnE --include='*.[ch]' 'cJSON_Print' analyzer compare judge capture compilers editors runtime_check |
    grep -v '^analyzer/json/print.c:' | cut -d: -f1,2)

if [ $wrong -gt 0 ]; then
    echo "$wrong includes break the matrix"
    exit 1
fi
echo "the include matrix holds"
