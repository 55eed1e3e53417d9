import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient } from '../../../tests/support/people.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { changeSettings, resetSettings, saveSettings } from './commands.ts';
import { settingsContract } from './contract.ts';
import { adminSettings, settingsHistory } from './queries.ts';
import { settingDefaults, settings, type SettingId, type SiteSettings } from './rules.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const { db, as } = database;
const people = [await addClient(db), await addClient(db), await addClient(db)] as const;
const [ruth, naomi] = people.map(({ id }) => as({ kind: 'person', id, role: 'super_admin', sessionId: id }));
const client = as({ kind: 'person', id: people[2].id, role: 'client', sessionId: people[2].id });
const ids = Object.keys(settings) as SettingId[];
const bounded = Object.entries(settings).filter(([, setting]) => 'min' in setting);
const chosen = Object.entries(settings).filter(([, setting]) => 'options' in setting);
/** Valid values that differ from every default. */
const others: SiteSettings = {
  siteName: 'Cedar House',
  siteDescription: 'A quiet place',
  supportEmail: 'help@cedar.example',
  timezone: 'Asia/Kathmandu',
  defaultSessionDuration: 90,
  bookingAdvanceNotice: 0,
  cancellationDeadline: 48,
  maxDailyBookings: 3,
  emailNotifications: false,
  smsNotifications: true,
  pushNotifications: false,
  reminderTime: 1_440,
  sessionTimeout: 5,
  passwordMinLength: 12,
  signInCode: false,
  passkeys: false,
  requireTwoFactor: true,
  allowGuestBooking: true,
  calendarProvider: 'apple',
  autoSyncEnabled: false,
  bufferTimeMinutes: 0,
  maintenanceMode: true,
  debugMode: true,
  logLevel: 'warn',
  backupFrequency: 'weekly',
};

const version = async () => (await adminSettings(ruth!)).version;

beforeEach(async () => {
  // Requiring two-factor needs its flag on.
  await db.updateTable('feature_flags').set({ enabled: true }).execute();
  await resetSettings(ruth!, { version: await version() });
});

describe('the form, the contract and the table', () => {
  test('define the same 25 settings with the same defaults', async () => {
    expect(ids).toHaveLength(25);
    const { rows } = await sql<{ column: string; value: string }>`
      select column_name as column, column_default as value from information_schema.columns
       where table_name = 'site_settings'`.execute(db);
    const stored = new Map(rows.map(({ column, value }) => [column, value]));
    for (const id of ids) {
      const written = stored.get(settings[id].column)!.replace(/^'(.*)'::text$/, '$1');
      expect(written, id).toBe(String(settingDefaults[id]));
    }
  });

  test.each(bounded)('apply the same bounds to %s', async (id, setting) => {
    const { min, max } = setting as { min: number; max: number };
    const values: [value: unknown, fits: boolean][] =
      typeof settingDefaults[id as SettingId] === 'number'
        ? [
            [min, true],
            [max, true],
            [min - 1, false],
            [max + 1, false],
          ]
        : id === 'supportEmail'
          ? [
              ['a@b.example', true],
              [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`, true],
              [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(54)}.example`, false],
              ['nobody', false],
            ]
          : [
              ['x'.repeat(min), true],
              ['x'.repeat(max), true],
              ['', false],
              ['x'.repeat(max + 1), false],
            ];
    const shape = settingsContract.save['~orpc'].inputSchema!;
    for (const [value, fits] of values) {
      const what = `${id} as ${String(value).slice(0, 20)}`;
      expect(shape.safeParse({ version: 1, change: { [id]: value } }).success, what).toBe(fits);
      const refusedBy = await db
        .updateTable('site_settings')
        .set({ [settings[id as SettingId].column]: value })
        .execute()
        .then(() => null, sqlState);
      expect(refusedBy, what).toBe(fits ? null : '23514');
    }
    await db
      .updateTable('site_settings')
      .set({ [settings[id as SettingId].column]: settingDefaults[id as SettingId] })
      .execute();
  });

  test.each(chosen)('offer the same options for %s', async (id, setting) => {
    const { options } = setting as { options: readonly string[] };
    const column = settings[id as SettingId].column;
    const { rows } = await sql<{ check: string }>`
      select pg_get_constraintdef(oid) as check from pg_constraint
       where conrelid = 'site_settings'::regclass and conname = ${`site_settings_${column}_check`}`.execute(
      db,
    );
    expect([...rows[0]!.check.matchAll(/'(\w+)'::text/g)].map(([, option]) => option)).toEqual(options);
    const shape = settingsContract.save['~orpc'].inputSchema!;
    for (const option of options)
      expect(shape.safeParse({ version: 1, change: { [id]: option } }).success, option).toBe(true);
    expect(shape.safeParse({ version: 1, change: { [id]: 'never' } }).success).toBe(false);
  });
});

