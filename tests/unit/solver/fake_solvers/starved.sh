#!/bin/sh
# Works a little for its answer, and gets almost no processor time for that: the test keeps the same
# processor busy.
[ "$STARVED" ] || STARVED=1 exec taskset -c 0 nice -n 19 "$0"
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(check-sat)')
        i=0
        while [ $i -lt 20000 ]; do i=$((i + 1)); done
        echo unknown
        ;;
    esac
done
