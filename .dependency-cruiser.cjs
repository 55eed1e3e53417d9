// Import rules. Layers: kernel, texts <- platform | web <- features <- app. A feature imports only features above it
// in scripts/feature-order.json, and each file name in a feature has its own list. Type-only imports count too,
// unless a rule says otherwise.
const features = require('./scripts/feature-order.json');

const test = '\\.test\\.(?:tsx?|cases\\.ts)$';
/** Matches files with these names in a feature or its subfolders; `$1` is the feature matched by the rule's `from`. */
const inFeature = (feature, names) => `^src/features/${feature}/(?:|[^/]+/)(?:${names.join('|')})\\.ts$`;
const serverFiles = ['tables', 'policies', 'queries', 'commands', 'feature', 'reactions', 'personal', 'demo'];
const ui = '^src/features/([^/]+)/ui/';
/** Sources of the pages' build. */
const pages = ['^src/web/', '^src/app/web/', '^src/features/[^/]+/ui/'];

const each = (name) => inFeature('([^/]+)', [name]);
const ofAnyFeature = (...names) => inFeature('[^/]+', names);
const ofItsOwn = (...names) => inFeature('$1', names);
const notifications = '^src/features/notifications/';
/** How a feature declares its own notification. */
const notification = `${notifications}(?:letters/notification|channels/delivery)\\.ts$`;
const letters = `${notifications}letters/`;
/** Letters that are long enough for a file of their own: words, without the rows that send them. */
const words = `${letters}(?:[^/]+-letter|session-times)\\.ts$`;
const packages = (...names) => `node_modules/(?:${names.join('|')})/`;
const kernel = '^src/kernel/';
const texts = '^src/texts/';
const platform = '^src/platform/';
const web = '^src/web/';

/** Lists what these files may import from src; packages are unrestricted. */
const mayImport = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from,
  to: { path: '^src/', pathNot: allowed },
});

/** Rule for one file name in features. `rules.ts` and `contract.ts` are pure, so server files may import earlier features' ones. */
const role = (file, allowed) =>
  mayImport(
    `${file}-imports`,
    `${file}.ts imports something that isn't in its list in .dependency-cruiser.cjs.`,
    { path: each(file) },
    allowed,
  );

/** Rule for pure files; also lists the packages they may use. */
const pure = (name, from, allowed) => ({
  name,
  comment: 'a pure file imports only pure files and the few packages without input or output.',
  severity: 'error',
  from,
  to: { pathNot: allowed },
});

const layers = [
  pure('kernel-is-pure', { path: kernel, pathNot: test }, [kernel]),
  mayImport('kernel-imports-only-kernel', 'kernel imports only kernel.', { path: kernel }, [kernel]),
  mayImport(
    'platform-knows-no-feature',
    'platform imports kernel, texts and platform: pass in what it needs from above.',
    { path: platform },
    [kernel, texts, platform],
  ),
  mayImport(
    'web-knows-no-feature',
    'web imports kernel, texts and web: pass in what it needs from above.',
    { path: web },
    [kernel, texts, web],
  ),
  mayImport(
    'features-stand-under-app',
    'a feature does not import app or main: app composes features.',
    { path: '^src/features/' },
    [kernel, texts, platform, web, '^src/features/'],
  ),
  mayImport(
    'nothing-imports-main',
    'src/main.ts is the entry point: move shared code below it.',
    { path: '^src/' },
    ['^src/(?:kernel|texts|platform|web|features|app)/'],
  ),
];

/** One rule per feature: no imports from features below it. */
const order = features.slice(0, -1).map((feature, index) => ({
  name: `${feature}-imports-only-earlier-features`,
  comment: `${feature} comes before this feature in scripts/feature-order.json: react to an event, or combine the two in a screen in app.`,
  severity: 'error',
  from: { path: `^src/features/${feature}/` },
  to: { path: `^src/features/(?:${features.slice(index + 1).join('|')})/` },
}));

/** Files of src/app that name features: the lists, what manifests are given, routes of their own, and the demo. */
const namingFeatures = [
  'features',
  'contract',
  'recorded',
  'account-effects',
  'api',
  'requests',
  'refusals',
  'demo',
  // Columns that only an earlier release wrote.
  'seal-clear',
];

