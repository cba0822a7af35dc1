#!/bin/sh
# A model whose values are no integers.
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(check-sat)') echo sat ;;
    '(get-value'*) echo '((x (/ 1.0 2.0)) (y 99999999999999999999999999999999999999999999999))' ;;
    esac
done
