import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Check, checks } from '../scripts/checks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const realFiles = [
  '.dependency-cruiser.cjs',
  '.dependency-cruiser.babel.cjs',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  'knip.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.pure.json',
  'tsconfig.server.json',
  'tsconfig.web.json',
  'scripts/asvs.ts',
  'scripts/check-contract.ts',
  'scripts/check-features.ts',
  'scripts/check-spec.ts',
  'scripts/feature-order.json',
];

function specRow(heldBy: string): string {
  const width = Math.max(heldBy.length, 'Held by'.length);
  return [
    `| The specification says | ${'Held by'.padEnd(width)} |`,
    `| ---------------------- | ${'-'.repeat(width)} |`,
    `| A price is in dollars  | ${heldBy.padEnd(width)} |\n`,
  ].join('\n');
}

/** A minimal sample repository that passes every check. */
const model: Record<string, string> = {
  'docs/spec/page.md': specRow('prices.spec.ts › a price is told in dollars'),
  'tests/e2e/prices.spec.ts': `import { expect, test } from 'vitest';

test('a price is told in dollars', () => {
  expect('$1').toBe('$1');
});
`,
  'messages/en.json': '{\n  "home_book": "Book Appointment"\n}\n',
  'src/texts/messages.js': "export const m = { home_book: () => 'Book Appointment' };\n",
  'src/app/contract.ts': 'export const contract = {};\n',
  'src/kernel/money.ts': 'export const cents = (amount: number): number => Math.round(amount * 100);\n',
  'src/platform/context.ts': 'export interface Database {}\n',
  'src/platform/db/database.ts': `import { Kysely, DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Database } from '../context.ts';

export const connect = (): Kysely<Database> =>
  new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
`,
  'src/features/catalogue/tables.ts': `declare module '#/platform/context.ts' {
  interface Database {
    services: { id: string; price: number };
  }
}

export {};
`,
  'src/features/appointments/contract.ts': `import { z } from 'zod';

export const bookInput = z.object({ service: z.string() });
export type BookInput = z.infer<typeof bookInput>;
`,
  'src/features/appointments/rules.ts': `import { cents } from '#/kernel/money.ts';

export const price = (amount: number, now: number): number => (now > 0 ? cents(amount) : 0);
`,
  'src/features/appointments/rules.test.ts': `import { expect, test } from 'vitest';
import { price } from './rules.ts';

test('a price is in cents', () => {
  expect(price(1, 1)).toBe(100);
});
`,
  'src/features/appointments/queries.ts': `import type { Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';
import { m } from '#/texts/messages.js';
import { bookInput, type BookInput } from './contract.ts';
import { price } from './rules.ts';

export async function readPrice(db: Kysely<Database>, input: BookInput, now: number): Promise<string> {
  const { service } = bookInput.parse(input);
  const row = await db.selectFrom('services').select('price').where('id', '=', service).executeTakeFirst();
  return \`\${m.home_book()} \${price(row?.price ?? 0, now)}\`;
}
`,
  'src/features/messaging/tables.ts': `declare module '#/platform/context.ts' {
  interface Database {
    messages: { id: string };
  }
}

export {};
`,
  'src/features/messaging/rules.ts': 'export const longest = 4000;\n',
  'src/app/requests.ts': `import { readPrice } from '#/features/appointments/queries.ts';
import { longest } from '#/features/messaging/rules.ts';
import { connect } from '#/platform/db/database.ts';

export const answer = (service: string): Promise<string> => readPrice(connect(), { service }, longest);
`,
  'src/main.ts': `import { answer } from '#/app/requests.ts';

process.stdout.write(await answer(process.env.SERVICE ?? ''));
`,
};

