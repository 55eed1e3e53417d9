import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsIn } from './check-features.ts';

function findings(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'italk-features-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return findingsIn(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('enforces the vocabulary: files, noun folders, ui, and tests beside their sources', () => {
  expect(
    findings({
      'src/features/appointments/rules.ts': '',
      'src/features/appointments/rules.oracle.test.ts': '',
      'src/features/appointments/series/rules.ts': '',
      'src/features/appointments/series/rules.test.ts': '',
      'src/features/appointments/series.test.ts': '',
      'src/features/appointments/ui/book-dialog.tsx': '',
      'src/features/appointments/ui/book-dialog.test.tsx': '',
      'src/features/appointments/ui/use-starts.ts': '',
      'src/features/appointments/contract.test.cases.ts': '',
    }),
  ).toEqual([]);
  const wrong = [
    'src/features/appointments/constants.ts',
    'src/features/appointments/rules.tsx',
    'src/features/appointments/series/deep/rules.ts',
    'src/features/appointments/ui/BookDialog.tsx',
    'src/features/appointments/ui/queries.ts',
    'src/features/appointments/ui/style.css',
    'src/features/appointment/rules.ts',
    'src/features/order.ts',
  ];
  const found = findings(Object.fromEntries(wrong.map((path) => [path, ''])));
  expect(wrong.filter((path) => !found.some((finding) => finding.startsWith(`${path}: `)))).toEqual([]);
});

test('rejects a .tsx beside a .ts of one name, whose types nobody would check', () => {
  const file = 'src/web/components/dialog.test.ts';
  expect(findings({ [file]: '', [`${file}x`]: '' })).toEqual([
    expect.stringContaining(`${file}x: TypeScript leaves it out`),
  ]);
});

test('rejects names that readers would have to guess', () => {
  // Split, so that this file passes.
  for (const parts of ['most Guests', 'standing Wait', 'backups Standing', 'made Anew', 'server Trouble']) {
    const name = parts.replace(' ', '');
    expect(findings({ 'tests/one.ts': `export const ${name} = 1;` })).toEqual([
      expect.stringContaining(`tests/one.ts: ${name}: an unclear name`),
    ]);
  }
  expect(findings({ 'src/kernel/one.ts': "export const maxGuests = 'mostly standing';" })).toEqual([]);
});

test('a feature has one manifest, and the list holds every one in order', () => {
  const list = (...names: string[]) => `
import { audit } from '#/features/audit/feature.ts';
import { appointments } from '#/features/appointments/feature.ts';
export const features = [
${names.map((name) => `  ${name},\n`).join('')}] as const;
`;
  const manifests = { 'src/features/audit/feature.ts': '', 'src/features/appointments/feature.ts': '' };
  const right = list('audit({ people })', 'appointments');
  expect(findings({ ...manifests, 'src/app/features.ts': right })).toEqual([]);
  for (const wrong of [list('appointments', 'audit({ people })'), list('audit({ people })'), ''])
    expect(findings({ ...manifests, 'src/app/features.ts': wrong })).toEqual([
      expect.stringMatching(/^src\/app\/features\.ts: lists .*: audit, appointments$/),
    ]);
  expect(
    findings({
      ...manifests,
      'src/app/features.ts': right,
      'src/features/audit/procedures.ts': '',
      'src/features/audit/log/procedures.ts': '',
      'src/features/audit/log/feature.ts': '',
    }),
  ).toEqual([
    expect.stringMatching(/^src\/features\/audit\/log\/feature\.ts: a feature has one manifest/),
    expect.stringMatching(/^src\/features\/audit\/log\/procedures\.ts: this name is outside/),
    expect.stringMatching(/^src\/features\/audit\/procedures\.ts: this name is outside/),
  ]);
});

