import { buffer } from 'node:stream/consumers';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { actAs, demoContent } from '#/platform/demo.ts';
import { attachFile, publishOwn, saveDraft, submitResource } from './authoring/commands.ts';
import { readingMinutes } from './reading/rules.ts';
import { rateResource, setFavourite, getResource } from './reading/commands.ts';
import type { DraftInput } from './library/contract.ts';
import { approveResource, featureResource, rejectResource } from './moderation/commands.ts';

interface DemoPerson {
  id: string;
  name: string;
  role: Role;
}

/** The first reader is the demo client. */
export interface DemoReaders {
  administrator: DemoPerson;
  specialists: readonly DemoPerson[];
  readers: readonly DemoPerson[];
}

/** Client spec, 'Progress': 8 resources used. */
const usedByClient = 8;

/** Scripture in bodies must match the output of scripts/verses.ts, checked by demo.test.ts. */
interface DemoWork extends Pick<DraftInput, 'type' | 'category' | 'title' | 'description' | 'url'> {
  /** Index of the specialist; null: an outside author. */
  of: number | null;
  author?: string;
  durationMinutes?: number;
  featured?: boolean;
  /** Paragraphs. */
  body?: readonly string[];
  file?: keyof typeof files;
}

const files = { 'Ten Questions Before You Marry.pdf': tenQuestions, 'Breathing bell.wav': breathingBell };

export async function seedResources(ctx: Ctx, people: DemoReaders): Promise<void> {
  const now = ctx.now();
  const at = (daysAgo: number): Ctx => ({ ...ctx, now: () => now.subtract({ hours: 24 * daysAgo }) });
  const works = demoContent<readonly DemoWork[]>('library');
  const published: string[] = [];
  for (const [index, work] of works.entries()) {
    published.push(await publishWork(at(5 + 6 * (works.length - index)), people, work));
  }
  await readThem(at, people, published);
  await leaveUndecided(at, people);
}

async function publishWork(
  ctx: Ctx,
  { administrator, specialists }: DemoReaders,
  work: DemoWork,
): Promise<string> {
  const writer = work.of === null ? administrator : specialists[work.of]!;
  const author = actAs(ctx, writer);
  const chief = actAs(ctx, administrator);
  const { id } = await saveDraft(author, draftOf(work, work.author ?? writer.name));
  if (work.file) {
    const body = new Blob([new Uint8Array(await files[work.file]())]).stream();
    await attachFile(author, { resourceId: id, name: work.file, body });
  }
  if (work.of === null) await publishOwn(chief, id);
  else await approveResource(chief, id, (await submitResource(author, id)).version);
  if (work.featured) await featureResource(chief, id, true);
  return id;
}

function draftOf(work: DemoWork, author: string): DraftInput {
  const { type, category, title, description, url } = work;
  const body = (work.body ?? []).join('\n\n');
  const durationMinutes = work.durationMinutes ?? readingMinutes(body);
  const form = work.file ? 'file' : url ? 'link' : 'article';
  return { type, category, title, author, description, durationMinutes, form, body, ...(url ? { url } : {}) };
}

async function readThem(
  at: (daysAgo: number) => Ctx,
  { readers }: DemoReaders,
  published: readonly string[],
): Promise<void> {
  const newestFirst = published.toReversed();
  for (const [reader, person] of readers.entries()) {
    for (const [index, id] of newestFirst.entries()) {
      const gets = reader === 0 ? index < usedByClient : (reader * 5 + index * 3) % 7 < 4;
      if (!gets) continue;
      const ctx = actAs(at(4 - ((reader + index) % 4)), person);
      await getResource(ctx, id);
      if ((reader + index * 2) % 3 === 0 || reader === 0)
        await rateResource(ctx, id, (reader + index * 5) % 6 === 0 ? 4 : 5);
      if (reader === 0 && index % 4 === 1) await setFavourite(ctx, id, true);
    }
  }
}

