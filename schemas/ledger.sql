-- Ledgers of fleetform in PostgreSQL (13 or later), version 2. Run it in the database of the ledgers, as a superuser or a
-- role that may create roles: `fleetform ledger schema | psql -v ON_ERROR_STOP=1 DATABASE`. It can be run again: it
-- brings an older version forward, and never goes back.
BEGIN;
SET LOCAL client_min_messages = warning;

DO $$
DECLARE
  role text;
BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RAISE EXCEPTION 'the database has to have the encoding UTF8';
  END IF;
  FOREACH role IN ARRAY ARRAY['fleetform_owner', 'fleetform_read', 'fleetform_write', 'fleetform_approve'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = role) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role);
    END IF;
  END LOOP;
  IF NOT pg_has_role(current_user, 'fleetform_owner', 'MEMBER') THEN
    EXECUTE format('GRANT fleetform_owner TO %I', current_user);
  END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS fleetform AUTHORIZATION fleetform_owner;
SET LOCAL ROLE fleetform_owner;

CREATE TABLE IF NOT EXISTS fleetform.format (version integer NOT NULL);
INSERT INTO fleetform.format SELECT 2 WHERE NOT EXISTS (SELECT FROM fleetform.format);
DO $$
BEGIN
  IF (SELECT max(version) FROM fleetform.format) > 2 THEN
    RAISE EXCEPTION 'a newer fleetform made these tables: use its `ledger schema`';
  END IF;
END
$$;
UPDATE fleetform.format SET version = 2;

-- Which login may use which ledger. The owner fills it.
CREATE TABLE IF NOT EXISTS fleetform.grants (
  ledger text NOT NULL,
  member name NOT NULL,
  PRIMARY KEY (ledger, member)
);
CREATE TABLE IF NOT EXISTS fleetform.heads (
  ledger text PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL
);
CREATE TABLE IF NOT EXISTS fleetform.records (
  ledger text NOT NULL,
  seq bigint NOT NULL,
  type text NOT NULL,
  hash text NOT NULL,
  line text NOT NULL,
  written_by name NOT NULL DEFAULT session_user,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (ledger, seq)
);
-- What every reader reads, whatever a checkpoint says of it.
CREATE INDEX IF NOT EXISTS approving ON fleetform.records (ledger, seq)
  WHERE type IN ('APPROVED', 'WITHDRAWN', 'GROUND');
-- The text of the newest CHECKPOINT of each ledger.
CREATE TABLE IF NOT EXISTS fleetform.checkpoints (
  ledger text PRIMARY KEY,
  seq bigint NOT NULL,
  text text NOT NULL
);
CREATE TABLE IF NOT EXISTS fleetform.facts (
  ledger text NOT NULL,
  key text NOT NULL,
  read_at timestamptz NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (ledger, key)
);

ALTER TABLE fleetform.grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleetform.heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleetform.records ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleetform.checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE fleetform.facts ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own ON fleetform.grants;
CREATE POLICY own ON fleetform.grants USING (member = session_user);
DROP POLICY IF EXISTS granted ON fleetform.heads;
CREATE POLICY granted ON fleetform.heads
  USING (ledger IN (SELECT g.ledger FROM fleetform.grants g WHERE g.member = session_user));
DROP POLICY IF EXISTS granted ON fleetform.records;
CREATE POLICY granted ON fleetform.records
  USING (ledger IN (SELECT g.ledger FROM fleetform.grants g WHERE g.member = session_user));
DROP POLICY IF EXISTS granted ON fleetform.checkpoints;
CREATE POLICY granted ON fleetform.checkpoints
  USING (ledger IN (SELECT g.ledger FROM fleetform.grants g WHERE g.member = session_user));
DROP POLICY IF EXISTS granted ON fleetform.facts;
CREATE POLICY granted ON fleetform.facts
  USING (ledger IN (SELECT g.ledger FROM fleetform.grants g WHERE g.member = session_user));

