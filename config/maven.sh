# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Chooses the Maven to build with. Sourced by `lockstep`, `lockstep-bench` and `.ci/run`.

# choose_maven ROOT: sets $maven to the wrapper, or to the mvn on the PATH where the wrapper cannot get its Maven (no
# direct way to Maven Central, only a mirror or proxy in the user's settings). Where there is neither, says so and returns 2.
choose_maven() {
  maven=$1/mvnw
  ! "$maven" -v >/dev/null 2>&1 || return 0
  maven=$(command -v mvn) || {
    echo 'lockstep: the Maven wrapper cannot download Maven, and there is no mvn on the PATH' >&2
    echo 'Hint: install Maven 3.8 or newer, or set MVNW_REPOURL to a repository that this machine can reach' >&2
    return 2
  }
  echo "lockstep: the Maven wrapper cannot download Maven here; using $maven" >&2
  . "$1/config/find-jdk.sh"
  find_jdk
  if [ -n "$jdk" ]; then
    export JAVA_HOME=$jdk
  fi
}
