#!/bin/sh
# Installs the Debian packages that a task needs and the machine lacks.
#   tools/setup.sh GROUP...        groups: build test fuzz check bench
# Says nothing and takes no time when all are there.
set -eu

packages() {
  case "$1" in
    build)
      echo g++ cmake ninja-build ccache libcli11-dev libspdlog-dev libre2-dev libsqlite3-dev libcurl4-openssl-dev \
        libboost-dev zlib1g-dev libbrotli-dev libtomlplusplus-dev bubblewrap
      ;;
    test) echo libgtest-dev librapidcheck-dev nlohmann-json3-dev python3 pkg-config nodejs npm curl openssl tmux ;;
    fuzz) echo clang-19 libclang-rt-19-dev llvm-19 nlohmann-json3-dev ;;
    check) echo clang-19 clang-format-19 clang-tidy-19 python3 ;;
    bench) echo libsimdjson-dev rapidjson-dev nlohmann-json3-dev nodejs npm python3 ;;
    *) echo "setup: no group named '$1'" >&2; exit 2 ;;
  esac
}

# node and npm often come from elsewhere than Debian's packages of these names.
present() {
  case "$1" in
    nodejs) command -v node >/dev/null 2>&1 && return 0 ;;
    npm) command -v npm >/dev/null 2>&1 && return 0 ;;
  esac
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

wanted=
for group in "$@"; do
  list=$(packages "$group")
  wanted="$wanted $list"
done

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "setup: this is not a Debian system; the equivalents of these packages are needed:$wanted" >&2
  exit 0
fi

missing=
for package in $wanted; do
  case " $missing " in *" $package "*) continue ;; esac
  present "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || {
    echo "setup: missing packages, and neither root nor sudo to install them:$missing" >&2
    exit 1
  }
  root=sudo
fi

echo "setup: installing$missing"
apt() { $root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086  # the list is meant to be split
if ! { apt update && apt install -y --no-install-recommends $missing; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup: apt could not install$missing" >&2
  exit 1
fi
