# Completion of tilerace for fish, which the program itself answers: `tilerace completions fish`.
# It is asked by its name on PATH, whatever was typed: no program of the current folder runs.
function __tilerace_candidates
    set -l given (commandline -opc)
    set -e given[1]
    set -l current (commandline -ct)
    set -l lines (command tilerace completions fish -- $given "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    test (count $lines) -gt 0; and printf '%s\n' $lines
    set -l prefix (string match -r -- '^--[^=]*=' "$current")
    set -l value (string replace -r -- '^--[^=]*=' '' "$current")
    switch $kind
        case files
            printf '%s\n' "$prefix"(__fish_complete_path "$value")
        case folders
            printf '%s\n' "$prefix"(__fish_complete_directories "$value" '')
        case programs
            __fish_complete_command
    end
end
complete -c tilerace -f -a '(__tilerace_candidates)'
