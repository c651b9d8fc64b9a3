# Printed by `fleetform ci fleets --setup gitlab`, which runs nothing. Run this in a clone of the project: it asks for each value.
# It does not set, and you do (docs/gitlab.md):
# - that jobs may push: the job token permission of Git pushes, or FLEETFORM_PUSH_TOKEN, protected, with the role Maintainer
# - the two pipeline schedules: FLEETFORM_SCHEDULE = apply each hour, drift each day
# - the protection of the default branch, and approvals of the environments fleet-approve-... (Premium)
# Where it stopped, go on with `--name NAME` for each organization that is left, without the commands that are done.
set -eu
trap 'stty echo </dev/tty || :' EXIT
trap 'exit 1' HUP INT TERM
ask() { printf '%s: ' "$1" >/dev/tty; stty -echo </dev/tty; read -r value </dev/tty; stty echo </dev/tty; echo >/dev/tty; printf %s "$value"; }
---
# NAME
glab api --silent --method POST projects/:id/environments --raw-field name=fleet-read-NAME
ask "NAME, FLEETFORM_READ_CLIENT_ID" | glab variable set FLEETFORM_READ_CLIENT_ID --scope fleet-read-NAME --masked
ask "NAME, FLEETFORM_READ_CLIENT_SECRET" | glab variable set FLEETFORM_READ_CLIENT_SECRET --scope fleet-read-NAME --masked
glab api --silent --method POST projects/:id/environments --raw-field name=fleet-NAME
ask "NAME, FLEETFORM_CLIENT_ID" | glab variable set FLEETFORM_CLIENT_ID --scope fleet-NAME --masked --protected
ask "NAME, FLEETFORM_CLIENT_SECRET" | glab variable set FLEETFORM_CLIENT_SECRET --scope fleet-NAME --masked --protected
glab api --silent --method POST projects/:id/environments --raw-field name=fleet-approve-NAME
ask "NAME, FLEETFORM_READ_CLIENT_ID" | glab variable set FLEETFORM_READ_CLIENT_ID --scope fleet-approve-NAME --masked --protected
ask "NAME, FLEETFORM_READ_CLIENT_SECRET" | glab variable set FLEETFORM_READ_CLIENT_SECRET --scope fleet-approve-NAME --masked --protected
---
# 40: Maintainers push. A job pushes as the person who merged or owns the schedule. On Premium, allow those accounts alone.
glab api --silent --method POST projects/:id/protected_branches --raw-field name=LEDGER --field push_access_level=40 --field allow_force_push=false
glab api --silent --method POST projects/:id/protected_branches --raw-field name=LEDGER-heads --field push_access_level=40 --field allow_force_push=false
glab api --silent --method POST projects/:id/protected_branches --raw-field name=FACTS --field push_access_level=40 --field allow_force_push=false
---
ask "GITLAB_TOKEN, role Reporter, scope api" | glab variable set GITLAB_TOKEN --masked
ask "FLEETFORM_APPLY: on, once the first plan looks right" | glab variable set FLEETFORM_APPLY
