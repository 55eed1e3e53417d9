export interface Allowance {
  tries: number;
  seconds: number;
}

const quarterHour = 15 * 60;

/** Sign-in limits: per account, so rotating addresses doesn't help, and per network address. */
export const allowances = {
  /** Per account and device; unknown devices share one. */
  passwords: { tries: 10, seconds: quarterHour },
  lockNotices: { tries: 1, seconds: 86_400 },
  /** Wrong passwords and link tokens per network address. */
  address: { tries: 50, seconds: quarterHour },
  /** Wrong emailed codes per account and known device, whatever their number of codes. */
  emailedCodes: { tries: 30, seconds: 86_400 },
  /** Per account, kind and known device; unknown devices share one limit, except for codes: one per network. */
  mails: { tries: 3, seconds: quarterHour },
  /** Codes to one address, from all networks. */
  codesDay: { tries: 30, seconds: 86_400 },
  /** Per network: guest bookings and repeated email requests. */
  requests: { tries: 30, seconds: quarterHour },
  /** Sign-ups and email requests; a whole church may share one network. */
  crowd: { tries: 300, seconds: quarterHour },
  /** Per day: against spam to thousands of strangers. */
  crowdDay: { tries: 1_000, seconds: 86_400 },
  emailChangesDay: { tries: 10, seconds: 86_400 },
  /** Texts to one number, and requests by one person to add numbers. */
  texts: { tries: 3, seconds: 3_600 },
  textsDay: { tries: 10, seconds: 86_400 },
  /** Requests for texts per network, whatever the number. */
  textsCrowd: { tries: 20, seconds: 3_600 },
  textsCrowdDay: { tries: 60, seconds: 86_400 },
  /** Questions for a passkey per network address, one for each sign-in form that opens. */
  challenges: { tries: 1_000, seconds: quarterHour },
  /** Per session of a program, which refreshes every few minutes. */
  refreshes: { tries: 60, seconds: 60 },
  /** Decoding is expensive. */
  photos: { tries: 30, seconds: quarterHour },
} as const satisfies Record<string, Allowance>;
