import { useEffect } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { Field, TextInput, PasswordField } from '#/web/components/field.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { providersOf } from '../openid/rules.ts';
import { typedErrors } from './field-errors.ts';
import { useIdentityForm } from './identity-form.ts';
import type { Step } from './second-step.tsx';
import { useSession } from './session.tsx';

const ProviderSignIn = lazyPart(
  async () => (await import('./provider-sign-in.tsx')).ProviderSignIn,
  () => <div className="h-11" />,
);
const WalletSignIn = lazyPart(async () => (await import('./wallet-sign-in.tsx')).WalletSignIn);
const PasskeySignIn = lazyPart(
  async () => (await import('./passkey-sign-in.tsx')).PasskeySignIn,
  () => <div className="h-11" />,
);

export type AuthMode = 'sign-in' | 'sign-up' | 'forgot' | 'code' | 'text' | 'link';

export type AuthTyped = { name: string; email: string; password: string; phone: string };

interface Mode {
  fields: readonly (keyof AuthTyped)[];
  text?: () => string;
  submit: () => string;
  links: Readonly<Partial<Record<AuthMode, () => string>>>;
}

const modes: Readonly<Record<AuthMode, Mode>> = {
  'sign-in': {
    fields: ['email', 'password'],
    submit: m.accounts_sign_in,
    links: {
      code: m.accounts_code_link,
      text: m.accounts_texted_code_link,
      forgot: m.accounts_forgot_link,
      link: m.accounts_link_link,
      'sign-up': m.accounts_to_sign_up,
    },
  },
  'sign-up': {
    fields: ['name', 'email', 'password'],
    submit: m.accounts_sign_up,
    links: { 'sign-in': m.accounts_to_sign_in },
  },
  forgot: {
    fields: ['email'],
    text: m.accounts_forgot_text,
    submit: m.accounts_forgot_submit,
    links: { 'sign-in': m.accounts_back_to_sign_in },
  },
  code: {
    fields: ['email'],
    text: m.accounts_code_text,
    submit: m.accounts_code_link,
    links: { 'sign-in': m.accounts_back_to_sign_in },
  },
  text: {
    fields: ['phone'],
    text: m.accounts_texted_code_text,
    submit: m.accounts_texted_code_link,
    links: { 'sign-in': m.accounts_back_to_sign_in },
  },
  link: {
    fields: ['email'],
    text: m.accounts_link_text,
    submit: m.accounts_link_submit,
    links: { 'sign-in': m.accounts_back_to_sign_in },
  },
};

export function AuthFields({
  mode,
  values,
  changed,
  onMode,
  next,
  send,
  onStep,
  onSignedIn,
}: {
  mode: AuthMode;
  values: AuthTyped;
  /** The form before it lost the focus. */
  changed: boolean;
  onMode: (mode: AuthMode, typed: AuthTyped) => void;
  next: () => string;
  send: (typed: AuthTyped) => Promise<void>;
  onStep: (step: Step) => void;
  onSignedIn: () => Promise<void>;
}) {
  const { site } = useSession();
  const hydrated = useHydrated();
  const { fields, text, submit } = modes[mode];
  const newcomer = mode === 'sign-up';
  const byPasskey = mode === 'sign-in' && site.passkeys;
  const least = site.passwordMinLength;
  const providers = fields.includes('password') && hydrated ? site.providers : [];
  const { props, input, errorOf, busy, getValues, dismissFailure } = useIdentityForm<AuthTyped>({
    values,
    // Existing passwords may predate the current minimum.
    check: (typed) =>
      typedErrors(Object.fromEntries(fields.map((field) => [field, typed[field]])), newcomer ? least : 1),
    save: send,
  });
  const { ref } = props;
  const first = providersOf(input('email').value, providers);
  const others = providers.filter((provider) => !first.includes(provider));
  useEffect(() => {
    if (!changed) return;
    ref.current?.querySelector('input')?.focus();
    if (mode === 'code' && getValues('email').trim()) ref.current?.requestSubmit();
  }, [changed, mode, ref, getValues]);
  const change = (to: AuthMode) => {
    dismissFailure();
    onMode(to, getValues());
  };

  return (
    <form {...props} method="post" className="space-y-4">
      {text && <p className="text-quiet">{text()}</p>}
      {fields.includes('name') && (
        <Field label={m.accounts_full_name()} error={errorOf('name')}>
          <TextInput {...input('name')} autoComplete="name" required />
        </Field>
      )}
      {fields.includes('email') && (
        <Field label={m.accounts_email()} error={errorOf('email')}>
          <TextInput
            {...input('email')}
            type="email"
            autoComplete={byPasskey ? 'username webauthn' : 'username'}
            autoCapitalize="none"
            required
          />
        </Field>
      )}
      {providers.some(({ domains }) => domains.length > 0) && (
        <p role="status" className="sr-only">
          {first.length > 0 && m.accounts_provider_first({ labels: eitherOf(first) })}
        </p>
      )}
      {first.length > 0 && <ProviderSignIn providers={first} variant="primary" next={next} />}
      {fields.includes('phone') && (
        <Field label={m.accounts_phone()} error={errorOf('phone')}>
          <TextInput {...input('phone')} type="tel" autoComplete="tel" required />
        </Field>
      )}
      {fields.includes('password') && (
        <PasswordField
          label={m.accounts_password()}
          error={errorOf('password')}
          hint={newcomer ? m.accounts_password_hint({ min: least }) : undefined}
          {...input('password')}
          autoComplete={newcomer ? 'new-password' : 'current-password'}
          required
        />
      )}
      <Button
        type="submit"
        variant={first.length > 0 ? 'secondary' : 'primary'}
        disabled={!hydrated}
        busy={busy}
        busyLabel={m.accounts_submitting()}
        className="w-full"
      >
        {submit()}
      </Button>
      {byPasskey && hydrated && <PasskeySignIn onSignedIn={onSignedIn} />}
      {others.length > 0 && <ProviderSignIn providers={others} variant="secondary" next={next} />}
      {mode === 'sign-in' && hydrated && site.walletSignIn && (
        <WalletSignIn onStep={onStep} onSignedIn={onSignedIn} />
      )}
      <ModeLinks mode={mode} onMode={change} />
      {site.demo && fields.includes('password') && (
        <p className="text-center text-sm text-quiet">{m.accounts_demo_hint({ min: least })}</p>
      )}
    </form>
  );
}

function ModeLinks({ mode, onMode }: { mode: AuthMode; onMode: (mode: AuthMode) => void }) {
  const { site } = useSession();
  const offered: Partial<Record<string, boolean>> = { code: site.signInCode, text: site.textedCode };
  return (
    <div className="flex flex-col items-center">
      {Object.entries(modes[mode].links)
        .filter(([to]) => offered[to] ?? true)
        .map(([to, label]) => (
          <Button
            key={to}
            variant={to in offered ? 'secondary' : 'quiet'}
            size={to in offered ? 'md' : 'sm'}
            className={classes(to in offered && 'mb-2 w-full')}
            onClick={() => onMode(to as AuthMode)}
          >
            {label()}
          </Button>
        ))}
    </div>
  );
}

function eitherOf(providers: readonly { label: string }[]): string {
  return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(providers.map(({ label }) => label));
}