async function leaveUndecided(
  at: (daysAgo: number) => Ctx,
  { administrator, specialists }: DemoReaders,
): Promise<void> {
  const [doctor, pastor] = [specialists[0]!, specialists[1]!];
  const undecided = (title: string, description: string, author: string): DraftInput => ({
    title,
    description,
    author,
    type: 'devotional',
    category: 'individual-healing',
    form: 'article',
    body: 'There’s an hour between work and supper that belongs to no one. For many people it’s the loneliest of the day. Here is a small order of service for it: a window, a cup, a psalm, a name, and the light going down on its own.',
  });
  const waiting = await saveDraft(
    actAs(at(2), pastor),
    undecided('The Hour Between', 'A small order of service for the end of the workday.', pastor.name),
  );
  await submitResource(actAs(at(2), pastor), waiting.id);
  const returned = await saveDraft(
    actAs(at(3), doctor),
    undecided('Sleep, at Last', 'Seven evenings of rest for people who lie awake.', doctor.name),
  );
  await submitResource(actAs(at(3), doctor), returned.id);
  await rejectResource(
    actAs(at(1), administrator),
    returned.id,
    'A good start. Please write the other six evenings before we publish it.',
  );
  await saveDraft(
    actAs(at(1), doctor),
    undecided('Writing Through the Psalms', 'A one-month journal.', doctor.name),
  );
}

const questions = [
  'What did love look like in the house you grew up in?',
  'What do you do when you’re angry, and what helps?',
  'How much money is enough, and who decides how we spend it?',
  'Do you want children, and what if we can’t have them?',
  'How close should our parents live, and how much should they know?',
  'What does your faith ask of you on an ordinary Tuesday?',
  'What haven’t you told me because you’re afraid I might leave?',
  'Which chores do you hate, and which don’t you mind?',
  'How do we say sorry so the other person believes it?',
  'Who do we ask for help when we can’t help ourselves?',
];

async function tenQuestions(): Promise<Uint8Array> {
  const { default: Document } = await import('pdfkit');
  const pdf = new Document({
    size: 'LETTER',
    margin: 64,
    info: { Title: 'Ten Questions Before You Marry', Author: 'iTalk' },
  });
  const bytes = buffer(pdf);
  pdf.font('Times-Bold').fontSize(24).text('Ten Questions Before You Marry');
  pdf
    .moveDown(0.5)
    .font('Times-Roman')
    .fontSize(12)
    .text(
      'Print this sheet twice. Answer alone, in a few words. Then sit down together, read your answers, and ask before you judge.',
    );
  for (const [index, question] of questions.entries()) {
    pdf
      .moveDown(1)
      .fontSize(13)
      .text(`${index + 1}.  ${question}`);
    pdf.moveDown(1.1);
    const { x, y } = pdf;
    pdf.moveTo(x, y).lineTo(548, y).lineWidth(0.5).strokeColor('#999999').stroke();
  }
  pdf.end();
  return bytes;
}

/** Samples per second; mono, 16 bits. */
const sampleRate = 8_000;
/** In seconds: 4 in, 6 out. */
const breath = 10;
const breaths = 6;
/** Overtones: frequency ratio, amplitude and decay. */
const partials = [
  [1, 0.5, 0.9],
  [2, 0.25, 1.3],
  [2.76, 0.15, 2],
  [5.4, 0.06, 3.4],
] as const;

/** A minute of breathing bells as WAV. */
function breathingBell(): Uint8Array {
  const samples = sampleRate * breath * breaths;
  const bytes = Buffer.alloc(44 + 2 * samples);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 2 * samples, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(2 * sampleRate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * samples, 40);
  for (let sample = 0; sample < samples; sample++) {
    const second = (sample / sampleRate) % breath;
    const level = second < 4 ? bell(528, second) : bell(396, second - 4);
    bytes.writeInt16LE(Math.round(level * 20_000), 44 + 2 * sample);
  }
  return bytes;
}

/** Amplitude from -1 to 1, `second` seconds after the strike. */
function bell(hertz: number, second: number): number {
  const struck = Math.min(1, second / 0.01);
  return (
    struck *
    partials.reduce(
      (sum, [above, loud, fades]) =>
        sum + loud * Math.exp(-fades * second) * Math.sin(2 * Math.PI * hertz * above * second),
      0,
    )
  );
}
