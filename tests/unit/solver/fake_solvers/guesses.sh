#!/bin/sh
# Prints an answer and what it takes for the marker behind it, before it has read the marker.
while IFS= read -r line; do
    case $line in
    '(echo "'*)
        line=${line#'(echo "'}
        line=${line%'")'}
        [ "$line" = "${line%-0}" ] || echo "$line"
        number=$((number + 1))
        ;;
    '(check-sat)')
        echo unsat
        for i in 1 2 3; do echo "tilerace-$i"; done
        exit 0
        ;;
    esac
done
