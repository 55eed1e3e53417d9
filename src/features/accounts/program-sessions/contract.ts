import type { Role } from '#/kernel/actor.ts';

/** A person as `@supabase/auth-js` has it. */
export interface ProgramUser {
  id: string;
  aud: string;
  role: Role | '';
  email: string;
  /** Waits for confirmation from both addresses. */
  new_email?: string;
  email_change_sent_at?: string;
  email_confirmed_at?: string;
  confirmed_at?: string;
  phone: string;
  phone_confirmed_at?: string;
  app_metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
  /** At providers. */
  identities: {
    identity_id: string;
    id: string;
    user_id: string;
    provider: string;
    identity_data: { email: string | null };
    created_at: string;
    last_sign_in_at: string | null;
  }[];
  factors: {
    id: string;
    factor_type: 'totp' | 'webauthn';
    status: 'verified' | 'unverified';
    created_at: string;
    updated_at: string;
  }[];
  is_anonymous: false;
  created_at: string;
  updated_at: string;
}

/** A session, perhaps waiting for its second factor. */
export interface ProgramAnswer {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  /** Seconds since 1970. */
  expires_at: number;
  refresh_token: string;
  user: ProgramUser | Pick<ProgramUser, 'id' | 'aud' | 'factors'>;
}