test('keeps letters in files by noun, and emails behind their channel', () => {
  const row = "export const rows = [notification({ event: 'accounts.welcomed' })];";
  const send = 'await sendMail(tx, mail);';
  expect(
    findings({
      'src/features/notifications/letters/notification.ts':
        'export function notification(row) { return row; }',
      'src/features/notifications/channels/email.ts': send,
      'src/features/notifications/letters/accounts.ts': row,
      'src/features/notifications/letters/accounts.test.ts': send,
      'src/features/contact/reactions.ts': row,
      'src/platform/mail/mail.ts': send,
    }),
  ).toEqual([]);
  const wrong = [
    'src/features/contact/notification.ts',
    'src/features/notifications/channels/commands.ts',
    'src/features/notifications/letters/rules.ts',
    'src/features/notifications/letters/Accounts.ts',
  ];
  const found = findings({
    ...Object.fromEntries(wrong.map((path) => [path, ''])),
    'src/features/notifications/welcome/commands.ts': `${row}\n${send}`,
    'src/features/care/commands.ts': send,
  });
  expect(found.map((finding) => finding.split(/: |, /).slice(0, 2).join(': '))).toEqual([
    'src/features/care/commands.ts: sends an email past the channels',
    "src/features/contact/notification.ts: this name is outside a feature's vocabulary (contract",
    'src/features/notifications/channels/commands.ts: channels/ holds a kebab-case .ts file per noun',
    'src/features/notifications/letters/Accounts.ts: letters/ holds a kebab-case .ts file per noun',
    'src/features/notifications/letters/rules.ts: letters/ holds a kebab-case .ts file per noun',
    'src/features/notifications/welcome/commands.ts: a notification outside notifications/letters/',
    'src/features/notifications/welcome/commands.ts: sends an email past the channels',
  ]);
});

test('rejects eval and shells in the product', () => {
  const found = findings({
    'src/platform/one.ts': 'export const one = eval(text);',
    'src/platform/two.ts': 'export const two = new Function(text);',
    'src/platform/three.ts': 'export const three = execSync(`rm ${name}`);',
    'src/platform/four.ts': "export const four = spawn('rm', [name], { shell: true });",
    'src/platform/five.ts': "export const five = /a/.exec(text) && spawn('rm', [name]);",
  });
  expect(found.map((one) => one.split(':')[0])).toEqual(
    ['four', 'one', 'three', 'two'].map((name) => `src/platform/${name}.ts`),
  );
});

test('keeps one gate: only the storage behind the second step opens sessions', () => {
  const way = (insert: string) => `export const storeSession = (db) => ${insert};`;
  const gate = 'src/features/accounts/storage/commands.ts';
  expect(
    findings({
      [gate]: way("db.insertInto('sessions').values({})"),
      'src/features/accounts/author-keys/demo.ts': way("db.insertInto('sessions')"),
      'src/features/accounts/session/commands.test.ts': way("db.insertInto('sessions')"),
      'src/features/accounts/session/commands.ts': way("db.updateTable('sessions')"),
      'src/features/accounts/program-sessions/commands.ts': way("db.insertInto('program_sessions')"),
    }),
  ).toEqual([]);
  const past = {
    'src/features/accounts/wallet-sign-in/commands.ts': way("db.insertInto('sessions').values({})"),
    'src/features/accounts/saml/commands.ts': way('sql`insert into "sessions" values ()`'),
    'src/features/care/commands.ts': way("db.mergeInto(\n  'sessions as s')"),
  };
  const found = findings({ [gate]: '', ...past });
  expect(found.filter((one) => one.includes('opens a session')).map((one) => one.split(':')[0])).toEqual(
    Object.keys(past).toSorted(),
  );
});

test('rejects catch-all names, even as a suffix', () => {
  const found = findings({
    'src/platform/date-utils.ts': '',
    'src/platform/lib/mail.ts': '',
    'src/platform/library.ts': '',
    'scripts/helpers.ts': '',
  });
  expect(found.map((finding) => finding.split(':')[0])).toEqual([
    'scripts/helpers.ts',
    'src/platform/date-utils.ts',
    'src/platform/lib/mail.ts',
  ]);
});

