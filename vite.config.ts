import { minifyContractRouter } from '@orpc/contract';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** The contract as the browser needs it: methods and paths without shapes, which would cost 36 kB. */
function minifiedContract(): Plugin {
  const id = 'virtual:contract';
  return {
    name: 'italk-contract',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: async (source) => {
      if (source !== `\0${id}`) return null;
      const { contract } = await import('./src/app/contract.ts');
      return `export default ${JSON.stringify(minifyContractRouter(contract))}`;
    },
  };
}

/** Reads a module's imports while chunks are made. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** They name whatever anybody takes from them, so their imports don't say what a page needs. */
const catalogues = /\/(lucide-react|src\/texts)\//;

let needed: ReadonlySet<string> | null = null;

/** What the landing page can't do without comes in one file: forty small ones would compress worse. */
function siteChunk(id: string, graph: Graph): string | null {
  needed ??= neededBy(['root', 'routes/landing'], graph);
  return needed.has(id) || /node_modules\/(react|react-dom|react-router|scheduler)\//.test(id)
    ? 'site'
    : null;
}

function neededBy(entries: readonly string[], graph: Graph): ReadonlySet<string> {
  const folder = new URL('./src/app/web/', import.meta.url).pathname;
  const importsOf = (id: string) => graph.getModuleInfo(id)?.importedIds ?? [];
  const found = new Set<string>();
  const waiting = entries.flatMap((entry) => [...importsOf(`${folder}${entry}.tsx`)]);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || catalogues.test(id)) continue;
    found.add(id);
    waiting.push(...importsOf(id));
  }
  return found;
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), minifiedContract()],
  resolve: { alias: { '#': new URL('./src', import.meta.url).pathname } },
  build: { target: 'es2022', assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: siteChunk },
                { name: 'icons', test: /\/lucide-react\//, minShareCount: 2 },
                { name: 'texts', test: /\/src\/texts\//, minShareCount: 3 },
              ],
            },
          },
        },
      },
    },
  },
});
