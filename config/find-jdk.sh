# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034
# Finds a JDK that Lockstep can build and run with. Sourced by `lockstep` and `mvnw`; plain POSIX sh, starts no JVM.

jdk_feature_wanted=25

# feature_of HOME: sets $feature to the feature release (25 for "25.0.3") that HOME/release states, or to 0.
feature_of() {
  feature=0
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    JAVA_VERSION=*)
      feature=${line#JAVA_VERSION=}
      feature=${feature#\"}
      feature=${feature%%[!0-9]*}
      feature=${feature:-0}
      return 0
      ;;
    esac
  done <"$1/release"
}

# find_jdk: sets $jdk to the home of the first JDK that is new enough, or to nothing; $jdk_seen lists those that are not.
find_jdk() {
  jdk=
  jdk_seen=
  on_path=$(command -v java || true)
  [ -z "$on_path" ] || on_path=$(readlink -f "$on_path" 2>/dev/null || printf %s "$on_path")
  for candidate in \
    "${LOCKSTEP_JAVA_HOME-}" \
    "${JAVA_HOME-}" \
    "${on_path%/bin/java}" \
    /usr/lib/jvm/* \
    /opt/* \
    "${HOME-}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -n "$candidate" ] || continue
    feature_of "$candidate"
    if [ "$feature" -ge "$jdk_feature_wanted" ]; then
      jdk=$candidate
      return 0
    fi
    [ "$feature" -eq 0 ] || jdk_seen="$jdk_seen
  $candidate (JDK $feature)"
  done
}

# need_jdk PROGRAM: find_jdk; where there is none, says so in the program's name and ends it.
need_jdk() {
  find_jdk
  if [ -z "$jdk" ]; then
    printf '%s: needs a JDK of release %s or newer%s\n' "$1" "$jdk_feature_wanted" "${jdk_seen:+; found only:$jdk_seen}" >&2
    printf 'Hint: install one (adoptium.net has builds for all systems) or set LOCKSTEP_JAVA_HOME to its folder\n' >&2
    exit 2
  fi
  if [ -n "${LOCKSTEP_JAVA_HOME-}" ] && [ "$jdk" != "$LOCKSTEP_JAVA_HOME" ]; then
    printf '%s: LOCKSTEP_JAVA_HOME is no JDK of release %s or newer: %s\n' "$1" "$jdk_feature_wanted" "$LOCKSTEP_JAVA_HOME" >&2
    printf 'Hint: without it, %s would be used\n' "$jdk" >&2
    exit 2
  fi
}
