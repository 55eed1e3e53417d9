import { AppError } from '#/kernel/errors.ts';
import { bind } from '#/platform/http/procedures.ts';
import { mailTrayContract } from './contract.ts';
import { mailInTray, trayMails } from './queries.ts';

/** Demo mode without a mail server only. */
export interface MailTrayConfig {
  mailTray: boolean;
}

export function mailTrayProcedures({ mailTray }: MailTrayConfig) {
  const os = bind(mailTrayContract).use(({ next }) => {
    if (!mailTray) throw new AppError('not_found', 'no_such_route');
    return next();
  });
  return os.router({
    list: os.list.handler(({ context, input }) => trayMails(context, input.limit)),
    get: os.get.handler(({ context, input }) => mailInTray(context, input.id)),
  });
}
