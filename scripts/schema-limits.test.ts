import { isContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#/app/contract.ts';
import { refusalOfIssues } from '#/platform/http/validation.ts';
import { refusalReasons, type Limit } from '#/web/limits.ts';
import { limitsOfSchema } from './schema-limits.ts';

interface Input {
  schema: z.ZodType;
  example: Record<string, unknown>;
}

const id = '01a20d82-bac4-7b96-9880-c1426bea9f7c';
const sample = {
  id,
  appointmentId: id,
  clientId: id,
  providerId: id,
  serviceId: 'grief',
  startsAt: '2030-03-04T15:00:00Z',
  endsAt: '2030-03-11T15:00:00Z',
};

/** Every procedure's input, with the contract's example. */
const inputs = new Map<string, Input>();
collect(contract, []);

function collect(node: object, trail: readonly string[]): void {
  if (!isContractProcedure(node)) {
    for (const [key, child] of Object.entries(node)) collect(child as object, [...trail, key]);
    return;
  }
  const { inputSchema, meta } = node['~orpc'] as {
    inputSchema?: unknown;
    meta: { example?: (from: typeof sample) => object };
  };
  if (inputSchema instanceof z.ZodType && meta.example)
    inputs.set(trail.join('.'), { schema: inputSchema, example: { ...meta.example(sample) } });
}

/** Values at and beyond the edges of a limit. */
function edges({ kind, min = 0, max = min + 3 }: Limit): unknown[] {
  if (kind === 'number') return [min - 1, min, min + 0.5, max, max + 1];
  if (kind === 'list') return [];
  return ['', 'x', 'x'.repeat(max), 'x'.repeat(max + 1), `${'x'.repeat(max)} `, 'a\u0007b', 'a\nb'];
}

/** Everything the server says about one field. */
function serverReasons({ schema }: Input, input: unknown, of: string): string[] {
  const { fields } = refusalOfIssues(schema.safeParse(input).error?.issues ?? [], input);
  return fields.flatMap(({ field, reason }) => (field === of ? [reason] : []));
}

describe('limits read from the contract', () => {
  it('accept the example of every procedure', () => {
    expect(inputs.size).toBeGreaterThan(150);
    for (const [name, { schema, example }] of inputs)
      expect.soft(refusalReasons(limitsOfSchema(schema), example), name).toEqual([]);
  });

  it('refuse only what the server refuses, for the same reason', () => {
    let compared = 0;
    for (const [name, one] of inputs) {
      const limits = Object.entries(limitsOfSchema(one.schema)).filter(([path]) => !path.includes('.'));
      for (const [field, limit] of limits) {
        for (const value of edges(limit)) {
          const input = { ...one.example, [field]: value };
          const server = serverReasons(one, input, field);
          for (const [, reason] of refusalReasons({ [field]: limit }, input)) {
            const said = `${name}.${field} = ${JSON.stringify(value).slice(0, 60)}: ${reason}, server ${server.join()}`;
            // The server calls an empty field too small or malformed.
            expect.soft(server, said).toContain(reason === 'required' ? server[0] : reason);
            compared += 1;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(500);
  });

  it('refuse texts, numbers and lists beyond their limits', () => {
    const limits = limitsOfSchema(
      z.object({
        name: z.string().trim().min(1).max(5),
        age: z.number().int().min(18).optional(),
        from: z.iso.date(),
        steps: z.array(z.object({ text: z.string().max(3) })).max(2),
      }),
    );
    const reasons = (values: object) => refusalReasons(limits, values);
    expect(reasons({ name: ' ', age: '', steps: [] })).toEqual([['name', 'required']]);
    expect(reasons({ name: 'Rebecca', age: '17' })).toEqual([
      ['name', 'too_large'],
      ['age', 'too_small'],
    ]);
    expect(reasons({ from: '' })).toEqual([['from', 'required']]);
    expect(reasons({ age: 'old' })).toEqual([['age', 'wrong_type']]);
    expect(reasons({ age: '18.5' })).toEqual([['age', 'wrong_type']]);
    expect(reasons({ steps: [{ text: 'one' }, { text: 'three' }, { text: '' }] })).toEqual([
      ['steps', 'too_large'],
      ['steps.1.text', 'too_large'],
    ]);
  });

  it('leave fields to the server that a form doesn’t have', () => {
    const limits = limitsOfSchema(z.object({ name: z.string().min(1), email: z.email() }));
    expect(refusalReasons(limits, { email: '' })).toEqual([['email', 'required']]);
  });
});
