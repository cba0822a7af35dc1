# Completion of tilerace for bash, which the program itself answers: `tilerace completions bash`.
# It is asked by its name on PATH, whatever was typed: no program of the current folder runs.
_tilerace() {
    local words=() word glue='' i kind value prefix=''
    for ((i = 1; i <= COMP_CWORD; i++)); do # bash takes --format=json apart at the =
        word=${COMP_WORDS[i]}
        if [[ ($word == = || $glue) && ${#words[@]} -gt 0 ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        glue=''
        [[ $word == = ]] && glue=1
    done
    COMPREPLY=()
    local lines=()
    mapfile -t lines < <(command tilerace completions bash -- "${words[@]}" 2>/dev/null)
    kind=${lines[0]}
    value=${words[-1]}
    if [[ $value == --*=* ]]; then
        prefix=${value%%=*}=
        value=${value#*=}
    fi
    local shown=$prefix # what of it bash leaves alone
    [[ $COMP_WORDBREAKS == *=* ]] && shown=''
    for word in "${lines[@]:1}"; do
        word=${word%%$'\t'*}
        COMPREPLY+=("$shown${word#"$prefix"}")
    done
    local found=()
    case $kind in
    files) mapfile -t found < <(compgen -f -- "$value") ;;
    folders) mapfile -t found < <(compgen -d -- "$value") ;;
    programs) mapfile -t found < <(compgen -c -- "$value") ;;
    esac
    [[ $kind == files || $kind == folders ]] && compopt -o filenames
    for word in "${found[@]}"; do
        COMPREPLY+=("$shown$word")
    done
}
complete -F _tilerace tilerace
