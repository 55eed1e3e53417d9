import { minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';

const withoutMeta = (key: string, value: unknown) => (key === 'meta' ? {} : value);

/** Gives the browser only the contract's methods and paths; its schemas would add 36 kB. */
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
