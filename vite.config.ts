import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { minifiedContract } from './scripts/contract-plugin.ts';

/** How a text ends that has one language; one of several keeps the language it has chosen, and isn't meant. */
const choosing =
  /^export const (\w+) = .*\n\texperimentalStaticLocale \?\? .*\n\treturn (\w+)\(inputs\)\n\}\);$/m;

/** While there is one language, a text is its only wording: what would choose between several is left out. */
function oneLanguage(): Plugin {
  return {
    name: 'italk-one-language',
    transform: {
      filter: { id: /\/\.react-router\/texts\/messages\// },
      handler: (code) => code.replace(choosing, 'export { $2 as $1 };'),
    },
  };
}

/** Where the router, whose page's script couldn't be loaded, loads the page on screen again, network or not. */
const givingUp = /\} catch \(error\) \{\s*(?=console\.error\(`Error loading route module)/;

/** A page's script that can't be loaded is waited for while there is no network, as its data are. */
function patientModules(): Plugin {
  return {
    name: 'italk-patient-modules',
    transform: {
      filter: { id: /\/react-router\/.*\/routeModules\.js$/ },
      handler(code) {
        if (!givingUp.test(code)) this.error('The router loads its modules in another way now.');
        return `import { lacksNetwork } from '#/web/network.ts';\n${code.replace(
          givingUp,
          '$&if (await lacksNetwork(route.module)) return loadRouteModule(route, routeModulesCache);\n',
        )}`;
      },
    },
  };
}

/** Reads a module's imports while chunks are made. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** They name whatever anybody takes from them, so their imports don't say what a page needs. */
const catalogues = /\/(lucide-react|\.react-router\/texts)\//;

/** What somebody who is signed in goes to and fro between. */
const rooms = [
  'app/web/routes/profile.tsx',
  'app/web/routes/growth.tsx',
  'app/web/dashboards/client-dashboard.tsx',
];

/** Guests' pages, which aren't to wait for what only rooms need: those that are read, and those that ask for more. */
const read = ['services', 'service', 'about', 'faq', 'contact', 'devotional', 'not-found', 'offline'];
const asking = ['resources', 'resource', 'therapists'];

type Share = 'read' | 'asking' | 'rooms';

let shares: Readonly<Record<Share, ReadonlySet<string>>> | null = null;

/** What at least two rooms need, by who needs it, too: three files, where sixty small ones would come late. */
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
  const pages = (names: readonly string[]) => names.map((name) => `app/web/routes/${name}.tsx`);
  const dialog = 'features/accounts/ui/auth-required-dialog.tsx';
  return {
    read: shared.intersection(neededBy(pages(read), graph)),
    asking: shared.intersection(neededBy([...pages(asking), dialog], graph)),
    rooms: shared,
  };
}

let needed: ReadonlySet<string> | null = null;

/** What the landing page can't do without comes in one file: forty small ones would compress worse. */
function siteChunk(id: string, graph: Graph): string | null {
  needed ??= neededBy(['app/web/entry.client.tsx', 'app/web/root.tsx', 'app/web/routes/landing.tsx'], graph);
  return needed.has(id) || /node_modules\/(react|react-dom|react-router|scheduler)\//.test(id)
    ? 'site'
    : null;
}

function neededBy(entries: readonly string[], graph: Graph): ReadonlySet<string> {
  const folder = fileURLToPath(new URL('./src/', import.meta.url));
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

/** Built pages take one file per text; while developing, all of them come in one. */
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
    client: {
      build: {
        rolldownOptions: {
          output: {
            // A first visit reads the names of all shared files, so these are short.
            chunkFileNames: ({ isDynamicEntry }) =>
              isDynamicEntry ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
            codeSplitting: {
              groups: [
                // Each takes what its modules need, save what stands in one before it.
                { name: siteChunk, priority: 5 },
                { name: 'icons', test: /\/lucide-react\//, minShareCount: 2, priority: 4 },
                // The log's words go with the log, which only administrators read.
                {
                  name: 'texts',
                  test: /\/\.react-router\/texts\/(?!messages\/audit_action_)/,
                  minShareCount: 3,
                  priority: 4,
                },
                { name: sharedBy('read'), priority: 3 },
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
