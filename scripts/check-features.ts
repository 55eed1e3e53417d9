import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import featureOrder from './feature-order.json' with { type: 'json' };

const roles = [
  'contract',
  'rules',
  'policies',
  'tables',
  'queries',
  'commands',
  'feature',
  'reactions',
  'personal',
  'demo',
];
/** Folders that only one feature has, with a file per noun. */
const nounFolders: Readonly<Record<string, string[] | undefined>> = {
  notifications: ['channels', 'letters'],
};
const drawers = /^(?:.+-)?(?:utils?|helpers?|common|libs?)$/;
const kebab = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

interface SourceFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: string;
  /** Without comments but with strings; line numbers match `text`. */
  code: string;
  isTest: boolean;
}

function withoutComments(text: string): string {
  const quotedOrComment =
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<![\\/[:])\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(quotedOrComment, (found) =>
    found.startsWith('//') || found.startsWith('/*') ? found.replace(/[^\n]/g, ' ') : found,
  );
}

function listFiles(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (path === 'src/texts' || entry.name === 'node_modules') return [];
    return entry.isDirectory() ? listFiles(root, path) : [path];
  });
}

function readSources(root: string, paths: string[]): SourceFile[] {
  return paths
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, code: withoutComments(text), isTest: /\.test\.(?:tsx?|cases\.ts)$/.test(path) };
    });
}

const isPages = (path: string) => /^src\/(?:web|app\/web|features\/[^/]+\/ui)\//.test(path);
const featureOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1];
const isPure = (path: string) =>
  path.startsWith('src/kernel/') || /^src\/features\/.+\/(?:rules|contract)\.ts$/.test(path);

function checkVocabulary(paths: string[]): string[] {
  const findings: string[] = [];
  const known = new Set(paths);
  for (const path of paths) {
    if (!path.startsWith('src/features/')) continue;
    const [feature = '', ...rest] = path.slice('src/features/'.length).split('/');
    if (!featureOrder.includes(feature)) {
      findings.push(
        `${path}: '${feature}' isn’t in scripts/feature-order.json: move the file into a listed feature, or add this one to the order`,
      );
      continue;
    }
    const file = rest.at(-1) ?? '';
    const folders = rest.slice(0, -1);
    const isUi = folders[0] === 'ui';
    const [stem = '', ...suffixes] = file.split('.');
    const extension = suffixes.at(-1) ?? '';
    const isTest = suffixes.at(-2) === 'test';
    if (folders.length > 1 || (folders[0] !== undefined && !kebab.test(folders[0]))) {
      findings.push(
        `${path}: a feature has one level of folders, ui/ and kebab-case nouns: move the file up, or name the noun`,
      );
    } else if (file === 'contract.test.cases.ts') {
      continue;
    } else if (isTest && /^tsx?$/.test(extension)) {
      const folder = posix.dirname(path);
      const isNoun = paths.some((other) => other.startsWith(`${folder}/${stem}/`));
      if (!known.has(`${folder}/${stem}.ts`) && !known.has(`${folder}/${stem}.tsx`) && !isNoun) {
        findings.push(
          `${path}: there is no ${stem}.ts beside this test: name it after the file or the noun folder that it tests`,
        );
      }
    } else if (isUi) {
      if (suffixes.length !== 1 || !/^tsx?$/.test(extension) || !kebab.test(stem) || roles.includes(stem)) {
        findings.push(
          `${path}: ui/ holds kebab-case .ts and .tsx files, not named like a server file: rename it`,
        );
      }
    } else if (folders[0] !== undefined && nounFolders[feature]?.includes(folders[0])) {
      if (suffixes.length !== 1 || extension !== 'ts' || !kebab.test(stem) || roles.includes(stem)) {
        findings.push(
          `${path}: ${folders[0]}/ holds a kebab-case .ts file per noun, not named like a feature's file: rename it`,
        );
      }
    } else if (stem === 'feature' && folders.length > 0) {
      findings.push(
        `${path}: a feature has one manifest, at its top: bind these procedures in src/features/${feature}/feature.ts`,
      );
    } else if (suffixes.length !== 1 || extension !== 'ts' || !roles.includes(stem)) {
      findings.push(
        `${path}: this name is outside a feature's vocabulary (${roles.join(', ')}, ui/): move what it holds into one of these files, or into a noun's folder`,
      );
    }
  }
  return findings;
}

