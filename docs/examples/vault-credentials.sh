#!/bin/sh
# Prints the credentials of an organization from HashiCorp Vault, for FLEETFORM_CREDENTIAL_COMMAND.
#
# The secret has version (1), clientId and clientSecret, and may have expiresAt:
#   vault kv put secret/fleetform/acme @credentials.json
# Vault is reached as its command line is: VAULT_ADDR, and VAULT_TOKEN or the token file of the user. A job whose forge
# gives it an identity sets VAULT_ID_TOKEN and VAULT_ROLE instead.
set -eu

# The only service that this machine hands credentials to.
[ "$FLEETFORM_CREDENTIAL_ORIGIN" = "${VAULT_FLEET_ORIGIN:?}" ]

if [ -n "${VAULT_ID_TOKEN:-}" ]; then
  # On stdin: arguments of a program can be read by every user of the machine.
  VAULT_TOKEN=$(printf %s "$VAULT_ID_TOKEN" |
    vault write -field=token auth/jwt/login "role=${VAULT_ROLE:?}" jwt=-)
  export VAULT_TOKEN
fi

exec vault kv get -format=json -field=data "secret/fleetform/$FLEETFORM_CREDENTIAL_ORGANIZATION"
