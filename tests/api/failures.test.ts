import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { castOf, testServer } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;

test('counts server errors, but not refusals or missing pages', async () => {
  const { client, guest } = { ...(await castOf(server)), guest: server.guest };
  expect((await guest.send('GET', '/api/nowhere')).status).toBe(404);
  expect((await guest.send('GET', '/api/me/progress')).status).toBe(401);
  await sql`alter table goals rename to goals_elsewhere`.execute(db);
  try {
    expect((await client.send('GET', '/api/me/progress')).status).toBe(500);
  } finally {
    await sql`alter table goals_elsewhere rename to goals`.execute(db);
  }
  const counted = () => db.selectFrom('failed_answers').select('count').execute();
  await expect.poll(counted).toEqual([{ count: 1 }]);
});