/** src/app/features.ts lists every manifest, in the features' order. */
function checkManifests(files: SourceFile[]): string[] {
  const list = 'src/app/features.ts';
  const code = files.find(({ path }) => path === list)?.code ?? '';
  const array = /\bfeatures = \[([\s\S]*?)\n\]/.exec(code)?.[1] ?? '';
  const listed = [...array.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  const names = new Map(
    [...code.matchAll(/import \{ (\w+) \} from '#\/features\/([^/]+)\/feature\.ts'/g)].map(
      ([, name = '', feature = '']) => [feature, name],
    ),
  );
  const expected = featureOrder.filter((feature) =>
    files.some(({ path }) => path === `src/features/${feature}/feature.ts`),
  );
  if (listed.join() === expected.map((feature) => names.get(feature) ?? feature).join()) return [];
  return [
    `${list}: lists ${listed.join(', ') || 'nothing'}: list every feature that has a feature.ts, in the order of scripts/feature-order.json: ${expected.join(', ')}`,
  ];
}

/** Rejects catch-all names anywhere, .tsx in server code, and .tsx beside .ts of one name. */
function checkNames(paths: string[]): string[] {
  return paths.flatMap((path) => {
    const segments = path.split('/').map((segment) => segment.replace(/\..*$/, ''));
    const drawer = segments.slice(1).find((segment) => drawers.test(segment));
    const file = posix.basename(path);
    const findings: string[] = [];
    if (drawer !== undefined)
      findings.push(`${path}: '${drawer}' is a drawer, not a name: call it after what it holds`);
    if (/^index\.[cm]?[jt]sx?$/.test(file)) {
      findings.push(`${path}: no barrels: import from the file that holds the thing, and delete this one`);
    }
    if (/^types\.[cm]?ts$/.test(file)) {
      findings.push(`${path}: no drawer of types: put each type beside the code that makes it`);
    }
    if (file.endsWith('.tsx') && !isPages(path)) {
      findings.push(
        `${path}: the server runs .ts as it is and cannot run .tsx: write a function to text, or move it to a ui folder`,
      );
    }
    if (file.endsWith('.tsx') && paths.includes(path.slice(0, -1))) {
      findings.push(
        `${path}: TypeScript leaves it out beside a .ts of this name: name one of them differently`,
      );
    }
    return findings;
  });
}

/** Parts of names, and what to say instead; `id-denylist` has the whole names. */
const unclear: readonly (readonly [RegExp, string])[] = [
  [/\bmost[A-Z]\w*/, 'max'],
  [/\b(?:standing[A-Z]\w*|\w+Standings?\b)/, 'status, existing or what it is'],
  [/\b\w+Anew\b/, 'what it does, such as refetch'],
  [/\b\w+Trouble\b/, 'error or failure'],
];

function checkWords(files: SourceFile[]): string[] {
  return files.flatMap(({ path, code }) =>
    unclear.flatMap(([pattern, advice]) => {
      const found = pattern.exec(code);
      return found ? [`${path}: ${found[0]}: an unclear name: say ${advice}`] : [];
    }),
  );
}

const needsDefaultExport = (path: string) =>
  /^src\/app\/web\/(?:root\.tsx|routes\.ts|entry\.(?:client|server)\.tsx|routes\/.+\.tsx)$/.test(path) ||
  /^tests\/.*global-?(?:setup|teardown)[^/]*\.ts$/.test(path) ||
  path.endsWith('.d.ts');

function checkDefaultExports(files: SourceFile[]): string[] {
  return files
    .filter((file) => !needsDefaultExport(file.path))
    .filter((file) => /^\s*export\s+default\b|^\s*export\s*\{[^}]*\bas\s+default\b/m.test(file.code))
    .map((file) => `${file.path}: a default export that no framework needs: export it by its name`);
}

/** Only src/main.ts and platform/config read the environment; other code receives configuration. */
function checkEnvironment(files: SourceFile[]): string[] {
  const mayRead = /^(?:src\/main\.ts$|src\/platform\/config|scripts\/|tests\/)/;
  const reads =
    /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\[['"]env|\{[^}]*\benv\b[^}]*\}\s*(?:=\s*process\b|from\s*['"](?:node:)?process['"])/;
  return files
    .filter((file) => !mayRead.test(file.path) && reads.test(file.code))
    .map(
      (file) =>
        `${file.path}: reads the environment, which only src/main.ts and platform/config do: take the value as an argument`,
    );
}

function bracketed(code: string, start: number): string {
  const open = code[start] ?? '';
  const close = open === '(' ? ')' : '}';
  let depth = 0;
  for (let index = start; index < code.length; index += 1) {
    if (code[index] === open) depth += 1;
    if (code[index] === close) depth -= 1;
    if (depth === 0) return code.slice(start + 1, index);
  }
  return code.slice(start + 1);
}

/** Only platform/clock.ts reads the clock; other code receives `now`. */
function checkClock(files: SourceFile[]): string[] {
  return files
    .filter(
      ({ path, isTest }) =>
        !isTest && !isPages(path) && (isPure(path) || /^src\/(?:features|app)\//.test(path)),
    )
    .filter((file) => /\bnew\s+Date\s*(?:\(\s*\)|[;,)\]])|(?<!\bnew\s+|[.\w])Date\s*\(/.test(file.code))
    .map((file) =>
      isPure(file.path)
        ? `${file.path}: reads the clock (new Date()) in a pure file: take now as an argument`
        : `${file.path}: reads the clock (new Date()): take now from ctx.now()`,
    );
}

/** These timers belong to one connection or one shutdown, not to work of the program. */
const ownTimers = ['src/platform/jobs/scheduler.ts', 'src/platform/realtime/hub.ts', 'src/app/server.ts'];

/** Timed work is a schedule in a manifest, so that it never overlaps, stops with the program and shows its failures. */
function checkTimers(files: SourceFile[]): string[] {
  return files
    .filter(({ path, isTest }) => !isTest && !isPages(path) && !ownTimers.includes(path))
    .filter((file) => /\bsetInterval\b/.test(file.code))
    .map(({ path }) => `${path}: its own timer: make it one of the schedules in the feature's manifest`);
}

/** Formatting must name its locale and, for times, its time zone, never the machine's. */
function checkFormatting(files: SourceFile[]): string[] {
  const formatters =
    /\bIntl\s*\.\s*(DateTimeFormat|NumberFormat|PluralRules|RelativeTimeFormat|ListFormat|DisplayNames|Collator|DurationFormat|Segmenter)\s*\(|\.\s*(toLocale(?:Date|Time)?String)\s*\(/g;
  return files
    .filter((file) => !file.isTest)
    .flatMap((file) =>
      [...file.code.matchAll(formatters)].flatMap((match) => {
        const name = match[1] === undefined ? (match[2] ?? '') : `Intl.${match[1]}`;
        const given = bracketed(file.code, match.index + match[0].length - 1).trim();
        // Reading the runtime's own zone name isn't formatting.
        const after = file.code.slice(match.index + match[0].length + given.length);
        if (name === 'Intl.DateTimeFormat' && given === '' && /^\s*\)\s*\.resolvedOptions\b/.test(after))
          return [];
        const needsZone = name === 'Intl.DateTimeFormat' || name.startsWith('toLocale');
        if (given === '' || /^(?:undefined\b|\[\s*\]|\{)/.test(given)) {
          return [`${file.path}: ${name} without a locale: name it, for the machine's own is nobody's`];
        }
        if (needsZone && !/\btimeZone\b/.test(given)) {
          return [
            `${file.path}: ${name} without a timeZone: write it in the call (a number: use Intl.NumberFormat with a locale)`,
          ];
        }
        return [];
      }),
    );
}

/** Only src/web/failures.ts may distinguish errors, so the same failure reads the same everywhere. */
function checkFailures(files: SourceFile[]): string[] {
  return files
    .filter(({ path, isTest }) => !isTest && isPages(path) && path !== 'src/web/failures.ts')
    .filter((file) => /\binstanceof\s+(?:AppError|Unreachable)\b/.test(file.code))
    .map(
      ({ path }) =>
        `${path}: checks an error's class: use src/web/failures.ts instead (failureText, isRefusal, failureCode, failureReason)`,
    );
}

/** The inline script can't import the other; its test compares them. */
const formattingFiles = new Set(['src/web/times.ts', 'src/web/times-script.ts']);

/** Allows date formatters only where they are cached; option types may be named anywhere. */
function checkDates(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith('src/kernel/') && !formattingFiles.has(path))
    .flatMap((file) =>
      [...file.code.matchAll(/\bDateTimeFormat\b|\btoLocale(?:Date|Time)String\b/g)].map(
        ([name]) =>
          `${file.path}: ${name} outside kernel/date-text.ts: use a form from web/times.ts, or formatInstant or formatDate`,
      ),
    );
}

/** Email is one channel of notifications, and letters are rows of one table, not folders of their own. */
function checkLetters(files: SourceFile[]): string[] {
  const channel = 'src/features/notifications/channels/email.ts';
  const rows = /^src\/features\/(?:notifications\/letters\/[^/]+|[^/]+\/reactions)\.ts$/;
  return files
    .filter(({ path, isTest }) => featureOf(path) !== undefined && !isTest)
    .flatMap(({ path, code }) => [
      ...(path !== channel && /\bsendMail\b/.test(code)
        ? [
            `${path}: sends an email past the channels: return deliveries from a row of notifications/letters/`,
          ]
        : []),
      ...(!rows.test(path) && /(?<!function )\bnotification\s*\(/.test(code)
        ? [`${path}: a notification outside notifications/letters/: move the row and its words there`]
        : []),
    ]);
}

/** The file with `selfOf`, which creates the acting person's id. */
const selfFile = 'src/features/access/rules.ts';

/** Finds what belongs in a policies.ts: refusals of foreign rows, and the creation of branded scopes. */
function checkPolicies(files: SourceFile[]): string[] {
  const brands = files.flatMap(({ path, code }) =>
    path.startsWith('src/features/')
      ? [...code.matchAll(/\btype\s+(\w+)[^=;]*=\s*string\s*&\s*\{\s*(?:readonly\s*)?\[/g)].map(
          ([, name]) => name!,
        )
      : [],
  );
  const mints = new RegExp(`\\bunique\\s+symbol\\b${brands.map((name) => `|\\bas\\s+${name}\\b`).join('')}`);
  return files.flatMap(({ path, code, isTest }) => {
    if (!path.startsWith('src/features/') || isTest || isPages(path)) return [];
    if (path.endsWith('/policies.ts') || path === selfFile) return [];
    return [
      ...(/\bAppError\s*\(\s*['"`]not_found\b/.test(code)
        ? [`${path}: throws not_found: call a require… of a policies.ts, which decides who may use which row`]
        : []),
      ...(mints.test(code)
        ? [`${path}: mints a branded scope: only the policy that checks the row in policies.ts may`]
        : []),
    ];
  });
}

/** Maps each table to its owner: the feature, or `platform`, extending interface Database. */
function tableOwners(files: SourceFile[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const file of files) {
    for (const match of file.code.matchAll(/\binterface\s+Database\s*\{/g)) {
      const body = bracketed(file.code, match.index + match[0].length - 1);
      const flat = body.replace(/:\s*\{[^{}]*\}/g, ':');
      for (const [, name] of flat.matchAll(/^\s*(?:readonly\s+)?['"]?([\w.]+)['"]?\s*:/gm)) {
        if (name !== undefined) owners.set(name, featureOf(file.path) ?? 'platform');
      }
    }
  }
  return owners;
}

function tablesUsed(code: string): Set<string> {
  const used = new Set<string>();
  const builders =
    /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|from|using|(?:inner|left|right|full|cross)Join(?:Lateral)?)\s*(?:<[^>]*>)?\s*\(\s*(\[[^\]]*\]|['"`][^'"`]*['"`])/g;
  for (const [, names = ''] of code.matchAll(builders)) {
    for (const [, name] of names.matchAll(/['"`]\s*([\w.]+)/g)) if (name !== undefined) used.add(name);
  }
  for (const [template] of code.matchAll(/\bsql(?:<[^`]*>)?`(?:\\[\s\S]|[^`\\])*`/g)) {
    for (const [, name] of template.matchAll(/\b(?:from|join|into|update)\s+"?([a-z_][\w.]*)/gi)) {
      if (name !== undefined) used.add(name);
    }
  }
  return used;
}

/** A feature may query only its own tables and those of features above it. */
function checkTables(files: SourceFile[]): string[] {
  const owners = tableOwners(files);
  const place = (feature: string) => featureOrder.indexOf(feature);
  return files
    .filter((file) => !file.isTest)
    .flatMap((file) => {
      const feature = featureOf(file.path);
      if (feature === undefined) return [];
      return [...tablesUsed(file.code)].flatMap((table) => {
        const owner = owners.get(table);
        if (owner === undefined || owner === 'platform' || place(owner) <= place(feature)) return [];
        return [
          `${file.path}: SQL on '${table}', a table of the later feature ${owner}: let ${owner} keep the figure up to date here, or move the query there`,
        ];
      });
    });
}

function checkEvaluation(files: SourceFile[]): string[] {
  const evaluates = /(?<![.\w])(?:eval|exec|execSync)\s*\(|\bnew\s+Function\b|\bshell\s*:\s*(?!false)/;
  return files
    .filter(({ path, isTest, code }) => !isTest && !path.endsWith('.d.ts') && evaluates.test(code))
    .map(({ path }) => `${path}: runs text as code: use spawn with a list of arguments, and no eval`);
}

const sessionOpeners = [
  'src/features/accounts/storage/commands.ts',
  'src/features/accounts/author-keys/demo.ts',
];

function checkSessions(files: SourceFile[]): string[] {
  const opens =
    /\b(?:insert|merge|replace)Into\s*\(\s*['"`]sessions\b|\b(?:insert|merge)\s+into\s+(?:"?\w+"?\.)?"?sessions\b/i;
  return files
    .filter(({ path, isTest }) => !isTest && !sessionOpeners.includes(path))
    .filter(({ code }) => opens.test(code))
    .map(
      ({ path }) =>
        `${path}: opens a session past the second step: sign in through src/features/accounts/storage`,
    );
}

function checkTexts(root: string, files: SourceFile[]): string[] {
  const path = 'messages/en.json';
  if (!existsSync(join(root, path))) return [];
  const messages = JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
  const keys = new Set(Object.keys(messages).filter((key) => key !== '$schema'));
  const used = new Set<string>();
  const findings: string[] = [];
  for (const file of files) {
    if (!/from\s*['"][^'"]*\/texts\/messages\.js['"]/.test(file.code)) continue;
    for (const [, key = ''] of file.code.matchAll(/(?<![\w.$])m\s*\??\.\s*([A-Za-z_]\w*)/g)) {
      if (!file.isTest) used.add(key);
      if (!keys.has(key)) findings.push(`${file.path}: m.${key} is no text: add '${key}' to ${path}`);
    }
    if (/(?<![\w.$])m\s*(?:\?\.)?\[/.test(file.code)) {
      findings.push(`${file.path}: m[…] hides which texts are used: write m.<key>, in a table if need be`);
    }
  }
  for (const key of keys) {
    if (!used.has(key)) findings.push(`${path}: no code uses '${key}': delete it`);
  }
  return findings;
}

interface Import {
  /** Root-relative, or the specifier of a package. */
  target: string;
  typeOnly: boolean;
}

function staticImports(file: SourceFile): Import[] {
  const statements =
    /^\s*(?:import|export)\s+(type\s+)?((?:[^'";]|\btype\b)*?)\s*\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm;
  return [...file.code.matchAll(statements)].map(([, type, names = '', from, bare]) => {
    const source = from ?? bare ?? '';
    const target = source.startsWith('#/')
      ? `src/${source.slice(2)}`
      : source.startsWith('.')
        ? posix.join(posix.dirname(file.path), source)
        : source;
    const named = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
    const specifiers = named?.split(',').filter((specifier) => specifier.trim() !== '');
    const onlyTypes =
      specifiers !== undefined &&
      specifiers.length > 0 &&
      specifiers.every((specifier) => /^\s*type\s/.test(specifier));
    return { target, typeOnly: type !== undefined || onlyTypes };
  });
}

/** These hold no values to save: searches, message boxes, one field that adds to a list, and bookings in steps. */
const otherForms = new Set([
  'src/app/web/schedule/book-for-dialog.tsx',
  'src/features/accounts/ui/focus-areas.tsx',
  'src/features/analytics/ui/range-form.tsx',
  'src/features/appointments/ui/book-dialog.tsx',
  'src/features/messaging/ui/composer.tsx',
  'src/features/resources/ui/library.tsx',
  'src/features/specialist-search/ui/find-filters.tsx',
  'src/features/specialist-search/ui/match-questions.tsx',
  'src/features/video/ui/chat-panel.tsx',
]);

/** Every other form takes its element's props from `useForm`. */
function checkForms(files: SourceFile[]): string[] {
  return files
    .filter(({ path, isTest }) => path.endsWith('.tsx') && !isTest && !otherForms.has(path))
    .filter(({ code }) => /<form\b(?!\s+\{\.\.\.[\w.]*props\})/.test(code))
    .map(
      ({ path }) =>
        `${path}: a form of its own: use useForm of web/form.tsx and put {...form.props} first, or add it to otherForms if it saves nothing`,
    );
}

/** Folders import one way too. Manifests combine their feature's folders, and tests reach anywhere. */
function checkFolders(files: SourceFile[]): string[] {
  const imported = new Map<string, Map<string, string>>();
  for (const file of files) {
    if (file.isTest || file.path.endsWith('/feature.ts')) continue;
    const from = posix.dirname(file.path);
    for (const { target } of staticImports(file)) {
      const to = posix.dirname(target);
      if (to === from || !target.startsWith('src/')) continue;
      const targets = imported.get(from) ?? new Map<string, string>();
      imported.set(from, targets.set(to, `${file.path} imports ${target}`));
    }
  }
  const findings: string[] = [];
  const open: string[] = [];
  const done = new Set<string>();
  const visit = (folder: string) => {
    open.push(folder);
    for (const [to, example] of imported.get(folder) ?? []) {
      if (open.includes(to))
        findings.push(
          `${[...open.slice(open.indexOf(to)), to].join(' → ')}: folders import each other in a circle (${example}): move what both need below them`,
        );
      else if (!done.has(to)) visit(to);
    }
    open.pop();
    done.add(folder);
  };
  for (const folder of imported.keys()) if (!done.has(folder)) visit(folder);
  return findings;
}

/** Contract values import Zod (36 kB), so only lazily loaded code may use them. Screens already load lazily. */
function checkLazyForms(files: SourceFile[]): string[] {
  const uiFiles = files.filter((file) => !file.isTest && isPages(file.path));
  const values = (file: SourceFile) => staticImports(file).filter((used) => !used.typeOnly);
  const usesContract = (file: SourceFile) =>
    values(file).some(({ target }) => /^src\/features\/.+\/contract\.ts$/.test(target));
  // Rules importing a contract value also pull in Zod.
  const rules = new Set(
    files
      .filter((file) => isPure(file.path) && file.path.endsWith('/rules.ts') && usesContract(file))
      .map(({ path }) => path),
  );
  const forms = new Set(
    uiFiles
      .filter((file) => featureOf(file.path) !== undefined)
      .filter((file) => usesContract(file) || values(file).some(({ target }) => rules.has(target)))
      .map((file) => file.path),
  );
  return uiFiles
    .filter((file) => !forms.has(file.path) && !file.path.startsWith('src/app/web/routes/'))
    .flatMap((file) =>
      values(file)
        .filter(({ target }) => forms.has(target) || rules.has(target))
        .map(
          ({ target }) =>
            `${file.path}: imports ${target}, which uses a contract's values: load it with import(), or let it import the contract's types only`,
        ),
    );
}

export function findingsIn(root: string): string[] {
  const source = listFiles(root, 'src');
  const scripts = listFiles(root, 'scripts');
  const files = readSources(root, source);
  const everywhere = [...files, ...readSources(root, [...scripts, ...listFiles(root, 'tests')])];
  return [
    ...checkVocabulary(source),
    ...checkManifests(files),
    ...checkNames([...source, ...scripts]),
    ...checkWords(everywhere),
    ...checkDefaultExports(everywhere),
    ...checkEnvironment(files),
    ...checkClock(files),
    ...checkTimers(files),
    ...checkFormatting(files),
    ...checkFailures(files),
    ...checkDates(files),
    ...checkLetters(files),
    ...checkPolicies(files),
    ...checkTables(files),
    ...checkSessions(files),
    ...checkEvaluation(files),
    ...checkTexts(root, files),
    ...checkFolders(files),
    ...checkForms(files),
    ...checkLazyForms(files),
  ].toSorted();
}

if (import.meta.main) {
  const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
  const findings = findingsIn(root);
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