test('rejects checks of error classes outside src/web/failures.ts', () => {
  const asks = 'export const refused = (error: unknown) => error instanceof AppError;';
  const found = findings({
    'src/web/failures.ts': asks,
    'src/web/api.tsx': asks,
    'src/app/web/care/client-screen.tsx': asks,
    'src/features/care/ui/care-actions.ts': 'const lost = error instanceof Unreachable;',
    'src/features/care/ui/care-actions.test.ts': asks,
    'src/platform/http/answer.ts': asks,
  });
  expect(found.map((finding) => finding.split(':')[0])).toEqual([
    'src/app/web/care/client-screen.tsx',
    'src/features/care/ui/care-actions.ts',
    'src/web/api.tsx',
  ]);
});

test('allows default exports only where a framework reads them', () => {
  const found = findings({
    'src/app/web/root.tsx': 'export default function Root() {}',
    'src/app/web/routes/landing.tsx': 'export default function Landing() {}',
    'src/platform/log.ts': 'const log = 1;\nexport { log as default };',
    'src/web/text.ts': '// export default is not code here\nexport const text = "a";',
  });
  expect(found).toEqual([expect.stringMatching(/^src\/platform\/log\.ts: a default export/)]);
});

test('allows environment reads only in main and platform/config, and ignores comments', () => {
  const found = findings({
    'src/main.ts': 'const port = process.env.PORT;',
    'src/platform/config.ts': 'const port = process.env.PORT;',
    'src/platform/log.ts': '/* process.env.LEVEL */ const level = 1;',
    'src/platform/mail.ts': "import { env } from 'node:process';",
    'src/app/server.ts': 'const { env } = process;',
  });
  expect(found.map((finding) => finding.split(':')[0])).toEqual([
    'src/app/server.ts',
    'src/platform/mail.ts',
  ]);
});

test('allows clock reads only in pages and platform/clock.ts', () => {
  const found = findings({
    'src/kernel/a.ts': 'const at = new Date();',
    'src/features/appointments/commands.ts': 'const at = new Date;',
    'src/app/server.ts': 'const at = Date();',
    'src/kernel/b.ts': 'const at = new Date(0); const to = (at: Date) => toDate(at);',
    'src/platform/clock.ts': 'const at = new Date();',
    'src/features/appointments/ui/month.tsx': 'const at = new Date();',
  });
  expect(found.map((finding) => finding.split(':')[0])).toEqual([
    'src/app/server.ts',
    'src/features/appointments/commands.ts',
    'src/kernel/a.ts',
  ]);
});

test('allows timers only in pages, the scheduler, and what ends with a connection', () => {
  const timer = 'setInterval(work, 60_000);';
  const found = findings({
    'src/main.ts': timer,
    'src/features/appointments/commands.ts': timer,
    'src/features/appointments/ui/clock.ts': timer,
    'src/platform/jobs/scheduler.ts': timer,
    'src/platform/mail/mail.ts': timer,
  });
  expect(found.map((finding) => finding.split(':')[0])).toEqual([
    'src/features/appointments/commands.ts',
    'src/main.ts',
    'src/platform/mail/mail.ts',
  ]);
});

test('requires a locale and a time zone for formats', () => {
  const found = findings({
    'src/web/times.ts': `
      new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: zone });
      new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
      Intl.DateTimeFormat().resolvedOptions().timeZone;
      at.toLocaleString(locale, { timeZone });`,
    'src/kernel/zone.ts': "new Intl.DateTimeFormat('en-US', { hour: 'numeric' });",
    'src/web/locale.ts': 'new Intl.NumberFormat(undefined, { style: "percent" });',
    'src/web/both.ts': 'at.toLocaleString();',
  });
  expect(found).toEqual([
    expect.stringMatching(/^src\/kernel\/zone\.ts: Intl\.DateTimeFormat without a timeZone/),
    expect.stringMatching(/^src\/web\/both\.ts: toLocaleString without a locale/),
    expect.stringMatching(/^src\/web\/locale\.ts: Intl\.NumberFormat without a locale/),
  ]);
});

