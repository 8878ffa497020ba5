import { Icon } from '../icons.tsx'

export const CheckIcon = () => (
  <svg class="bk-icon bk-check" width="18" height="18" viewBox="0 0 24 24" role="img" aria-label="Done">
    <rect x="2" y="2" width="20" height="20" rx="5" fill="currentColor" />
    <path d="M7 12.5l3.5 3.5L17 9" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" />
  </svg>
)
export const WarningIcon = () => (
  <svg class="bk-icon bk-warning" width="18" height="18" viewBox="0 0 24 24" role="img" aria-label="Warning">
    <path
      d="M12 3 1.8 20.5h20.4z"
      fill="currentColor"
      stroke="currentColor"
      stroke-width="2"
      stroke-linejoin="round"
    />
    <path d="M12 9v5.5M12 17.2v.6" stroke="#3b2a00" stroke-width="2.4" stroke-linecap="round" />
  </svg>
)
export const PauseIcon = () => (
  <svg class="bk-icon" width="18" height="18" viewBox="0 0 24 24" role="img" aria-label="Paused">
    <path d="M8 5v14M16 5v14" stroke="currentColor" stroke-width="4" />
  </svg>
)
export const MoreIcon = () => (
  <svg class="bk-icon" width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <circle cx="5" cy="12" r="2" />
    <circle cx="12" cy="12" r="2" />
    <circle cx="19" cy="12" r="2" />
  </svg>
)
export const InfoIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v6M12 7v.5" />
  </Icon>
)
