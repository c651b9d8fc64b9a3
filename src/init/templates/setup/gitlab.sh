# Printed by `fleetform ci fleets --setup gitlab`, which runs nothing. Run this in a clone of the project: it asks for each value.
# It does not set, and you do (docs/gitlab.md):
# - that jobs may push: the job token permission of Git pushes, or FLEETFORM_PUSH_TOKEN, protected, with the role Maintainer
# - the two pipeline schedules: FLEETFORM_SCHEDULE = apply each hour, drift each day
# - the protection of the default branch, and approvals of the environments fleet-approve-... (Premium)
# Run it again where it stopped, or after a new organization: what is there is kept and named, and nothing is overwritten.
set -eu
trap 'stty echo </dev/tty || :' EXIT
trap 'exit 1' HUP INT TERM
ask() { printf '%s: ' "$1" >/dev/tty; stty -echo </dev/tty; read -r value </dev/tty; stty echo </dev/tty; echo >/dev/tty; printf %s "$value"; }
kept() { echo "kept: $*" >&2; }
environment() {
  found=$(glab api "projects/:id/environments?name=$1")
  if [ "$found" = '[]' ]; then glab api --silent --method POST projects/:id/environments --raw-field "name=$1"; else kept "environment $1"; fi
}
# A key, its scope, the question, and flags. What is there is not shown; GitLab refuses to make it twice.
variable() {
  key=$1 scope=$2 question=$3
  shift 3
  if glab variable get "$key" --scope "$scope" >/dev/null 2>&1; then
    kept "variable $key of $scope"
  else
    ask "$question" | glab variable set "$key" --scope "$scope" "$@"
  fi
}
# 40: Maintainers push. A job pushes as the person who merged or owns the schedule. On Premium, allow those accounts alone.
protect() {
  if found=$(glab api "projects/:id/protected_branches/$(printf %s "$1" | sed 's,/,%2F,g')" 2>/dev/null); then
    case $found in
      *'"allow_force_push":false'*) kept "protected branch $1: see in the settings of the project who may push" ;;
      *) echo "branch $1 is protected, but not against force pushes: correct it in the settings of the project, then run this again" >&2; exit 1 ;;
    esac
  else
    glab api --silent --method POST projects/:id/protected_branches --raw-field "name=$1" --field push_access_level=40 --field allow_force_push=false
  fi
}
---
# NAME
environment fleet-read-NAME
variable FLEETFORM_READ_CLIENT_ID fleet-read-NAME "NAME, FLEETFORM_READ_CLIENT_ID" --masked
variable FLEETFORM_READ_CLIENT_SECRET fleet-read-NAME "NAME, FLEETFORM_READ_CLIENT_SECRET" --masked
environment fleet-NAME
variable FLEETFORM_CLIENT_ID fleet-NAME "NAME, FLEETFORM_CLIENT_ID" --masked --protected
variable FLEETFORM_CLIENT_SECRET fleet-NAME "NAME, FLEETFORM_CLIENT_SECRET" --masked --protected
environment fleet-approve-NAME
variable FLEETFORM_READ_CLIENT_ID fleet-approve-NAME "NAME, FLEETFORM_READ_CLIENT_ID" --masked --protected
variable FLEETFORM_READ_CLIENT_SECRET fleet-approve-NAME "NAME, FLEETFORM_READ_CLIENT_SECRET" --masked --protected
---
protect LEDGER
protect LEDGER-heads
protect FACTS
---
variable GITLAB_TOKEN '*' "GITLAB_TOKEN, role Reporter, scope api" --masked
variable FLEETFORM_APPLY '*' "FLEETFORM_APPLY: on, once the first plan looks right"
