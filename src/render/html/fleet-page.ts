import type { FleetReport } from '../../model/report/fleet-report.ts';
import {
  fleetBlocks,
  fleetFactBlocks,
  fleetHeadBlocks,
  fleetSentence,
} from '../outputs/fleet-page.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { fleetTable } from './fleet-table.ts';
import { pageHtml } from './page.ts';

/** All reports of a fleet as one page: totals and plots, then every device in a table. */
export function fleetHtml(report: FleetReport): Generator<HtmlText> {
  const { organization, devices } = report;
  const owner = organization === null ? '' : ` for ${organization}`;
  return pageHtml({
    title: `Fleet report${owner}: ${fleetSentence(report)}`,
    jump: { to: 'all', says: 'To the table of all devices' },
    head: fleetHeadBlocks(report),
    blocks: fleetBlocks(report),
    table: { of: fleetTable(report), rows: devices },
    end: fleetFactBlocks(report),
  });
}
