import { FactorCoverage } from '#/features/accounts/ui/factor-coverage.tsx';
import { PersonName } from '#/features/accounts/ui/person-name.tsx';
import { SettingsPanel } from '#/features/settings/ui/settings-panel.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';

const BackupsPanel = lazyPart(
  async () => (await import('#/features/backups/ui/backups-panel.tsx')).BackupsPanel,
  () => <Spinner label={m.backups_loading()} className="py-10" />,
);

export function SettingsTab() {
  return (
    <>
      <SettingsPanel title={m.admin_tab_settings()} personName={nameOf} twoFactor={<FactorCoverage />} />
      <BackupsPanel />
    </>
  );
}

function nameOf(id: string) {
  return <PersonName id={id} />;
}
