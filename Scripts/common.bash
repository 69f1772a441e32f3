# Functions that the scripts share. Sourced, not run: it changes to the top of the project and only
# defines functions.
# shellcheck shell=bash

unset CDPATH # by which `cd` takes another folder, and prints it
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root" || exit

note() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# The comment at the head of the calling script is its help.
usage() { sed -n '2,/^$/s/^# \{0,1\}//p' "$root/Scripts/${0##*/}"; }

# The folder of the programs beside `swift`, which may be a link or a switch between versions.
toolchain() { swift -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p'; }

# swift_version [OLDEST]: prints the version of Swift. Without Swift it names the oldest that the script can use.
swift_version() {
    local said
    command -v swift >/dev/null ||
        die "no 'swift' found: install Swift ${1:-6.2.3} or later from https://www.swift.org/install/linux/ and put it on the PATH"
    said=$(swift --version 2>&1) || die "'swift' cannot run: $said"
    sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' <<<"$said" | head -n 1
}

# Warnings in Swift and in C are errors, and so is an import that Package.swift does not declare. (SwiftPM 6.3 stops
# at a bare `-Xcc -Werror`, hence `=all`, which is also -Wall.)
# shellcheck disable=SC2034 # for the scripts that source this
strict=(-Xswiftc -warnings-as-errors -Xcc -Werror=all --explicit-target-dependency-import-check error)

# A debug build under CI compiles each module at once, in one job that also writes the module, and with debug information for
# backtraces only, which takes less processor time in all. Otherwise a change compiles only the files that it concerns. (With
# one thread, SwiftPM's index, which test builds need, has no name for its file.)
debug_build=("${strict[@]}" --disable-build-manifest-caching)
[ -z "${CI-}" ] || debug_build+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
    -Xswiftc -no-emit-module-separately-wmo -Xswiftc -gline-tables-only)

# The build of Scripts/test. Packages share its folder, so a cached manifest may be another
# package's. --enable-code-coverage counts Swift only; the two flags for clang count C as well.
# shellcheck disable=SC2034 # for the scripts that source this
test_build=("${debug_build[@]}" --scratch-path .build-test --enable-code-coverage
    -Xcc -fprofile-instr-generate -Xcc -fcoverage-mapping)

# build_all_tests FLAG...: builds the tests of the library, then those of Compatibility, into one
# folder, where the library is compiled once.
build_all_tests() {
    swift build --build-tests "$@"
    swift build --build-tests --package-path Compatibility "$@"
}

# The build of Scripts/install, with Swift's libraries in each program.
# shellcheck disable=SC2034 # for the scripts that source this
release_build=("${strict[@]}" -c release --static-swift-stdlib --disable-build-manifest-caching)

# leave_out_core_tests: has builds for a sanitizer leave out the core's own tests if it imports no module and marks nothing
# as unsafe: then the compiler has ruled out everything that a sanitizer finds. (The tests of other targets run the core
# instrumented.) Fails if they are needed.
leave_out_core_tests() {
    ! grep -rqE '^[^/]*\bimport [A-Za-z]|\bunsafe\b|@unchecked' Sources/AudioSessionCore || return
    export AUDIOSESSIONS_WITHOUT_CORE_TESTS=yes
}

# The environment of programs that were built with --sanitize thread. (The watchdog is a forked copy
# with a thread of PipeWire's, for which the sanitizer would end it.)
# shellcheck disable=SC2034 # for the scripts that source this
tsan_options=TSAN_OPTIONS=halt_on_error=0:second_deadlock_stack=1:die_after_fork=0

# A command in front of all that in_private runs: Scripts/stack, for another version of PipeWire.
through=()

# Builds use the caller's own environment, because package resolution may need its git and SwiftPM
# configuration. Only programs of in_private have a private home, runtime directory and buses: tests
# must neither touch the user's sound nor depend on it.
make_private() {
    private=$(mktemp -d "${TMPDIR:-/tmp}/audiosessions.XXXXXX")
    trap leave_private EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    mkdir -m 700 "$private"/{run,home,config,state,cache,data}
    unset AUDIOSESSION_GROUP DBUS_SESSION_BUS_ADDRESS "${!PIPEWIRE_@}" "${!WIREPLUMBER_@}" "${!SPA_@}" "${!PULSE_@}"
}