test('allows date formatters only in the kernel and web/times.ts, even in tests', () => {
  const made = "new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' });";
  const found = findings({
    'src/kernel/date-text.ts': made,
    'src/web/times.ts': made,
    'src/web/options.ts': 'let options: Intl.DateTimeFormatOptions; let part: Intl.DateTimeFormatPartTypes;',
    'src/platform/page.ts': made,
    'src/features/reviews/rules.test.ts': made,
    'src/features/reviews/rules.ts': "at.toLocaleDateString('en-US', { timeZone: 'UTC' });",
    'src/app/web/routes/landing.tsx': 'const { DateTimeFormat } = Intl;',
  });
  expect(found).toEqual([
    expect.stringMatching(/^src\/app\/web\/routes\/landing\.tsx: DateTimeFormat outside/),
    expect.stringMatching(/^src\/features\/reviews\/rules\.test\.ts: DateTimeFormat outside/),
    expect.stringMatching(/^src\/features\/reviews\/rules\.ts: toLocaleDateString outside/),
    expect.stringMatching(/^src\/platform\/page\.ts: DateTimeFormat outside/),
  ]);
});

test("allows SQL only on a feature's own, earlier and platform tables", () => {
  const declare = (body: string) =>
    `declare module '#/platform/context.ts' { interface Database {\n${body}\n} }`;
  const found = findings({
    'src/platform/files/tables.ts': declare('files: FileRow;'),
    'src/features/accounts/tables.ts': declare(
      "users: UserRow;\n'identity.sessions': { id: string; appointments: 1 };",
    ),
    'src/features/appointments/tables.ts': declare('appointments: AppointmentRow;'),
    'src/features/messaging/tables.ts': declare('messages: MessageRow;\nconversations: ConversationRow;'),
    'src/features/appointments/queries.ts': `
      db.selectFrom('appointments as a').innerJoin('users as u', 'u.id', 'a.client_id').leftJoin('files', 'x', 'y');
      db.selectFrom(['users', 'conversations as c']);
      const messages = 1;`,
    'src/features/accounts/commands.ts': 'sql<Row>`select 1 from appointments where id = ${id}`;',
    'src/features/appointments/queries.test.ts': "db.selectFrom('messages');",
  });
  expect(found).toEqual([
    expect.stringMatching(/^src\/features\/accounts\/commands\.ts: SQL on 'appointments', .* appointments/),
    expect.stringMatching(/^src\/features\/appointments\/queries\.ts: SQL on 'conversations', .* messaging/),
  ]);
});

test('refuses rows and mints branded scopes only in policies', () => {
  const brand = 'declare const minted: unique symbol;\ntype OwnId = string & { readonly [minted]: 1 };';
  const refuses = "if (!row) throw new AppError('not_found', 'goal');";
  const found = findings({
    'src/features/growth/policies.ts': `export ${brand}\n${refuses}\nreturn id as OwnId;`,
    'src/features/growth/goals/policies.ts': refuses,
    'src/features/growth/commands.ts':
      "// throws new AppError('not_found', 'goal')\nerror.code === 'not_found';",
    'src/features/growth/commands.test.ts': `${refuses} id as OwnId;`,
    'src/features/growth/goals/commands.ts':
      ".executeTakeFirstOrThrow(() => new AppError(\n'not_found', 'goal'));",
    'src/features/growth/goals/queries.ts': 'const scope = { goalId: id as OwnId };',
    'src/features/growth/queries.ts': brand,
    'src/platform/files/files.ts': refuses,
  });
  expect(found).toEqual([
    expect.stringMatching(/^src\/features\/growth\/goals\/commands\.ts: throws not_found/),
    expect.stringMatching(/^src\/features\/growth\/goals\/queries\.ts: mints a branded scope/),
    expect.stringMatching(/^src\/features\/growth\/queries\.ts: mints a branded scope/),
  ]);
});

