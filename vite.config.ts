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

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), minifiedContract()],
  resolve: { alias: { '#': new URL('./src', import.meta.url).pathname } },
  build: { target: 'es2022', assetsInlineLimit: 0 },
});
