#!/bin/sh
# Takes every query for one that has no model, but for one of fewer facts than the last.
most=0 n=0
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(assert '*) n=$((n + 1)) ;;
    '(check-sat)')
        if [ $n -lt $most ]; then echo sat; else echo unsat; fi
        most=$n
        n=0 ;;
    esac
done
