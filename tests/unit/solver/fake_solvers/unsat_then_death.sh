#!/bin/sh
# Says unsat and ends before the answer is complete.
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(check-sat)') echo unsat; exit 139 ;;
    esac
done
