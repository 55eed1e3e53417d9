import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { achieveGoal, addGoal } from '#/features/growth/goals/commands.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { askPrayer } from '#/features/growth/prayers/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { unlocked } from '../../../../tests/support/words.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { makeReport } from './commands.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-20T12:00:00Z' });

async function inZone(timeZone: string, name = 'Hannah Brooks'): Promise<Person> {
  const client = await addClient(db);
  await db
    .updateTable('profiles')
    .set({ time_zone: timeZone, full_name: name })
    .where('id', '=', client.id)
    .execute();
  return client;
}

/** Adds a completed session with a new provider. */
async function attend(client: Person, start: string): Promise<void> {
  const provider = await addProvider(db);
  await db
    .updateTable('profiles')
    .set({ full_name: 'Dr. Sarah Whitfield' })
    .where('id', '=', provider.id)
    .execute();
  await addSession(db, { client, provider, start });
}

async function read(bytes: Uint8Array) {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text, totalPages } = await extractText(document, { mergePages: false });
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
  return {
    pages: text.map((page) => page.replaceAll(/\s+/g, ' ')),
    totalPages,
    size: [Math.round(width), Math.round(height)],
  };
}

describe('the progress report', () => {
  test('summarizes activity on one page, without journal or prayer text', { tags: ['long'] }, async () => {
    const client = await inZone('America/New_York');
    setNow('2026-02-10T12:00:00Z');
    const goal = await addGoal(as(client), {
      title: 'Read one psalm each morning',
      why: 'a-private-reason',
      steps: [{ text: 'a-private-step' }],
    });
    await addGoal(as(client), { title: 'Rest on Sundays', dueOn: '2026-05-03', steps: [] });
    setNow('2026-03-08T04:30:00Z');
    await achieveGoal(as(client), goal.id, true);
    await attend(client, '2026-03-02T15:00:00Z');
    setNow('2026-03-20T12:00:00Z');
    await writeEntry(await unlocked(as(client)), { text: 'a-private-entry', title: 'a-private-title' });
    await askPrayer(as(client), { text: 'a-private-prayer', audience: 'pastors', showName: true });

    const { pages, totalPages, size } = await read(await makeReport(as(client)));
    expect(totalPages).toBe(1);
    expect(size).toEqual([612, 792]);
    const [text] = pages;
    expect(text).toContain('Progress report');
    expect(text).toContain('Hannah Brooks');
    expect(text).toContain('March 20, 2026');
    expect(text).toMatch(/Sessions completed 1 Days active 3 Resources used 0 Goals achieved 1/);
    expect(text).toContain('Sessions by month');
    // Still March 7 in New York.
    expect(text).toMatch(/Read one psalm each morning ?Reached on March 7, 2026 0 of 1 steps done/);
    expect(text).toContain('In progress, by May 3, 2026');
    expect(text).toContain('60 minutes with Dr. Sarah Whitfield');
    expect(text).toContain('Page 1 of 1');
    expect(text).not.toContain('a-private');
  });

  test('continues over as many pages as needed, in the zone’s paper size', { tags: ['long'] }, async () => {
    const client = await inZone('Europe/Berlin');
    setNow('2026-03-20T12:00:00Z');
    for (let number = 1; number <= 60; number++) {
      await addGoal(as(client), { title: `Goal number ${number} ${'wide '.repeat(30)}`.trim(), steps: [] });
    }
    const { pages, totalPages, size } = await read(await makeReport(as(client)));
    expect(size).toEqual([595, 842]);
    expect(totalPages).toBeGreaterThan(3);
    for (let number = 1; number <= 60; number++) expect(pages.join(' ')).toContain(`Goal number ${number} `);
    expect(pages.map((page, index) => page.includes(`Page ${index + 1} of ${totalPages}`))).not.toContain(
      false,
    );
  });

  test(
    'lists sessions from the first hour of the oldest month in the person’s zone',
    { tags: ['long'] },
    async () => {
      const client = await inZone('Pacific/Auckland');
      setNow('2026-03-20T12:00:00Z');
      await attend(client, '2025-03-31T11:30:00Z');
      const { pages } = await read(await makeReport(as(client)));
      expect(pages.join(' ')).toContain('60 minutes with Dr. Sarah Whitfield');
    },
  );

  test('uses fonts that cover the person’s name', async () => {
    const client = await inZone('Europe/Athens', 'Ελένη Łukasz Дарья Nguyễn');
    const { pages } = await read(await makeReport(as(client)));
    expect(pages[0]!.normalize('NFC')).toContain('Ελένη Łukasz Дарья Nguyễn');
  });

  test('has nothing of the person in its metadata, which PDFKit writes unescaped', async () => {
    const client = await inZone('UTC', 'Ruth</rdf:li><b>Amsel');
    expect(Buffer.from(await makeReport(as(client))).toString('latin1')).not.toContain('<b>');
  });

  test('is limited to six a minute, and unavailable while growth is off', { tags: ['long'] }, async () => {
    const client = await inZone('UTC');
    for (let time = 0; time < 6; time++) await makeReport(as(client));
    expect(await refusalOf(makeReport(as(client)))).toMatchObject({ code: 'rate_limited' });
    await db
      .updateTable('feature_flags')
      .set({ enabled: false })
      .where('id', '=', 'wellness_tracking')
      .execute();
    expect(await refusalOf(makeReport(as(client)))).toMatchObject({
      code: 'not_found',
      reason: 'feature_off',
    });
    await db
      .updateTable('feature_flags')
      .set({ enabled: true })
      .where('id', '=', 'wellness_tracking')
      .execute();
    expect(await refusalOf(makeReport(as({ kind: 'guest' })))).toMatchObject({ code: 'unauthenticated' });
  });
});