const roles = [
  pure('contract-imports', { path: each('contract') }, [
    kernel,
    ofAnyFeature('contract'),
    ofItsOwn('rules'),
    packages('zod', '@orpc/contract'),
  ]),
  pure('rules-imports', { path: each('rules') }, [
    kernel,
    texts,
    ofAnyFeature('contract', 'rules'),
    packages('zod', 'ical-generator', 'suncalc'),
  ]),
  role('tables', [kernel, platform, ofAnyFeature('tables'), ofItsOwn('contract', 'rules')]),
  role('policies', [
    kernel,
    platform,
    ofAnyFeature('contract', 'rules', 'tables', 'policies', 'queries'),
    // A refusal can be an audited act.
    '^src/features/audit/commands\\.ts$',
  ]),
  role('queries', [
    kernel,
    texts,
    platform,
    ofAnyFeature('contract', 'rules', 'tables', 'policies', 'queries'),
  ]),
  role('commands', [
    kernel,
    texts,
    platform,
    ofAnyFeature('contract', 'rules', 'policies', 'queries', 'commands'),
    ofItsOwn('tables'),
    '^src/features/$1/channels/',
  ]),
  role('feature', [
    kernel,
    texts,
    platform,
    ofAnyFeature('contract', 'rules'),
    ofItsOwn('tables', 'policies', 'queries', 'commands', 'reactions', 'personal'),
    '^src/features/$1/letters/',
  ]),
  {
    name: 'manifests-are-listed-once',
    comment: 'src/app/features.ts lists the features; everything else goes over that list.',
    severity: 'error',
    from: { path: '^(?:src|scripts)/', pathNot: ['^src/app/features\\.ts$', test] },
    to: { path: ofAnyFeature('feature') },
  },
  {
    name: 'app-goes-over-manifests',
    comment:
      'src/app and main take a feature’s parts from the list in src/app/features.ts: put this into the feature’s manifest. Anything may sign people in and read the settings.',
    severity: 'error',
    from: {
      path: ['^src/app/[^/]+\\.ts$', '^src/main\\.ts$'],
      pathNot: [test, `^src/app/(?:${namingFeatures.join('|')})\\.ts$`],
    },
    to: { path: '^src/features/', pathNot: '^src/features/(?:accounts|settings)/' },
  },
  {
    name: 'procedures-are-bound-in-manifests',
    comment: 'only a feature.ts binds procedures, and app/api.ts binds them all.',
    severity: 'error',
    from: { path: '^src/', pathNot: [each('feature'), '^src/app/api\\.ts$', test] },
    to: { path: '^src/platform/http/bind\\.ts$' },
  },
  role('reactions', [
    kernel,
    texts,
    platform,
    ofAnyFeature('contract', 'rules', 'policies', 'queries'),
    ofItsOwn('tables', 'commands', 'reactions'),
    notification,
  ]),
  pure('words-of-letters-are-pure', { path: words }, [
    kernel,
    texts,
    ofAnyFeature('contract', 'rules'),
    words,
  ]),
  mayImport(
    'letters-imports',
    'letters tell who gets which words: they read and claim what an event names, and leave sending to the channels.',
    { path: letters, pathNot: [test, `${letters}notification\\.ts$`] },
    [
      kernel,
      texts,
      platform,
      ofAnyFeature('contract', 'rules', 'queries', 'commands'),
      notification,
      letters,
    ],
  ),
  mayImport(
    'channels-imports',
    'a channel gives letters its form, asks whom it may reach, and passes them to platform.',
    { path: `${notifications}channels/`, pathNot: test },
    [kernel, texts, platform, `${notifications}(?:(?:rules|queries)\\.ts$|channels/)`],
  ),
  role('personal', [
    kernel,
    texts,
    platform,
    ofAnyFeature('contract', 'rules'),
    ofItsOwn('tables', 'policies', 'queries', 'commands', 'personal'),
  ]),
  role('demo', [
    kernel,
    texts,
    platform,
    ofAnyFeature('contract', 'rules'),
    ofItsOwn('tables', 'policies', 'queries', 'commands', 'demo'),
  ]),
  // scripts/check-features.ts lists the ui files that may import a contract's values, not just its types.
  mayImport(
    'ui-imports',
    'ui imports web, rules, contracts and ui; a screen in app/web combines a feature with later ones.',
    { path: ui, pathNot: test },
    [kernel, texts, web, ofAnyFeature('contract', 'rules'), ui],
  ),
];

