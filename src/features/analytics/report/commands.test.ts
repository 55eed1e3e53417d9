import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { reportAsCsv, reportAsPdf } from './commands.ts';

const { db, as } = await testDatabase({ now: '2026-03-15T12:00:00Z' });
const client = await addClient(db);
const admin = as({ kind: 'person', id: client.id, role: 'super_admin', sessionId: newId() });
await addSession(db, { client, provider: await addProvider(db), start: '2026-02-10T15:00:00Z' });
await addSession(db, { client, provider: await addProvider(db), start: '2026-03-10T15:00:00Z' });
const range = (from: string, to: string) => new URLSearchParams({ from, to });

test('exports the selected days’ stats as CSV, and logs the export', async () => {
  const bytes = await reportAsCsv(admin, range('2026-01-20', '2026-03-01'));
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\r\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'Metric,Value',
      'First day,2026-01-20',
      'Last day,2026-03-01',
      'Sessions This Month,1',
      'Active Providers,2',
      'Sessions,1',
      'Minutes booked,60',
      'Avg Session Rating,',
      'Avg Session Duration (min),60',
      'Month,Sessions,Users',
    ]),
  );
  expect(lines.slice(-3)).toEqual(['2026-01,0,0', '2026-02,1,0', '2026-03,0,0']);
  const entries = await db
    .selectFrom('audit_entries')
    .select(['actor_id', 'action', 'details', 'success'])
    .where('action', '=', 'analytics.exported')
    .orderBy('id')
    .execute();
  expect(entries).toEqual([
    {
      actor_id: client.id,
      action: 'analytics.exported',
      details: { format: 'csv', from: '2026-01-20', to: '2026-03-01' },
      success: true,
    },
  ]);
});

test('exports a PDF with a bar for every month', { tags: ['long'] }, async () => {
  const document = await getDocumentProxy(await reportAsPdf(admin, range('2024-02-01', '2026-03-15')));
  const { text, totalPages } = await extractText(document, { mergePages: true });
  const words = text.replaceAll(/\s+/g, ' ');
  expect(totalPages).toBe(1);
  for (const said of [
    'Analytics report',
    'February 1, 2024 to March 15, 2026',
    'Total Users',
    'Sessions This Month',
    'Provider Utilization',
    'Avg Session Duration 60 min',
    'Month by month',
    'Page 1 of 1',
  ])
    expect(words).toContain(said);
  // 26 months in three rows per chart: each chart shows two Februaries.
  expect(words.match(/\bFeb\b/g)).toHaveLength(6);
});

test('rejects non-administrators and invalid date ranges', async () => {
  const stranger = as(client);
  expect(await refusalOf(reportAsCsv(stranger, range('2026-01-01', '2026-02-01')))).toMatchObject({
    code: 'forbidden',
  });
  expect(await refusalOf(reportAsPdf(as({ kind: 'guest' }), new URLSearchParams()))).toMatchObject({
    code: 'unauthenticated',
  });
  for (const [from, to, reason] of [
    ['2026-02-30', '2026-03-01', 'range_unreadable'],
    ['=1+1', '2026-03-01', 'range_unreadable'],
    ['2026-03-02', '2026-03-01', 'range_reversed'],
  ] as const)
    expect(await refusalOf(reportAsCsv(admin, range(from, to)))).toMatchObject({
      code: 'invalid',
      fields: [{ field: 'from', reason }],
    });
});