-- Whether the head of a ledger is the one named; the row of the head stays locked to the end of the transaction.
CREATE OR REPLACE FUNCTION fleetform.lock_head(of_ledger text, at_seq bigint, at_hash text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head fleetform.heads;
BEGIN
  IF NOT EXISTS (SELECT FROM fleetform.grants g WHERE g.ledger = of_ledger AND g.member = session_user) THEN
    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format('%s has no grant for this ledger', session_user);
  END IF;
  -- Whatever the settings of server and login: what was answered is on disk.
  PERFORM set_config('synchronous_commit', 'on', true);
  IF at_seq = 0 THEN
    INSERT INTO fleetform.heads VALUES (of_ledger, 0, '') ON CONFLICT DO NOTHING;
  END IF;
  SELECT * INTO head FROM fleetform.heads h WHERE h.ledger = of_ledger FOR UPDATE;
  RETURN FOUND AND head.seq = at_seq AND head.hash = at_hash;
END
$$;

-- Puts records behind a locked head, if each continues the chain.
CREATE OR REPLACE FUNCTION fleetform.put(of_ledger text, at_seq bigint, at_hash text, lines text[], hashes text[])
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  record jsonb;
BEGIN
  IF cardinality(lines) <> cardinality(hashes) THEN
    RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = 'each line needs a hash';
  END IF;
  FOR i IN 1 .. cardinality(lines) LOOP
    record := lines[i]::jsonb;
    at_seq := at_seq + 1;
    IF (record ->> 'seq')::bigint IS DISTINCT FROM at_seq
      OR record ->> 'prev' IS DISTINCT FROM at_hash
      OR record -> 'body' ->> 'type' IS NULL
      OR encode(sha256(convert_to(lines[i], 'UTF8')), 'hex') IS DISTINCT FROM hashes[i] THEN
      RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = format('record %s does not continue the chain', at_seq);
    END IF;
    INSERT INTO fleetform.records (ledger, seq, type, hash, line)
      VALUES (of_ledger, at_seq, record -> 'body' ->> 'type', hashes[i], lines[i]);
    at_hash := hashes[i];
  END LOOP;
  UPDATE fleetform.heads h SET seq = at_seq, hash = at_hash WHERE h.ledger = of_ledger;
END
$$;

-- Appends records behind the head that the caller names: `acknowledged`, or `lost` if it is another one by now. Nothing
-- else writes records, but for import_chain. `checkpoint` is the text of the CHECKPOINT that is the first of them.
DROP FUNCTION IF EXISTS fleetform.append(text, bigint, text, text[], text[]);
CREATE OR REPLACE FUNCTION fleetform.append(
  of_ledger text, at_seq bigint, at_hash text, lines text[], hashes text[], checkpoint text DEFAULT NULL)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  may_write boolean := pg_has_role(session_user, 'fleetform_write', 'MEMBER');
  may_approve boolean := pg_has_role(session_user, 'fleetform_approve', 'MEMBER');
  body jsonb;
  type text;
  ground jsonb;
  may_append boolean;
BEGIN
  IF NOT fleetform.lock_head(of_ledger, at_seq, at_hash) THEN
    RETURN 'lost';
  END IF;
  FOR i IN 1 .. cardinality(lines) LOOP
    body := lines[i]::jsonb -> 'body';
    type := body ->> 'type';
    may_append := coalesce(
      CASE
        WHEN may_approve AND type IN ('GENESIS', 'GROUND', 'PAUSE', 'APPROVED', 'WITHDRAWN') THEN true
        ELSE may_write AND type <> 'APPROVED'
      END,
      false
    );
    -- What a run says of the ground may be stricter, never laxer, and moves nothing.
    IF type = 'GROUND' AND may_append AND NOT may_approve THEN
      IF ground IS NULL THEN
        SELECT r.line::jsonb -> 'body' INTO ground FROM fleetform.records r
          WHERE r.ledger = of_ledger AND r.type = 'GROUND' ORDER BY r.seq DESC LIMIT 1;
      END IF;
      may_append := ground IS NULL OR coalesce(
        body -> 'service' = ground -> 'service'
          AND body -> 'ledger' = ground -> 'ledger'
          AND body ->> 'approval' IN ('plan', ground ->> 'approval')
          AND ground ->> 'gate' IN ('none', body ->> 'gate'),
        false
      );
      ground := body;
    END IF;
    IF NOT may_append THEN
      RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format('%s may not append %s', session_user, type);
    END IF;
  END LOOP;
  PERFORM fleetform.put(of_ledger, at_seq, at_hash, lines, hashes);
  IF checkpoint IS NOT NULL THEN
    body := lines[1]::jsonb -> 'body';
    IF body ->> 'type' IS DISTINCT FROM 'CHECKPOINT'
      OR body ->> 'state' IS DISTINCT FROM encode(sha256(convert_to(checkpoint, 'UTF8')), 'hex') THEN
      RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = 'the text is not that of the CHECKPOINT';
    END IF;
    INSERT INTO fleetform.checkpoints VALUES (of_ledger, at_seq + 1, checkpoint)
      ON CONFLICT (ledger) DO UPDATE SET seq = excluded.seq, text = excluded.text;
  END IF;
  RETURN 'acknowledged';
END
$$;

-- Copies a whole chain into an empty ledger: `fleetform ledger move`, by the owner alone.
CREATE OR REPLACE FUNCTION fleetform.import_chain(of_ledger text, lines text[], hashes text[])
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT fleetform.lock_head(of_ledger, 0, '') THEN
    RETURN 'lost';
  END IF;
  PERFORM fleetform.put(of_ledger, 0, '', lines, hashes);
  RETURN 'acknowledged';
END
$$;

REVOKE ALL ON ALL TABLES IN SCHEMA fleetform FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA fleetform FROM PUBLIC;
GRANT USAGE ON SCHEMA fleetform TO fleetform_read, fleetform_write, fleetform_approve;
GRANT SELECT ON ALL TABLES IN SCHEMA fleetform TO fleetform_read, fleetform_write, fleetform_approve;
GRANT INSERT, UPDATE, DELETE ON fleetform.facts TO fleetform_write;
GRANT EXECUTE ON FUNCTION fleetform.append(text, bigint, text, text[], text[], text)
  TO fleetform_write, fleetform_approve;
COMMIT;
