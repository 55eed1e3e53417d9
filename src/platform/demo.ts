import { readFileSync } from 'node:fs';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from './context.ts';
import { release } from './release.ts';

/** Reads the demo's texts from `data/demo/`. */
export function demoContent<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`data/demo/${name}.json`, release), 'utf8')) as Content;
}

/** Acts as one of the demo's people. */
export function actAs(ctx: Ctx, { id, role }: { id: string; role: Role }, at = ctx.now()): Ctx {
  return { ...ctx, actor: { kind: 'person', id, role, sessionId: ctx.newId() }, now: () => at };
}