/** Scripts for which devDependencies are installed. */
const tools = '^scripts/(?:bench/|(?:browser|checks|cities|clicks|draw-cards|route-plugin|verses)\\.ts$)';

const graphs = [
  {
    name: 'pages-know-no-server',
    comment:
      'code of the pages’ build never imports platform, a feature’s server files or app’s server side: go through the API.',
    severity: 'error',
    from: { path: pages, pathNot: test },
    to: {
      path: [platform, ofAnyFeature(...serverFiles), '^src/app/(?!web/|contract\\.ts$)', '^src/main\\.ts$'],
    },
  },
  {
    name: 'server-knows-no-pages',
    comment: 'the server runs the built pages and imports only types from their source.',
    severity: 'error',
    from: { path: '^(?:src|scripts)/', pathNot: [...pages, test, tools] },
    to: { path: pages, exoticallyRequired: false },
  },
  {
    name: 'react-in-pages-only',
    comment: 'React and its libraries belong to src/app/web, src/web and a feature’s ui.',
    severity: 'error',
    from: { path: '^(?:src|scripts)/', pathNot: [...pages, test] },
    to: {
      path: packages(
        'react',
        'react-dom',
        'react-hook-form',
        'react-day-picker',
        '@radix-ui/[^/]+',
        'lucide-react',
        'recharts',
        '@hookform/[^/]+',
        '@tanstack/[^/]+',
      ),
    },
  },
  {
    name: 'no-node-in-browser-code',
    comment: 'this file runs in a browser, which has no Node modules.',
    severity: 'error',
    from: { path: ['^src/web/', ui], pathNot: test },
    to: { dependencyTypes: ['core'] },
  },
];

const hygiene = [
  {
    name: 'no-cycle',
    comment: 'these files import each other in a circle: move what both need below them.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'nothing imports this file and it imports nothing: delete it, or use it.',
    severity: 'error',
    // Not imported, but used: entries, screens, tests, ambient types, tables (they extend the database's type).
    from: {
      orphan: true,
      path: '^src/',
      pathNot: ['^src/main\\.ts$', '^src/app/web/', test, '\\.d\\.ts$', '/tables\\.ts$'],
    },
    to: {},
  },
  {
    name: 'nothing-unresolved',
    comment: 'there is no such file or package.',
    severity: 'error',
    from: {},
    // Generated by the pages' build: route types and virtual modules.
    to: { couldNotResolve: true, pathNot: ['/\\+types/', '^virtual:'] },
  },
  {
    name: 'no-development-dependency-in-product',
    comment:
      '`npm start` installs no devDependencies: move the package to dependencies, or the import to code that only tests and checks run.',
    severity: 'error',
    from: { path: '^(?:src|scripts)/', pathNot: [test, tools] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], exoticallyRequired: false },
  },
  {
    name: 'no-test-in-product',
    comment: 'the product never imports tests or their support files.',
    severity: 'error',
    from: { path: '^src/', pathNot: test },
    to: { path: ['^tests/', test] },
  },
  {
    name: 'no-script-in-product',
    comment: 'scripts import the product, never the reverse.',
    severity: 'error',
    from: { path: '^src/', pathNot: test },
    to: { path: '^scripts/' },
  },
];

module.exports = {
  forbidden: [...layers, ...order, ...roles, ...graphs, ...hygiene],
  options: {
    babelConfig: { fileName: '.dependency-cruiser.babel.cjs' },
    exoticRequireStrings: ['typeImport'],
    doNotFollow: { path: ['node_modules/', texts] },
    preserveSymlinks: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css', '.d.ts'],
    },
  },
};