/** Files that each break one rule, with the check and output expected to catch them. */
const planted: { rule: string; check: string; files: Record<string, string>; expected: RegExp[] }[] = [
  {
    rule: 'a cycle, of types alone too',
    check: 'boundaries',
    files: {
      'src/kernel/egg.ts': "import type { Hen } from './hen.ts';\n\nexport type Egg = Hen | 1;\n",
      'src/kernel/hen.ts': "import type { Egg } from './egg.ts';\n\nexport type Hen = Egg[];\n",
    },
    expected: [/no-cycle: src\/kernel\/(?:egg|hen)\.ts/],
  },
  {
    rule: 'an import against the order of the layers',
    check: 'boundaries',
    files: { 'src/platform/price.ts': "export { price } from '#/features/appointments/rules.ts';\n" },
    expected: [
      /platform-knows-no-feature: src\/platform\/price\.ts → src\/features\/appointments\/rules\.ts/,
    ],
  },
  {
    rule: 'an import for types alone against the order of the layers',
    check: 'boundaries',
    files: { 'src/kernel/rows.ts': "export type Rows = import('#/platform/context.ts').Database[];\n" },
    expected: [/kernel-imports-only-kernel: src\/kernel\/rows\.ts → src\/platform\/context\.ts/],
  },
  {
    rule: 'an import of a later feature',
    check: 'boundaries',
    files: {
      'src/features/catalogue/rules.ts': "export { longest } from '#/features/messaging/rules.ts';\n",
    },
    expected: [/catalogue-imports-only-earlier-features: src\/features\/catalogue\/rules\.ts/],
  },
  {
    rule: 'a list of parts that belong in manifests',
    check: 'boundaries',
    files: { 'src/app/cleanup.ts': "export { longest } from '#/features/messaging/rules.ts';\n" },
    expected: [/app-goes-over-manifests: src\/app\/cleanup\.ts → src\/features\/messaging\/rules\.ts/],
  },
  {
    rule: "an import that the file's role forbids",
    check: 'boundaries',
    files: {
      'src/features/growth/rules.ts': "export { readPrice } from '#/features/appointments/queries.ts';\n",
    },
    expected: [/rules-imports: src\/features\/growth\/rules\.ts → src\/features\/appointments\/queries\.ts/],
  },
  {
    rule: 'a page that imports the server, and a server file that imports React',
    check: 'boundaries',
    files: {
      'src/features/growth/ui/list.tsx': "export { connect } from '#/platform/db/database.ts';\n",
      'src/features/growth/commands.ts': "export { useState } from 'react';\n",
    },
    expected: [
      /pages-know-no-server: src\/features\/growth\/ui\/list\.tsx/,
      /react-in-pages-only: src\/features\/growth\/commands\.ts/,
    ],
  },
  {
    rule: 'a product file that imports a development tool, and a server file that imports a page',
    check: 'boundaries',
    files: {
      'src/platform/probe.ts': "export { expect } from 'vitest';\n",
      'src/platform/list.ts': "export { connect } from '#/features/growth/ui/list.tsx';\n",
    },
    expected: [
      /no-development-dependency-in-product: src\/platform\/probe\.ts/,
      /server-knows-no-pages: src\/platform\/list\.ts/,
    ],
  },
  {
    rule: 'files outside the vocabulary',
    check: 'vocabulary',
    files: {
      'src/features/appointments/service.ts': 'export const one = 1;\n',
      'src/features/admin/rules.ts': 'export const two = 2;\n',
      'src/features/appointments/lost.test.ts': 'export {};\n',
    },
    expected: [
      /^src\/features\/appointments\/service\.ts: .*vocabulary/m,
      /^src\/features\/admin\/rules\.ts: 'admin' isn’t in scripts/m,
      /^src\/features\/appointments\/lost\.test\.ts: there is no lost\.ts/m,
    ],
  },
  {
    rule: 'drawers and barrels',
    check: 'vocabulary',
    files: {
      'src/platform/utils/text.ts': 'export const three = 3;\n',
      'src/kernel/index.ts': 'export const four = 4;\n',
      'src/kernel/types.ts': 'export const five = 5;\n',
      'src/platform/mail.tsx': 'export const six = 6;\n',
    },
    expected: [
      /^src\/platform\/utils\/text\.ts: 'utils' is a drawer/m,
      /^src\/kernel\/index\.ts: no barrels/m,
      /^src\/kernel\/types\.ts: no drawer of types/m,
      /^src\/platform\/mail\.tsx: the server runs \.ts/m,
    ],
  },
  {
    rule: 'the clock and chance in pure files',
    check: 'lint',
    files: {
      'src/features/care/rules.ts':
        'export const at = (): number[] => [Date.now(), Math.random(), Temporal.Now.instant().epochMilliseconds];\n',
    },
    expected: [
      /care\/rules\.ts.*Date\.now/,
      /care\/rules\.ts.*Math\.random/,
      /care\/rules\.ts.*Temporal\.Now/,
    ],
  },
  {
    rule: 'a promise that nobody awaits',
    check: 'lint',
    files: { 'src/platform/floating.ts': "export function go(): void {\n  import('zod');\n}\n" },
    expected: [/platform\/floating\.ts.*no-floating-promises/],
  },
  {
    rule: "the clock and the machine's own zone where lint does not look",
    check: 'vocabulary',
    files: {
      'src/features/care/contract.ts': 'export const today = (): Date => new Date();\n',
      'src/kernel/labels.ts': "export const label = (at: Date): string => at.toLocaleString('en-US');\n",
    },
    expected: [
      /^src\/features\/care\/contract\.ts: reads the clock/m,
      /^src\/kernel\/labels\.ts: toLocaleString without a timeZone/m,
    ],
  },
  {
    rule: 'timed work outside the scheduler',
    check: 'vocabulary',
    files: { 'src/platform/beat.ts': 'export const beat = setInterval(() => undefined, 1_000);\n' },
    expected: [/^src\/platform\/beat\.ts: its own timer/m],
  },
  {
    rule: 'the environment, read outside the configuration',
    check: 'vocabulary',
    files: { 'src/platform/secret.ts': 'export const secret = process.env.SECRET;\n' },
    expected: [/^src\/platform\/secret\.ts: reads the environment/m],
  },
  {
    rule: "SQL on a later feature's table",
    check: 'vocabulary',
    files: {
      'src/features/appointments/commands.ts':
        "export const sql = (db: { selectFrom: (table: string) => unknown }): unknown => db.selectFrom('messages as m');\n",
    },
    expected: [
      /^src\/features\/appointments\/commands\.ts: SQL on 'messages', a table of the later feature messaging/m,
    ],
  },
  {
    rule: 'a default export that no framework needs, and texts that are missing or unused',
    check: 'vocabulary',
    files: {
      'src/platform/greeting.ts':
        "import { m } from '#/texts/messages.js';\n\nexport default { title: m.booking_titel() };\n",
      'messages/en.json': '{\n  "booking_old": "Book",\n  "home_book": "Book Appointment"\n}\n',
    },
    expected: [
      /^src\/platform\/greeting\.ts: a default export/m,
      /^src\/platform\/greeting\.ts: m\.booking_titel is no text/m,
      /^messages\/en\.json: no code uses 'booking_old'/m,
    ],
  },
  {
    rule: "a contract's values in a part of a page that is not loaded lazily",
    check: 'vocabulary',
    files: {
      'src/features/appointments/ui/book-form.tsx': "export { bookInput } from '../contract.ts';\n",
      'src/features/appointments/ui/book-button.tsx': "export { bookInput } from './book-form.tsx';\n",
    },
    expected: [
      /^src\/features\/appointments\/ui\/book-button\.tsx: imports src\/features\/appointments\/ui\/book-form\.tsx/m,
    ],
  },
  {
    rule: 'what the specification says, held by no test or by one that isn’t there',
    check: 'the specification',
    files: {
      'docs/spec/page.md': specRow('prices.spec.ts › a price is told in euros'),
      'docs/spec/other.md': specRow(''),
    },
    expected: [
      /^docs\/spec\/page\.md:3: there is no test 'a price is told in euros' in prices\.spec\.ts/m,
      /^docs\/spec\/other\.md:3: no test proves: A price is in dollars/m,
    ],
  },
  {
    rule: 'a file that nothing uses',
    check: 'dead code',
    files: { 'src/kernel/unused.ts': "export { cents as unused } from './money.ts';\n" },
    expected: [/src\/kernel\/unused\.ts/],
  },
  {
    rule: 'an export that only a test uses',
    check: 'dead code in the product',
    files: {
      'src/features/messaging/rules.ts': 'export const longest = 4000;\nexport const shortest = 1;\n',
      'src/features/messaging/rules.test.ts': `import { expect, test } from 'vitest';
import { shortest } from './rules.ts';

test('there is a shortest', () => {
  expect(shortest).toBe(1);
});
`,
    },
    expected: [/shortest\s+src\/features\/messaging\/rules\.ts/],
  },
  {
    rule: 'a type error',
    check: 'types of the server',
    files: { 'src/platform/wrong.ts': "export const wrong: number = 'one';\n" },
    expected: [/src\/platform\/wrong\.ts.*TS2322/],
  },
  {
    rule: 'input and output in a pure file',
    check: 'types of pure code',
    files: { 'src/kernel/page.ts': 'export const title = (): string => document.title;\n' },
    expected: [/src\/kernel\/page\.ts.*'document'/],
  },
  {
    rule: 'a procedure without an example',
    check: 'contract',
    files: {
      'src/app/contract.ts': `import { z } from 'zod';

const book = { meta: {}, route: { method: 'POST' }, inputSchema: z.object({ service: z.string() }) };

export const contract = { booking: { book: { '~orpc': book } } };
`,
    },
    expected: [/booking\.book: takes input and has no example/, /booking\.book: changes something/],
  },
  {
    rule: 'a badly formatted file',
    check: 'format',
    files: { 'src/platform/crooked.ts': 'export const crooked = { a:1 }\n' },
    expected: [/src\/platform\/crooked\.ts/],
  },
];

