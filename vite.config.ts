import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { sharedChunks } from './scripts/chunks.ts';
import { minifiedContract } from './scripts/contract-plugin.ts';
import { oneByteSource } from './scripts/one-byte.ts';

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

/** Parts of React Router that only serve other ways of finding routes, and the instrumentation that we don't use. */
const sparedParts =
  /\/react-router\/dist\/production\/lib\/(?:dom\/ssr\/(?:route-discovery|fog-of-war)|router\/instrumentation)\.js$/;

/** Leaves these parts out of the browser: their functions answer nothing, which the router takes as switched off. */
function sparedRouterParts(): Plugin {
  return {
    name: 'italk-spared-router-parts',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: sparedParts },
      handler(code) {
        const [, names] = /^export \{ ([\w, ]+) \};$/m.exec(code) ?? [];
        if (!names) this.error('React Router changed how it exports: update `sparedRouterParts`.');
        return `const spared = () => undefined;\nexport { ${names.replaceAll(/\w+/g, 'spared as $&')} };`;
      },
    },
  };
}

/** Leaves out React Router's long advice to developers, and its components that only their display names keep. */
function noAdvice(): Plugin {
  return {
    name: 'italk-no-advice',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: /\/react-router\/dist\/production\/lib\/.*\.js$/ },
      handler: (code) =>
        code
          .replaceAll(/"You [^"\\]{100,}"/g, '"React Router was used wrongly"')
          .replaceAll(/^\s*[\w.]+\.displayName = "[\w.]+";$/gm, '')
          .replaceAll(/= (?=React\$1\.forwardRef\()/g, '= /* @__PURE__ */ '),
    },
  };
}

const source = fileURLToPath(new URL('./src/', import.meta.url));

const chunks = sharedChunks(source, {
  site: ['app/web/entry.client.tsx', 'app/web/root.tsx', 'app/web/routes/site.tsx'],
  first: 'app/web/routes/landing.tsx',
  live: ['app/web/live-watch.tsx', 'app/web/bottom-bar.tsx'],
  api: 'web/api.tsx',
  light: ['services', 'service', 'about', 'faq', 'devotional', 'therapists', 'therapist', 'contact'],
});

/** The build uses one file per text, development one file for all. */
const textsOf = (command: string) => (command === 'build' ? '.react-router/texts' : 'src/texts');

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    reactRouter(),
    minifiedContract(),
    oneLanguage(),
    patientModules(),
    sparedRouterParts(),
    noAdvice(),
    chunks.plugin,
    oneByteSource(),
  ],
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
      build: { rolldownOptions: { output: { codeSplitting: false, comments: { jsdoc: false } } } },
    },
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Short, because a first visit downloads the names of all shared chunks.
            chunkFileNames: ({ isDynamicEntry }) =>
              isDynamicEntry ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
            codeSplitting: {
              groups: chunks.groups,
            },
          },
        },
      },
    },
  },
}));
