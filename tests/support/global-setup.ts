import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { reactions } from '#/app/reactions.ts';
import { connect } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { deleteEmbedded } from '#/platform/db/embedded/delete.ts';
import { install } from '#/app/install.ts';
import { fastFolder } from '../../scripts/fast-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Maintenance database, used to clone the template for each test file. */
    serverUrl: string;
    template: string;
  }
}

/** Starts a database server (or uses `TEST_DATABASE_URL`) and migrates the template that test files clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = join(await fastFolder(), `italk-test-${randomUUID().slice(0, 8)}`);
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given ? null : await openEmbedded({ dataDir });
  const serverUrl = given ?? embedded!.url;
  const template = `italk_template_${process.pid}`;
  // Test data is disposable, so commits don't wait for the disk.
  if (embedded)
    await onServer(
      serverUrl,
      'alter system set synchronous_commit = off',
      'alter system set full_page_writes = off',
      'alter system set autovacuum = off',
      "alter system set max_wal_size = '1GB'",
      'select pg_reload_conf()',
    );
  await onServer(serverUrl, `drop database if exists ${template}`, `create database ${template}`);
  const { db } = connect(databaseUrl(serverUrl, template), 2);
  await install(
    db,
    databaseUrl(serverUrl, template),
    reactions.map(({ name }) => name),
  );
  await db.destroy();
  project.provide('serverUrl', serverUrl);
  project.provide('template', template);
  return async () => {
    await onServer(serverUrl, `drop database if exists ${template} with (force)`);
    await embedded?.stop();
    // As root the database may use another folder, deleted here too.
    await deleteEmbedded(dataDir);
  };
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

export async function onServer(serverUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