interface Answer {
  status: number;
  output: string;
}

function run(folder: string, { program, args, env }: Check): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 24 },
      (error, stdout, stderr) => {
        resolve({
          status: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
          output: stdout + stderr,
        });
      },
    );
  });
}

/** The page types need a build; the others' checks have their own tests. */
const skipped = ['types of the pages', 'base data', 'texts'];

/** Runs the checks in `folder`, two at a time, except `skipped`. */
async function runChecks(folder: string): Promise<Map<string, Answer>> {
  const waiting = checks.filter(({ name }) => !skipped.includes(name));
  const answers = new Map<string, Answer>();
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      // One finding per line, so the output can be matched.
      const args = check.name === 'lint' ? [...check.args, '--format', 'unix'] : check.args;
      answers.set(check.name, await run(folder, { ...check, args }));
    }
  };
  await Promise.all([work(), work()]);
  return answers;
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function build(folder: string): Promise<void> {
  await mkdir(join(folder, 'scripts'), { recursive: true });
  for (const path of realFiles) await cp(join(root, path), join(folder, path));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await write(folder, model);
  const real = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const manifest = {
    name: 'model-house',
    private: true,
    type: 'module',
    imports: real.imports,
    dependencies: { kysely: '*', zod: '*' },
    devDependencies: { '@babel/core': '*', '@types/node': '*', vite: '*', vitest: '*' },
  };
  await write(folder, { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` });
}

describe('the repository checks', () => {
  let folder = '';
  let clean = new Map<string, Answer>();
  let broken = new Map<string, Answer>();

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'italk-house-')));
    const cleanHouse = join(folder, 'clean');
    const brokenHouse = join(folder, 'broken');
    await build(cleanHouse);
    await build(brokenHouse);
    for (const { files } of planted) await write(brokenHouse, files);
    clean = await runChecks(cleanHouse);
    broken = await runChecks(brokenHouse);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  test('pass on a clean repository', () => {
    const failures = [...clean].filter(([, answer]) => answer.status !== 0);
    expect(failures).toEqual([]);
  });

  test.each(planted)('report $rule', ({ check, expected }) => {
    const answer = broken.get(check);
    expect(answer?.status).not.toBe(0);
    for (const finding of expected) expect(answer?.output).toMatch(finding);
  });
});