in_private() {
    "${through[@]}" env HOME="$private/home" XDG_RUNTIME_DIR="$private/run" XDG_CONFIG_HOME="$private/config" \
        XDG_STATE_HOME="$private/state" XDG_CACHE_HOME="$private/cache" XDG_DATA_HOME="$private/data" \
        DBUS_SYSTEM_BUS_ADDRESS="unix:path=$private/run/no-system-bus" AUDIOSESSIONS_TEST_RUN="$private" "$@"
}

# configure_session_manager VERSION: disables sound cards and D-Bus in a private WirePlumber of that
# version, as the test kit does.
configure_session_manager() {
    local folder=$private/config/wireplumber
    mkdir -p "$folder"/{main.lua.d,bluetooth.lua.d,wireplumber.conf.d}
    if [[ $1 == 0.4.* ]]; then
        {
            printf '%s.enabled = false\n' alsa_monitor v4l2_monitor libcamera_monitor
            echo 'default_access.properties["enable-flatpak-portal"] = false'
        } >"$folder/main.lua.d/51-no-hardware.lua"
        echo 'bluez_monitor.enabled = false' >"$folder/bluetooth.lua.d/51-no-hardware.lua"
    else
        {
            echo 'wireplumber.profiles = { main = {'
            printf '%s = disabled\n' hardware.{audio,bluetooth,video-capture} support.reserve-device \
                support.logind support.portal-permissionstore script.client.access-portal
            echo '} }'
        } >"$folder/wireplumber.conf.d/51-no-hardware.conf"
    fi
}

# Starts a private PipeWire, and with `wireplumber` its session manager, without hardware and D-Bus.
start_pipewire() { # [wireplumber]
    local i
    set -m
    in_private pipewire >"$private/pipewire.log" 2>&1 </dev/null &
    set +m
    for ((i = 0; i < 1200; i++)); do
        [ ! -S "$private/run/pipewire-0" ] || break
        sleep 0.05
    done
    [ -S "$private/run/pipewire-0" ] || die "PipeWire did not start within a minute: $(cat "$private/pipewire.log")"
    [ "${1-}" = wireplumber ] || return 0
    configure_session_manager "$(wireplumber --version | sed -n 's/^Linked with libwireplumber //p')"
    set -m
    in_private env "DBUS_SESSION_BUS_ADDRESS=unix:path=$private/run/no-session-bus" wireplumber \
        >"$private/wireplumber.log" 2>&1 </dev/null &
    set +m
}

# Lists every process that in_private started, directly or indirectly, by the mark in its
# environment.
strays() { grep -lzxF "AUDIOSESSIONS_TEST_RUN=$private" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 || true; }

leave_private() {
    local pids
    pids=$(strays)
    # shellcheck disable=SC2086 # one word a process
    [ -z "$pids" ] || kill -KILL $pids 2>/dev/null || true
    rm -rf "$private"
}

