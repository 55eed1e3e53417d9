/** Reactions that send email even if notifications are off, with reasons. */
const needed: Readonly<Record<string, string>> = {
  'notifications.sign-up': 'nobody could come in without its link',
  'notifications.verification': 'nobody could come in without its link',
  'notifications.password-reset': 'nobody could come in without its link',
  'notifications.account-exists': 'it answers whoever signed up, and guards the account',
  'notifications.welcome': 'it answers whoever signed up',
  'notifications.sign-in-locked': 'nobody could come in past a locked account without its link',
  'notifications.secured': 'it guards the account',
  'notifications.added': 'a new specialist could not come in without its link',
  'notifications.requested': 'nobody could book without an account without its link',
  'notifications.guest-invited': 'nobody could be invited without its link',
  'notifications.client-invited': 'nobody could claim a session that was booked for them without its link',
  'notifications.emergency': 'whose conversation was opened has a right to know',
  'notifications.export-ready': 'it answers a request about one’s own data, and guards the account',
  'notifications.deletion': 'it says how the account can be kept, and guards it',
};

/** Whether a reaction obeys the site's notification setting. All do unless listed in `needed`. */
export function isNotification(reaction: string): boolean {
  return !Object.hasOwn(needed, reaction);
}
