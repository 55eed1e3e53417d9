import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { connect } from '#/platform/db/database.ts';
import { migrate, migrationNames } from '#/platform/db/migrate.ts';
import { databaseUrl, onServer } from './support/global-setup.ts';

const serverUrl = inject('serverUrl');
const names: string[] = [];
afterAll(async () => {
  for (const name of names) await onServer(serverUrl, `drop database ${name} with (force)`);
});

async function emptyDatabase() {
  const name = `italk_${newId().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name} template template0`);
  names.push(name);
  return connect(databaseUrl(serverUrl, name), 2).db;
}

test('gives a new database all services and flags', { tags: ['long'] }, async () => {
  const db = await emptyDatabase();
  await migrate(db);
  const services = await db.selectFrom('services').select('id').orderBy('position').execute();
  expect(services.map(({ id }) => id)).toEqual([
    'individuals',
    'couples',
    'families',
    'teens',
    'grief',
    'spiritual',
  ]);
  expect(await db.selectFrom('feature_flags').select('id').execute()).toHaveLength(8);
  await db.destroy();
});

test(
  'updates services and flags that no administrator edited, and brings back no deleted service',
  { tags: ['long'] },
  async () => {
    const db = await emptyDatabase();
    const last = (await migrationNames()).indexOf('0077_base_data_texts');
    await migrate(db, (await migrationNames()).slice(0, last));
    await sql`insert into users (id, name, email) values (${newId()}, 'Ruth Amsel', 'ruth@italk.test')`.execute(
      db,
    );
    await sql`
    insert into services (id, position, title, category, description, based_on, support_offered, issues_addressed,
        spiritual_themes, duration_minutes, price_cents, version)
      values ('grief', 5, 'Comfort', 'Individual Healing', 'As delivered', '', 'As delivered', '{}', '[]', 60, 9000, 1),
        ('teens', 4, 'Youth', 'Individual Healing', 'As edited', '', 'As edited', '{}', '[]', 60, 9000, 2)`.execute(
      db,
    );
    await sql`
    insert into feature_flags (id, name, description, category, enabled, scope, modified_at)
      values ('push_notifications', 'Push', 'As delivered', 'notifications', false, 'global', null),
        ('direct_messaging', 'Messages', 'As edited', 'communication', false, 'global', now())`.execute(db);
    await migrate(db);
    const services = await db
      .selectFrom('services')
      .select(['id', 'title', 'description', 'price_cents'])
      .orderBy('id')
      .execute();
    expect(services).toEqual([
      {
        id: 'grief',
        title: 'Comfort',
        description: expect.stringMatching(/^For anyone who has lost/) as string,
        price_cents: 9000,
      },
      { id: 'teens', title: 'Youth', description: 'As edited', price_cents: 9000 },
    ]);
    const flags = await db
      .selectFrom('feature_flags')
      .select(['description', 'enabled'])
      .where('id', 'in', ['push_notifications', 'direct_messaging'])
      .orderBy('id')
      .execute();
    expect(flags).toEqual([
      { description: 'As edited', enabled: false },
      { description: 'Notifications on phones and desktops', enabled: false },
    ]);
    await db.destroy();
  },
);
