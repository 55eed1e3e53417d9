import { bind } from '#/platform/http/procedures.ts';
import { askDoor } from './commands.ts';
import { administrationContract } from './contract.ts';

const procedures = bind(administrationContract);

export function administrationProcedures({ adminEmails }: { adminEmails: readonly string[] }) {
  return procedures.router({
    door: procedures.door.handler(({ context }) => askDoor(context, adminEmails)),
  });
}
