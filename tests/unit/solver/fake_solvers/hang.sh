#!/bin/sh
# Never answers a query.
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(check-sat)') exec sleep 1000 ;;
    esac
done
