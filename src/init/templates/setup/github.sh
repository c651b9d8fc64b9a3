# Printed by `fleetform ci fleets --setup github`, which runs nothing. Run this in a clone of the repository: `gh` asks for each value.
# It does not protect the default branch and does not require the check `fleet plan`: do both in its rules.
# Where it stopped, go on with `--name NAME` for each organization that is left, without the commands that are done.
set -eu
team='' # FILL IN the team that approves, as its address has it
: "${team:?fill it in at the top: the team that approves}"
branch=$(gh repo view --json defaultBranchRef --jq .defaultBranchRef.name)
team=$(gh api "orgs/{owner}/teams/$team" --jq .id)
---
# NAME
gh api --silent --method PUT "repos/{owner}/{repo}/environments/fleet-read-NAME"
gh secret set FLEETFORM_READ_CLIENT_ID --env fleet-read-NAME </dev/tty
gh secret set FLEETFORM_READ_CLIENT_SECRET --env fleet-read-NAME </dev/tty
gh api --silent --method PUT "repos/{owner}/{repo}/environments/fleet-NAME" \
  --field "deployment_branch_policy[protected_branches]=false" --field "deployment_branch_policy[custom_branch_policies]=true"
gh api --silent --method POST "repos/{owner}/{repo}/environments/fleet-NAME/deployment-branch-policies" --raw-field "name=$branch"
gh secret set FLEETFORM_CLIENT_ID --env fleet-NAME </dev/tty
gh secret set FLEETFORM_CLIENT_SECRET --env fleet-NAME </dev/tty
gh api --silent --method PUT "repos/{owner}/{repo}/environments/fleet-approve-NAME" \
  --raw-field "reviewers[][type]=Team" --field "reviewers[][id]=$team"
gh secret set FLEETFORM_READ_CLIENT_ID --env fleet-approve-NAME </dev/tty
gh secret set FLEETFORM_READ_CLIENT_SECRET --env fleet-approve-NAME </dev/tty
---
gh api --silent --method POST "repos/{owner}/{repo}/rulesets" \
  --raw-field "name=fleetform ledger of NAME" --raw-field target=branch --raw-field enforcement=active \
  --raw-field "conditions[ref_name][include][]=refs/heads/LEDGER" --raw-field "conditions[ref_name][include][]=refs/heads/LEDGER-heads" \
  --raw-field "conditions[ref_name][include][]=refs/heads/FACTS" --raw-field "conditions[ref_name][exclude][]" \
  --raw-field "rules[][type]=deletion" --raw-field "rules[][type]=non_fast_forward"
---
gh variable set FLEETFORM_DRIFT </dev/tty # on
gh variable set FLEETFORM_APPLY </dev/tty # on, once the first plan looks right
