import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { minifiedContract } from './scripts/contract-plugin.ts';

/** Matches the end of a compiled text that has one language. */
const choosing =
  /^export const (\w+) = .*\n\texperimentalStaticLocale \?\? .*\n\treturn (\w+)\(inputs\)\n\}\);$/m;

/** Removes the language choice from texts that have one language. */
function oneLanguage(): Plugin {
  return {
    name: 'italk-one-language',
    transform: {
      filter: { id: /\/\.react-router\/texts\/messages\// },
      handler: (code) => code.replace(choosing, 'export { $2 as $1 };'),
    },
  };
}

/** Where the router reloads the page after a route's script fails to load, even without a network. */
const givingUp = /\} catch \(error\) \{\s*(?=console\.error\(`Error loading route module)/;

/** While there is no network, waits for a route's script instead, as for its data. */
function patientModules(): Plugin {
  return {
    name: 'italk-patient-modules',
    transform: {
      filter: { id: /\/react-router\/.*\/routeModules\.js$/ },
      handler(code) {
        if (!givingUp.test(code)) this.error('React Router changed how it loads modules: update `givingUp`.');
        return `import { lacksNetwork } from '#/web/network.ts';\n${code.replace(
          givingUp,
          '$&if (await lacksNetwork(route.module)) return loadRouteModule(route, routeModulesCache);\n',
        )}`;
      },
    },
  };
}

/** Reads a module's imports while chunks are built. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null;
}

/** Collections that import everything any page uses, so their imports don't tell what one page needs. */
const catalogues = /\/(lucide-react|\.react-router\/texts)\//;

/** Pages that signed-in people switch between. */
const rooms = [
  'app/web/routes/profile.tsx',
  'app/web/routes/growth.tsx',
  'app/web/dashboards/client-dashboard.tsx',
];

/** Public pages, which must not wait for code that only `rooms` need: pages to read, with forms, and that load more. */
const read = [
  'services',
  'service',
  'about',
  'faq',
  'devotional',
  'not-found',
  'offline',
  'therapists',
  'therapist',
];
const forms = ['contact'];
const asking = ['resources', 'resource', 'match'];

type Share = 'read' | 'forms' | 'asking' | 'rooms';

const folder = fileURLToPath(new URL('./src/', import.meta.url));

let shares: Readonly<Record<Share, ReadonlySet<string>>> | null = null;

/** Groups code that at least two `rooms` need into four chunks by who else needs it; sixty small ones load slowly. */
function sharedBy(share: Share): (id: string, graph: Graph) => string | null {
  return (id, graph) => {
    shares ??= sharesOf(graph);
    return shares[share].has(id) ? `shared-${share}` : null;
  };
}

function sharesOf(graph: Graph) {
  const seen = new Set<string>();
  const all = rooms.flatMap((room) => [...neededBy([room], graph)]);
  const shared = new Set(all.filter((id) => seen.has(id) || !seen.add(id)));
  const dialog = 'features/accounts/ui/auth-required-dialog.tsx';
  return {
    read: shared.intersection(neededBy(pagesOf(read), graph)),
    forms: shared.intersection(neededBy(pagesOf(forms), graph)),
    asking: shared.intersection(neededBy([...pagesOf(asking), dialog], graph)),
    rooms: shared,
  };
}

let needed: ReadonlySet<string> | null = null;

/** Puts what the landing page needs in one chunk; forty small ones compress worse. */
function siteChunk(id: string, graph: Graph): string | null {
  needed ??= neededBy(['app/web/entry.client.tsx', 'app/web/root.tsx', 'app/web/routes/landing.tsx'], graph);
  return needed.has(id) || /node_modules\/(react|react-dom|react-router|scheduler)\//.test(id)
    ? 'site'
    : null;
}

let named: ReadonlySet<string> | null = null;

/** Keeps texts and icons of pages to read apart, since those of all pages are ten times as large. */
function readNames(id: string, graph: Graph): string | null {
  const [, name] = /\/(?:texts\/messages|icons)\/([\w-]+)\.m?js$/.exec(id) ?? [];
  if (!name || !catalogues.test(id)) return null;
  named ??= namesIn(pagesOf(read), graph);
  return named.has(name) ? 'names-read' : null;
}

/** Names of the texts and files of the icons that these pages use. */
function namesIn(entries: readonly string[], graph: Graph): ReadonlySet<string> {
  const ids = [...entries.map((entry) => `${folder}${entry}`), ...neededBy(entries, graph)];
  const code = ids.map((id) => graph.getModuleInfo(id)?.code ?? '').join('\n');
  const texts = [...code.matchAll(/\bm\.(\w+)/g)].map(([, text]) => text!);
  const icons = [...code.matchAll(/import \{([^}]*)\} from ["']lucide-react["']/g)].flatMap(([, all]) =>
    [...all!.matchAll(/\b([A-Z]\w*)/g)].map(([, icon]) =>
      icon!.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase(),
    ),
  );
  return new Set([...texts, ...icons]);
}

function pagesOf(names: readonly string[]): string[] {
  return names.map((name) => `app/web/routes/${name}.tsx`);
}

function neededBy(entries: readonly string[], graph: Graph): ReadonlySet<string> {
  const importsOf = (id: string) => graph.getModuleInfo(id)?.importedIds ?? [];
  const found = new Set<string>();
  const waiting = entries.flatMap((entry) => [...importsOf(`${folder}${entry}`)]);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || catalogues.test(id)) continue;
    found.add(id);
    waiting.push(...importsOf(id));
  }
  return found;
}

/** The build uses one file per text, development one file for all. */
const textsOf = (command: string) => (command === 'build' ? '.react-router/texts' : 'src/texts');

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), minifiedContract(), oneLanguage(), patientModules()],
  resolve: {
    alias: [
      { find: '#/texts', replacement: fileURLToPath(new URL(textsOf(command), import.meta.url)) },
      { find: '#', replacement: fileURLToPath(new URL('src', import.meta.url)) },
    ],
  },
  build: { target: 'es2022', assetsInlineLimit: 0 },
  environments: {
    ssr: {
      resolve: { noExternal: true, external: ['react', 'react-dom', 'react-router'] },
      build: { rolldownOptions: { output: { codeSplitting: false } } },
    },
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Short, because a first visit downloads the names of all shared chunks.
            chunkFileNames: ({ isDynamicEntry }) =>
              isDynamicEntry ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
            codeSplitting: {
              groups: [
                // Each group takes what its modules need, except what an earlier group has.
                { name: siteChunk, priority: 6 },
                { name: readNames, minShareCount: 2, priority: 5 },
                { name: 'icons', test: /\/lucide-react\//, minShareCount: 2, priority: 4 },
                // The audit log's texts stay with the log, which only administrators read.
                {
                  name: 'texts',
                  test: /\/\.react-router\/texts\/(?!messages\/audit_action_)/,
                  minShareCount: 3,
                  priority: 4,
                },
                { name: sharedBy('read'), priority: 4 },
                { name: sharedBy('forms'), priority: 3 },
                { name: sharedBy('asking'), priority: 2 },
                { name: sharedBy('rooms'), priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
}));
