import { jsonText } from '../lib/json-text.ts';

/**
 * The newest actions that GitHub Enterprise Server and its runners take (README of each): it has no artifact service of
 * version 4, and checkout and setup-node of version 5 and later need newer runners. Gitea and Forgejo take them, too.
 */
const ACTIONS: Readonly<Record<string, string>> = {
  checkout: '11d5960a326750d5838078e36cf38b85af677262 # v4.4.0',
  'setup-node': '49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0',
  'upload-artifact': 'c24449f33cd45d4826c6702db7e49f7cdb9b551d # v3-node20',
  'download-artifact': '246d7188e736d3686f6d19628d253ede9697bd55 # v3-node20',
};

/**
 * An artifact of another run, which is saved in `incoming` below the working directory: what downloads it there knows only
 * those of its own run.
 */
const OF_ANOTHER_RUN =
  /^( +)uses: actions\/download-artifact@.*\n +with:\n +(name|pattern): (.*)\n +path: .*\n +run-id: (.*)\n +github-token: .*\n/gm;

/** A workflow, an action or its updates for a server of its own: GitHub Enterprise Server, or what runs its workflows. */
export function forServer(text: string, host: string | undefined): string {
  if (host === undefined) return text;
  // The host has no character that means anything in a replacement.
  const login = `$1GH_HOST: ${jsonText(host, 0)}\n$1GH_ENTERPRISE_TOKEN: \${{ github.token }}\n`;
  const named = `$1env:\n${login.replaceAll('$1', '$1  ')}$1  NAME: $3\n$1  RUN: $4\n`;
  const fetched = `$1run: exec gh run download "$RUN" --repo "$GITHUB_REPOSITORY" --$2 "$NAME" --dir incoming\n`;
  return text
    .replaceAll(OF_ANOTHER_RUN, named + fetched)
    .replaceAll(/^( +)GH_TOKEN: .*\n/gm, login)
    .replaceAll(/actions\/([\w-]+)@[0-9a-f]{40} .*/g, (uses, name: string) =>
      ACTIONS[name] === undefined ? uses : `actions/${name}@${ACTIONS[name]}`,
    )
    .replace(/ +package-manager-cache: false\n/, '')
    .replace(
      /(package-ecosystem: github-actions\n)/,
      '$1    ignore: [{dependency-name: "actions/*", update-types: ["version-update:semver-major"]}] # this server takes no newer ones\n',
    );
}
