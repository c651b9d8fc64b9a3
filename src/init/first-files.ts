import { join, posix } from 'node:path';
import { jsonText } from '../lib/json-text.ts';
import { zoneInName } from '../lib/city-zones.ts';
import { CHECK_COMMENT, ZONE_COMMENT } from '../render/words/documents/import-words.ts';
import { githubFiles } from './github-files.ts';
import { gitlabFiles } from './gitlab-files.ts';
import {
  fleetName,
  ledgerBranch,
  readTemplate,
  type FirstFile,
  type RepositoryFacts,
} from './template.ts';

/**
 * The files of a first fleet: valid documents, and where a forge is known, the jobs that plan, comment,
 * apply and check for drift. Values are inserted as JSON, which YAML reads as quoted strings.
 */
export function firstFiles(found: RepositoryFacts): readonly FirstFile[] {
  return [
    { path: join(found.home, found.fleet, 'service.yaml'), text: serviceText(found) },
    { path: join(found.home, found.fleet, 'sites.yaml'), text: sitesText(found) },
    { path: join(found.home, found.fleet, 'policies.yaml'), text: documentText('policies', found) },
    ...(found.ci === undefined ? [] : JOBS[found.ci](found)),
  ];
}

const JOBS = { github: githubFiles, gitlab: gitlabFiles } as const;

/** A first document; its line for editors names the schema by its path. */
function documentText(name: string, { fleet, schema }: RepositoryFacts): string {
  const text = readTemplate(`fleet/${name}.yaml`);
  return text.replace(/(?<=\$schema=).*/, () => posix.relative(fleet, schema));
}

function serviceText(found: RepositoryFacts): string {
  const { baseUrl, organization, approval } = found;
  const plain = documentText('service', found);
  const text = approval === 'plan' ? `${plain}${GATED}` : plain;
  const branched = text.replace(
    'branch: fleetform-ledger',
    `branch: ${ledgerBranch(fleetName(found))}`,
  );
  const addressed =
    baseUrl === undefined
      ? branched.replace('# FLEETFORM_BASE_URL', '# FILL IN; FLEETFORM_BASE_URL')
      : branched.replace('https://api.example.com', () => jsonText(baseUrl, 0));
  return organization === undefined
    ? addressed.replace('organization: acme', 'organization: acme # FILL IN')
    : addressed.replace('organization: acme', () => `organization: ${jsonText(organization, 0)}`);
}

/** What `service` says beside where a plan is the approval. */
const GATED = `  # Changes start once a person let their plan through the gate of fleet-approve.yml.
  approval: {is: plan, expires: 30d}
`;

/** What stands in place of that sentence where every site has a zone. */
const BY_NAME = '# A zone is that of the city in the name, else of `--time-zone` (check).\n';

/** Each site with the zone of the city in its name, else with that of `--time-zone`, which a person checks. */
function sitesText(found: RepositoryFacts): string {
  const text = documentText('sites', found);
  const { sites, timeZone } = found;
  const names = [...new Set(sites.map(({ id, name }) => name ?? id))].sort();
  if (names.length === 0) return text;
  const other =
    timeZone === undefined ? `{}${ZONE_COMMENT}` : `{timeZone: ${timeZone}}${CHECK_COMMENT}`;
  const lines = names.map((name) => {
    const own = zoneInName(name);
    return `  ${jsonText(name, 0)}: ${own === undefined ? other : `{timeZone: ${own}}`}\n`;
  });
  const isFilled = lines.every((line) => !line.includes(ZONE_COMMENT));
  const filled = text.replace(/^# Each site needs .*\n/m, isFilled ? BY_NAME : '$&');
  return filled.replace('sites: {} # FILL IN\n', () => `sites:\n${lines.join('')}`);
}
