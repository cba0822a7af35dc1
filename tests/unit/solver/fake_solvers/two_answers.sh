#!/bin/sh
# Two answers to one query: one of them is not to this one.
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(check-sat)') echo unsat; echo unsat ;;
    esac
done
