#!/bin/sh
# Prints without end.
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(check-sat)') exec yes 'a line that is no answer and comes again and again' ;;
    esac
done
