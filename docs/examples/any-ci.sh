#!/bin/sh
# Plans a request, and applies what is merged, on any CI (docs/any-ci.md):
#
#   sh any-ci.sh plan    in the job of a request: reads only
#   sh any-ci.sh apply   in a job of the default branch, after each merge and each hour
#
# Set in the CI, where no request can change it:
#   FLEETFORM_BRANCH     the default branch, such as main
#   FLEETFORM_LEDGER     the ledger, such as git:origin#fleetform-ledger
#   plan: FLEETFORM_READ_CLIENT_ID and FLEETFORM_READ_CLIENT_SECRET, of a user who may only read
#   apply: FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET, for jobs of the default branch alone; the right to push the ledger
# May be set: FLEET, the folder of the documents (fleet); FLEETFORM, the program (as `npm ci` installs it);
# CI_FILES, the files that say what the CI runs, where they have other names than these.
set -eu

CI_FILES=${CI_FILES:-Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .gitlab-ci.yml .gitlab .github .gitea .forgejo .circleci .buildkite .drone.yml .woodpecker .woodpecker.yml}

stop() {
  echo "any-ci.sh: $1" >&2
  exit 1
}

fleetform() {
  node "$program" "$@"
}

install() {
  [ -n "${FLEETFORM:-}" ] || npm ci --ignore-scripts --no-audit --no-fund
}

# The whole history of this commit, and the newest commit of the default branch: plans compare with it, apply runs it.
fetch() {
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then git fetch --quiet --unshallow origin; fi
  git fetch --quiet origin "+refs/heads/$FLEETFORM_BRANCH:refs/remotes/origin/$FLEETFORM_BRANCH"
}

plan() {
  fetch
  # What the CI runs with its secrets is reviewed first. It may be changed without this script, which is only a second look.
  # shellcheck disable=SC2086 # each word is a path
  if ! git diff --quiet "origin/$FLEETFORM_BRANCH...HEAD" -- $CI_FILES; then
    unset FLEETFORM_READ_CLIENT_ID FLEETFORM_READ_CLIENT_SECRET FLEETFORM_CLIENT_ID FLEETFORM_CLIENT_SECRET
    unset FLEETFORM_CLIENT_ID_FILE FLEETFORM_CLIENT_SECRET_FILE FLEETFORM_CREDENTIAL_COMMAND
    install
    fleetform validate --fleet "$fleet"
    echo "There is no plan, because this request changes what the CI runs: review and merge that by itself."
    return
  fi
  # Where git cannot compare, there is something to plan. Folders that begin with _ are those that fleets share.
  # This file counts, too, wherever it is: it makes the plan.
  if git diff --quiet "origin/$FLEETFORM_BRANCH...HEAD" -- "$fleet" "$0" ci ':(top,glob)**/_*/**' package.json package-lock.json .npmrc vendor; then
    echo "Nothing to plan: neither documents nor code that makes plans are changed."
    return
  fi
  install
  if [ -z "${FLEETFORM_READ_CLIENT_ID:-}" ]; then
    fleetform validate --fleet "$fleet"
    echo "The documents are valid. There is no plan, because this job has no credentials."
    return
  fi
  export FLEETFORM_CLIENT_ID="$FLEETFORM_READ_CLIENT_ID" FLEETFORM_CLIENT_SECRET="${FLEETFORM_READ_CLIENT_SECRET:-}"
  # Exit 3: a guardrail refuses the plan, or it exceeds the scope that its commits name. The plan is shown nevertheless.
  code=0
  fleetform plan --fleet "$fleet" --base "origin/$FLEETFORM_BRANCH" --out fleetform-plan.json || code=$?
  if [ -f fleetform-plan.json ]; then
    for form in html md; do # shown with the same exit code
      fleetform show fleetform-plan.json --format "$form" > "fleetform-plan.$form" || :
    done
  fi
  return "$code"
}

apply() {
  fetch
  # Not the commit of the job: a job that waited or runs again applies the newest documents.
  git checkout --quiet --force --detach "origin/$FLEETFORM_BRANCH"
  install
  # exec: fleetform receives the signal of a canceled job and records the requests in progress.
  exec node "$program" ci apply --fleet "$fleet" --outcome fleetform-outcome.json
}

main() {
  : "${FLEETFORM_BRANCH:?set it in the CI to the default branch, such as main}"
  : "${FLEETFORM_LEDGER:?set it in the CI to the ledger, such as git:origin#fleetform-ledger}"
  export FLEETFORM_BRANCH FLEETFORM_LEDGER CI=true
  fleet=${FLEET:-fleet}
  program=${FLEETFORM:-node_modules/fleetform/dist/main.js}
  rm -f fleetform-plan.* fleetform-outcome.json
  case "${1:-}" in
    plan) plan ;;
    apply) apply ;;
    *) stop "usage: sh any-ci.sh plan | apply" ;;
  esac
}

# In one line with its end, because apply checks out another version of this file.
main "$@"; exit
