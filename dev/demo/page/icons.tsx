import type { JSX } from 'preact'

/** Icons are drawn, since a plain machine lacks many glyphs. All are decoration: what they stand for is in words beside them. */
export function Icon({
  children,
  size = 18,
}: {
  readonly children: JSX.Element | JSX.Element[]
  readonly size?: number
}) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

const pathIcon =
  (d: string, size = 18) =>
  () => (
    <Icon size={size}>
      <path d={d} />
    </Icon>
  )

export const HashIcon = pathIcon('M5 9h15M4 15h15M10 4 8 20M16 4l-2 16', 16)
export const HomeIcon = pathIcon('M4 11 12 4l8 7v9H4z', 16)
export const EyeIcon = () => (
  <Icon size={14}>
    <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z" />
    <circle cx="12" cy="12" r="3" />
  </Icon>
)
export const SendIcon = pathIcon('M4 4l17 8-17 8 3-8zM7 12h14')
export const CloseIcon = pathIcon('M6 6l12 12M18 6 6 18')
export const CopyIcon = pathIcon('M9 9h11v11H9zM5 15H4V4h11v1', 15)
export const CodeIcon = pathIcon('M8 7l-5 5 5 5M16 7l5 5-5 5', 16)
export const FlagIcon = pathIcon('M5 21V4M5 5h13l-3 4 3 4H5', 16)
export const DoneIcon = pathIcon('M5 12.5l4.5 4.5L19 7.5', 16)
export const WarnIcon = pathIcon('M12 3 2 20h20zM12 10v4M12 17v.5', 16)

/** The app's mark. */
export const AppMark = () => (
  <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#1f3a5f" />
    <path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round" />
  </svg>
)
