import type { ServiceMode } from '../api-types.ts'
import { WarnIcon } from './icons.tsx'

const texts: Readonly<Record<Exclude<ServiceMode, 'normal'>, string>> = {
  slow: 'The phone service is slow now: it takes 3 seconds to answer.',
  down: 'The phone service is down now.',
}

/** What the tour did to the phone service, as long as that lasts. */
export const ServiceNotice = ({
  mode,
  onMend,
}: {
  readonly mode: ServiceMode
  readonly onMend: () => void
}) =>
  mode === 'normal' ? null : (
    <p class="notice" role="status">
      <WarnIcon /> <span>{texts[mode]}</span>{' '}
      <button type="button" class="link" onClick={onMend}>
        Mend it
      </button>
    </p>
  )
