#!/bin/sh
# Takes a query for one without a model, unless it speaks of b!1, or has fewer facts than one before.
answer=unsat most=0 n=0
while IFS= read -r line; do
    case $line in
    '(echo "'*) line=${line#'(echo "'}; echo "${line%'")'}" ;;
    '(reset'*) answer=unsat ;;
    *'b!1'*) answer=unknown ;;
    '(assert '*) n=$((n + 1)) ;;
    '(check-sat)')
        if [ $n -lt $most ] && [ $answer = unsat ]; then echo sat; else echo $answer; fi
        [ $answer = unsat ] && [ $n -gt $most ] && most=$n
        n=0 ;;
    esac
done