# run_tests PROGRAM [NAME=VALUE...] [ARGUMENTS]: runs the test program, or the only one in that
# folder, and stores their number in $tests. It also fails if the closing line is missing, if no
# test ran (unless $may_run_none is set), and if a test leaves a process running.
#
# It starts the test program itself, with the arguments of `swift test`, because `swift test` needs
# the user's home, withholds the tests' output until they end (so that a hanging one stays unknown),
# drops incomplete UTF-8 in a read, and waits for every process that still holds its output.
run_tests() {
    local program log=$private/log pid status=0 left i
    local environment=(NO_COLOR=1)
    program=$1
    [ ! -d "$program" ] || program=$(echo "$program"/*PackageTests.xctest)
    shift
    while [[ ${1-} =~ ^[A-Z_]+= ]]; do
        environment+=("$1")
        shift
    done
    : >"$log"
    # A pipe into tee would also wait for such a process. With `set -m` the tests do not ignore SIGINT.
    set -m
    in_private "${environment[@]}" timeout -k 10 "${AUDIOSESSIONS_TEST_LIMIT:-20m}" \
        "$program" --testing-library swift-testing "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    set +m
    tail -n +1 -s 0.1 -f --pid="$pid" "$log" &
    wait "$pid" || status=$? # bash handles signals while it waits, not while a command runs in the foreground
    wait $!
    # A watchdog may work for some seconds after its program.
    for i in {1..200}; do
        left=$(strays)
        [ -n "$left" ] || break
        sleep 0.1
    done
    for i in $left; do
        printf 'left running: %s %s\n' "$i" "$(tr '\0' ' ' <"/proc/$i/cmdline" 2>/dev/null)" >&2
    done
    if [ "$status" = 124 ]; then
        awk '/ Test (run|case passing) / || !/ Test .* (started|passed|failed)/ { next }
            { name = $0; sub(/^.* Test /, "", name); sub(/( with [0-9]+ test cases)? (started|passed|failed).*/, "", name) }
            / started\.$/ { open[name]; next }
            { delete open[name] }
            END { for (name in open) print "not ended: " name }' "$log" >&2
        die "the tests took longer than ${AUDIOSESSIONS_TEST_LIMIT:-20m}"
    fi
    tests=$(awk 'match($0, /Test run with [0-9]+ test/) { split(substr($0, RSTART), word, " "); n += word[4] } END { print n + 0 }' "$log")
    # Swift Testing ends with 69 if there was no test to run.
    [ "$status" = 0 ] || [ "$status" = 69 ] || die "the tests failed (status $status)"
    grep -q 'Test run with' "$log" || die "no line 'Test run with': the test program ended before its tests"
    [ "$tests" -gt 0 ] || [ -n "${may_run_none-}" ] || die "no test ran"
    [ -z "$left" ] || die "the tests left processes running, which are listed above"
}

# The tests that need a daemon, or PipeWire's library: those that Scripts/stack runs with other versions. They run after
# all others, in a process of their own, because a process that computes is late for every event.
# shellcheck disable=SC2034 # for the scripts that source this
live='LiveTests|PipeWireGraphTests'

# schedule other|idle PROCESS: moves a process, and all that it started, to this class of the scheduler. Fails if that is
# not allowed: a user's process cannot leave the idle class.
schedule() {
    local child
    chrt --all-tasks "--$1" --pid 0 "$2" 2>/dev/null || [ ! -e "/proc/$2" ] || return
    # SwiftPM puts its compilers into process groups of their own.
    for child in $(pgrep -P "$2"); do schedule "$1" "$child" || return; done
}

# start_beside COMMAND: runs a script that only computes in the background, beside tests that mostly wait. The scheduler's
# idle class yields to those at once.
start_beside() {
    beside_command=("$@") beside_log=$private/beside
    set -m # a process group, so that all of it can be stopped
    {
        chrt --idle --pid 0 "$BASHPID" 2>/dev/null || renice -n 19 "$BASHPID" >/dev/null
        exec "$@"
    } >"$beside_log" 2>&1 &
    set +m
    beside=$!
    trap 'kill -- "-$beside" 2>/dev/null || true; leave_private' EXIT
}

# join_beside: waits for start_beside's script, prints its output, and fails if it failed. It yields no longer, because
# beside busy programs the idle class gets no time. Where it must go on yielding, it is started again.
join_beside() {
    local status=0
    if schedule other "$beside"; then
        wait "$beside" || status=$?
        cat "$beside_log"
    else
        kill -- "-$beside" 2>/dev/null || true
        wait "$beside" 2>/dev/null || true
        "${beside_command[@]}" || status=$?
    fi
    trap leave_private EXIT
    return "$status"
}

# run_selected FOLDER [NAME=VALUE...] [ARGUMENTS]: runs the selected tests of the library and of
# Compatibility, and stores their number in $tests.
run_selected() {
    local folder=$1 count=0 package
    shift
    for package in AudioSessions AudioSessionsCompatibility; do
        may_run_none=yes run_tests "$folder/${package}PackageTests.xctest" "$@"
        count=$((count + tests))
    done
    tests=$count
    [ "$tests" -gt 0 ] || die "no test matches these arguments"
}
