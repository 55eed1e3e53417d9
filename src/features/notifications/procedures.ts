import { AppError } from '#/kernel/errors.ts';
import { bind } from '#/platform/http/procedures.ts';
import { mailTrayContract } from './contract.ts';
import { mailInTray, trayMails } from './queries.ts';

/** What configuration says of the mail tray: it opens in demo mode without a mail server, and nowhere else. */
export interface MailTrayConfig {
  mailTray: boolean;
}

/** Binds the mail tray's procedures. */
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
