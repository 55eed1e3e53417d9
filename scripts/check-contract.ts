import { z } from 'zod';
import { contract } from '../src/app/contract.ts';

interface Definition {
  meta: { example?: (sample: object) => object; writes?: readonly string[]; unlogged?: string };
  route: { method?: string };
  inputSchema?: unknown;
}

const sample = {
  id: '01a20d82-bac4-7b96-9880-c1426bea9f7c',
  appointmentId: '01a20d82-bac4-708d-8e9d-337bd4e4fefc',
  clientId: '01a20d82-babd-7bdc-a13a-e8036654824b',
  providerId: '01a20d82-babd-79d4-8063-238ed616f94c',
  serviceId: 'grief',
  startsAt: '2030-03-04T15:00:00Z',
  endsAt: '2030-03-11T15:00:00Z',
};

/** Lists procedures missing metadata that tests rely on: an example and an audit action. */
export function findingsInContract(node: object, trail: readonly string[] = []): string[] {
  const definition = (node as { '~orpc'?: Definition })['~orpc'];
  if (!definition)
    return Object.entries(node).flatMap(([key, child]) =>
      findingsInContract(child as object, [...trail, key]),
    );
  return findingsOf(definition).map((finding) => `${trail.join('.')}: ${finding}`);
}

function findingsOf({ meta: { example, writes = [], unlogged }, route, inputSchema }: Definition): string[] {
  const findings: string[] = [];
  if (inputSchema instanceof z.ZodType) {
    const { error } = example ? inputSchema.safeParse(example(sample)) : {};
    if (!example) findings.push('takes input and has no example: add one with .meta({ example })');
    if (error) findings.push(`refuses its own example: ${z.prettifyError(error).replaceAll(/\s+/g, ' ')}`);
  }
  if (route.method === 'GET') {
    if (unlogged !== undefined) findings.push('is asked by GET, which needs no unlogged');
  } else if (writes.length > 0 === (unlogged !== undefined)) {
    findings.push(
      'changes something: say with .meta() either the log entries that it writes, or why it is unlogged',
    );
  }
  return findings;
}

if (import.meta.main) {
  const findings = findingsInContract(contract);
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
