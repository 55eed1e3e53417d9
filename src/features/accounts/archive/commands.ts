import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { AppError } from '#/kernel/errors.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { UnreadableBytes } from '#/platform/files/files.ts';
import type { PersonalPart, PersonalRecords } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';
import type { Viewer } from '../contract.ts';
import {
  csvOf,
  fileNameIn,
  indexPage,
  jsonOf,
  omittedPage,
  type ArchivePages,
  type ArchivePart,
} from './rules.ts';

/** `advance` receives progress in percent. */
export interface ArchiveParts {
  person: Viewer;
  parts: readonly PersonalPart[];
  advance: (percent: number) => Promise<void>;
}

type FileOfPerson = NonNullable<PersonalRecords['files']>[number];

/**
 * Streams a zip archive of all account data: a readable page, each table as JSON and CSV, and stored files. Errors in
 * any part abort the stream.
 */
export function archiveOf(ctx: Ctx, archive: ArchiveParts): ReadableStream<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const breakOff = (error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error('archive aborted'));
  zip.on('error', breakOff);
  writeArchive(ctx, zip, archive).catch(breakOff);
  return Readable.toWeb(output) as ReadableStream<Uint8Array>;
}

async function writeArchive(ctx: Ctx, zip: ZipFile, { person, parts, advance }: ArchiveParts): Promise<void> {
  const mtime = new Date(ctx.now().epochMilliseconds);
  const write = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime });
  const collected: ArchivePart[] = [];
  const files: FileOfPerson[] = [];
  const leftOut: string[] = [m.accounts_left_out_secrets()];
  for (const [index, part] of parts.entries()) {
    const records = await part.collect(ctx, person.id);
    // Several features write to one folder.
    const folder = collected.find(({ name }) => name === part.name);
    if (folder) folder.tables = { ...folder.tables, ...records.tables };
    else collected.push({ name: part.name, tables: records.tables });
    files.push(...(records.files ?? []));
    leftOut.push(...(records.leftOut ?? []));
    for (const [table, rows] of Object.entries(records.tables)) {
      write(`data/${part.name}/${table}.json`, jsonOf(rows));
      write(`data/${part.name}/${table}.csv`, csvOf(rows));
    }
    // The remaining percentage is reserved for files.
    await advance(Math.round(((index + 1) / (parts.length + 1)) * (files.length > 0 ? 60 : 95)));
  }

  const stored: string[] = [];
  const names = new Set<string>();
  for (const [index, { id, name }] of files.entries()) {
    const body = await openStored(ctx, id);
    if (body === null) {
      leftOut.push(m.accounts_left_out_file({ name }));
      continue;
    }
    const inArchive = fileNameIn(names, name);
    names.add(inArchive.toLowerCase());
    stored.push(inArchive);
    await addFile(zip, { path: `files/${inArchive}`, body, mtime });
    await advance(60 + Math.round(((index + 1) / files.length) * 35));
  }
  // Written last, once the archive's contents are known.
  const pages: ArchivePages = {
    locale: baseLocale,
    person,
    madeAt: ctx.now().epochMilliseconds,
    timeZone: person.timeZone && isKnownZone(person.timeZone) ? person.timeZone : 'UTC',
    parts: collected,
    files: stored,
    leftOut: [...new Set(leftOut)],
  };
  write('index.html', indexPage(pages));
  write('left-out.html', omittedPage(pages));
  zip.end();
}

/** Opens a stored file; null if deleted or unreadable while storage is otherwise healthy. */
async function openStored(ctx: Ctx, id: string): Promise<Readable | null> {
  try {
    const body = await ctx.files.read(ctx, id);
    return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    if (error instanceof UnreadableBytes && (await ctx.files.ready())) return null;
    throw error;
  }
}

/** Streams one file into the archive before the next opens, and stops if the archive aborts. */
async function addFile(
  zip: ZipFile,
  { path, body, mtime }: { path: string; body: Readable; mtime: Date },
): Promise<void> {
  const output = zip.outputStream as Readable;
  const stop = () => body.destroy();
  output.once('close', stop);
  // The output may already be closed.
  if (output.destroyed) stop();
  zip.addReadStream(body, path, { mtime, compress: false });
  await finished(body);
  output.off('close', stop);
}
