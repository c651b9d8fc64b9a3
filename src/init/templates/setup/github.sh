# Printed by `fleetform ci fleets --setup github`, which runs nothing. Run this in a clone of the repository: `gh` asks for each value.
# It does not protect the default branch and does not require the check `fleet plan`: do both in its rules.
# Run it again where it stopped, or after a new organization: what is there is kept and named, and nothing is overwritten.
set -eu
team='' # FILL IN the team that approves, as its address has it
: "${team:?fill it in at the top: the team that approves}"
branch=$(gh repo view --json defaultBranchRef --jq .defaultBranchRef.name)
team=$(gh api "orgs/{owner}/teams/$team" --jq .id)
kept() { echo "kept: $*" >&2; }
lists() { printf '%s\n' "$1" | grep -Fxq -e "$2"; }
# A name, what is true of an environment that is right, and how it is made. A workflow may have made it without any rule.
environment() {
  name=$1 right=$2
  shift 2
  names=$(gh api --paginate "repos/{owner}/{repo}/environments" --jq '.environments[].name')
  if lists "$names" "$name"; then
    state=$(gh api "repos/{owner}/{repo}/environments/$name" --jq "if $right then \"right\" elif .protection_rules == [] and .deployment_branch_policy == null then \"bare\" else \"other\" end")
    if [ "$state" = right ]; then
      kept "environment $name"
      return
    fi
    if [ "$state" != bare ]; then
      echo "environment $name has other rules: correct it in the settings of the repository, then run this again" >&2
      exit 1
    fi
  fi
  gh api --silent --method PUT "repos/{owner}/{repo}/environments/$name" "$@"
}
secret() {
  names=$(gh secret list --env "$2" --json name --jq '.[].name')
  if lists "$names" "$1"; then kept "secret $1 of $2"; else gh secret set "$1" --env "$2" </dev/tty; fi
}
variable() {
  names=$(gh variable list --json name --jq '.[].name')
  if lists "$names" "$1"; then kept "variable $1"; else gh variable set "$1" </dev/tty; fi
}
---
# NAME
environment fleet-read-NAME true
secret FLEETFORM_READ_CLIENT_ID fleet-read-NAME
secret FLEETFORM_READ_CLIENT_SECRET fleet-read-NAME
environment fleet-NAME '.deployment_branch_policy.custom_branch_policies == true' \
  --field "deployment_branch_policy[protected_branches]=false" --field "deployment_branch_policy[custom_branch_policies]=true"
names=$(gh api "repos/{owner}/{repo}/environments/fleet-NAME/deployment-branch-policies" --jq '.branch_policies[].name')
if lists "$names" "$branch"; then
  kept "branches of fleet-NAME:" $names
else
  gh api --silent --method POST "repos/{owner}/{repo}/environments/fleet-NAME/deployment-branch-policies" --raw-field "name=$branch"
fi
secret FLEETFORM_CLIENT_ID fleet-NAME
secret FLEETFORM_CLIENT_SECRET fleet-NAME
environment fleet-approve-NAME '([.protection_rules[].type] | index("required_reviewers")) != null' \
  --raw-field "reviewers[][type]=Team" --field "reviewers[][id]=$team"
secret FLEETFORM_READ_CLIENT_ID fleet-approve-NAME
secret FLEETFORM_READ_CLIENT_SECRET fleet-approve-NAME
---
names=$(gh api --paginate "repos/{owner}/{repo}/rulesets" --jq '.[].name')
if lists "$names" 'fleetform ledger of NAME'; then
  kept 'ruleset "fleetform ledger of NAME"'
else
  gh api --silent --method POST "repos/{owner}/{repo}/rulesets" \
    --raw-field "name=fleetform ledger of NAME" --raw-field target=branch --raw-field enforcement=active \
    --raw-field "conditions[ref_name][include][]=refs/heads/LEDGER" --raw-field "conditions[ref_name][include][]=refs/heads/LEDGER-heads" \
    --raw-field "conditions[ref_name][include][]=refs/heads/FACTS" --raw-field "conditions[ref_name][exclude][]" \
    --raw-field "rules[][type]=deletion" --raw-field "rules[][type]=non_fast_forward"
fi
---
variable FLEETFORM_DRIFT # on
variable FLEETFORM_APPLY # on, once the first plan looks right
