import { minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';

/** What only the server and tests read: who may call a procedure, what it leaves in the log, its example. */
const withoutMeta = (key: string, value: unknown) => (key === 'meta' ? {} : value);

/** Gives the browser the contract's methods and paths without its shapes, which would cost 36 kB. */
export function minifiedContract(): Plugin {
  const id = 'virtual:contract';
  return {
    name: 'italk-contract',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: async (source) => {
      if (source !== `\0${id}`) return null;
      const { contract } = await import('../src/app/contract.ts');
      return `export default ${JSON.stringify(minifyContractRouter(contract), withoutMeta)}`;
    },
  };
}