test('reports unused and missing texts', () => {
  const found = findings({
    'messages/en.json': '{ "a_used": "x", "b_tested": "x", "c_unused": "x" }',
    'src/web/text.ts': `import { m } from '#/texts/messages.js'; m.a_used(); form.m.other(); m.d_missing(); m[key]();`,
    'src/web/text.test.ts': `import { m } from '#/texts/messages.js'; m.b_tested();`,
    'src/web/metre.ts': 'm.length;',
  });
  expect(found).toEqual([
    expect.stringMatching(/no code uses 'b_tested'/),
    expect.stringMatching(/no code uses 'c_unused'/),
    expect.stringMatching(/^src\/web\/text\.ts: m\.d_missing is no text/),
    expect.stringMatching(/^src\/web\/text\.ts: m\[…\]/),
  ]);
});

test('rejects folders that import each other in a circle, manifests and tests aside', () => {
  const below = {
    'src/features/growth/rules.ts': `import { day } from '#/kernel/day.ts';`,
    'src/features/growth/goals/commands.ts': `import type { Goal } from '../rules.ts';`,
    'src/features/growth/feature.ts': `import { addGoal } from './goals/commands.ts';`,
    'src/features/growth/rules.test.ts': `import { addGoal } from './goals/commands.ts';`,
    'src/app/features.ts': `import { growth } from '#/features/growth/feature.ts';\nexport const features = [\n  growth,\n] as const;`,
  };
  expect(findings(below)).toEqual([]);
  const commands = `import type { addGoal } from './goals/commands.ts';`;
  expect(findings({ ...below, 'src/features/growth/commands.ts': commands })).toEqual([
    expect.stringMatching(/^src\/features\/growth.*: folders import each other in a circle \(src\/features/),
  ]);
});

test('requires forms to use the form hook', () => {
  const form = (element: string) => ({
    'src/features/growth/ui/goal-form.tsx': `export const goal = <${element} className="grid">`,
  });
  expect(findings(form('form {...form.props}'))).toEqual([]);
  expect(findings(form('form\n  {...props}'))).toEqual([]);
  expect(findings(form('form onSubmit={save}'))).toEqual([
    expect.stringMatching(/^src\/features\/growth\/ui\/goal-form\.tsx: a form of its own/),
  ]);
});

test('allows contract values only in lazily loaded code', () => {
  const found = findings({
    'src/features/appointments/contract.ts': '',
    'src/features/appointments/ui/book-form.tsx': `import { bookInput,\n  type BookInput } from '#/features/appointments/contract.ts';`,
    'src/features/appointments/ui/card.tsx': `import type { BookInput } from '../contract.ts';\nimport { type Other } from '../contract.ts';`,
    'src/features/appointments/ui/lazy.tsx': `const form = lazy(() => import('./book-form.tsx'));\nimport { card } from './card.tsx';`,
    'src/features/appointments/ui/eager.tsx': `import { BookForm } from './book-form.tsx';`,
    'src/app/web/routes/book.tsx': `import { BookForm } from '#/features/appointments/ui/book-form.tsx';`,
    'src/features/appointments/rules.ts': `import { actions } from './contract.ts';`,
    'src/app/web/home/list.tsx': `import { holdsTime } from '#/features/appointments/rules.ts';`,
  });
  expect(found).toEqual([
    expect.stringMatching(/^src\/app\/web\/home\/list\.tsx: imports .*appointments\/rules\.ts/),
    expect.stringMatching(/^src\/features\/appointments\/ui\/eager\.tsx: imports .*book-form\.tsx/),
  ]);
});
