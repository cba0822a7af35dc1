#!/bin/sh
# as_told.sh LOG ANSWER...: the Nth (check-sat) of all its processes together gets the Nth ANSWER. In
# LOG stand the process and what was asserted, a line each, and before every answer its number.
log=$1
shift
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(get-info :name)') echo '(:name "Z3")' ;;
    '(get-info :version)') echo '(:version "5.4.0")' ;;
    '(get-info :rlimit)') echo '(:rlimit 0)' ;;
    '(get-value'*) echo '((x 1))' ;;
    '(assert '*|'(set-option :smt.random_seed '*|'(push'*) echo "$$ $line" >>"$log" ;;
    '(check-sat)')
        number=$(($(grep -c '^answer ' "$log") + 1))
        echo "answer $number of $$" >>"$log"
        eval "answer=\${$number-none}"
        echo "$answer"
        ;;
    esac
done