describe('saving', () => {
  const told = (value: unknown) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

  test.each(ids)('stores %s in history and log, and resets it', async (id) => {
    const before = await version();
    const saved = await saveSettings(ruth!, { version: before, change: { [id]: others[id] } });
    expect(saved.values).toEqual({ ...settingDefaults, [id]: others[id] });
    expect(saved.last).toEqual({
      version: before + 1,
      at: '2026-03-02T12:00:00Z',
      kind: 'saved',
      byPerson: true,
      byId: people[0].id,
      changes: [{ setting: id, from: settingDefaults[id], to: others[id] }],
    });
    const [entry] = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', 'settings.changed')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(entry).toMatchObject({
      category: 'system_settings',
      actor_id: people[0].id,
      details: {
        [id]: ['siteName', 'siteDescription', 'supportEmail'].includes(id)
          ? 'changed'
          : `${told(settingDefaults[id])} → ${told(others[id])}`,
        version: before + 1,
      },
    });
    const reset = await resetSettings(naomi!, { version: saved.version });
    expect(reset).toMatchObject({
      values: settingDefaults,
      last: {
        kind: 'reset',
        byId: people[1].id,
        changes: [{ setting: id, from: others[id], to: settingDefaults[id] }],
      },
    });
  });

  test('stores nothing if unchanged', async () => {
    const before = await adminSettings(ruth!);
    expect(
      await saveSettings(ruth!, { version: before.version, change: { siteName: 'iTalk Health' } }),
    ).toEqual(before);
    expect(await resetSettings(ruth!, { version: before.version })).toEqual(before);
  });

  test('accepts a save and a reset repeated after a lost answer, once', async () => {
    const save = { version: await version(), change: { sessionTimeout: 45 } };
    const saved = await saveSettings(ruth!, save);
    expect(await saveSettings(ruth!, save)).toEqual(saved);
    const reset = await resetSettings(ruth!, { version: saved.version });
    expect(await resetSettings(ruth!, { version: saved.version })).toEqual(reset);
    expect(await version()).toBe(save.version + 2);
  });

  test('rejects a replaced version whole, naming the current one', async () => {
    const seen = await version();
    await saveSettings(ruth!, { version: seen, change: { sessionTimeout: 45 } });
    const stored = await adminSettings(ruth!);
    const late = saveSettings(naomi!, { version: seen, change: { sessionTimeout: 20, siteName: 'Naomi’s' } });
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      reason: 'settings_changed',
      data: { version: seen + 1 },
    });
    await expect(resetSettings(naomi!, { version: seen })).rejects.toMatchObject({
      reason: 'settings_changed',
    });
    expect(await adminSettings(ruth!)).toEqual(stored);
  });

  test('keeps one of two concurrent saves', async () => {
    const seen = await version();
    const both = await Promise.allSettled([
      saveSettings(ruth!, { version: seen, change: { sessionTimeout: 45 } }),
      saveSettings(naomi!, { version: seen, change: { reminderTime: 45 } }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await version()).toBe(seen + 1);
  });

  test('rejects an unknown time zone by field, with everything else sent', async () => {
    const before = await adminSettings(ruth!);
    const change = { siteName: 'Cedar House', timezone: 'Mars/Olympus' };
    await expect(saveSettings(ruth!, { version: before.version, change })).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: 'change.timezone', reason: 'unknown_zone' }],
    });
    expect(await adminSettings(ruth!)).toEqual(before);
  });

  test('is limited to administrators', async () => {
    const change = { siteName: 'Mine' };
    for (const who of [client, as({ kind: 'guest' })]) {
      await expect(saveSettings(who, { version: 1, change })).rejects.toMatchObject({
        code: /forbidden|unauthenticated/,
      });
      await expect(resetSettings(who, { version: 1 })).rejects.toMatchObject({
        code: /forbidden|unauthenticated/,
      });
    }
  });
});

test('pages history newest first, including automatic changes', { tags: ['long'] }, async () => {
  for (let minutes = 31; minutes <= 60; minutes++)
    await saveSettings(ruth!, { version: await version(), change: { sessionTimeout: minutes } });
  await changeSettings(as({ kind: 'system' }), { sessionTimeout: 61 });
  const first = await settingsHistory(ruth!, {});
  expect(first.more).toBe(true);
  expect(first.entries[0]).toMatchObject({
    byPerson: false,
    byId: null,
    changes: [{ setting: 'sessionTimeout', from: 60, to: 61 }],
  });
  const versions: number[] = [];
  for (let page = first; ; page = await settingsHistory(ruth!, { before: versions.at(-1)! })) {
    versions.push(...page.entries.map((entry) => entry.version));
    if (!page.more) break;
  }
  const last = await version();
  expect(versions).toEqual(Array.from({ length: versions.length }, (_, at) => last - at));
  expect(versions.at(-1)).toBe(2);
});
