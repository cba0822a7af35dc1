#!/bin/sh
# An old Z3: it would call everything unsatisfiable.
while IFS= read -r line; do
    case $line in
    '(get-info :name)') echo '(:name "Z3")' ;;
    '(get-info :version)') echo '(:version "4.8.12")' ;;
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(check-sat)') echo unsat ;;
    esac
done
