import { isContractProcedure, minifyContractRouter } from '@orpc/contract';
import type { Plugin } from 'vite';
import type { Limits } from '#/web/limits.ts';

const withoutMeta = (key: string, value: unknown) => (key === 'meta' ? {} : value);

/** Not a literal path: Vite would bundle the whole contract into its configuration at every start. */
const contractFile = new URL('../src/app/contract.ts', import.meta.url).href;
const readContract = () => import(contractFile) as Promise<typeof import('../src/app/contract.ts')>;

const limitsPrefix = 'virtual:limits/';

/**
 * Gives the browser only the contract's methods and paths, and each form the limits of the procedure it sends to: all
 * schemas together would add 36 kB.
 */
export function minifiedContract(): Plugin {
  const id = 'virtual:contract';
  return {
    name: 'italk-contract',
    resolveId: (source) => (source === id || source.startsWith(limitsPrefix) ? `\0${source}` : null),
    load: async (source) => {
      if (source === `\0${id}`) {
        const { contract } = await readContract();
        return `export default ${JSON.stringify(minifyContractRouter(contract), withoutMeta)}`;
      }
      if (!source.startsWith(`\0${limitsPrefix}`)) return null;
      return `export default ${JSON.stringify(await limitsOf(source.slice(limitsPrefix.length + 1)))}`;
    },
  };
}

/** Reads the limits of a procedure's input, named as in `growth.goals.add`; throws if there is no such procedure. */
export async function limitsOf(name: string): Promise<Limits> {
  const { contract } = await readContract();
  let found: unknown = contract;
  for (const key of name.split('.')) found = (found as Record<string, unknown> | undefined)?.[key];
  if (!isContractProcedure(found)) throw new Error(`The contract has no procedure ${name}.`);
  const { limitsOfSchema } = await import('./schema-limits.ts');
  return limitsOfSchema(found['~orpc'].inputSchema);
}
